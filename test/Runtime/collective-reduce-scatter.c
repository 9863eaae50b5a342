/* Reduce_scatter of two ranks and of three. Portions have different lengths, and up to several chunks. No rank, some
 * ranks or all pass MPI_IN_PLACE. There, the result of rank 1 overwrites what it has shown. It must not overwrite its
 * own portion before that portion is combined. Each element is right, and none behind the result changes. */
#include "check.h"

#include <mpi.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 60000, RANKS = 3, GUARD = 16 };
static int rank, size;
static int64_t in[RANKS * MOST + GUARD], out[RANKS * MOST + GUARD];

static int64_t given(int from, int element) { return (int64_t)element * 1000003 + from * 7919 + 1; }

static void fill(int64_t *to, int total) {
  for (int i = 0; i < total; ++i)
    to[i] = given(rank, i);
}

static void check_sums(const int counts[]) {
  int begin = 0;
  for (int i = 0; i < rank; ++i)
    begin += counts[i];
  for (int i = 0; i < counts[rank]; ++i) {
    int64_t sum = 0;
    for (int from = 0; from < size; ++from)
      sum += given(from, begin + i);
    CHECK(out[i] == sum);
  }
}

/* Bit i of `in_place`: rank i passes MPI_IN_PLACE. */
static void try_counts(const int counts[], unsigned in_place) {
  const int is_in_place = in_place >> rank & 1;
  int total = 0;
  for (int i = 0; i < size; ++i)
    total += counts[i];
  memset(out, 0x5a, sizeof out);
  fill(is_in_place ? out : in, total);
  MPI_Reduce_scatter(is_in_place ? MPI_IN_PLACE : in, out, counts, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  check_sums(counts);
  for (int i = is_in_place ? total : counts[rank]; i < total + GUARD; ++i)
    CHECK(out[i] == 0x5a5a5a5a5a5a5a5a);
  for (int i = 0; !is_in_place && i < total; ++i)
    CHECK(in[i] == given(rank, i));
}

int main(int argc, char **argv) {
  static const int lengths[] = {0, 1, 3, 6, 7, 1000, 8191, 8192, 8193, 20000, MOST};
  enum { LENGTHS = sizeof lengths / sizeof *lengths };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size <= RANKS);
  for (int i = 0; i < LENGTHS; ++i)
    for (int j = 0; j < LENGTHS; ++j)
      for (unsigned in_place = 0; in_place < 1u << size; ++in_place)
        try_counts((const int[]){lengths[i], lengths[j], lengths[(i + j) % LENGTHS]}, in_place);
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
