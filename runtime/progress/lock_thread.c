/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "progress/lock_thread.h"

#include <stdio.h>
#include <stdlib.h>

static struct mpispec_lock_thread without_record;
_Thread_local struct mpispec_lock_thread *mpispec_lock_self = &without_record;

static struct mpispec_lock_thread *_Atomic threads;

/* The key of a record is the address of the thread's thread-local memory. A thread that gets the
 * address of an exited thread also uses its record, even if the record is still the owner. */
static struct mpispec_lock_thread *find_thread(const void *identity) {
  struct mpispec_lock_thread *thread = atomic_load_explicit(&threads, memory_order_acquire);
  while (thread && thread->identity != identity)
    thread = thread->next;
  return thread;
}

/* Without a record, the lock could not protect the state. */
static struct mpispec_lock_thread *new_thread(const void *identity) {
  struct mpispec_lock_thread *thread =
      aligned_alloc(_Alignof(struct mpispec_lock_thread), sizeof *thread);
  if (!thread) {
    fprintf(stderr, "mpispec: no memory for a thread\n");
    abort();
  }
  *thread = (struct mpispec_lock_thread){.identity = identity};
  thread->next = atomic_load_explicit(&threads, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&threads, &thread->next, thread,
                                                memory_order_release, memory_order_relaxed))
    ;
  return thread;
}

struct mpispec_lock_thread *mpispec_lock_thread_self(void) {
  const void *identity = &mpispec_lock_self;
  if (mpispec_lock_self == &without_record) {
    struct mpispec_lock_thread *known = find_thread(identity);
    mpispec_lock_self = known ? known : new_thread(identity);
  }
  return mpispec_lock_self;
}

static _Atomic int acquirers;
static void (*on_another_thread)(void);

int mpispec_biased_lock_has_several_threads(void) {
  atomic_thread_fence(memory_order_seq_cst);
  return atomic_load_explicit(&acquirers, memory_order_relaxed) > 1;
}

void mpispec_biased_lock_on_another_thread(void (*then)(void)) { on_another_thread = then; }

/* The fence here and the one above form a pair. */
void mpispec_lock_thread_count(struct mpispec_lock_thread *self) {
  self->has_acquired = 1;
  const int others = atomic_fetch_add_explicit(&acquirers, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (others && on_another_thread)
    on_another_thread();
}
