/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The first polls of a call that waits for a word of another rank. Later polls also make progress
 * with other operations. */
#ifndef MPISPEC_RUNTIME_FIRST_POLLS_H
#define MPISPEC_RUNTIME_FIRST_POLLS_H

#include "mpispec/machine.h"
#include "mpispec/state.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "progress/tuning.h"

#ifdef __clang__
#define MPISPEC_UNROLL _Pragma("unroll")
#else
#define MPISPEC_UNROLL _Pragma("GCC unroll 16")
#endif

/* Polls a word up to MPISPEC_FIRST_POLLS times, until `word ^ expected` is at most `most`. Does
 * nothing if the rank is oversubscribed, if another thread waits for the lock, or if a profile
 * measures waits.
 *
 * The loop is unrolled and short, so that each poll has a branch of its own, with few others before
 * it. A processor learns to predict these branches if words change after about the same number of
 * polls. Then, while the last poll waits for the word's line, the processor already executes what
 * follows, and prefetches the line that the rank writes next. */
static inline __attribute__((always_inline)) void
mpispec_first_polls(const unsigned long long *word, uint64_t expected, uint64_t most) {
  if (mpispec_state.polls <= MPISPEC_FIRST_POLLS || mpispec_progress_is_timed ||
      mpispec_lock_is_wanted())
    return;
  MPISPEC_UNROLL
  for (int i = 0; i < MPISPEC_FIRST_POLLS; ++i) {
    if ((__atomic_load_n(word, __ATOMIC_ACQUIRE) ^ expected) <= most)
      return;
    mpispec_pause();
  }
}

#endif
