/* Types of size 0 are no bytes, in every operation that takes a datatype, whatever the count: nothing moves, no byte of
 * a buffer changes, a null send buffer is valid, and the next operation has its data. All ranks give the same counts:
 * MPICH 4.0 hangs if one gives a count of 0 and another one five elements of size 0. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { RANKS = 8, COUNT = 5, ROUNDS = 20 };
static int rank, size;
static MPI_Datatype zero, gaps;
static int counts[RANKS], places[RANKS];
static MPI_Datatype zeros[RANKS];
static unsigned char kept[256], expected[256];

/* The data of an operation with bytes, which would be wrong after a step more or less. */
static void check_next(int round) {
  int word = round * 100 + rank, all[RANKS];
  MPI_Allgather(&word, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    CHECK(all[i] == round * 100 + i);
  word = rank == round % size ? round : -1;
  MPI_Bcast(&word, 1, MPI_INT, round % size, MPI_COMM_WORLD);
  CHECK(word == round);
  CHECK(!memcmp(kept, expected, sizeof kept));
}

static void equal_counts(int round, MPI_Datatype type, void *buffer) { /* may be null */
  const int root = round % size;
  MPI_Bcast(buffer, COUNT, type, root, MPI_COMM_WORLD);
  check_next(round);
  MPI_Gather(buffer, COUNT, type, kept + 64, COUNT, type, root, MPI_COMM_WORLD);
  check_next(round);
  MPI_Scatter(buffer, COUNT, type, kept + 64, COUNT, type, root, MPI_COMM_WORLD);
  check_next(round);
  MPI_Allgather(buffer, COUNT, type, kept + 64, COUNT, type, MPI_COMM_WORLD);
  check_next(round);
  MPI_Alltoall(buffer, COUNT, type, kept + 64, COUNT, type, MPI_COMM_WORLD);
  check_next(round);
}

static void own_counts(int round, MPI_Datatype type) {
  const int root = round % size;
  MPI_Gatherv(kept, COUNT, type, kept + 64, counts, places, type, root, MPI_COMM_WORLD);
  check_next(round);
  MPI_Scatterv(kept, counts, places, type, kept + 64, COUNT, type, root, MPI_COMM_WORLD);
  check_next(round);
  MPI_Allgatherv(kept, COUNT, type, kept + 64, counts, places, type, MPI_COMM_WORLD);
  check_next(round);
  MPI_Alltoallv(kept, counts, places, type, kept + 64, counts, places, type, MPI_COMM_WORLD);
  check_next(round);
  MPI_Alltoallw(kept, counts, places, zeros, kept + 64, counts, places, zeros, MPI_COMM_WORLD);
  check_next(round);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size <= RANKS);
  MPI_Type_contiguous(0, MPI_INT, &zero);
  MPI_Type_commit(&zero);
  MPI_Type_vector(3, 0, 4, MPI_DOUBLE, &gaps); /* three blocks without elements */
  MPI_Type_commit(&gaps);
  for (int i = 0; i < RANKS; ++i) {
    counts[i] = COUNT;
    zeros[i] = i % 2 ? zero : gaps;
  }
  memset(kept, 0xa5, sizeof kept);
  memset(expected, 0xa5, sizeof expected);
  for (int round = 0; round < ROUNDS; ++round) {
    equal_counts(round, round % 2 ? zero : gaps, round % 3 ? kept : NULL);
    own_counts(round, round % 2 ? gaps : zero);
  }
  MPI_Type_free(&zero);
  MPI_Type_free(&gaps);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// CHECK: passed
