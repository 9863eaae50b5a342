/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sdsm-check.c - tests the shared memory: merges, drops, a full cache, preloads, threads.
 *
 *   mpiexec -n RANKS sdsm-check [OPTION...]   (sdsm_arguments.h)
 *
 * Prints "sdsm-check: right" on rank 0, or ends the job with the place of the first mistake. */
#include "sdsm_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arguments arguments;
static int rank, ranks;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      fail(#condition, __LINE__);                                                                  \
  } while (0)

static void fail(const char *condition, int line) {
  sdsm_compute_end();
  fprintf(stderr, "sdsm-check.c:%d: rank %d: not so: %s\n", line, rank, condition);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Each rank writes every so-many-th byte of one page. The owner's copy has all of them. */
static void merges_bytes_of_all_ranks(void) {
  const int bytes = (int)arguments.sdsm.page;
  unsigned char *page = sdsm_alloc(arguments.sdsm.page, ranks - 1);
  sdsm_compute_begin();
  for (int i = rank; i < bytes; i += ranks)
    page[i] = (unsigned char)(1 + i % 251);
  sdsm_barrier();
  for (int i = 0; i < bytes; ++i)
    CHECK(page[i] == 1 + i % 251);
  sdsm_compute_end();
  sdsm_sync();
}

/* sync_drop throws away the changes of ranks that do not own the page, and keeps the owner's. */
static void drops_changes(void) {
  int *page = sdsm_alloc(arguments.sdsm.page, 0);
  sdsm_compute_begin();
  page[rank] = 1 + rank;
  sdsm_sync_drop();
  for (int i = 0; i < ranks; ++i)
    CHECK(page[i] == (i == 0));
  sdsm_compute_end();
  sdsm_sync();
}

/* After sync a rank sees its own change, and the owner does not; after barrier both do. */
static void keeps_changes(void) {
  int *page = sdsm_alloc(arguments.sdsm.page, 0);
  sdsm_compute_begin();
  page[1 + rank] = 7;
  sdsm_sync();
  CHECK(page[1 + rank] == 7);
  if (rank == 0 && ranks > 1)
    CHECK(page[2] == 0);
  sdsm_barrier();
  for (int i = 0; i < ranks; ++i)
    CHECK(page[1 + i] == 7);
  sdsm_compute_end();
  sdsm_sync();
}

/* More changed pages than the cache has. Each rank sees its own changes before the barrier. The
 * owner sees them after it, or never after sync_drop. */
static void full_cache(bool drop) {
  const size_t ints = arguments.sdsm.page / sizeof(int);
  const size_t pages = 3 * (arguments.sdsm.cache / arguments.sdsm.page);
  int *memory = sdsm_alloc(pages * arguments.sdsm.page, 0);
  const long evicted = sdsm_counts().evicted;
  sdsm_compute_begin();
  if (rank > 0) {
    for (int round = 1; round <= 2; ++round)
      for (size_t page = 0; page < pages; ++page)
        memory[page * ints + (size_t)rank] += round * (int)page;
    for (size_t page = 0; page < pages; ++page)
      CHECK(memory[page * ints + (size_t)rank] == 3 * (int)page);
    CHECK(sdsm_counts().evicted > evicted);
  }
  if (drop)
    sdsm_sync_drop();
  else
    sdsm_barrier();
  for (size_t page = 0; page < pages; ++page)
    for (int i = 1; i < ranks; ++i)
      CHECK(memory[page * ints + (size_t)i] == (drop ? 0 : 3 * (int)page));
  sdsm_compute_end();
  sdsm_sync();
}

/* After a preload there is no fault; a preload for writing only transfers nothing. */
static void preloads(void) {
  const size_t pages = arguments.sdsm.cache / arguments.sdsm.page / 3;
  const size_t bytes = pages * arguments.sdsm.page;
  char *memory = sdsm_alloc(3 * bytes, 0);
  sdsm_compute_begin();
  if (rank == 0)
    memset(memory, 'o', 3 * bytes);
  sdsm_barrier();
  if (rank == ranks - 1) {
    CHECK(sdsm_preload(memory, bytes, SDSM_READ));
    CHECK(sdsm_preload(memory + bytes, bytes / 2, SDSM_WRITE));
    const struct sdsm_counts before = sdsm_counts();
    CHECK(memory[0] == 'o' && memory[bytes - 1] == 'o' && memory[bytes] == 'o');
    memory[bytes] = 'w';
    CHECK(sdsm_preload(memory + 2 * bytes, bytes / 2, SDSM_WRITE_ONLY));
    const size_t end = (2 * bytes + bytes / 2 + arguments.sdsm.page - 1) / arguments.sdsm.page;
    memset(memory + 2 * bytes, 'n', end * arguments.sdsm.page - 2 * bytes);
    const struct sdsm_counts after = sdsm_counts();
    CHECK(after.faults == before.faults && after.pages == before.pages);
  }
  sdsm_barrier();
  CHECK(memory[0] == 'o' && memory[bytes] == 'w' && memory[bytes + 1] == 'o');
  CHECK(memory[2 * bytes] == 'n' && memory[3 * bytes - 1] == 'o');
  sdsm_compute_end();
  sdsm_sync();
}

/* A box of a divided array: the preload fetches every page of it, for each division. */
static void preloads_boxes(void) {
  const size_t dims[3] = {5, 7, 130};
  const struct sdsm_array array =
      sdsm_mapalloc(sizeof(double), dims, (int[]){ranks > 1 ? 2 : 1, 1, 1});
  double *value = (double *)array.start;
  size_t low, high;
  sdsm_part(dims[0], array.divisions[0], rank, &low, &high);
  sdsm_compute_begin();
  for (size_t i = low * 910; rank < array.divisions[0] && i < high * 910; ++i)
    value[i] = (double)i;
  sdsm_barrier();
  CHECK(sdsm_preload_array(&array, (size_t[]){1, 2, 3}, (size_t[]){5, 6, 100}, SDSM_READ));
  const long faults = sdsm_counts().faults;
  for (size_t z = 1; z < 5; ++z)
    for (size_t y = 2; y < 6; ++y)
      for (size_t x = 3; x < 100; ++x)
        CHECK(value[(z * 7 + y) * 130 + x] == (double)((z * 7 + y) * 130 + x));
  CHECK(sdsm_counts().faults == faults);
  sdsm_compute_end();
  sdsm_sync();
}

/* Threads that fault on the same pages and on others while bodies arrive. */
static void threads_fault_together(void) {
  const size_t longs = arguments.sdsm.page / sizeof(long);
  const size_t pages = 2 * (arguments.sdsm.cache / arguments.sdsm.page);
  long *memory = sdsm_alloc(pages * arguments.sdsm.page, ranks - 1);
  const int threads = arguments.sdsm.threads;
  sdsm_compute_begin();
  for (size_t i = 0; rank == ranks - 1 && i < pages * longs; ++i)
    memory[i] = (long)i;
  sdsm_compute_end();
  sdsm_barrier();
  int wrong = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : wrong) schedule(static, 1)
  for (int t = 0; t < 4 * threads; ++t) {
    sdsm_compute_begin();
    for (size_t page = 0; page < pages; ++page) {
      const size_t i = (page ^ (size_t)(t & 1)) % pages * longs + (size_t)t;
      wrong += memory[i] != (long)i;
    }
    sdsm_compute_end();
  }
  CHECK(wrong == 0);
  sdsm_sync_drop();
}

int main(int argc, char **argv) {
  arguments = arguments_begin(argc, argv, 1, "");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  arguments.sdsm.region = 20 * arguments.sdsm.cache + 20 * arguments.sdsm.page;
  sdsm_open(&arguments.sdsm, MPI_COMM_WORLD);
  merges_bytes_of_all_ranks();
  drops_changes();
  keeps_changes();
  full_cache(false);
  full_cache(true);
  preloads();
  preloads_boxes();
  threads_fault_together();
  sdsm_close();
  if (rank == 0)
    puts("sdsm-check: right");
  MPI_Finalize();
  return 0;
}
