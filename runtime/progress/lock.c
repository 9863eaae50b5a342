/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lock of the runtime. lock.h describes which thread holds it at which time.
 *
 * Shared: the biased lock (biased_lock.h).
 *
 * Not shared: two flags. Each side writes its own flag and then reads the other's. Therefore at
 * least one side reads the other's new value (Dekker):
 *
 *   the program     available := 0   light fence     waits while in_use is 1
 *   the helper      in_use := 1      heavy fence     continues only if available is 1
 *
 * The heavy fence is membarrier(2). Therefore the light fence only stops the compiler from
 * reordering. Without membarrier both are full fences. Without a helper there is nothing to
 * order. */
#include "progress/lock.h"

#include "progress/membarrier.h"
#include "progress/parking.h"
#include "progress/progress.h"

#include <stdatomic.h>

int mpispec_lock_shared, mpispec_lock_per_call;
_Atomic int mpispec_lock_threads_away;
int mpispec_fast_path_disabled, mpispec_fast_path_stays_disabled;

static int depth; /* not shared: how often its holder acquired it */
/* Not shared: this thread is the helper and holds the lock. A function of the MPI library that it
 * calls may call back. */
static _Thread_local int helper_holds;
static _Atomic int available, in_use;
static enum { NO_HELPER, MEMBARRIER, FULL } fences; /* that both sides need */

static int taken_per_call; /* shared, or released to the helper */
static void (*at_release)(void);

/* If calls acquire the lock only for the sake of `at_release`, mpispec_biased_lock_enter succeeds
 * for the program's thread. */
static void set_fast_path(void) {
  mpispec_fast_path_disabled = mpispec_lock_per_call | mpispec_fast_path_stays_disabled;
  if (!mpispec_lock_shared)
    mpispec_biased_lock_admit(at_release && !taken_per_call && !mpispec_fast_path_stays_disabled);
}

static void set_per_call(int taken) {
  taken_per_call = taken;
  mpispec_lock_per_call = taken || at_release;
  set_fast_path();
}

void mpispec_lock_open(int shared, int threads_share) {
  mpispec_lock_shared = shared;
  set_per_call(shared);
  depth = 0;
  if (shared)
    mpispec_biased_lock_open(threads_share);
}

void mpispec_lock_at_release(void (*then)(void)) {
  at_release = then;
  set_per_call(taken_per_call);
}

void mpispec_fast_path_set_disabled(int disabled) {
  if (mpispec_lock_shared && disabled)
    mpispec_biased_lock_end_bias();
  if (mpispec_fast_path_stays_disabled == MPISPEC_FOR_GOOD ||
      (mpispec_lock_shared && disabled != MPISPEC_FOR_GOOD))
    return;
  mpispec_fast_path_stays_disabled = disabled;
  set_fast_path();
}

/* --- fences ------------------------------------------------------------------------------------*/

void mpispec_lock_prepare_fences(void) {
  fences = mpispec_membarrier_register() ? MEMBARRIER : FULL;
}

void mpispec_lock_light_fence(void) {
  if (fences == FULL)
    atomic_thread_fence(memory_order_seq_cst);
  else
    atomic_signal_fence(memory_order_seq_cst);
}

void mpispec_lock_heavy_fence(void) {
  if (fences != MEMBARRIER || !mpispec_membarrier())
    atomic_thread_fence(memory_order_seq_cst);
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
  /* Pair L, acquire: the helper's stores precede our loads. */
  for (unsigned round = 0; atomic_load_explicit(&in_use, memory_order_acquire); ++round)
    mpispec_lock_yield(round);
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

int mpispec_lock_is_lent(void) { return !mpispec_lock_shared && taken_per_call; }

/* --- both --------------------------------------------------------------------------------------*/

void mpispec_lock_acquire(void) {
  if (mpispec_lock_shared)
    mpispec_biased_lock_acquire();
  else if (taken_per_call && !helper_holds && !depth++)
    take_back();
}

static void release_shared(void) {
  const int needed = atomic_load_explicit(&mpispec_lock_threads_away, memory_order_relaxed) > 0 &&
                     mpispec_progress_is_pending();
  mpispec_biased_lock_release();
  if (needed && on_release_to_helper)
    on_release_to_helper();
}

void mpispec_lock_release(void) {
  mpispec_parked_notify();
  if (at_release) /* also in a callback of a fast path, whose end looks at noted peers only */
    at_release();
  if (mpispec_lock_shared)
    release_shared();
  else if (taken_per_call && !helper_holds && !--depth)
    release_to_helper();
}

void mpispec_lock_pass(void) {
  mpispec_lock_release();
  if (mpispec_lock_shared)
    mpispec_biased_lock_end_turn();
  mpispec_lock_acquire();
}

int mpispec_lock_stays(void) {
  return !at_release && (mpispec_lock_shared || !mpispec_lock_per_call);
}

int mpispec_lock_helper_try_acquire(void) {
  if (mpispec_lock_shared)
    return mpispec_biased_lock_try_borrow();
  atomic_store_explicit(&in_use, 1, memory_order_relaxed);
  mpispec_lock_heavy_fence();
  /* Pair L, acquire. */
  helper_holds = atomic_load_explicit(&available, memory_order_acquire);
  if (!helper_holds)
    mpispec_lock_helper_release();
  return helper_holds;
}

void mpispec_lock_helper_release(void) {
  mpispec_parked_notify();
  helper_holds = 0;
  if (mpispec_lock_shared)
    mpispec_biased_lock_return();
  else
    /* Pair L, release. */
    atomic_store_explicit(&in_use, 0, memory_order_release);
}
