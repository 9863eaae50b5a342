/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See copy.h. */
#include "shm/copy.h"

#include "progress/ticks.h"
#include "progress/tuning.h"

#include <string.h>

/* Measures how long some lines of the memory take to arrive. Their bytes are written without a
 * change, because a read of a fresh page causes a second page fault at the first write. */
int mpispec_copy_is_cached(unsigned char *memory, int64_t length) {
  const uint64_t start = mpispec_ticks();
  for (int i = 0; i < MPISPEC_CACHE_SPOTS; ++i)
    mpispec_touch(&memory[length / MPISPEC_CACHE_SPOTS * i]);
  mpispec_await_memory();
  return mpispec_ticks() - start < MPISPEC_CACHE_SPOTS * mpispec_ticks_in(MPISPEC_CACHE_SPOT);
}

/* Prefetches may pass the end: they never fault, and a message that arrives in steps continues
 * there. */
static void copy_fetching_ahead(unsigned char *to, const unsigned char *from, int64_t length) {
  enum { LINE = 64, PAGE = 4096 };
  for (int64_t at = 0; at < length; at += PAGE) {
    for (int line = 0; line < PAGE; line += LINE)
      __builtin_prefetch(from + at + PAGE + line, 0, 2);
    memcpy(to + at, from + at, (size_t)(length - at < PAGE ? length - at : PAGE));
  }
}

void mpispec_copy_from_peer(void *to, const void *from, int64_t length, int64_t message) {
  if (message > MPISPEC_FETCHED_LEAST && message <= MPISPEC_FETCHED_MOST &&
      mpispec_strings_need_prefetch())
    copy_fetching_ahead(to, from, length);
  else
    memcpy(to, from, (size_t)length);
}

void mpispec_copy_in(void *to, const void *from, int64_t length) {
  if (mpispec_vectors_are_faster())
    mpispec_copy_by_vectors(to, from, length);
  else
    memcpy(to, from, (size_t)length);
}

void mpispec_copy_out(void *to, const void *from, int64_t length, int64_t message, int uncached) {
  if ((uncached && mpispec_vector_width() != MPISPEC_IS_NARROW) || mpispec_vectors_are_faster())
    mpispec_copy_by_vectors(to, from, length);
  else
    mpispec_copy_from_peer(to, from, length, message);
}
