/* Over several nodes: operations by leaders take steps through shared memory, and operations that are left to the MPI
 * library take none. Other tests compare the results. */
#include "check.h"
#include "collective/leaders/leaders.h"

#include <mpi.h>
#include <string.h>

enum { SHORT = 10, LONG = 20000, MOST = 8 * LONG };
static int in[MOST], out[MOST], counts[16], places[16], rank, size, in_order;
static struct mpispec_collective *collective;

static void first_of_pair(void *from, void *to, int *count, MPI_Datatype *type) {
  (void)type;
  memcpy(to, from, (size_t)*count * sizeof(int));
}

/* Did this operation, just made, take steps? Then `wanted` says so. */
static void check(int line, int wanted) {
  static uint64_t seen;
  const int taken = collective->steps.step != seen;
  if (taken != wanted)
    tell("line %d: %s", line, taken ? "went by leaders" : "did not go by leaders");
  CHECK(taken == wanted);
  seen = collective->steps.step;
}
#define BY_LEADERS(CALL) (CALL, check(__LINE__, 1))
#define BY_LIBRARY(CALL) (CALL, check(__LINE__, 0))

static MPI_Comm comm = MPI_COMM_WORLD;

static void try_reductions(void) {
  MPI_Op own;
  MPI_Op_create(first_of_pair, 0, &own);
  BY_LEADERS(MPI_Allreduce(in, out, SHORT, MPI_INT, MPI_SUM, comm));
  BY_LEADERS(MPI_Allreduce(in, out, LONG, MPI_INT, MPI_SUM, comm));
  BY_LIBRARY(MPI_Allreduce(in, out, LONG, MPI_FLOAT, MPI_SUM, comm));
  for (int root = 0; root < size; ++root) {
    BY_LEADERS(MPI_Reduce(in, out, SHORT, MPI_INT, MPI_SUM, root, comm));
    BY_LEADERS(MPI_Reduce(in, out, LONG, MPI_INT, MPI_SUM, root, comm));
  }
  BY_LIBRARY(MPI_Allreduce(in, out, SHORT, MPI_INT, own, comm));
  BY_LEADERS(MPI_Reduce_scatter_block(in, out, SHORT, MPI_FLOAT, MPI_SUM, comm));
  BY_LEADERS(MPI_Reduce_scatter_block(in, out, LONG, MPI_INT, MPI_SUM, comm));
  BY_LIBRARY(MPI_Reduce_scatter_block(in, out, LONG, MPI_FLOAT, MPI_SUM, comm));
  BY_LIBRARY(MPI_Reduce_scatter_block(in, out, SHORT, MPI_INT, own, comm));
  BY_LEADERS(MPI_Reduce_scatter(in, out, counts, MPI_FLOAT, MPI_SUM, comm));
  MPI_Op_free(&own);
}

/* Long ones only where the ranks of each node follow each other. */
static void try_scans(void) {
  MPI_Op own;
  MPI_Op_create(first_of_pair, 0, &own);
  BY_LEADERS(MPI_Scan(in, out, SHORT, MPI_FLOAT, MPI_SUM, comm));
  BY_LEADERS(MPI_Exscan(in, out, SHORT, MPI_FLOAT, MPI_SUM, comm));
  if (in_order) {
    BY_LEADERS(MPI_Scan(in, out, LONG, MPI_INT, MPI_SUM, comm));
    BY_LEADERS(MPI_Exscan(in, out, LONG, MPI_INT, MPI_SUM, comm));
  } else {
    BY_LIBRARY(MPI_Scan(in, out, LONG, MPI_INT, MPI_SUM, comm));
    BY_LIBRARY(MPI_Exscan(in, out, LONG, MPI_INT, MPI_SUM, comm));
  }
  BY_LIBRARY(MPI_Scan(in, out, LONG, MPI_FLOAT, MPI_SUM, comm));
  BY_LIBRARY(MPI_Exscan(in, out, LONG, MPI_FLOAT, MPI_SUM, comm));
  BY_LIBRARY(MPI_Scan(in, out, SHORT, MPI_INT, own, comm));
  MPI_Op_free(&own);
}

/* In Gatherv and Scatterv only the root knows all lengths. */
static void try_blocks(void) {
  BY_LEADERS(MPI_Gather(in, SHORT, MPI_INT, out, SHORT, MPI_INT, 0, comm));
  BY_LEADERS(MPI_Scatter(in, SHORT, MPI_INT, out, SHORT, MPI_INT, 0, comm));
  BY_LEADERS(MPI_Allgather(in, SHORT, MPI_INT, out, SHORT, MPI_INT, comm));
  BY_LEADERS(MPI_Alltoall(in, SHORT, MPI_INT, out, SHORT, MPI_INT, comm));
  BY_LEADERS(MPI_Allgatherv(in, counts[rank], MPI_INT, out, counts, places, MPI_INT, comm));
  BY_LIBRARY(MPI_Gather(in, LONG, MPI_INT, out, LONG, MPI_INT, 0, comm));
  BY_LIBRARY(MPI_Scatter(in, LONG, MPI_INT, out, LONG, MPI_INT, 0, comm));
  BY_LIBRARY(MPI_Allgather(in, LONG, MPI_INT, out, LONG, MPI_INT, comm));
  BY_LIBRARY(MPI_Alltoall(in, LONG, MPI_INT, out, LONG, MPI_INT, comm));
  BY_LIBRARY(MPI_Gatherv(in, counts[rank], MPI_INT, out, counts, places, MPI_INT, size - 1, comm));
  BY_LIBRARY(MPI_Scatterv(in, counts, places, MPI_INT, out, counts[rank], MPI_INT, 0, comm));
}

/* MPICH deals ranks out to the nodes that it is told to see: in turn. */
static void put_in_order(void) {
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2 * size + rank, &comm);
  MPI_Comm_rank(comm, &rank);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  in_order = !strcmp(what, "in-order");
  if (in_order)
    put_in_order();
  for (int i = 0; i < size; ++i) {
    counts[i] = i;
    places[i] = i * size;
  }
  MPI_Barrier(comm);
  collective = mpispec_communicator_find(comm)->collective;
  if (!strcmp(what, "alone")) { /* one rank a node: leaders would be of no use */
    CHECK(!collective);
  } else {
    BY_LEADERS(MPI_Barrier(comm));
    BY_LEADERS(MPI_Bcast(out, LONG, MPI_INT, size - 1, comm));
    try_reductions();
    try_scans();
    try_blocks();
  }
  MPI_Finalize();
  return passed();
}

// LABEL: core
// REQUIRES: nodes
//
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_REDUCTIONS=ranks MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s
// RUN: env MPISPEC_REDUCTIONS=ranks MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=2 %mpirun -n 5 %t in-order | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t alone | FileCheck %s
// CHECK: passed
