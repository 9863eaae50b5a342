/* The lock of the runtime: its owner, and how often that took it. lock.h says who holds it when.
 *
 * A thread may take it again, because the MPI library calls back into the program (attributes,
 * error handlers, generalised requests) and the program may call MPI there. */
#include "lock.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

int mpispec_lock_shared;

static _Thread_local char self; /* its address names a thread */
static char *_Atomic owner;
static int depth; /* the owner's */

void mpispec_lock_open(int shared) {
  mpispec_lock_shared = shared;
  depth = !shared;
  atomic_store_explicit(&owner, shared ? NULL : &self, memory_order_relaxed);
}

int mpispec_lock_try(void) {
  char *free_of_owner = NULL;
  char *const now = atomic_load_explicit(&owner, memory_order_relaxed);
  /* Pair L, acquire: what the last holder did is done. */
  if (now != &self &&
      (now || !atomic_compare_exchange_strong_explicit(&owner, &free_of_owner, &self,
                                                       memory_order_acquire, memory_order_relaxed)))
    return 0;
  ++depth;
  return 1;
}

void mpispec_lock_acquire(void) {
  for (int spins = 0; !mpispec_lock_try(); ++spins)
    if (spins > 100)
      sched_yield();
}

void mpispec_lock_release(void) {
  if (--depth)
    return;
  /* Pair L, release. */
  atomic_store_explicit(&owner, NULL, memory_order_release);
}
