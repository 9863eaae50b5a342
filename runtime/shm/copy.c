/* See copy.h. */
#include "shm/copy.h"

#include <string.h>

/* By the time that some lines of it take to come. They are written, without a change: to read
 * fresh pages would have them mapped twice. */
int mpispec_copy_is_cached(unsigned char *memory, int64_t length) {
  enum { SPOTS = 8, TICKS = SPOTS * 40 };
  const uint64_t start = __builtin_ia32_rdtsc();
  for (int i = 0; i < SPOTS; ++i)
    __asm__ volatile("lock orb $0, %0" : "+m"(memory[length / SPOTS * i]));
  __builtin_ia32_lfence();
  return __builtin_ia32_rdtsc() - start < TICKS;
}

static __attribute__((target("avx2"))) void copy(unsigned char *to, const unsigned char *from,
                                                 int64_t length) {
  typedef long long vector __attribute__((vector_size(32), aligned(1), may_alias));
  const int64_t whole = length / 64 * 64;
  for (int64_t at = 0; at < whole; at += 64) {
    const vector low = *(const vector *)(from + at), high = *(const vector *)(from + at + 32);
    *(vector *)(to + at) = low;
    *(vector *)(to + at + 32) = high;
    __asm__ volatile("" ::: "memory"); /* or the compiler makes it a call of memcpy */
  }
  memcpy(to + whole, from + whole, (size_t)(length - whole));
}

void mpispec_copy_to_memory(void *to, const void *from, int64_t length) {
  if (__builtin_cpu_supports("avx2"))
    copy(to, from, length);
  else
    memcpy(to, from, (size_t)length);
}
