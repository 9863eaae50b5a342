/* Exscan and Scan of long parts, on two ranks and on three, in place on no rank, on some, and on all. In Exscan of two
 * ranks, long parts go as in a Gather, and shorter ones through chunks. A rank comes late now and then. Each element is
 * right, and nothing changes behind the result, or on the rank that has none. */
#include "check.h"

#include <mpi.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 100000, GUARD = 16, UNTOUCHED = 0x5a };
static int rank, size;
static int64_t in[MOST], out[MOST + GUARD];

static int64_t given(int from, int element) { return (int64_t)element * 1000003 + from * 7919 + 1; }

static int64_t sum_of_first(int ranks, int element) {
  int64_t sum = 0;
  for (int from = 0; from < ranks; ++from)
    sum += given(from, element);
  return sum;
}

/* Bit i of `in_place`: rank i passes MPI_IN_PLACE. */
static void try_count(int count, unsigned in_place, int with_own) {
  const int is_in_place = in_place >> rank & 1;
  int64_t *from = is_in_place ? out : in;
  memset(out, UNTOUCHED, sizeof out);
  for (int i = 0; i < count; ++i)
    from[i] = given(rank, i);
  if ((count + (int)in_place) % size == rank)
    usleep(300);
  (with_own ? MPI_Scan : MPI_Exscan)(is_in_place ? MPI_IN_PLACE : in, out, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count && (rank || with_own); ++i)
    CHECK(out[i] == sum_of_first(rank + with_own, i));
  for (int i = rank || with_own || is_in_place ? count : 0; i < count + GUARD; ++i)
    CHECK(((unsigned char *)&out[i])[0] == UNTOUCHED);
  for (int i = 0; i < count && !is_in_place; ++i)
    CHECK(in[i] == given(rank, i));
}

int main(int argc, char **argv) {
  static const int counts[] = {1, 6, 7, 1000, 8192, 8193, 32768, 32769, MOST};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; ++i)
    for (unsigned in_place = 0; in_place < 1u << size; ++in_place)
      for (int with_own = 0; with_own < 2; ++with_own)
        try_count(counts[i], in_place, with_own);
  MPI_Finalize();
  if (!rank)
    puts("passed");
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
