/* The lock of the runtime, a word and a spin that yields. lock.h says who holds it when. */
#include "lock.h"

#include <sched.h>
#include <stdatomic.h>

int mpispec_lock_shared;
static _Atomic int taken;

void mpispec_lock_open(int shared) {
  mpispec_lock_shared = shared;
  atomic_store_explicit(&taken, !shared, memory_order_relaxed);
}

int mpispec_lock_try(void) {
  /* Pair L, acquire: what the last holder did is done. */
  return !atomic_load_explicit(&taken, memory_order_relaxed) &&
         !atomic_exchange_explicit(&taken, 1, memory_order_acquire);
}

void mpispec_lock_acquire(void) {
  for (int spins = 0; !mpispec_lock_try(); ++spins)
    if (spins > 100)
      sched_yield();
}

void mpispec_lock_release(void) {
  /* Pair L, release. */
  atomic_store_explicit(&taken, 0, memory_order_release);
}
