/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The beginning and the end of a profile, and of each call in it. profile.h has a drawing of a
 * call's path.
 *
 * The profile counts a call in the mapped file when the call begins, and adds its time when it
 * ends. If several threads may call at a time, the profile holds a lock of its own for each of
 * these two steps. It reads the clock without the lock.
 *
 * Time. Only some of the short calls are timed. The time of a timed call also counts for the
 * untimed calls of its site and size since the previous timed one. Chance decides which calls are
 * timed. Therefore the expected sum is right. For n calls whose times are 0 or 2 t, the error of
 * the sum is about 4 t sqrt(n). Calls of a site and size after its last timed call have no time.
 * Waiting time is measured in every call that waits. Calls whose waiting cannot be observed are all
 * timed. */
#define _GNU_SOURCE
#include "profile/profile.h"

#include "mpispec/machine.h"
#include "profile/call_paths.h"
#include "profile/mapping.h"
#include "profile/path.h"
#include "profile/profile_sites.h"
#include "profile/unwinder.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "progress/ticks.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int mpispec_gate, mpispec_profile_is_on;
_Thread_local int mpispec_profile_depth;

static struct mpispec_profile_mapping mapping;

/* The process that writes the profile. A forked child has the mapping, too, but must not write. */
static pid_t owner;

static atomic_flag held = ATOMIC_FLAG_INIT;

/* Pair G, acquire: this thread reads the counts of the previous holder. A single thread needs no
 * lock. */
static inline void lock(void) {
  while (mpispec_path_has_threads && atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
    sched_yield();
}

/* Pair G, release. */
static inline void unlock(void) {
  if (mpispec_path_has_threads)
    atomic_flag_clear_explicit(&held, memory_order_release);
}

/* --- a call begins -----------------------------------------------------------------------------*/

static unsigned class_of(uint64_t bytes) {
  const unsigned class = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
  return class < MPISPEC_PROFILE_SIZES ? class : MPISPEC_PROFILE_SIZES - 1;
}

/* This thread's last call, if it sent; else `site` is null. */
static _Thread_local struct {
  struct mpispec_profile_site *site;
  MPI_Comm communicator;
  int peer, is_send;
  uint64_t bytes;
} last __attribute__((tls_model("initial-exec")));

/* Counts sequences of two calls: short messages that could be one message, and exchanges by a
 * blocking send and a blocking receive. */
enum { JOINED_BYTES = 256 };
static void count_sequence(const struct mpispec_profile_call *call,
                           const struct mpispec_profile_extra *extra) {
  if (last.site && call->has_arguments && last.peer == call->peer &&
      last.communicator == call->communicator) {
    extra->site->run_on += call->sends && call->bytes <= JOINED_BYTES && last.bytes <= JOINED_BYTES;
    last.site->exchanges += extra->is_receive && last.is_send;
  }
  last.site = NULL;
  if (!call->sends)
    return;
  last.site = extra->site;
  last.communicator = call->communicator;
  last.peer = call->peer;
  last.is_send = extra->is_send;
  last.bytes = call->bytes;
}

/* Nonzero for a call on a lane that takes hardly longer than a reading of the clock, and whose
 * waiting time is measured separately. Only some of these calls are timed. */
enum { SAMPLED_BYTES = 4096 };
static int is_sampled(const struct mpispec_profile_call *call, enum mpispec_profile_path path) {
  if (call->bytes > SAMPLED_BYTES || call->waits_for == MPISPEC_WAITS_FOR_ALL)
    return 0;
  return path == MPISPEC_PATH_FAST ||
         (call->has_arguments && (path == MPISPEC_PATH_NOT_THERE || path == MPISPEC_PATH_SIZE));
}

/* The first calls of each size at a site are timed. Afterwards, a random number of short calls,
 * less than MOST_GAP, passes between two timed ones. A constant number could match a period of the
 * program. */
enum { MOST_GAP = 31, FIRST = 64 };
static unsigned until_next = 1;
static int is_due(void) {
  static uint32_t seed;
  if (--until_next)
    return 0;
  seed = seed * 1664525 + 1013904223;
  until_next = 1 + (seed >> 16) % MOST_GAP;
  return 1;
}

static struct mpispec_profile_extra *site_of(const struct mpispec_profile_call *call,
                                             struct mpispec_call_path *path) {
  if (path->count)
    return mpispec_call_path_site(&mapping, path, call->function);
  struct mpispec_profile_extra *extra =
      mpispec_profile_site_find(&mapping, call->caller, call->function);
  return extra ? extra : mpispec_profile_site_find_above(&mapping, call->slot, call->function);
}

static void count(struct mpispec_profile_call *call, struct mpispec_profile_extra *extra) {
  const enum mpispec_profile_path path = extra->has_template || call->path == MPISPEC_PATH_NO_LANES
                                             ? call->path
                                             : MPISPEC_PATH_NO_TEMPLATE;
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
  if (call->has_arguments)
    call->of_peer = mpispec_profile_arguments_count(&mapping, site, &extra->last, call);
  count_sequence(call, extra);
  if (extra->thread != &mpispec_profile_depth) {
    site->threads |= extra->thread != NULL;
    extra->thread = &mpispec_profile_depth;
  }
  if (is_sampled(call, path) && call->size->calls > FIRST)
    call->untimed = &extra->untimed[class];
  call->is_timed = !call->untimed || is_due();
  if (!call->is_timed)
    ++*call->untimed;
  call->marks_end = !call->is_timed && until_next == 1;
  call->unmeasured = &extra->unmeasured;
  ++extra->unmeasured;
}

/* Nonzero while this thread holds the lock and may call the MPI library, which ends the process if
 * the communicator is none. */
static _Thread_local int is_counting __attribute__((tls_model("initial-exec")));

/* The end of this thread's last call, or 0 if it is not known. */
static _Thread_local uint64_t last_end __attribute__((tls_model("initial-exec")));

void mpispec_profile_begin(struct mpispec_profile_call *call) {
  struct mpispec_call_path path;
  const uint64_t arrival = mpispec_call_path_frames ? mpispec_ticks() : 0;
  path.count = 0;
  if (mpispec_call_path_frames)
    mpispec_call_path_read(&path, call->caller);
  lock();
  is_counting = 1;
  if (mpispec_profile_is_on)
    count(call, site_of(call, &path));
  is_counting = 0;
  unlock();
  ++mpispec_profile_depth;
  mpispec_waiting.first = mpispec_waiting.last = 0;
  mpispec_fast_path_set_disabled(0);
  if (call->is_timed) {
    call->begun = mpispec_ticks();
    call->computing = last_end ? (arrival ? arrival : call->begun) - last_end : 0;
  }
  last_end = 0;
}

/* --- a call ends -------------------------------------------------------------------------------*/

/* The time that a timed call counts for others of its size. A bound applies, because a call that
 * takes longer may have lost its core, and the other calls have not. */
enum { MOST_WORK = 100 * 1000 }; /* ns */
static uint64_t time_of_others(const struct mpispec_profile_call *call, uint64_t work) {
  const uint64_t most = mpispec_ticks_in(MOST_WORK);
  if (!call->untimed)
    return 0;
  const uint64_t calls = *call->untimed;
  *call->untimed = 0;
  return calls * (work < most ? work : most);
}

/* Adds the time of a timed call, or the waiting time of an untimed call that waited. The rest of
 * the untimed call's time is counted with the next timed call. */
static void count_time(const struct mpispec_profile_call *call, uint64_t now,
                       const struct mpispec_waiting *waited) {
  struct mpispec_profile_site *site = call->site;
  const uint64_t waiting = waited->first ? waited->last - waited->first : 0;
  const uint64_t begun = call->is_timed ? call->begun : waited->first;
  const uint64_t end = call->is_timed ? now : waited->last;
  const uint64_t ticks = end - begun;
  const uint64_t more = call->is_timed ? time_of_others(call, ticks - waiting) : 0;
  if (call->is_timed && (!call->size->least_ticks || ticks < call->size->least_ticks))
    call->size->least_ticks = ticks;
  call->size->ticks += ticks + more;
  site->ticks += ticks + more;
  site->most_ticks = ticks > site->most_ticks ? ticks : site->most_ticks;
  site->waiting += waiting;
  if (call->computing) { /* this call represents the earlier ones that were not measured */
    site->computing += call->computing * *call->unmeasured;
    *call->unmeasured = 0;
  }
  if (call->waits_for == MPISPEC_WAITS_FOR_SENDER)
    site->waiting_sender += waiting;
  if (call->waits_for == MPISPEC_WAITS_FOR_RECEIVER)
    site->waiting_receiver += waiting;
  if (call->receives && call->of_peer)
    call->of_peer->waiting += waiting;
  mapping.header->ticks_in_mpi += ticks + more;
  mapping.header->ticks_waiting += waiting;
  mapping.header->ticks_last = end;
  mpispec_profile_bins_add(&mapping, begun, end, waiting, more);
}

int mpispec_profile_end(const struct mpispec_profile_call *call, int error) {
  const uint64_t now = call->is_timed ? mpispec_ticks() : 0;
  mpispec_fast_path_set_disabled(1);
  --mpispec_profile_depth;
  if (call->is_timed || mpispec_waiting.first)
    last_end = call->is_timed ? now : mpispec_waiting.last;
  else if (call->marks_end)
    last_end = mpispec_ticks();
  if (!call->is_timed && !mpispec_waiting.first)
    return error;
  lock();
  if (mpispec_profile_is_on && call->site)
    count_time(call, now, &mpispec_waiting);
  unlock();
  return error;
}

void mpispec_profile_setup_end(enum mpispec_profile_setup function, uint64_t begun) {
  if (!begun || !mpispec_profile_is_on)
    return;
  lock();
  last_end = mpispec_ticks();
  ++mapping.header->setup_calls[function];
  mapping.header->setup_ticks[function] += last_end - begun;
  unlock();
}

void mpispec_profile_forget(MPI_Comm communicator) {
  if (!mpispec_profile_is_on)
    return;
  lock();
  mpispec_profile_forget_ranks(communicator);
  unlock();
}

/* --- the whole ---------------------------------------------------------------------------------*/

void mpispec_profile_open(const char *directory, unsigned frames, int thread_level) {
  int rank, size;
  MPI_Comm parent;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Comm_get_parent(&parent);
  const char *reason = mpispec_profile_map(&mapping, directory, (uint32_t)rank, (uint32_t)size,
                                           parent != MPI_COMM_NULL);
  if (reason) {
    if (rank == 0)
      fprintf(stderr, "mpispec: MPISPEC_PROFILE=%s: %s: %s; the program runs without a profile\n",
              directory, reason, strerror(errno));
    return;
  }
  owner = getpid();
  mpispec_profile_describe(&mapping, rank, size, thread_level);
  const int can_walk = mpispec_unwinder_open();
  mpispec_call_path_frames = can_walk ? frames : 0;
  mapping.header->frames = mpispec_call_path_frames;
  if (frames && !can_walk && rank == 0)
    fprintf(stderr, "mpispec: MPISPEC_PROFILE_FRAMES: there is no libgcc_s.so.1; the profile has "
                    "no call paths\n");
  mpispec_path_has_threads = thread_level == MPI_THREAD_MULTIPLE;
  mpispec_profile_is_on = mpispec_progress_is_timed = 1;
}

void mpispec_profile_note_lanes(int lanes) {
  if (mpispec_profile_is_on)
    mapping.header->lanes = lanes != 0;
}

/* A forked child does not write the file. It does not acquire the lock either, because another
 * thread may have held it at the fork. */
void mpispec_profile_close(enum mpispec_profile_end end) {
  if (!mpispec_profile_is_on || getpid() != owner)
    return;
  if (!is_counting)
    lock();
  mapping.header->ticks_last = mpispec_ticks();
  mapping.header->end = end;
  mpispec_profile_is_on = mpispec_progress_is_timed = 0;
  if (!is_counting)
    unlock();
}

/* Runs in a process that ends without MPI_Finalize, but not by MPI_Abort. */
__attribute__((destructor)) static void end_of_process(void) {
  mpispec_profile_close(MPISPEC_PROFILE_EXITED);
}
