/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The biased lock's records of the program's threads (biased_lock.h). */
#ifndef MPISPEC_RUNTIME_LOCK_THREAD_H
#define MPISPEC_RUNTIME_LOCK_THREAD_H

#include <stdatomic.h>

/* Only the thread itself writes its record. A record is never freed, because other threads read the
 * words of an owner that has exited. */
struct mpispec_lock_thread {
  _Alignas(64) _Atomic unsigned entered; /* 1 in a fast path, but not in its callbacks */
  _Atomic unsigned
      depth; /* other acquisitions that are not released, and fast paths in callbacks */
  _Atomic unsigned moves; /* of fast paths from `entered` to `depth` */
  unsigned turn;          /* acquisitions since another thread has held the lock */
  unsigned in_a_row;      /* the same, but 0 again when this thread becomes the owner */
  int has_acquired;       /* the lock, at least once */
  const void *identity;
  struct mpispec_lock_thread *next;
};

/* The record of this thread. Threads without a record share one that is never the owner. */
extern _Thread_local struct mpispec_lock_thread *mpispec_lock_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The record of this thread, which gets one if it has none. */
struct mpispec_lock_thread *mpispec_lock_thread_self(void);

/* Called by each thread before it acquires the lock for the first time. */
void mpispec_lock_thread_count(struct mpispec_lock_thread *self);

/* Nonzero if several threads have acquired the lock. Borrowers do not count. `then`, if not null,
 * is called by each thread but the first, before it acquires the lock for the first time. Either
 * the first function, called by another thread, reads this thread, or `then` reads what the other
 * thread wrote before. */
int mpispec_biased_lock_has_several_threads(void);
void mpispec_biased_lock_on_another_thread(void (*then)(void));

#endif
