/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples yields and reads masks again. See oversubscription.h.
 *
 * One yield of MPISPEC_YIELDS_PER_SAMPLE is a sample: the thread reads its own count of involuntary
 * context switches before and after it. Linux counts a yield if another thread ran meanwhile. Short
 * waits cost nothing, because they neither yield nor call mpispec_oversubscription_check. */
#define _GNU_SOURCE
#include "progress/oversubscription.h"

#include "mpispec/machine.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "progress/yield.h"

#include <stdint.h>
#include <sys/resource.h>

_Atomic int mpispec_oversubscribed;

static int at_init, by_masks, by_switches;
static int (*read_masks)(void);
static _Atomic uint64_t masks_read_at;

/* Several threads of a rank may wait at a time; only one of them evaluates samples. */
static atomic_flag is_busy = ATOMIC_FLAG_INIT;

static void set(int is) {
  if (is != mpispec_is_oversubscribed())
    atomic_store_explicit(&mpispec_oversubscribed, is, memory_order_relaxed);
}

long mpispec_oversubscription_switches(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

/* A single switch may be to a thread of the kernel. Therefore only consecutive samples with a
 * switch turn yielding on, and consecutive samples without one turn it off. */
static void count_sample(int has_switched) {
  static int shared, alone;
  shared = has_switched ? shared + 1 : 0;
  alone = has_switched ? 0 : alone + 1;
  if (shared >= MPISPEC_SAMPLES_SHARED)
    by_switches = 1;
  else if (alone >= MPISPEC_SAMPLES_ALONE)
    by_switches = 0;
}

static int masks_are_due(void) {
  const uint64_t last = atomic_load_explicit(&masks_read_at, memory_order_relaxed);
  return read_masks && mpispec_ticks() - last >= mpispec_ticks_in(MPISPEC_MASKS_PAUSE);
}

/* Once each rank has a processor of its own, the switches of before say nothing any more. */
static void refresh_masks(void) {
  if (!masks_are_due())
    return;
  atomic_store_explicit(&masks_read_at, mpispec_ticks(), memory_order_relaxed);
  const int was = by_masks;
  by_masks = read_masks();
  by_switches = by_switches && by_masks >= was;
}

static void evaluate(int has_switched) {
  if (atomic_flag_test_and_set_explicit(&is_busy, memory_order_acquire))
    return;
  count_sample(has_switched);
  refresh_masks();
  set(by_masks || by_switches);
  atomic_flag_clear_explicit(&is_busy, memory_order_release);
}

void mpispec_oversubscription_refresh(void) {
  if (masks_are_due())
    evaluate(0);
}

void mpispec_oversubscription_yield(void) {
  static _Thread_local unsigned yields;
  if (++yields % MPISPEC_YIELDS_PER_SAMPLE) {
    mpispec_yield();
    return;
  }
  const long before = mpispec_oversubscription_switches();
  mpispec_yield();
  evaluate(mpispec_oversubscription_switches() != before);
}

/* Counts switches between two checks only if they are less than MPISPEC_MASKS_PAUSE apart: such
 * checks belong to one wait. Switches during a computation do not count, because the system takes
 * the processor from any computing thread now and then. A sample lasts half of MPISPEC_MASKS_PAUSE:
 * a thread that shares its processor keeps it for some milliseconds at a time. */
void mpispec_oversubscription_check(void) {
  static _Thread_local uint64_t last, begin; /* of checks, and of the sample */
  static _Thread_local long before;          /* switches at the sample's begin */
  const uint64_t now = mpispec_ticks(), pause = mpispec_ticks_in(MPISPEC_MASKS_PAUSE);
  const long switches = mpispec_oversubscription_switches();
  const int is_one_wait = last && now - last < pause, is_whole = now - begin >= pause / 2;
  last = now;
  if (is_one_wait && !is_whole)
    return;
  if (is_one_wait)
    evaluate(switches != before);
  begin = now;
  before = switches;
}

void mpispec_oversubscription_guess(int is_oversubscribed) {
  by_masks = is_oversubscribed;
  by_switches = 0;
  set(is_oversubscribed);
}

void mpispec_oversubscription_open(int is_at_init, int (*read)(void)) {
  at_init = is_at_init;
  mpispec_oversubscription_guess(is_at_init);
  atomic_store_explicit(&masks_read_at, mpispec_ticks(), memory_order_relaxed);
  read_masks = read;
}

void mpispec_oversubscription_close(void) {
  read_masks = 0;
  at_init = 0;
}

int mpispec_oversubscription_at_init(void) { return at_init; }
