/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See copy.h. */
#include "shm/copy.h"

#include "progress/ticks.h"
#include "progress/tuning.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <string.h>

enum { PAGE = 4096 };

/* Measures how long some lines of the memory take to arrive. Their bytes are written without a
 * change, because a read of a fresh page causes a second page fault at the first write. */
int mpispec_copy_is_cached(unsigned char *memory, int64_t length) {
  const uint64_t start = mpispec_ticks();
  for (int i = 0; i < MPISPEC_SPOTS; ++i)
    mpispec_touch(&memory[length / MPISPEC_SPOTS * i]);
  mpispec_await_memory();
  return mpispec_ticks() - start < mpispec_ticks_in(MPISPEC_SPOTS * MPISPEC_MEMORY_SPOT);
}

int mpispec_copy_passes_caches(unsigned char *target, int64_t length) {
  return mpispec_stores_pass_caches() && length > MPISPEC_PASSING_BYTES &&
         !mpispec_copy_is_cached(target, length);
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
  enum { LINE = 64 };
  for (int64_t at = 0; at < length; at += PAGE) {
    for (int line = 0; line < PAGE; line += LINE)
      __builtin_prefetch(from + at + PAGE + line, 0, 2);
    memcpy(to + at, from + at, (size_t)(length - at < PAGE ? length - at : PAGE));
  }
}

/* Copies up to PAGES pages at once: the first line of each, then the second line of each, and so
 * on. A processor prefetches lines within a page only, but within several pages at a time. */
#ifdef __x86_64__
__attribute__((__target__("avx2"))) static void
copy_pages_at_once(unsigned char *to, const unsigned char *from, int64_t length) {
  enum { LINE = 64, VECTOR = 32, PAGES = 8 };
  int64_t at = 0;
  for (int64_t pages; (pages = (length - at) / PAGE) > 0; at += pages * PAGE) {
    pages = pages < PAGES ? pages : PAGES;
    for (int64_t line = at; line < at + PAGE; line += LINE)
      for (int64_t i = line; i < line + pages * PAGE; i += PAGE) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(from + i)),
                      b = _mm256_loadu_si256((const __m256i *)(from + i + VECTOR));
        _mm256_storeu_si256((__m256i *)(to + i), a);
        _mm256_storeu_si256((__m256i *)(to + i + VECTOR), b);
      }
  }
  memcpy(to + at, from + at, (size_t)(length - at));
}
#else
static void copy_pages_at_once(unsigned char *to, const unsigned char *from, int64_t length) {
  memcpy(to, from, (size_t)length);
}
#endif

void mpispec_copy_from_peer(void *to, const void *from, int64_t length, int64_t message) {
  if (message > MPISPEC_FETCHED_MOST && mpispec_pages_are_faster())
    copy_pages_at_once(to, from, length);
  else if (message > MPISPEC_FETCHED_LEAST && message <= MPISPEC_FETCHED_MOST &&
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

void mpispec_copy_out(void *to, const void *from, int64_t length, int64_t message,
                      int passes_caches) {
  if (passes_caches)
    copy_past_caches(to, from, length);
  else if (mpispec_vectors_are_faster())
    mpispec_copy_by_vectors(to, from, length);
  else
    mpispec_copy_from_peer(to, from, length, message);
}
