/* Copies into and out of shared memory, by strings and by vectors. Every byte is checked, and none beside them
 * changes, for all lengths and alignments. A test whether lines are in a cache changes none of them. Lines that go
 * back to their writer lose no neighbours. */
#include "check.h"
#include "progress/ticks.h"
#include "shm/copy.h"

#include <string.h>

enum { MOST = 300, GUARD = 64, LARGE = 8 * 1024 * 1024, PIECE = 64 * 1024 };
static unsigned char from[MOST + GUARD], to[MOST + 3 * GUARD];
static unsigned char large[LARGE];

/* --- copies ------------------------------------------------------------------------------------*/

static void in(void *bytes, const void *source, int64_t length) {
  mpispec_copy_in(bytes, source, length);
}
static void out(void *bytes, const void *source, int64_t length) {
  mpispec_copy_out(bytes, source, length, length, 0);
}
static void out_past_caches(void *bytes, const void *source, int64_t length) {
#ifdef __x86_64__
  const int has_vectors = __builtin_cpu_supports("avx");
#else
  const int has_vectors = 1;
#endif
  mpispec_copy_out(bytes, source, length, length, has_vectors);
}
static void by_vectors(void *bytes, const void *source, int64_t length) {
  mpispec_copy_by_vectors(bytes, source, length);
}

typedef void copy(void *bytes, const void *source, int64_t length);
static copy *const copies[] = {in, out, out_past_caches, by_vectors};
enum { COPIES = sizeof copies / sizeof *copies };

static void check(copy *copy, int length, int source, int target) {
  unsigned char before[sizeof from];
  memcpy(before, from, sizeof from);
  memset(to, 0xee, sizeof to);
  copy(to + GUARD + target, from + source, length);
  CHECK(!memcmp(to + GUARD + target, before + source, (size_t)length));
  CHECK(!memcmp(from, before, sizeof from));
  for (int i = 0; i < (int)sizeof to; ++i)
    CHECK((i >= GUARD + target && i < GUARD + target + length) || to[i] == 0xee);
}

/* All lengths, and alignments of either side. */
static void short_ones(copy *copy) {
  for (int length = 0; length <= MOST; ++length)
    for (int shift = 0; shift < GUARD; shift += 7) {
      check(copy, length, shift, 0);
      check(copy, length, 0, shift);
      check(copy, length, GUARD - 1 - shift, shift);
    }
}

static void long_one(copy *copy, int length) {
  unsigned char *const target = large + LARGE / 2;
  for (int shift = 0; shift < GUARD; shift += 9) {
    memset(target, 0xee, (size_t)length + 4 * GUARD);
    copy(target + GUARD + shift, large + GUARD - shift, length);
    CHECK(!memcmp(target + GUARD + shift, large + GUARD - shift, (size_t)length));
    for (int i = 0; i < GUARD; ++i) {
      CHECK(target[shift + i] == 0xee);
      CHECK(target[GUARD + shift + length + i] == 0xee);
    }
  }
}

/* About the length of a piece, and any number of pages more. */
static void long_ones(copy *copy) {
  enum { PAGE = 4096, PAGES = 20 };
  for (int i = 0; i < LARGE / 2; ++i)
    large[i] = (unsigned char)(i * 7 + (i >> 8));
  for (int length = PIECE - 65; length <= PIECE + 65; length += 13)
    long_one(copy, length);
  for (int pages = 1; pages <= PAGES; ++pages)
    long_one(copy, PIECE + pages * PAGE + 13 * (pages % 3));
}

/* --- lines -------------------------------------------------------------------------------------*/

static void looks_change_nothing(void) {
  for (int i = 0; i < LARGE; ++i)
    large[i] = (unsigned char)(i % 251);
  mpispec_copy_is_cached(large, LARGE);
  mpispec_copy_is_cached(large + 1, 8);
  for (int i = 0; i < LARGE; ++i)
    CHECK(large[i] == i % 251);
}

/* Only the bytes themselves may be lost; they come back for the next. */
static void check_beside(int source, int length, const unsigned char before[]) {
  for (int i = 0; i < (int)sizeof from; ++i)
    CHECK((i >= source && i < source + length) || from[i] == before[i]);
  memcpy(from, before, sizeof from);
}

static void lines_are_left(void) {
  unsigned char before[sizeof from];
  memcpy(before, from, sizeof from);
  for (int length = 0; length <= MOST; ++length)
    for (int source = 0; source < GUARD; source += 7) {
      mpispec_lines_release(from + source, length);
      check_beside(source, length, before);
    }
}

/* Bytes that were just written are in a cache. The result is a guess, so that one of many tries is enough. */
static void small_memory_is_cached(void) {
  int cached = 0;
  for (int i = 0; i < 1000 && !cached; ++i) {
    memset(large, i, 4096);
    cached = mpispec_copy_is_cached(large, 4096);
  }
  CHECK(cached);
}

/* Bytes that were just put out of all caches are in none. */
static void flushed_memory_is_not(void) {
#ifdef __x86_64__
  int cached = 1;
  for (int i = 0; i < 1000 && cached; ++i) {
    for (int at = 0; at < LARGE; at += 64)
      __builtin_ia32_clflush(large + at);
    __sync_synchronize();
    cached = mpispec_copy_is_cached(large, LARGE);
  }
  CHECK(!cached);
#endif
}

int main(void) {
  for (int i = 0; i < (int)sizeof from; ++i)
    from[i] = (unsigned char)(i * 7 + 1);
  for (int i = 0; i < COPIES; ++i) {
    short_ones(copies[i]);
    long_ones(copies[i]);
  }
  mpispec_ticks_begin();
  mpispec_ticks_calibrate();
  lines_are_left();
  looks_change_nothing();
  small_memory_is_cached();
  flushed_memory_is_not();
  return passed();
}

// REQUIRES: clang-22
// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// RUN: %behind clang-22 mpicc -std=gnu11 -O1 -g -w -fno-sanitize-recover=all \
// RUN:   -fsanitize=address,undefined %include %s %sources/shm/copy.c %sources/progress/ticks.c -o %t.a
// RUN: env ASAN_OPTIONS=detect_leaks=0 UCX_MEM_MMAP_HOOK_MODE=none %t.a | FileCheck %s
// CHECK: passed
