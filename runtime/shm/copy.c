/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See copy.h. */
#include "shm/copy.h"

#include "progress/ticks.h"
#include "progress/tuning.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <string.h>

/* Measures how long some lines of the memory take to arrive. Their bytes are written without a
 * change, because a read of a fresh page causes a second page fault at the first write. Stores that
 * pass the caches are slow if the lines are in a cache. Therefore a longer time tells that the
 * lines are in none if such stores would follow. */
int mpispec_copy_is_cached(unsigned char *memory, int64_t length) {
  const uint64_t spot = mpispec_stores_pass_caches() ? MPISPEC_MEMORY_SPOT : MPISPEC_CACHE_SPOT;
  const uint64_t start = mpispec_ticks();
  for (int i = 0; i < MPISPEC_CACHE_SPOTS; ++i)
    mpispec_touch(&memory[length / MPISPEC_CACHE_SPOTS * i]);
  mpispec_await_memory();
  return mpispec_ticks() - start < mpispec_ticks_in(MPISPEC_CACHE_SPOTS * spot);
}

int mpispec_copy_depends_on_cache(int64_t length) {
  return mpispec_stores_pass_caches()    ? length > MPISPEC_PASSING_BYTES
         : mpispec_uncached_by_vectors() ? length > MPISPEC_CACHED_BYTES
                                         : 0;
}

/* Like mpispec_copy_by_vectors, but the bytes go to memory. */
#ifdef __x86_64__
__attribute__((__target__("avx"))) static void
copy_past_caches(unsigned char *to, const unsigned char *from, int64_t length) {
  enum { LINE = 64, VECTOR = 32 };
  const int64_t to_line = (int64_t)(-(uintptr_t)to & (LINE - 1)),
                head = to_line < length ? to_line : length,
                whole = head + (length - head) / LINE * LINE;
  memcpy(to, from, (size_t)head);
  for (int64_t at = head; at < whole; at += LINE) {
    const __m256i a = _mm256_loadu_si256((const __m256i *)(from + at)),
                  b = _mm256_loadu_si256((const __m256i *)(from + at + VECTOR));
    _mm256_stream_si256((__m256i *)(to + at), a);
    _mm256_stream_si256((__m256i *)(to + at + VECTOR), b);
  }
  memcpy(to + whole, from + whole, (size_t)(length - whole));
  _mm_sfence(); /* other threads of the program see the bytes before what this one stores next */
}
#else
static void copy_past_caches(unsigned char *to, const unsigned char *from, int64_t length) {
  memcpy(to, from, (size_t)length);
}
#endif

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
  if (uncached && mpispec_stores_pass_caches())
    copy_past_caches(to, from, length);
  else if ((uncached && mpispec_vector_width() != MPISPEC_IS_NARROW) ||
           mpispec_vectors_are_faster())
    mpispec_copy_by_vectors(to, from, length);
  else
    mpispec_copy_from_peer(to, from, length, message);
}
