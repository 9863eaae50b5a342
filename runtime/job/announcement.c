/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program without the runtime cannot answer a message, and no rank may wait for its answer.
 * Therefore a rank with the runtime announces itself before it enters PMPI_Init, under the name
 *
 *     mpispec.<identity of the build>.<rank>
 *
 * and adds ".spread" to a key if the job may have several nodes (mpispec_ranks_spread).
 *
 * With most MPI libraries, PMPI_Init ends on no rank before it has begun on all, because the ranks
 * exchange their addresses there. Then a name that is missing after PMPI_Init never appears, and
 * all ranks get the same result. For other libraries, a rank polls the names of sockets for some
 * time.
 *
 * If the launcher stores keys (pmi.h), the name is a key. Rank 0 of MPI_COMM_WORLD reads all keys
 * and sends the result to each rank that has stored a key. All other ranks read only the key of
 * rank 0: without it, rank 0 sends no result.
 *
 * Otherwise the name is that of an abstract Unix socket on which no process listens. It then
 * contains a name of the job before the rank. If nothing distinguishes the job from others, no rank
 * of it announces itself, because a rank of another job could be counted instead. Every rank counts
 * these names in /proc/net/unix. The system removes the socket with its process. A rank cannot see
 * the sockets of other machines. */
#define _GNU_SOURCE
#include "job/announcement.h"

#include "abi/mpi.h"
#include "job/agreement.h"
#include "job/identity.h"
#include "job/launcher.h"
#include "job/pmi.h"
#include "progress/tuning.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* An abstract socket has room for 107 characters, including the rank. */
enum { NAME = sizeof "mpispec." MPISPEC_IDENTITY_TEXT ".." + MPISPEC_JOB_NAME };

static int has_keys;
static int is_nameless; /* nonzero: this rank has no name, because ranks of other jobs might have
                           the same */
static int announcement = -1;

/* Whether some ranks may be on other nodes, according to the launcher or a variable of MPICH. */
static int may_spread(void) { return mpispec_launcher_spreads() || getenv("MPIR_CVAR_NOLOCAL"); }

/* --- keys of the launcher ----------------------------------------------------------------------*/

enum key { NONE, PLAIN, SPREAD };
static enum key agreed; /* the result of collect_keys */

static void write_key(char name[NAME], const char *rank, enum key key) {
  snprintf(name, NAME, "mpispec.%s.%s%s", MPISPEC_IDENTITY_TEXT, rank,
           key == SPREAD ? ".spread" : "");
}

static int has_key(int rank, enum key key) {
  char name[NAME], number[16];
  snprintf(number, sizeof number, "%d", rank);
  write_key(name, number, key);
  return mpispec_pmi_has(name);
}

/* Mostly, all ranks have the same kind of key. Therefore that kind is tried first. */
static enum key find_key(int rank, enum key likely) {
  const enum key other = likely == SPREAD ? PLAIN : SPREAD;
  return has_key(rank, likely) ? likely : has_key(rank, other) ? other : NONE;
}

/* Called by rank 0, which has a key. Reads the keys of all other ranks, and sends the result to
 * each rank that has a key. The result is NONE if any rank has no key. Otherwise it is SPREAD if
 * any rank has the key SPREAD. */
static enum key collect_keys(int world_size, enum key own) {
  int result = (int)own;
  for (int rank = 1; result != NONE && rank < world_size; ++rank) {
    const enum key key = find_key(rank, own);
    result = key == PLAIN ? result : (int)key;
  }
  for (int rank = 1; rank < world_size; ++rank)
    if (result != NONE || find_key(rank, own) != NONE)
      PMPI_Send(&result, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  return (enum key)result;
}

static enum key agree_by_keys(int world_rank, int world_size) {
  const enum key own = may_spread() ? SPREAD : PLAIN;
  int result = NONE;
  if (world_rank == 0)
    return collect_keys(world_size, own);
  if (find_key(0, own) != NONE)
    mpispec_agreement_receive(&result, 0, 0, MPI_COMM_WORLD);
  return (enum key)result;
}

/* --- sockets -----------------------------------------------------------------------------------*/

/* Nonzero if there is room for one more descriptor than the MPI library will need. A job that works
 * without the runtime must work with it. */
static int has_descriptors(int last) {
  enum { LIBRARY = 128 };
  struct rlimit limit;
  return !getrlimit(RLIMIT_NOFILE, &limit) && (rlim_t)last + LIBRARY < limit.rlim_cur;
}

/* Returns 0 if ranks of other jobs may write the same prefix. */
static int write_prefix(char prefix[NAME]) {
  char job[MPISPEC_JOB_NAME];
  const int is_of_job = mpispec_launcher_job(job);
  snprintf(prefix, NAME, "mpispec.%s.%s.", MPISPEC_IDENTITY_TEXT, job);
  return is_of_job;
}

static void bind_socket(const char *rank) {
  char prefix[NAME];
  struct sockaddr_un address = {.sun_family = AF_UNIX}; /* abstract: sun_path begins with a zero */
  is_nameless = !write_prefix(prefix);
  if (is_nameless)
    return;
  const int length =
      snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s%s", prefix, rank);
  announcement = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (announcement >= 0 && has_descriptors(announcement))
    (void)!bind(announcement, (struct sockaddr *)&address,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length));
  else
    mpispec_announcement_withdraw();
}

/* Returns the number of bound names of this job. */
static int count_sockets(void) {
  char prefix[NAME], line[512];
  write_prefix(prefix);
  FILE *file = fopen("/proc/net/unix", "re");
  if (!file)
    return 0;
  int count = 0;
  while (fgets(line, sizeof line, file)) {
    const char *name = strchr(line, '@'); /* the kernel prints the leading zero as '@' */
    count += name && !strncmp(name + 1, prefix, strlen(prefix));
  }
  fclose(file);
  return count;
}

static int agree_by_sockets(int world_size) {
  /* Several polls, because some libraries let a rank leave PMPI_Init before all have entered it. */
  const struct timespec between = {0, MPISPEC_ANNOUNCEMENT_PAUSE};
  for (int poll = 0; count_sockets() < world_size; ++poll) {
    if (poll == MPISPEC_ANNOUNCEMENT_POLLS)
      return 0; /* withdrawn at once: a rank that counts later must not find this socket */
    nanosleep(&between, NULL);
  }
  return 1;
}

/* --- either ------------------------------------------------------------------------------------*/

void mpispec_announce(void) {
  const char *rank = mpispec_launcher_rank();
  char name[NAME];
  if (!rank)
    return;
  write_key(name, rank, may_spread() ? SPREAD : PLAIN);
  has_keys = mpispec_pmi_open() && mpispec_pmi_put(name);
  if (!has_keys)
    bind_socket(rank);
}

int mpispec_all_announced(int world_rank, int world_size) {
  if (world_size == 1)
    return 1;
  if (is_nameless)
    return 0;
  if (!has_keys)
    return agree_by_sockets(world_size);
  agreed = agree_by_keys(world_rank, world_size);
  return agreed != NONE;
}

int mpispec_ranks_spread(void) {
  const int mine = may_spread();
  int anywhere = agreed == SPREAD;
  if (agreed == NONE)
    mpispec_agreement_allreduce(&mine, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return anywhere;
}

int mpispec_announcement_is_nameless(void) { return is_nameless; }

int mpispec_announcement_is_local(void) { return !has_keys && mpispec_launcher_spreads(); }

void mpispec_announcement_withdraw(void) {
  if (announcement >= 0)
    close(announcement);
  announcement = -1;
}
