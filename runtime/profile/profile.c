/* The beginning and the end of a profile, and of each call in it. profile.h says how calls come
 * here.
 *
 * A call is counted in the mapped file as it begins, and its time there as it ends; where threads
 * may call at a time, each with a lock of the profile's own. The clock is read outside of that.
 *
 *   arguments and path of an earlier call -> an addition to a batch (batch.h)
 *   otherwise                             -> each figure by itself
 *
 * Time. Calls that are not timed wait for one that is: that of the same site and size that is timed
 * next counts as often as there were any since the last, and itself. Which ones are timed is
 * chance, so the sum is right on average; for n calls of t each it is within some 4 t sqrt(n), were
 * they as uneven as calls that take 0 or 2 t. At the end, up to 31 calls of a site and size have no
 * time, or 255 of a batch. Waiting is not part of this: it is measured in every call that waits,
 * and calls whose waiting nobody sees are all timed. */
#define _GNU_SOURCE
#include "profile/profile.h"

#include "mpispec/machine.h"
#include "profile/mapping.h"
#include "profile/path.h"
#include "profile/profile_sites.h"
#include "profile/short_calls.h"
#include "progress/lock.h"
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

/* Pair P, acquire: what the last holder counted is there. One thread at a time needs none. */
static inline void lock(void) {
  while (mpispec_path_has_threads && atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
    sched_yield();
}

/* Pair P, release. */
static inline void unlock(void) {
  if (mpispec_path_has_threads)
    atomic_flag_clear_explicit(&held, memory_order_release);
}

/* --- a call begins -----------------------------------------------------------------------------*/

_Thread_local const struct mpispec_profile_known *mpispec_profile_last;

static unsigned class_of(uint64_t bytes) {
  const unsigned class = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
  return class < MPISPEC_PROFILE_SIZES ? class : MPISPEC_PROFILE_SIZES - 1;
}

/* What comes right after what: messages that could be one, and exchanges in two blocking halves.
 * `known` is null for a call without arguments. Nonzero if the call is a short send that runs on
 * from the last. */
static inline int count_sequence(const struct mpispec_profile_call *call,
                                 const struct mpispec_profile_known *known) {
  const struct mpispec_profile_known *last = mpispec_profile_last;
  int runs_on = 0;
  if (last && known && last->peer == known->peer && last->communicator == known->communicator) {
    runs_on = call->sends && call->bytes <= MPISPEC_PROFILE_SHORT_BYTES &&
              last->bytes <= MPISPEC_PROFILE_SHORT_BYTES;
    last->site->exchanges += call->is_receive && last->is_send;
  }
  if (last || call->sends)
    mpispec_profile_last = call->sends ? known : NULL;
  return runs_on;
}

/* How many short calls until the next is timed: from 1 to `most`, as chance will have it, for a
 * program has a rhythm of its own. */
static unsigned gap(unsigned most) {
  static uint32_t seed;
  seed = seed * 1664525 + 1013904223;
  return 1 + (seed >> 16) % most;
}
enum { MOST_GAP = 31, MOST_GAP_LATER = 255 };
enum { FIRST = 64 }; /* of each size at a site are timed, whatever they are */

/* A call that has all that it needs, or waits for a short message (and waiting is seen by itself),
 * is timed now and then also where it is not counted in a batch. */
static inline int is_short(const struct mpispec_profile_call *call,
                           enum mpispec_profile_path path) {
  return (path == MPISPEC_PATH_FAST || (path == MPISPEC_PATH_NOT_THERE && call->has_arguments)) &&
         call->bytes <= MPISPEC_PROFILE_SHORT_BYTES && call->waits_for != MPISPEC_WAITS_FOR_ALL;
}
static inline int is_due(void) {
  static unsigned until_next = 1;
  if (--until_next)
    return 0;
  until_next = gap(MOST_GAP);
  return 1;
}

static inline enum mpispec_profile_side side_of(const struct mpispec_profile_call *call) {
  return call->is_send      ? MPISPEC_PROFILE_SENDS
         : call->is_receive ? MPISPEC_PROFILE_RECEIVES
                            : MPISPEC_PROFILE_PROBES;
}

/* Has calls with these arguments, which have come before, be counted in a batch from now on, where
 * none can come from another thread; and be carried out by short_calls.h, if they are short. A call
 * on another path than the batch's has the batch go on with its own, unless that is what
 * short_calls.h counts on. */
static void open_batch(const struct mpispec_profile_call *call, struct mpispec_profile_known *known,
                       unsigned class, enum mpispec_profile_path path, uint32_t *untimed) {
  const int has_short_form = call->is_send || call->is_receive || call->is_probe;
  if (mapping.header->thread_level > MPI_THREAD_FUNNELED || known->caller ||
      path == MPISPEC_PATH_NO_ROOM || path == MPISPEC_PATH_QUEUED) /* which soon pass */
    return;
  mpispec_profile_batch_open(&mapping, known, class,
                             path == MPISPEC_PATH_NOT_THERE ? MPISPEC_PATH_FAST : path,
                             call->sends);
  if (!known->is_sampled) {
    known->times = call->size->calls < FIRST ? (uint32_t)call->size->calls : FIRST;
    known->timed_at = known->times < FIRST ? 0 : gap(MOST_GAP);
    known->timed_last = 0;
  }
  known->is_sampled = mpispec_path_shows_waits(call, path);
  known->untimed = untimed;
  known->waits_for = call->waits_for;
  if (is_short(call, path) && has_short_form)
    mpispec_profile_short_admit(known, call->caller, side_of(call));
}

/* One more call in an open batch. */
static inline void count_in_batch(struct mpispec_profile_call *call,
                                  struct mpispec_profile_known *known,
                                  enum mpispec_profile_path path) {
  struct mpispec_profile_batch *batch = known->batch;
  call->known = known;
  call->site = known->site;
  call->size = &known->site->sizes[batch->size];
  call->untimed = known->is_sampled ? known->untimed : NULL;
  call->of_peer = known->in_world;
  call->is_timed = !known->is_sampled || batch->calls == known->timed_at;
  mpispec_profile_batch_count(known, call->buffer);
  if (path == MPISPEC_PATH_NOT_THERE) {
    ++batch->late;
    ++known->late_timed; /* its waiting is accounted for, whether it is timed or not */
  }
  const int runs_on = count_sequence(call, known);
  batch->breaks += call->sends && !runs_on;
  if (known->caller)
    mpispec_profile_short_show(known, side_of(call)); /* others may have had its place */
}

/* One more call, each of its figures by itself. */
static inline void count_alone(struct mpispec_profile_call *call,
                               struct mpispec_profile_extra *extra,
                               enum mpispec_profile_path path) {
  struct mpispec_profile_site *site = extra->site;
  const unsigned class = class_of(call->bytes);
  call->site = site;
  call->size = &site->sizes[class];
  ++site->calls;
  site->bytes += call->bytes;
  site->waits_for = call->waits_for;
  ++site->paths[path];
  ++call->size->calls;
  call->size->bytes += call->bytes;
  if (is_short(call, path) && call->size->calls > FIRST)
    call->untimed = &extra->untimed[class];
  struct mpispec_profile_known *known = NULL;
  if (call->has_arguments) {
    int came_before;
    known = mpispec_profile_arguments_count(&mapping, site, &extra->arguments, call, &came_before);
    known->is_send = call->is_send;
    call->of_peer = known->in_world;
    if (came_before)
      open_batch(call, known, class, path, &extra->untimed[class]);
  }
  site->run_on += count_sequence(call, known);
  if (extra->thread != &mpispec_profile_depth) {
    site->threads |= extra->thread != NULL;
    extra->thread = &mpispec_profile_depth;
  }
  call->is_timed = !call->untimed || is_due();
  if (!call->is_timed)
    ++*call->untimed;
}

static inline void count(struct mpispec_profile_call *call) {
  struct mpispec_profile_extra *extra =
      mpispec_profile_site_find(&mapping, call->caller, call->function);
  const enum mpispec_profile_path path = extra->has_template || call->path == MPISPEC_PATH_NO_LANES
                                             ? call->path
                                             : MPISPEC_PATH_NO_TEMPLATE;
  if (call->has_arguments) {
    struct mpispec_profile_known *known = mpispec_profile_known_at(&extra->arguments, call);
    if (known->is_open && (path == known->batch->path || path == MPISPEC_PATH_NOT_THERE) &&
        mpispec_profile_known_is_of(known, call)) {
      count_in_batch(call, known, path);
      return;
    }
  }
  count_alone(call, extra, path);
}

void mpispec_profile_begin(struct mpispec_profile_call *call) {
  lock();
  if (mpispec_profile_is_on)
    count(call);
  unlock();
  ++mpispec_profile_depth;
  mpispec_waiting.first = mpispec_waiting.last = call->waits_since;
  mpispec_short_ways_keep_shut(0);
  if (call->is_timed)
    call->begun = call->waits_since ? call->waits_since : mpispec_ticks();
}

/* --- it ends -----------------------------------------------------------------------------------*/

/* A call that was timed, or that waited and was not: then only its waiting is known, and what is
 * beside that counts with the next that is timed. What takes much longer than a short call may does
 * so because the core was taken away from it: others were spared that. */
enum { MOST_WORK = 100 * 1000 }; /* ns */
static void count_time(const struct mpispec_profile_call *call, uint64_t now,
                       const struct mpispec_waiting *waited, uint64_t late_untimed) {
  struct mpispec_profile_site *site = call->site;
  const uint64_t waiting = waited->first ? waited->last - waited->first : 0;
  const uint64_t begun = call->is_timed ? call->begun : waited->first;
  const uint64_t end = call->is_timed ? now : waited->last;
  const uint64_t ticks = end - begun;
  const uint64_t most = mpispec_ticks_in(MOST_WORK);
  const uint64_t more_waiting = late_untimed * (waiting < most ? waiting : most);
  uint64_t more = more_waiting; /* of those that this one stands for */
  if (call->is_timed) {
    const uint64_t work = ticks - waiting;
    if (call->untimed) {
      more += *call->untimed * (work < most ? work : most);
      *call->untimed = 0;
    }
    if (!call->size->least_ticks || ticks < call->size->least_ticks)
      call->size->least_ticks = ticks;
  }
  call->size->ticks += ticks + more;
  site->ticks += ticks + more;
  site->most_ticks = ticks > site->most_ticks ? ticks : site->most_ticks;
  site->waiting += waiting + more_waiting;
  if (call->waits_for == MPISPEC_WAITS_FOR_SENDER)
    site->waiting_sender += waiting + more_waiting;
  if (call->waits_for == MPISPEC_WAITS_FOR_RECEIVER)
    site->waiting_receiver += waiting + more_waiting;
  if (call->receives && call->of_peer)
    call->of_peer->waiting += waiting + more_waiting;
  mapping.header->ticks_in_mpi += ticks + more;
  mapping.header->ticks_waiting += waiting + more_waiting;
  mapping.header->ticks_last = end;
  mpispec_profile_bins_add(&mapping, begun, end, waiting, more, more_waiting);
}

/* A sampled call of a batch is timed: it stands for those since the last that was. Those that have
 * worked for long of late are timed one by one, since the clock costs them little. */
static void take_turn(struct mpispec_profile_known *known, uint64_t work) {
  enum { EARLY = 1000, LATE_CALLS = 8, LONG_WORK = 1000 /* ns */ };
  const struct mpispec_profile_batch *batch = known->batch;
  const uint64_t most = mpispec_ticks_in(MOST_WORK);
  *known->untimed += (uint32_t)(batch->calls - known->timed_last) - 1;
  known->timed_last = known->timed_at = batch->calls;
  known->work += (work < most ? work : most) - known->work / LATE_CALLS;
  if (++known->times > FIRST && known->work < LATE_CALLS * mpispec_ticks_in(LONG_WORK))
    known->timed_at += gap(known->times < EARLY ? MOST_GAP : MOST_GAP_LATER);
}

void mpispec_profile_short_timed(struct mpispec_profile_known *known, uint64_t begun,
                                 uint64_t since) {
  const uint64_t now = mpispec_ticks();
  const struct mpispec_profile_batch *batch = known->batch;
  const struct mpispec_waiting waited = {since, now};
  const struct mpispec_profile_call call = {.site = known->site,
                                            .size = &known->site->sizes[batch->size],
                                            .untimed = known->untimed,
                                            .of_peer = known->in_world,
                                            .receives = !batch->sends,
                                            .waits_for = known->waits_for,
                                            .is_timed = 1,
                                            .begun = begun};
  take_turn(known, now - begun - (since ? now - since : 0));
  count_time(&call, now, &waited, since ? batch->late - known->late_timed - 1 : 0);
  if (since)
    known->late_timed = batch->late;
}

void mpispec_profile_end(struct mpispec_profile_call *call) {
  const uint64_t now = call->is_timed ? mpispec_ticks() : 0;
  mpispec_short_ways_keep_shut(1);
  --mpispec_profile_depth;
  if (!call->is_timed && !mpispec_waiting.first)
    return;
  lock();
  if (mpispec_profile_is_on && call->site) {
    if (call->is_timed && call->known && call->known->is_sampled)
      take_turn(call->known,
                now - call->begun -
                    (mpispec_waiting.first ? mpispec_waiting.last - mpispec_waiting.first : 0));
    count_time(call, now, &mpispec_waiting, 0);
  }
  unlock();
}

void mpispec_profile_forget(MPI_Comm communicator) {
  if (!mpispec_profile_is_on)
    return;
  lock();
  mpispec_profile_forget_ranks(communicator);
  mpispec_profile_sites_forget(&mapping, communicator);
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
  mpispec_profile_sites_settle(&mapping);
  mapping.header->ticks_last = mpispec_ticks();
  mapping.header->end = end;
  mpispec_profile_is_on = mpispec_progress_is_timed = 0;
  unlock();
}

/* A process that ends without MPI_Finalize, and not by MPI_Abort. */
__attribute__((destructor)) static void end_of_process(void) {
  mpispec_profile_close(MPISPEC_PROFILE_EXITED);
}
