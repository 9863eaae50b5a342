/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lock: at any time at most one thread of the process executes code of the runtime.
 *
 * With MPI_THREAD_MULTIPLE the lock is shared (biased_lock.h), and each call of the program takes
 * it. A call that waits releases the lock between two polls if another thread waits for the lock.
 *
 * At lower thread levels the program's thread holds the lock all the time, and no call acquires it.
 * That thread releases it to the helper thread (helper.h) only while the program is in a blocking
 * function of the MPI library. To release the lock and to reclaim it costs the program one store
 * each. The helper, which seldom polls, executes the fence for both sides (lock.c). Callbacks may
 * run on the program's thread meanwhile. They acquire the lock in each call of the runtime, as if
 * it were shared. While doorbells are used, each call acquires and releases the lock, because its
 * release rings them (mpispec_lock_at_release). */
#ifndef MPISPEC_RUNTIME_LOCK_H
#define MPISPEC_RUNTIME_LOCK_H

#include "progress/biased_lock.h"
#include "progress/doorbell.h"
#include "progress/parking.h"

extern int mpispec_lock_shared; /* between several threads of the program */

/* Nonzero if each call must acquire the lock. Hidden visibility, here and below: the flag is tested
 * in every call and must not be loaded through the global offset table. */
extern int mpispec_lock_per_call __attribute__((visibility("hidden")));

/* Nonzero if no call may take the fast path: calls must acquire the lock, or a profile counts
 * them. */
extern int mpispec_fast_path_disabled __attribute__((visibility("hidden")));

static inline int mpispec_lock_is_shared(void) { return mpispec_lock_shared; }

/* Called once, in MPI_Init. `shared`: the program may call from several threads at a time.
 * `threads_share`: the ranks of the node have fewer than two processors each. */
void mpispec_lock_open(int shared, int threads_share);

/* For the program's threads. A thread that holds the lock may acquire it again. */
void mpispec_lock_acquire(void);
void mpispec_lock_release(void);

/* Releases the lock and acquires it again, between two polls. Threads that wait for a shared lock
 * usually acquire it first. */
void mpispec_lock_pass(void);

enum { MPISPEC_FOR_GOOD = 2 };

/* If `disabled` is nonzero, the fast path is disabled, even while calls acquire no lock. If it is
 * 0, calls that acquire no lock may take the fast path again, except after MPISPEC_FOR_GOOD. If the
 * lock is shared, a nonzero value ends its bias, 0 does nothing, and only MPISPEC_FOR_GOOD is
 * stored. First called by the program's only thread. */
extern int mpispec_fast_path_stays_disabled __attribute__((visibility("hidden")));
void mpispec_fast_path_set_disabled(int disabled);

/* Acquires the lock for a fast path. A fast path polls a limited number of times, and does not
 * release the lock, even if it yields (lane_polls.h). It calls other code only by
 * mpispec_progress_opportunistic. Returns 0 if the lock is not biased to this thread. A lock that
 * is not shared has a bias only while a function is set for the end of calls
 * (mpispec_lock_at_release). */
static inline __attribute__((always_inline)) int mpispec_lock_enter(void) {
  return mpispec_biased_lock_enter();
}
static inline __attribute__((always_inline)) void mpispec_lock_leave(void) {
  mpispec_parked_notify(); /* a fast path may have drained a lane */
  if (mpispec_doorbells_noted)
    mpispec_doorbells_ring();
  mpispec_biased_lock_leave();
}

/* Nonzero if mpispec_lock_leave may have to wake other threads or ranks. Otherwise a fast path may
 * end with mpispec_biased_lock_leave, which calls no function. */
static inline __attribute__((always_inline)) int mpispec_lock_leave_may_wake(void) {
  if (__builtin_expect(mpispec_parked_threads != 0, 0))
    return 1;
  return __builtin_expect(mpispec_doorbells_used, 0);
}

/* Ends a fast path that has written to `peer`, or to no rank if `peer` is negative. Called last by
 * functions that are to save few registers. Returns MPI_SUCCESS. */
static __attribute__((noinline, unused)) int mpispec_lock_leave_and_wake(int peer) {
  if (peer >= 0)
    mpispec_doorbell_note(peer);
  mpispec_lock_leave();
  return 0;
}

/* Nonzero if a call may hold the lock for many polls. It must still release the lock when another
 * thread of the program waits for it. */
int mpispec_lock_stays(void);

/* Nonzero if a wait can release the lock. A thread in a callback has acquired it twice. */
static inline int mpispec_lock_can_be_released(void) {
  return !mpispec_lock_shared || mpispec_biased_lock_depth() == 1;
}

/* Nonzero if another thread of the program waits for the lock. */
static inline int mpispec_lock_is_wanted(void) { return mpispec_biased_lock_is_wanted(); }

/* Each call of the program begins with mpispec_lock and ends with mpispec_unlock. */
static inline void mpispec_lock(void) {
  if (__builtin_expect(mpispec_lock_per_call, 0))
    mpispec_lock_acquire();
}
static inline void mpispec_unlock(void) {
  if (__builtin_expect(mpispec_lock_per_call, 0))
    mpispec_lock_release();
}

/* Executes a call of the MPI library without the lock. The call may execute a function of the
 * program (an error handler, or a generalized request's), and this function may wait for another
 * thread that needs the lock. */
#define MPISPEC_WITHOUT_LOCK(...)                                                                  \
  do {                                                                                             \
    mpispec_unlock();                                                                              \
    __VA_ARGS__;                                                                                   \
    mpispec_lock();                                                                                \
  } while (0)

/* If the lock is shared: the number of threads that are in blocking functions of the MPI library
 * (helper.c). */
extern _Atomic int mpispec_lock_threads_away __attribute__((visibility("hidden")));

/* Called by the program's thread before and after a blocking function of the MPI library, if the
 * lock is not shared. */
void mpispec_lock_release_to_helper(void);
void mpispec_lock_reclaim_from_helper(void);

/* Sets a function with which each call of the program ends (doorbell.h); null removes it. While it
 * is set, each call acquires the lock. Called in MPI_Init and MPI_Finalize. */
void mpispec_lock_at_release(void (*then)(void));

/* Sets the function that is called after each release to the helper with pending operations. It is
 * also called after a shared lock was released with such operations while a thread is in a blocking
 * function of the MPI library: a callback may have begun them. Called in MPI_Init. */
void mpispec_lock_on_release_to_helper(void (*callback)(void));

/* For the helper. The first function returns nonzero if the helper now holds the lock. */
int mpispec_lock_helper_try_acquire(void);
void mpispec_lock_helper_release(void);

/* Nonzero while the lock is released to the helper. The helper tests it before it sleeps. */
int mpispec_lock_is_with_helper(void);

/* Nonzero from mpispec_lock_release_to_helper to mpispec_lock_reclaim_from_helper, also while a
 * call in a callback has taken the lock back. */
int mpispec_lock_is_lent(void);

/* Registers the process for the system's fence (lock.c). Called before the helper is created. */
void mpispec_lock_prepare_fences(void);

/* The fences of the program's side and of the helper's. If each side stores, executes its fence and
 * loads, at least one of them loads the other's store. With membarrier, the light fence is free,
 * and the heavy one is a system call. */
void mpispec_lock_light_fence(void);
void mpispec_lock_heavy_fence(void);

#endif
