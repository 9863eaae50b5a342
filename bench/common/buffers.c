/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* buffers.c - see buffers.h */
#include "buffers.h"
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, LEAST_POOL = 64 << 20 };

char *buffers_allocate(size_t bytes) {
  char *memory = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return memset(memory, 0, bytes);
}

void buffers_write(char *at, size_t bytes, int columns) {
  static uint64_t value;
  uint64_t *words = (uint64_t *)at;
  const size_t count = bytes / sizeof *words;
  ++value;
  if (!columns)
    for (size_t i = 0; i < count; ++i)
      words[i] = value;
  else
    for (size_t i = 0; i < count; i += BUFFERS_BLOCK, words += BUFFERS_STRIDE)
      for (int k = 0; k < BUFFERS_BLOCK; ++k)
        words[k] = value;
}

/* Sums of integers: those of doubles would take longer than the memory does. */
void buffers_read(const char *at, size_t bytes, int columns) {
  const uint64_t *words = (const uint64_t *)at;
  const size_t count = bytes / sizeof *words;
  uint64_t sum = 0;
  if (!columns)
    for (size_t i = 0; i < count; ++i)
      sum += words[i];
  else
    for (size_t i = 0; i < count; i += BUFFERS_BLOCK, words += BUFFERS_STRIDE)
      for (int k = 0; k < BUFFERS_BLOCK; ++k)
        sum += words[k];
  __asm__ volatile(""
                   :
                   : "r"(sum)); /* the compiler may not leave out what is added up for nothing */
}

size_t buffers_pool(int ranks) {
  const long last_level = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  const size_t most = memory / 8 / (size_t)ranks;
  size_t pool = LEAST_POOL;
  if (last_level > 0 && 2 * (size_t)last_level > pool)
    pool = 2 * (size_t)last_level;
  return pool < most ? pool : most;
}
