/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Progress: the work of a waiting call between two polls, and one round over all engines.
 *
 * An engine makes progress for one kind of pending operations. This directory contains none: init.c
 * lists the engines of the other directories. All functions are called with the lock held, unless a
 * comment says otherwise. */
#ifndef MPISPEC_RUNTIME_PROGRESS_H
#define MPISPEC_RUNTIME_PROGRESS_H

#include "mpispec/state.h"
#include "progress/tuning.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The callers, other than calls of the program, that may run an engine. */
enum mpispec_engine_caller {
  MPISPEC_ANYBODY,        /* the helper, too (helper.h) */
  MPISPEC_LIBRARY_CALLER, /* the helper, too, if it may call the MPI library */
  MPISPEC_PROGRAM_ALONE   /* none: the engine may call functions of the program, and release the
                             lock meanwhile */
};

struct mpispec_engine {
  const size_t *under_way;  /* pending operations; the engine runs only if there are any */
  const uint64_t *advanced; /* changes after progress on an operation that stays pending; or null */
  void (*progress)(void);   /* polls each pending operation once */
  enum mpispec_engine_caller caller;
  /* Whether a poll would find something. `*heads` becomes a number that changes when messages are
   * received on lanes that posted receives await. Needs no lock. Or null. */
  int (*has_news)(uintptr_t *heads);
};

/* The engines, in the order of a round. The first one drains lanes. The array ends with an engine
 * whose `progress` is null. Defined in init.c. */
extern const struct mpispec_engine mpispec_engines[];

/* Called in MPI_Init and MPI_Finalize, once each. `oversubscribed` and `read_masks` are arguments
 * of mpispec_oversubscription_open. `now_and_then` is called at intervals while a call waits for
 * long. The first function sets mpispec_state.polls. */
void mpispec_progress_open(int oversubscribed, int (*read_masks)(void), void (*now_and_then)(void));
void mpispec_progress_close(void);

/* One round: runs each engine that has pending operations. */
void mpispec_progress(void);

/* A number that changes whenever an engine that any caller may run has made progress. */
uint64_t mpispec_progress_epoch(void);

/* Nonzero if other ranks may need this rank's progress while its thread is in the MPI library. If
 * several threads have called MPI it is always nonzero, because another one may begin an operation
 * meanwhile. If one does so for the first time, the helper makes progress (helper.h). */
int mpispec_progress_is_needed(void);

/* Like mpispec_progress_is_needed, but only for operations that have begun. */
int mpispec_progress_is_pending(void);

/* Nonzero if an engine other than the first, which drains lanes, has pending operations. */
int mpispec_progress_is_busy(void);

/* Nonzero if the ranks of this node were oversubscribed in MPI_Init. The result does not change.
 * Needs no lock. */
int mpispec_progress_was_oversubscribed(void);

/* Yields the core in a wait that meanwhile makes no other progress. Returns 0 instead if that is
 * due, such as a poll of the MPI library. */
int mpispec_progress_yield(void);

/* Called between two polls of a waiting call. The function releases the lock for other threads,
 * yields the core after many polls, and lets the MPI library make progress. `round` counts the
 * polls from 0. */
void mpispec_wait_backoff(unsigned round);

/* The same in a wait for an operation of the MPI library. It may be one-sided; then it may need
 * ranks that sleep (origin.h). */
void mpispec_wait_backoff_for_library(unsigned round);

/* The same without naps, in a wait that soon sleeps on the doorbell, or whose rounds are a time. */
void mpispec_wait_backoff_awake(unsigned round);

/* Nonzero if a waiting call has polled often enough to yield its core or to park (parking.h). */
int mpispec_wait_has_polled(unsigned round);

/* Called before a thread parks, and after it has slept. Lets the MPI library make progress if that
 * is due. */
void mpispec_progress_before_parking(void);
void mpispec_progress_after_sleeping(void);

/* The time between two polls of the MPI library by rounds that yield, in ns. Set by
 * mpispec_progress_shares. */
extern uint64_t mpispec_pause_of_yields __attribute__((visibility("hidden")));

/* The first round of a wait for other ranks of the node. If the ranks were oversubscribed in
 * MPI_Init, this round yields: those on this rank's processor come only after a yield. Otherwise it
 * is 0. */
static inline unsigned mpispec_first_round(void) {
  return mpispec_progress_was_oversubscribed() ? MPISPEC_FIRST_ROUND_OVERSUBSCRIBED : 0;
}

/* Sets the number of ranks and processors of the node. If few ranks share a processor, a wait
 * yields several times before it sleeps. `in_one_group`: a yield passes the processor on to another
 * rank (processors.h). Called in MPI_Init if doorbells are used. */
void mpispec_progress_shares(int ranks, int processors, int in_one_group);

/* Rounds of a wait before it sleeps. Set by mpispec_progress_shares. */
extern unsigned mpispec_awake_rounds __attribute__((visibility("hidden")));

/* Like mpispec_wait_backoff, in a wait that ends when ranks of the node write messages or parts
 * of long messages for this rank. If doorbells are used (doorbell.h), the thread sleeps after it
 * has yielded in vain. The caller must poll once between two calls. `awaited` is null if only this
 * thread tests whether the wait is over. */
struct mpispec_awaited; /* parking.h */
void mpispec_wait_backoff_or_sleep(unsigned round, const struct mpispec_awaited *awaited);

/* Like mpispec_wait_backoff_or_sleep, in a wait for a word in the segment of `writer`, a rank of
 * the node. Only that rank writes the word. */
void mpispec_wait_backoff_or_sleep_for(unsigned round, int writer, const uint64_t *word,
                                       const struct mpispec_awaited *awaited);

/* Nonzero in one of mpispec_rounds_per_peer_check rounds. In this round, a wait should find out
 * whether it can end at all. The number is smaller if doorbells are used, because sleeps make
 * rounds longer. */
extern unsigned mpispec_rounds_per_peer_check
    __attribute__((visibility("hidden"))); /* a power of 2 */
static inline int mpispec_progress_is_time_to_check_peers(unsigned round) {
  return !(~round & (mpispec_rounds_per_peer_check - 1));
}

/* The longest sleep in nanoseconds: MPISPEC_SLEEP, or longer if many ranks share a processor. 0, in
 * tests only: no limit. */
extern long mpispec_longest_sleep __attribute__((visibility("hidden")));

/* Called after a window has been made. From now on the MPI library may need polls for operations
 * that other ranks begin. Therefore waits poll it more often, and MPISPEC_SLEEP becomes the longest
 * sleep. */
void mpispec_progress_note_window(void);

extern _Atomic int mpispec_windows_made __attribute__((visibility("hidden")));

/* Needs no lock. */
static inline int mpispec_progress_has_windows(void) {
  return atomic_load_explicit(&mpispec_windows_made, memory_order_relaxed);
}

/* The time between two polls of the MPI library by calls that find their message at once, and by
 * parked threads, in ns. Needs no lock. */
static inline uint64_t mpispec_library_pause(void) {
  return mpispec_progress_has_windows() ? MPISPEC_WINDOW_PROGRESS_PAUSE
                                        : MPISPEC_LIBRARY_PROGRESS_PAUSE;
}

/* For a profile: the times, in ticks, of the first and the last poll in vain of this thread's
 * current call. Written only while `mpispec_progress_is_timed`. */
struct mpispec_waiting {
  uint64_t first, last;
};
extern _Thread_local struct mpispec_waiting mpispec_waiting
    __attribute__((tls_model("initial-exec")));
extern int mpispec_progress_is_timed;

/* Called in each loop that waits, after a poll in vain. mpispec_wait_backoff calls it, too. */
void mpispec_progress_note_waiting(void);
static inline void mpispec_progress_waits(void) {
  if (__builtin_expect(mpispec_progress_is_timed, 0))
    mpispec_progress_note_waiting();
}

/* Called after a poll in vain by a call that does not wait (MPI_Test). It yields after every
 * MPISPEC_LIBRARY_PROGRESS_EVERY of these calls, and sooner if ranks share processors and the
 * program waits by tests (test_row.h). */
void mpispec_progress_idle(void);

/* Called in some calls of mpispec_progress_idle and mpispec_progress_after_empty_polls, unless it
 * is null. */
extern void (*mpispec_progress_when_idle)(void) __attribute__((visibility("hidden")));

/* Like mpispec_progress_idle, for a call that has polled only the lanes that it needs. A round over
 * all engines follows every MPISPEC_EMPTY_POLL_BUDGET of these calls, each yield, and each call
 * while mpispec_progress_is_busy. A program that only polls enters the runtime in each call; the
 * longer path reduces the rate of its polls. */
void mpispec_progress_after_empty_polls(void);
static inline void mpispec_progress_note_empty_poll(void) {
  if (mpispec_state.empty_poll_budget)
    --mpispec_state.empty_poll_budget;
  else
    mpispec_progress_after_empty_polls();
}

/* The same for a fast path, which must not release the lock. Returns 0, and notes nothing, if the
 * budget is used up. */
static inline int mpispec_progress_may_skip_round(void) {
  const int may = mpispec_state.empty_poll_budget != 0;
  mpispec_state.empty_poll_budget -= (unsigned)may;
  return may;
}

/* Called by an engine other than the first when an operation becomes pending. */
static inline void mpispec_progress_begins(void) { mpispec_state.empty_poll_budget = 0; }

/* Called by a receive that found its message at once. Without it, a program whose receives never
 * wait would make no progress for other ranks. Templates make no progress. A template declines a
 * receive that completes MPISPEC_CREDIT_CELLS cells. The ordinary call returns credit to the sender
 * and calls this function. It runs no engine that only calls of the program may run. */
void mpispec_progress_opportunistic(void);

#endif
