/* Buffers whose addresses are equal, although their elements are not the same: disjoint parts of one array, and types
 * with absolute addresses at MPI_BOTTOM. Only some ranks of a call have such buffers. Therefore all must take one way,
 * or the call hangs. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { PART = 3, RANKS = 8 };

static int rank, size;
static int array[(2 * RANKS + 2) * PART], far[2 * RANKS * PART];

/* Clears the array, whose first part gets this rank's numbers. */
static void fill(int parts) {
  memset(array, 0, sizeof array);
  memset(far, 0, sizeof far);
  for (int i = 0; i < parts * PART; ++i)
    array[i] = 100 * rank + i;
}

/* An array of the root: its own part, then all of them. */
static void gatherv_within_array(int root) {
  int counts[RANKS], places[RANKS];
  for (int i = 0; i < size; ++i) {
    counts[i] = PART;
    places[i] = (1 + i) * PART;
  }
  fill(1);
  MPI_Gatherv(array, PART, MPI_INT, array, counts, places, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < size * PART && rank == root; ++i)
    CHECK(array[PART + i] == 100 * (i / PART) + i % PART);
  fill(1);
  MPI_Allgatherv(array, PART, MPI_INT, array, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size * PART; ++i)
    CHECK(array[PART + i] == 100 * (i / PART) + i % PART);
}

/* One rank contributes nothing, and has its array for both sides; the others use two arrays. */
static void allgatherv_of_some() {
  int counts[RANKS], places[RANKS], *out = rank ? far : array;
  for (int i = 0; i < size; ++i) {
    counts[i] = i ? PART : 0;
    places[i] = i * PART;
  }
  fill(0);
  for (int i = 0; i < PART; ++i)
    far[i] = 100 * rank + i;
  MPI_Allgatherv(out, counts[rank], MPI_INT, array, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = PART; i < size * PART; ++i)
    CHECK(array[i] == 100 * (i / PART) + i % PART);
}

static void scatterv_within_array(int root) {
  int counts[RANKS], places[RANKS];
  fill(1 + size);
  for (int i = 0; i < size; ++i) {
    counts[i] = PART;
    places[i] = (1 + i) * PART;
  }
  MPI_Scatterv(array, counts, places, MPI_INT, array, PART, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < PART; ++i)
    CHECK(array[i] == 100 * root + (1 + rank) * PART + i);
}

/* Returns the type of `count` elements at that address, for MPI_BOTTOM. */
static MPI_Datatype type_at(int *address, int count) {
  MPI_Datatype type;
  MPI_Aint place;
  MPI_Get_address(address, &place);
  MPI_Type_create_hindexed(1, &count, &place, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

/* The type of all parts in `far` has the extent of a part. */
static void at_bottom(int root) {
  MPI_Datatype own = type_at(array, PART), first = type_at(far, PART), parts;
  MPI_Type_create_resized(first, 0, PART * sizeof(int), &parts);
  MPI_Type_commit(&parts);
  fill(1);
  MPI_Gather(MPI_BOTTOM, 1, own, MPI_BOTTOM, 1, parts, root, MPI_COMM_WORLD);
  for (int i = 0; i < size * PART && rank == root; ++i)
    CHECK(far[i] == 100 * (i / PART) + i % PART);
  fill(1);
  MPI_Allgather(MPI_BOTTOM, 1, own, MPI_BOTTOM, 1, parts, MPI_COMM_WORLD);
  for (int i = 0; i < size * PART; ++i)
    CHECK(far[i] == 100 * (i / PART) + i % PART);
  MPI_Scatter(MPI_BOTTOM, 1, parts, MPI_BOTTOM, 1, own, root, MPI_COMM_WORLD);
  for (int i = 0; i < PART; ++i)
    CHECK(array[i] == 100 * rank + i);
  MPI_Alltoall(MPI_BOTTOM, 1, parts, array, PART, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size * PART; ++i)
    CHECK(array[i] == 100 * rank + i % PART);
  MPI_Type_free(&parts);
  MPI_Type_free(&first);
  MPI_Type_free(&own);
}

/* The even ranks send to all, the odd ones only receive. */
static void alltoallv_within_array(void) {
  int sent[RANKS], received[RANKS], from[RANKS], to[RANKS];
  for (int i = 0; i < size; ++i) {
    sent[i] = rank % 2 ? 0 : PART;
    received[i] = i % 2 ? 0 : PART;
    from[i] = i * PART;
    to[i] = (size + i) * PART;
  }
  fill(size);
  MPI_Alltoallv(array, sent, from, MPI_INT, array, received, to, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i += 2)
    CHECK(array[to[i]] == 100 * i + rank * PART);
}

static void alltoallw_at_bottom(void) {
  int sent[RANKS], received[RANKS], places[RANKS];
  MPI_Datatype from[RANKS], to[RANKS];
  fill(size);
  for (int i = 0; i < size; ++i) {
    sent[i] = rank % 2 == 0;
    received[i] = i % 2 == 0;
    places[i] = 0;
    from[i] = type_at(array + i * PART, PART);
    to[i] = type_at(far + i * PART, PART);
  }
  MPI_Alltoallw(MPI_BOTTOM, sent, places, from, MPI_BOTTOM, received, places, to, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) {
    CHECK(far[i * PART + 1] == (i % 2 ? 0 : 100 * i + rank * PART + 1));
    MPI_Type_free(&from[i]);
    MPI_Type_free(&to[i]);
  }
}

/* Rank 0 receives nothing in an Exscan, and ranks without a share nothing in a Reduce_scatter. There, MPICH and what is
 * made of it refuse the buffer that is sent. */
static void nothing_received(void) {
#ifdef OPEN_MPI
  int counts[RANKS] = {2}, in = rank + 1, sum = 0, pair[2] = {1, 2}, result[2] = {0};
  MPI_Exscan(&in, rank ? &sum : &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == rank * (rank + 1) / 2);
  MPI_Reduce_scatter(pair, rank ? pair : result, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(rank || (result[0] == size && result[1] == 2 * size));
#endif
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 20; ++round) {
    gatherv_within_array(round % size);
    allgatherv_of_some();
    scatterv_within_array(round % size);
    at_bottom(round % size);
    alltoallv_within_array();
    alltoallw_at_bottom();
    nothing_received();
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 3 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// CHECK: passed
