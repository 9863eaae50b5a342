/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parked threads: with MPI_THREAD_MULTIPLE, a thread that has polled in vain waits without the
 * lock.
 *
 * A thread that takes the lock for each poll delays the other threads of its rank in two ways. It
 * holds the lock while they need it, and it takes the lock's bias away from them (biased_lock.h).
 * Therefore a parked thread reads things that need no lock:
 *
 * - its own word. The thread that completes the awaited request notifies the parked thread.
 * - the heads of the lanes for which receives are posted. One parked thread, the poller, reads them
 *   for all. If it finds a message there that no other thread receives, it acquires the lock and
 *   drains the lane, for whichever thread the message is. Where threads share processors, each
 *   parked thread reads the heads after each yield and drains what it finds, because the poller may
 *   lack a processor.
 * - for a probe, the heads of the lanes that it probes.
 * - for a step of a collective operation, the word of the member that it awaits.
 *
 * The last two are read by no other parked thread.
 *
 * The heads are only a hint, because another thread may change a lane meanwhile. Cells stay mapped
 * until MPI_Finalize. The next poll finds a missed message.
 *
 * Between two polls a parked thread yields its core. If the rank shares its processor, a thread
 * that yields again and again takes turns from the others. Therefore a parked thread naps after
 * MPISPEC_PARKED_YIELDS yields, but only while another thread polls the lanes. The other thread is
 * in a call, or it is the one parked thread that polls for all. Each nap is short, because the
 * other thread may leave MPI at any time.
 *
 * While doorbells are used (doorbell.h), threads sleep instead (mpispec_parked_sleep). */
#ifndef MPISPEC_RUNTIME_PARKING_H
#define MPISPEC_RUNTIME_PARKING_H

#include <stdatomic.h>
#include <stdint.h>

/* One wait, from its first poll to its end. `is_over` is called with the lock held, by any thread.
 * It makes no progress. `has_news` is null if the wait ends when a posted receive is matched.
 * Otherwise only the waiting thread calls it, without the lock. It returns nonzero if a poll would
 * probably find something. The other members are zero at first, and belong to parking.c. */
struct mpispec_awaited {
  int (*is_over)(const void *what);
  int (*has_news)(const void *what);
  const void *what;
  int was_parked;
  unsigned yields; /* on a shared processor; 0 again when this thread must poll the lanes */
  int64_t rounds;  /* mpispec_progress_rounds at the last poll */
  long nap;        /* the next one, ns; 0 before the first, and while this thread must not nap */
};

/* Parked threads; null if there are none. Read and written with the lock held. */
extern struct mpispec_parked *mpispec_parked_threads __attribute__((visibility("hidden")));

/* Nonzero if this rank has a processor of its own, but shares it with another job, or between
 * threads of which one is parked. Called with the lock held. */
int mpispec_threads_take_turns(void);

/* How long this thread polls in a wait before it yields or parks, where threads take turns. Two
 * threads that exchange messages continue without a switch of their processors if both run at the
 * same time. A thread that polls seldom yields before the other thread runs. Two threads that poll
 * equally often yield at the same time, and miss each other again and again. Therefore a thread
 * polls MPISPEC_THREAD_POLLS times until MPISPEC_THREAD_FAILURES waits in a row have failed, that
 * is, have yielded or parked. Then it polls only as often as an oversubscribed rank does, except in
 * waits that are chosen at random. The choice becomes rarer each time that such a wait fails,
 * because both threads may share one processor. A receive first polls only its lane
 * (mpispec_lane_polls), as often as the last wait that was longer. If it ends there, it does not
 * count. */
extern _Thread_local struct mpispec_thread_wait {
  unsigned polls;    /* before this wait yields */
  unsigned failures; /* waits in a row that have failed */
  int has_failed;    /* nonzero if this wait has failed */
  unsigned one_in;   /* after failures, one wait of this many is chosen */
  uint32_t random;
} mpispec_thread_wait __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Called after the first poll of a wait; after MPISPEC_SPINS_OVERSUBSCRIBED polls; and when the
 * wait fails. */
static inline void mpispec_thread_begin_wait(void) {
  if (!mpispec_thread_wait.has_failed)
    mpispec_thread_wait.failures = 0;
  mpispec_thread_wait.has_failed = 0;
}
void mpispec_thread_choose_polls(void);
void mpispec_thread_fails(void);

/* Nonzero if mpispec_wait_or_park would park the thread. The conditions: this wait has polled often
 * enough, the lock is shared and acquired once, several threads have called MPI, no doorbells are
 * used, and no pending operation needs polls. */
int mpispec_may_park(unsigned round);

/* Sleeps without the lock, where doorbells are used (doorbell.h). One thread, the poller, sleeps on
 * the rank's doorbell, whose value at arming was `armed`. If it wakes, it polls for all. Each other
 * thread naps until it is notified, or for MPISPEC_NAP_PARKED if it has `has_news`. `longest`: in
 * nanoseconds; 0: no limit. Called with the lock held, acquired once. */
void mpispec_parked_sleep(const struct mpispec_awaited *awaited, uint32_t armed, long longest);

/* Like mpispec_wait_backoff_or_sleep (progress.h), but the thread parks after its polls if the lock
 * is shared, and no pending operation needs its polls. The caller makes one round over all engines
 * between two calls. */
void mpispec_wait_or_park(unsigned round, struct mpispec_awaited *awaited);

/* Notifies the parked threads whose wait is over. Called with the lock held, after operations of
 * any thread may have been completed. */
void mpispec_parked_notify_all(void);
static inline void mpispec_parked_notify(void) {
  if (__builtin_expect(mpispec_parked_threads != 0, 0))
    mpispec_parked_notify_all();
}

/* Rounds over the lanes by threads that are not parked. Written with the lock held. */
extern _Atomic int64_t mpispec_progress_rounds __attribute__((visibility("hidden")));
static inline void mpispec_progress_add_rounds(int rounds) {
  const int64_t before = atomic_load_explicit(&mpispec_progress_rounds, memory_order_relaxed);
  atomic_store_explicit(&mpispec_progress_rounds, before + rounds, memory_order_relaxed);
}

/* Counts of this process since MPI_Init, for tests. */
struct mpispec_parking_counts {
  _Atomic uint64_t parks, naps, wakes;
};
extern struct mpispec_parking_counts mpispec_parking_counts __attribute__((visibility("hidden")));

#endif
