/* Each element of a Scan, an Exscan and a Reduce is right, in place on no rank, on some, and on all where that is
 * permitted. Nothing changes behind the result, or on a rank that has none. A rank comes late now and then. Lengths are
 * around those of cells, of chunks that are read while they are filled, and of whole chunks. Of two ranks, Exscan goes
 * like a Gather, and the root of a Reduce combines the other rank's chunk piece by piece. */
#include "check.h"

#include <mpi.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 100000, GUARD = 16, UNTOUCHED = 0x5a, COMMUNICATORS = 70, REPEATS = 8 };
static int rank, size;
static int64_t in[MOST], out[MOST + GUARD];
static MPI_Comm communicator;

enum kind { EXSCAN, SCAN, REDUCE, KINDS };

/* A sum of integers, in any order, and the greatest of the same positive bits as numbers of floating point, which the
 * runtime combines in the library's order. */
static struct reduction {
  MPI_Datatype datatype;
  MPI_Op op;
} reduction;

static int64_t given(int from, int element) {
  return (int64_t)element * 1000003 + (from * 7919 + (int64_t)element * 31) % 10007 + 1;
}

static int64_t combined(int ranks, int element) {
  int64_t result = given(0, element);
  for (int from = 1; from < ranks; ++from) {
    const int64_t next = given(from, element);
    result = reduction.op == MPI_SUM ? result + next : result > next ? result : next;
  }
  return result;
}

/* The number of ranks, from the first one on, whose elements this rank gets combined. */
static int ranks_combined(enum kind kind, int root) {
  return kind == EXSCAN ? rank : kind == SCAN ? rank + 1 : rank == root ? size : 0;
}

static void call(enum kind kind, const void *from, int count, int root) {
  if (kind == REDUCE)
    MPI_Reduce(from, out, count, reduction.datatype, reduction.op, root, communicator);
  else
    (kind == SCAN ? MPI_Scan : MPI_Exscan)(from, out, count, reduction.datatype, reduction.op, communicator);
}

/* Bit i of `in_place`: rank i passes MPI_IN_PLACE. In a Reduce only the root may. */
static void try_count(enum kind kind, int count, unsigned in_place, int root) {
  const int is_in_place = in_place >> rank & 1, ranks = ranks_combined(kind, root);
  int64_t *from = is_in_place ? out : in;
  memset(out, UNTOUCHED, sizeof out);
  for (int i = 0; i < count; ++i)
    from[i] = given(rank, i);
  if ((count + (int)in_place) % size == rank)
    usleep(300);
  call(kind, is_in_place ? MPI_IN_PLACE : in, count, root);
  for (int i = 0; i < count && ranks; ++i)
    CHECK(out[i] == combined(ranks, i));
  for (int i = ranks || is_in_place ? count : 0; i < count + GUARD; ++i)
    CHECK(((unsigned char *)&out[i])[0] == UNTOUCHED);
  for (int i = 0; i < count && !is_in_place; ++i)
    CHECK(in[i] == given(rank, i));
}

/* In a long Reduce in place to another root than rank 0, MPICH 4.0.2 reads from the address MPI_IN_PLACE. */
static int may_be_left_to_library(void) {
  return reduction.datatype == MPI_DOUBLE || communicator != MPI_COMM_WORLD;
}

static void try_kind(enum kind kind, int count) {
  if (kind != REDUCE)
    for (unsigned in_place = 0; in_place < 1u << size; ++in_place)
      try_count(kind, count, in_place, 0);
  for (int root = 0; kind == REDUCE && root < size; ++root) {
    try_count(kind, count, 0, root);
    if (!root || !may_be_left_to_library())
      try_count(kind, count, 1u << root, root);
  }
}

/* All counts up to a limit. */
static void all_counts(int most) {
  static const int counts[] = {1, 6, 7, 1000, 1024, 1025, 2048, 3001, 4095, 8191, 8192, 8193, 32768, 32769, MOST};
  for (unsigned i = 0; i < sizeof counts / sizeof *counts && counts[i] <= most; ++i)
    for (int kind = EXSCAN; kind < KINDS; ++kind)
      try_kind((enum kind)kind, counts[i]);
}

/* The last communicator has small chunks: the numbers of large ones are taken. */
static void on_a_late_communicator(void) {
  static MPI_Comm all[COMMUNICATORS];
  for (int i = 0; i < COMMUNICATORS; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
    MPI_Barrier(all[i]);
  }
  communicator = all[COMMUNICATORS - 1];
  all_counts(MOST);
  for (int i = 0; i < COMMUNICATORS; ++i)
    MPI_Comm_free(&all[i]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 2; ++i) {
    reduction = i ? (struct reduction){MPI_DOUBLE, MPI_MAX} : (struct reduction){MPI_INT64_T, MPI_SUM};
    communicator = MPI_COMM_WORLD;
    all_counts(MOST);
    for (int k = 0; i && k < REPEATS; ++k) /* until the runtime knows the library's order */
      all_counts(8193);
    on_a_late_communicator();
  }
  MPI_Finalize();
  if (!rank)
    puts("passed");
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPISPEC_REDUCTIONS=ranks %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
