/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lock between the threads of the program, with MPI_THREAD_MULTIPLE. It is biased: one thread,
 * its owner, acquires and releases it by plain stores and one comparison. All other threads use an
 * atomic operation. They first revoke the bias, which costs a system call. A thread becomes the
 * owner when it has acquired the lock MPISPEC_BIAS_AFTER times in a row. These acquisitions cost
 * about as much as the next revocation. At lower thread levels, only mpispec_biased_lock_enter and
 * mpispec_biased_lock_leave are used (mpispec_biased_lock_admit).
 *
 * A thread may acquire the lock again while it holds it. The reason is that the MPI library calls
 * functions of the program (attributes, error handlers, generalized requests), which may call
 * MPI. */
#ifndef MPISPEC_RUNTIME_BIASED_LOCK_H
#define MPISPEC_RUNTIME_BIASED_LOCK_H

#include "progress/lock_thread.h"

#include <stdatomic.h>

/* The owner; never null. */
extern struct mpispec_lock_thread *_Atomic mpispec_lock_owner __attribute__((visibility("hidden")));

/* Threads that wait for the lock. */
extern _Atomic int mpispec_lock_waiting __attribute__((visibility("hidden")));

/* Nonzero if several threads of a rank must share a processor. Set when the lock is opened. */
extern int mpispec_threads_share_processors __attribute__((visibility("hidden")));

/* Opens the lock, which must be free. The calling thread becomes the owner. If `threads_share` is
 * nonzero, several threads of a rank share a processor. Then threads that wait for the lock yield
 * early, because the holder may need the processor. */
void mpispec_biased_lock_open(int threads_share);

/* For a lock that is not shared: mpispec_biased_lock_enter succeeds for the calling thread from now
 * on (1), or for no thread (0). */
void mpispec_biased_lock_admit(int admits);

/* Ends all bias: from now on, no thread is the owner. First called while no other thread uses the
 * lock. Later calls do nothing. */
void mpispec_biased_lock_end_bias(void);

void mpispec_biased_lock_acquire(void);
void mpispec_biased_lock_release(void);

/* Called by a fast path (mpispec_biased_lock_enter) before and after it calls other code, which may
 * make calls with fast paths. The first function returns what the second needs. Both do nothing
 * outside fast paths. */
int mpispec_biased_lock_begin_callbacks(void);
void mpispec_biased_lock_end_callbacks(int entered);

/* For a thread that does not compete with the owner. The lock is acquired only if it is free, and
 * its owner stays the same. Returns 0 if the lock is not free. */
int mpispec_biased_lock_try_borrow(void);
void mpispec_biased_lock_return(void);

/* Called by a thread that has released the lock and is about to acquire it again only to poll. Its
 * turn (MPISPEC_LOCK_TURN) ends, so that threads that wait usually acquire the lock first. */
void mpispec_biased_lock_end_turn(void);

/* Nonzero if a thread seems to hold the lock. */
int mpispec_biased_lock_is_held(void);

/* The number of the calling thread's acquisitions that are not released. */
unsigned mpispec_biased_lock_depth(void);

/* Acquires the lock if the calling thread is the owner. Returns 0 if not. Must not be called again
 * before mpispec_biased_lock_leave (mpispec_biased_lock_begin_callbacks). The other acquisitions
 * may come in between and before.
 *
 * The first store does not depend on a load, and nothing is compared before it: a call would
 * otherwise wait for the store with which the call before it ended. */
static inline __attribute__((always_inline)) int mpispec_biased_lock_enter(void) {
  struct mpispec_lock_thread *self = mpispec_lock_self;
  atomic_store_explicit(&self->entered, 1, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  /* Pair O, acquire. */
  if (__builtin_expect(atomic_load_explicit(&mpispec_lock_owner, memory_order_acquire) == self, 1))
    return 1;
  /* Pair I, release: of what this thread did when it was the owner. */
  atomic_store_explicit(&self->entered, 0, memory_order_release);
  return 0;
}

/* Releases what mpispec_biased_lock_enter has acquired. The lock must not have been released in
 * between, not even for a moment: this thread may have lost the bias then. */
static inline __attribute__((always_inline)) void mpispec_biased_lock_leave(void) {
  /* Pair I, release. */
  atomic_store_explicit(&mpispec_lock_self->entered, 0, memory_order_release);
}

/* Nonzero while a thread waits for the lock. A holder that only polls then releases it. */
static inline int mpispec_biased_lock_is_wanted(void) {
  return atomic_load_explicit(&mpispec_lock_waiting, memory_order_relaxed) != 0;
}

/* Yields to the thread that holds a lock; `round`: calls before this one, in one wait. sched_yield
 * passes the processor only to threads of the same or a higher priority. Therefore a real-time
 * thread sleeps for a moment in some of the rounds. */
void mpispec_lock_yield(unsigned round);

#endif
