/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See mapping.h. The file has its full size from the beginning. Therefore a full disk is an error
 * here, and not a signal at a later write. */
#define _GNU_SOURCE
#include "profile/mapping.h"

#include "mpispec/machine.h"
#include "progress/ticks.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Makes the directory, and the directories above it. */
static int make_directory(const char *directory) {
  char path[4096];
  if ((size_t)snprintf(path, sizeof path, "%s", directory) >= sizeof path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0777);
    *slash = '/';
  }
  return !mkdir(path, 0777) || errno == EEXIST;
}

static size_t bytes_of(uint32_t world_size) {
  return sizeof(struct mpispec_profile_header) +
         MPISPEC_PROFILE_OBJECTS * sizeof(struct mpispec_profile_object) +
         MPISPEC_PROFILE_DATATYPES * sizeof(struct mpispec_profile_datatype) +
         MPISPEC_PROFILE_BINS * sizeof(struct mpispec_profile_bin) +
         MPISPEC_PROFILE_SITES * sizeof(struct mpispec_profile_site) +
         world_size * sizeof(struct mpispec_profile_peer);
}

static void *map_file(const char *path, size_t bytes) {
  if (unlink(path) && errno != ENOENT) /* a program that has the old file mapped keeps it */
    return NULL;
  const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return NULL;
  const int error = posix_fallocate(file, 0, (off_t)bytes);
  void *memory =
      error ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (error)
    errno = error;
  return memory == MAP_FAILED ? NULL : memory;
}

const char *mpispec_profile_map(struct mpispec_profile_mapping *mapping, const char *directory,
                                uint32_t rank, uint32_t world_size, int is_child) {
  char path[4200];
  if (!make_directory(directory))
    return "cannot make the directory";
  if (is_child) /* started by MPI_Comm_spawn: its ranks begin at 0 again */
    snprintf(path, sizeof path, "%s/rank-%u-of-process-%ld.mpispec", directory, rank,
             (long)getpid());
  else
    snprintf(path, sizeof path, "%s/rank-%u.mpispec", directory, rank);
  char *memory = map_file(path, bytes_of(world_size));
  if (!memory)
    return "cannot write a file there";
  mapping->header = (void *)memory;
  mapping->objects = (void *)(mapping->header + 1);
  mapping->datatypes = (void *)(mapping->objects + MPISPEC_PROFILE_OBJECTS);
  mapping->bins = (void *)(mapping->datatypes + MPISPEC_PROFILE_DATATYPES);
  mapping->sites = (void *)(mapping->bins + MPISPEC_PROFILE_BINS);
  mapping->peers = (void *)(mapping->sites + MPISPEC_PROFILE_SITES);
  return NULL;
}

/* --- the header --------------------------------------------------------------------------------*/

static void describe_place(struct mpispec_profile_header *header) {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  header->cores = (uint32_t)CPU_COUNT(&set);
  for (int core = 0; core < 1024 && core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set))
      header->core_mask[core / 64] |= UINT64_C(1) << core % 64;
  header->core = (uint32_t)sched_getcpu();
  header->cores_online = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
  gethostname(header->node, sizeof header->node - 1);
}

static void describe_program(struct mpispec_profile_header *header) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  for (unsigned i = 0; i + 1 < sizeof header->library && version[i] && version[i] != '\n'; ++i)
    header->library[i] = version[i];
  const ssize_t bytes = readlink("/proc/self/exe", header->program, sizeof header->program - 1);
  header->program[bytes < 0 ? 0 : bytes] = 0;
  header->process = (uint64_t)getpid();
}

void mpispec_profile_describe(struct mpispec_profile_mapping *mapping, int rank, int size,
                              int thread_level) {
  struct mpispec_profile_header *header = mapping->header;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  mpispec_ticks_calibrate();
  header->order = MPISPEC_PROFILE_ORDER;
  header->version = MPISPEC_PROFILE_VERSION;
  header->header_bytes = sizeof *header;
  header->object_bytes = sizeof *mapping->objects;
  header->datatype_bytes = sizeof *mapping->datatypes;
  header->site_bytes = sizeof *mapping->sites;
  header->peer_bytes = sizeof *mapping->peers;
  header->rank = (uint32_t)rank;
  header->world_size = (uint32_t)size;
  header->thread_level = (uint32_t)thread_level;
  header->began_at = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  header->ticks_in_1024ns = mpispec_ticks_rate;
  header->bin_ticks = mpispec_ticks_in(1000000);
  header->ticks_began = header->ticks_last = mpispec_ticks();
  describe_place(header);
  describe_program(header);
  memcpy(header->magic, MPISPEC_PROFILE_MAGIC, sizeof header->magic); /* now it is valid */
}

/* --- ranks -------------------------------------------------------------------------------------*/

/* Communicators whose ranks were translated, by a hash of the handle. */
enum { TRANSLATIONS = 64 };
static struct {
  MPI_Comm communicator;
  int size, *world_ranks;
} translations[TRANSLATIONS];

static unsigned place_of(MPI_Comm communicator) {
  const uint64_t bits = (uint64_t)(uintptr_t)communicator;
  return (unsigned)((bits ^ bits >> 6 ^ bits >> 12) % TRANSLATIONS);
}

/* Stores the ranks in MPI_COMM_WORLD of a communicator's group. For an intercommunicator it is the
 * remote group. */
static void translate_ranks(unsigned place, MPI_Comm communicator) {
  MPI_Group theirs = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  int is_between = 0, size = 0;
  if (PMPI_Comm_test_inter(communicator, &is_between) ||
      (is_between ? PMPI_Comm_remote_group : PMPI_Comm_group)(communicator, &theirs))
    return;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(theirs, &size);
  int *ranks = calloc((size_t)size + 1, 2 * sizeof *ranks), *world_ranks = ranks + size;
  for (int i = 0; ranks && i < size; ++i)
    ranks[i] = i;
  if (ranks) {
    PMPI_Group_translate_ranks(theirs, size, ranks, world, world_ranks);
    for (int i = 0; i < size; ++i)
      ranks[i] = world_ranks[i] == MPI_UNDEFINED ? -1 : world_ranks[i];
  }
  PMPI_Group_free(&theirs);
  PMPI_Group_free(&world);
  free(translations[place].world_ranks);
  translations[place].communicator = communicator;
  translations[place].world_ranks = ranks;
  translations[place].size = ranks ? size : 0;
}

int mpispec_profile_world_rank(MPI_Comm communicator, int peer) {
  if (peer < 0 || communicator == MPI_COMM_NULL)
    return -1;
  if (communicator == MPI_COMM_WORLD)
    return peer;
  const unsigned place = place_of(communicator);
  if (!translations[place].world_ranks || translations[place].communicator != communicator)
    translate_ranks(place, communicator);
  return translations[place].communicator == communicator && peer < translations[place].size
             ? translations[place].world_ranks[peer]
             : -1;
}

void mpispec_profile_forget_ranks(MPI_Comm communicator) {
  const unsigned place = place_of(communicator);
  if (translations[place].communicator != communicator)
    return;
  free(translations[place].world_ranks);
  translations[place].world_ranks = NULL;
  translations[place].size = 0;
}
