/* Sixty-four ranks on a node start soon and take little memory until they communicate, and few page tables. */
#define _GNU_SOURCE
#include "check.h"
#include "shm/segment.h"

#include <inttypes.h>
#include <mpi.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Pages of a mapping that are in memory, whoever has touched them. */
static long pages_in_memory(char *begin, size_t bytes) {
  const size_t page = 4096;
  unsigned char *in_memory = malloc(bytes / page);
  long count = 0;
  CHECK(in_memory && !mincore(begin, bytes, in_memory));
  for (size_t i = 0; i < bytes / page; ++i)
    count += in_memory[i] & 1;
  free(in_memory);
  return count;
}

/* KiB of the segments of all ranks, which every rank has mapped. An arena is used from its
 * beginning on, so the first few MiB of it tell. Many segments take little address space. */
static long resident(int *segments, int size) {
  char line[512];
  long sum = 0;
  size_t space = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  *segments = 0;
  while (fgets(line, sizeof line, maps)) {
    char *begin, *end;
    if (!strstr(line, "memfd:mpispec") || sscanf(line, "%p-%p", &begin, &end) != 2)
      continue;
    space += (size_t)(end - begin);
    if ((size_t)(end - begin) < mpispec_segment_bytes(size, 4 << 20))
      continue; /* a home ring, which is mapped once more */
    sum += pages_in_memory(begin, mpispec_segment_bytes(size, 4 << 20)) * 4;
    ++*segments;
  }
  fclose(maps);
  CHECK(space < (size_t)13 << 30);
  return sum;
}

/* Spans of 2 MiB in which pages of segments are mapped: each takes a page of a page table. */
static int spans(void) {
  enum { SPAN = 2 << 20, PAGES = SPAN / 4096 };
  static uint64_t entries[PAGES];
  char line[512];
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "r"), *pages = fopen("/proc/self/pagemap", "rb");
  uintptr_t begin, end, last = 0;
  CHECK(maps && pages);
  setvbuf(pages, NULL, _IONBF, 0);
  while (fgets(line, sizeof line, maps)) {
    if (!strstr(line, "memfd:mpispec") || sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2)
      continue;
    for (uintptr_t span = begin / SPAN; span <= (end - 1) / SPAN; ++span) {
      const uintptr_t from = span * SPAN < begin ? begin : span * SPAN;
      const uintptr_t to = (span + 1) * SPAN > end ? end : (span + 1) * SPAN;
      int is_present = 0;
      CHECK(!fseek(pages, (long)(from / 4096 * 8), SEEK_SET));
      CHECK(fread(entries, 8, (to - from) / 4096, pages) == (to - from) / 4096);
      for (uintptr_t i = 0; i < (to - from) / 4096; ++i)
        is_present |= (int)(entries[i] >> 63);
      count += is_present && span != last;
      last = is_present ? span : last;
    }
  }
  fclose(maps);
  fclose(pages);
  return count;
}

int main(int argc, char **argv) {
  int rank, size, in, segments;
  MPI_Status status;
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  MPI_Init(&argc, &argv);
  clock_gettime(CLOCK_MONOTONIC, &after);
  const double seconds = (double)(after.tv_sec - before.tv_sec);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    const long silent = resident(&segments, size);
    CHECK(segments >= size && silent > 0);
    fprintf(stderr, "MPI_Init %.1f s, %ld KiB\n", seconds, silent);
    printf("%d ranks, %s 64 MiB, %s\n", size, silent < 64 * 1024 ? "below" : "above",
           seconds < 20 ? "soon" : "late");
  }
  for (int i = 1; i < size; ++i)
    MPI_Send(&rank, 1, MPI_INT, (rank + i) % size, 0, MPI_COMM_WORLD);
  for (int i = 1; i < size; ++i) {
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    CHECK(in == status.MPI_SOURCE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    /* 16 KiB and 64 bytes for each pair; 256 KiB for each rank is plenty for all else. */
    const long all = resident(&segments, size), bound = size * (size * 16 + size / 16 + 256);
    fprintf(stderr, "%ld KiB, bound %ld\n", all, bound);
    printf("after all have spoken, %s the bound\n", all <= bound ? "below" : "above");
    const int tables = spans();
    fprintf(stderr, "%d pages of page tables\n", tables);
    printf("%s than five quarters of a page of a page table for a rank\n", tables <= size + size / 4 ? "less" : "more");
  }
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 64 %t | FileCheck %s
// CHECK: 64 ranks, below 64 MiB, soon
// CHECK: after all have spoken, below the bound
// CHECK: less than five quarters of a page of a page table for a rank
