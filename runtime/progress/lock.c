/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lock of the runtime. lock.h describes which thread holds it at which time.
 *
 * Shared: the address of a thread-local variable of the owner, and how often the owner acquired it.
 * A thread may acquire it again, because the MPI library calls functions of the program. These
 * functions (attributes, error handlers, generalized requests) may call MPI.
 *
 * Not shared: two flags. Each side writes its own flag and then reads the other's. Therefore at
 * least one side reads the other's new value (Dekker):
 *
 *   the program     available := 0   light fence     waits while in_use is 1
 *   the helper      in_use := 1      heavy fence     continues only if available is 1
 *
 * The heavy fence is membarrier(2). It makes every running thread of this process execute a full
 * fence. Therefore the light fence only stops the compiler from reordering. Without membarrier both
 * are full fences. Without a helper there is nothing to order. */
#include "progress/lock.h"

#include "progress/progress.h"
#include "progress/tuning.h"

#include "mpispec/contract.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

int mpispec_lock_shared, mpispec_lock_per_call;
int mpispec_fast_path_disabled, mpispec_fast_path_stays_disabled;

static int depth; /* how often its holder acquired it */

/* Shared. */
static _Thread_local char self; /* its address names a thread */
static char *_Atomic owner;
static char *_Atomic last_owner;
static _Atomic int waiting; /* threads that wait for it */

/* Not shared. */
static _Atomic int available, in_use;
static enum { NO_HELPER, MEMBARRIER, FULL } fences; /* that both sides need */

static int taken_per_call; /* shared, or released to the helper */
static void (*at_release)(void);

static void set_per_call(int taken) {
  taken_per_call = taken;
  mpispec_lock_per_call = taken || at_release;
  mpispec_fast_path_disabled = mpispec_lock_per_call | mpispec_fast_path_stays_disabled;
}

void mpispec_lock_open(int shared) {
  mpispec_lock_shared = shared;
  set_per_call(shared);
  depth = 0;
}

void mpispec_lock_at_release(void (*then)(void)) {
  at_release = then;
  set_per_call(taken_per_call);
}

/* --- fences ------------------------------------------------------------------------------------*/

void mpispec_lock_prepare_fences(void) {
  const int refused = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
  fences = refused ? FULL : MEMBARRIER;
}

void mpispec_lock_light_fence(void) {
  if (fences == FULL)
    atomic_thread_fence(memory_order_seq_cst);
  else
    atomic_signal_fence(memory_order_seq_cst);
}

void mpispec_lock_heavy_fence(void) {
  if (fences != MEMBARRIER || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
    atomic_thread_fence(memory_order_seq_cst);
}

/* --- shared ------------------------------------------------------------------------------------*/

static int try_shared(void) {
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

/* A thread that acquires the lock again at once would always find it free, and waiting threads
 * never. */
static void give_way(void) {
  if (atomic_load_explicit(&waiting, memory_order_relaxed) &&
      atomic_load_explicit(&last_owner, memory_order_relaxed) == &self &&
      atomic_load_explicit(&owner, memory_order_relaxed) != &self)
    sched_yield();
}

static void acquire_shared(void) {
  give_way();
  if (try_shared())
    return;
  atomic_fetch_add_explicit(&waiting, 1, memory_order_relaxed);
  for (int spins = 0; !try_shared(); ++spins)
    if (spins > MPISPEC_LOCK_SPINS)
      sched_yield();
  atomic_fetch_sub_explicit(&waiting, 1, memory_order_relaxed);
}

static void release_shared(void) {
  if (--depth)
    return;
  atomic_store_explicit(&last_owner, &self, memory_order_relaxed);
  /* Pair L, release. */
  atomic_store_explicit(&owner, NULL, memory_order_release);
}

/* --- released to the helper --------------------------------------------------------------------*/

static void (*on_release_to_helper)(void);

void mpispec_lock_on_release_to_helper(void (*callback)(void)) { on_release_to_helper = callback; }

static void release_to_helper(void) {
  const int needed = mpispec_progress_is_needed();
  /* Pair L, release. */
  atomic_store_explicit(&available, 1, memory_order_release);
  mpispec_lock_light_fence();
  if (needed && on_release_to_helper)
    on_release_to_helper();
}

static void take_back(void) {
  atomic_store_explicit(&available, 0, memory_order_relaxed);
  mpispec_lock_light_fence();
  /* Pair L, acquire: what the helper did is done. */
  while (atomic_load_explicit(&in_use, memory_order_acquire))
    sched_yield();
}

void mpispec_lock_release_to_helper(void) {
  set_per_call(1);
  release_to_helper();
}

void mpispec_lock_reclaim_from_helper(void) {
  take_back();
  set_per_call(0);
}

int mpispec_lock_is_with_helper(void) {
  return atomic_load_explicit(&available, memory_order_relaxed);
}

/* --- both --------------------------------------------------------------------------------------*/

void mpispec_lock_acquire(void) {
  if (mpispec_lock_shared)
    acquire_shared();
  else if (taken_per_call && !depth++)
    take_back();
}

void mpispec_lock_release(void) {
  if (at_release && depth <= 1)
    at_release();
  if (mpispec_lock_shared)
    release_shared();
  else if (taken_per_call && !--depth)
    release_to_helper();
}

int mpispec_lock_helper_try_acquire(void) {
  if (mpispec_lock_shared)
    return try_shared();
  atomic_store_explicit(&in_use, 1, memory_order_relaxed);
  mpispec_lock_heavy_fence();
  /* Pair L, acquire. */
  if (atomic_load_explicit(&available, memory_order_acquire))
    return 1;
  mpispec_lock_helper_release();
  return 0;
}

void mpispec_lock_helper_release(void) {
  if (mpispec_lock_shared)
    release_shared();
  else
    /* Pair L, release. */
    atomic_store_explicit(&in_use, 0, memory_order_release);
}
