/* The beginning and the end of a profile, and of each call in it. profile.h says how calls come
 * here.
 *
 * What a call is counted by is taken without the lock: the clock, before and after. Then one short
 * section, with a lock of the profile's own, adds it up in the mapped file. */
#define _GNU_SOURCE
#include "profile/profile.h"

#include "mpispec/machine.h"
#include "profile/mapping.h"
#include "profile/path.h"
#include "profile/profile_sites.h"
#include "profile/values.h"
#include "progress/progress.h"
#include "progress/ticks.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int mpispec_gate, mpispec_profile_is_on;
_Thread_local int mpispec_profile_depth;

static struct mpispec_profile_mapping mapping;

static atomic_flag held = ATOMIC_FLAG_INIT;

/* Pair P, acquire: what the last holder counted is there. */
static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
    sched_yield();
}

/* Pair P, release. */
static void unlock(void) { atomic_flag_clear_explicit(&held, memory_order_release); }

/* --- a call ------------------------------------------------------------------------------------*/

/* The last call of this thread, to see what follows it. */
static _Thread_local struct {
  const char *function;
  int peer;
  uint64_t bytes;
  MPI_Comm communicator;
  struct mpispec_profile_site *site;
} last_call;

void mpispec_profile_begin(struct mpispec_profile_call *call) {
  ++mpispec_profile_depth;
  mpispec_waiting = (struct mpispec_waiting){0, 0};
  call->begun = mpispec_ticks();
}

static unsigned class_of(uint64_t bytes) {
  return bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
}

static void count_size(struct mpispec_profile_site *site, uint64_t bytes, uint64_t ticks) {
  const unsigned class = class_of(bytes);
  struct mpispec_profile_size *size =
      &site->sizes[class < MPISPEC_PROFILE_SIZES ? class : MPISPEC_PROFILE_SIZES - 1];
  if (!size->calls++ || ticks < size->least_ticks)
    size->least_ticks = ticks;
  size->bytes += bytes;
  size->ticks += ticks;
}

static uint64_t mix(uint64_t sum, uint64_t word) { return (sum ^ word) * 0x9e3779b97f4a7c15u; }

/* Are the arguments those of the call before at this site? */
static int is_same(const struct mpispec_profile_call *call, struct mpispec_profile_extra *extra) {
  uint64_t sum = mix(mix(1, (uint64_t)(uintptr_t)call->buffer), call->bytes);
  sum = mix(mix(sum, (uint64_t)(uintptr_t)call->datatype), (uint64_t)(uintptr_t)call->communicator);
  sum = mix(sum, (uint64_t)(unsigned)call->peer << 32 | (unsigned)call->tag);
  const int same = extra->arguments == sum;
  extra->arguments = sum;
  return same;
}

static void count_arguments(struct mpispec_profile_site *site, struct mpispec_profile_extra *extra,
                            const struct mpispec_profile_call *call, uint64_t waiting) {
  const int world = mpispec_profile_world_rank(call->communicator, call->peer);
  mpispec_profile_count(&site->peers, world >= 0 ? world : call->peer, call->bytes);
  mpispec_profile_count(&site->tags, call->tag, call->bytes);
  mpispec_profile_count(&site->lengths, (int64_t)call->bytes, call->bytes);
  if (mpispec_profile_count(&site->datatypes, (int64_t)(intptr_t)call->datatype, call->bytes) &&
      call->bytes && call->datatype != MPI_DATATYPE_NULL) /* as a Gather, which has two */
    mpispec_profile_name_datatype(&mapping, call->datatype);
  mpispec_profile_count(&site->communicators, (int64_t)(intptr_t)call->communicator, call->bytes);
  site->same += is_same(call, extra);
  if (world < 0 || world >= (int)mapping.header->world_size)
    return;
  if (call->sends) {
    ++mapping.peers[world].messages;
    mapping.peers[world].bytes += call->bytes;
  }
  if (call->receives)
    mapping.peers[world].waiting += waiting;
}

/* What comes right after what: messages that could be one, and exchanges in two blocking halves. */
static void count_sequence(struct mpispec_profile_site *site,
                           const struct mpispec_profile_call *call) {
  enum { SHORT = 256 };
  const int is_same_peer = call->has_arguments && last_call.site && last_call.peer == call->peer &&
                           last_call.communicator == call->communicator;
  if (is_same_peer && call->sends && call->bytes <= SHORT && last_call.bytes <= SHORT)
    ++site->run_on;
  if (is_same_peer && !strcmp(call->function, "Recv") && !strcmp(last_call.function, "Send"))
    ++last_call.site->exchanges;
  last_call.site = call->sends ? site : NULL;
  last_call.function = call->function;
  last_call.peer = call->peer;
  last_call.bytes = call->bytes;
  last_call.communicator = call->communicator;
}

static void count_waiting(struct mpispec_profile_site *site,
                          const struct mpispec_profile_call *call, uint64_t waiting) {
  site->waiting += waiting;
  if (call->waits_for == MPISPEC_WAITS_FOR_SENDER)
    site->waiting_sender += waiting;
  if (call->waits_for == MPISPEC_WAITS_FOR_RECEIVER)
    site->waiting_receiver += waiting;
}

static void count(const struct mpispec_profile_call *call, uint64_t now, uint64_t waiting) {
  const uint64_t ticks = now - call->begun;
  struct mpispec_profile_extra *extra;
  struct mpispec_profile_site *site =
      mpispec_profile_site_find(&mapping, call->caller, call->function, &extra);
  const enum mpispec_profile_path path = extra->has_template || call->path == MPISPEC_PATH_NO_LANES
                                             ? call->path
                                             : MPISPEC_PATH_NO_TEMPLATE;
  ++site->calls;
  site->bytes += call->bytes;
  site->ticks += ticks;
  site->most_ticks = ticks > site->most_ticks ? ticks : site->most_ticks;
  site->waits_for = call->waits_for;
  ++site->paths[path];
  count_size(site, call->bytes, ticks);
  count_waiting(site, call, waiting);
  if (call->has_arguments)
    count_arguments(site, extra, call, waiting);
  count_sequence(site, call);
  if (extra->thread && extra->thread != &mpispec_profile_depth)
    site->threads = 1;
  extra->thread = &mpispec_profile_depth;
  mapping.header->ticks_in_mpi += ticks;
  mapping.header->ticks_waiting += waiting;
  mapping.header->ticks_last = now;
  mpispec_profile_bins_add(&mapping, call->begun, now, waiting);
}

void mpispec_profile_end(struct mpispec_profile_call *call) {
  const uint64_t now = mpispec_ticks();
  const uint64_t waiting = mpispec_waiting.last - mpispec_waiting.first;
  lock();
  if (mpispec_profile_is_on)
    count(call, now, waiting);
  unlock();
  --mpispec_profile_depth;
}

void mpispec_profile_forget(MPI_Comm communicator) {
  if (!mpispec_profile_is_on)
    return;
  lock();
  mpispec_profile_forget_ranks(communicator);
  unlock();
}

/* --- the whole ---------------------------------------------------------------------------------*/

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

static void describe(struct mpispec_profile_header *header, int rank, int size, int thread_level) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  mpispec_ticks_calibrate();
  header->order = MPISPEC_PROFILE_ORDER;
  header->version = MPISPEC_PROFILE_VERSION;
  header->header_bytes = sizeof *header;
  header->object_bytes = sizeof *mapping.objects;
  header->datatype_bytes = sizeof *mapping.datatypes;
  header->site_bytes = sizeof *mapping.sites;
  header->peer_bytes = sizeof *mapping.peers;
  header->rank = (uint32_t)rank;
  header->world_size = (uint32_t)size;
  header->thread_level = (uint32_t)thread_level;
  header->began_at = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  header->ticks_in_1024ns = mpispec_ticks_rate;
  header->bin_ticks = mpispec_ticks_in(1000000);
  header->ticks_began = header->ticks_last = mpispec_ticks();
  describe_place(header);
  describe_program(header);
  memcpy(header->magic, MPISPEC_PROFILE_MAGIC, sizeof header->magic); /* now it is one */
}

void mpispec_profile_open(const char *directory, int thread_level) {
  int rank, size;
  MPI_Comm parent;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Comm_get_parent(&parent);
  const char *trouble = mpispec_profile_map(&mapping, directory, (uint32_t)rank, (uint32_t)size,
                                            parent != MPI_COMM_NULL);
  if (trouble) {
    if (rank == 0)
      fprintf(stderr, "mpispec: MPISPEC_PROFILE=%s: %s: %s; the program runs without a profile\n",
              directory, trouble, strerror(errno));
    return;
  }
  describe(mapping.header, rank, size, thread_level);
  mpispec_path_has_threads = thread_level == MPI_THREAD_MULTIPLE;
  mpispec_profile_is_on = mpispec_progress_is_timed = 1;
}

void mpispec_profile_note_lanes(int lanes) {
  if (mpispec_profile_is_on)
    mapping.header->lanes = lanes != 0;
}

void mpispec_profile_close(enum mpispec_profile_end end) {
  if (!mpispec_profile_is_on)
    return;
  lock();
  mapping.header->ticks_last = mpispec_ticks();
  mapping.header->end = end;
  mpispec_profile_is_on = mpispec_progress_is_timed = 0;
  unlock();
}

/* A process that ends without MPI_Finalize, and not by MPI_Abort. */
__attribute__((destructor)) static void end_of_process(void) {
  mpispec_profile_close(MPISPEC_PROFILE_EXITED);
}
