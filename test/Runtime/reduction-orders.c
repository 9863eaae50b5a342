/* The runtime finds the order in which the MPI library combines, and prints it here. Where it finds no such order,
 * the library does the work. The bits are the library's either way, which is compared.
 *
 *   reduction-orders <count> <root> */
#include "check.h"
#include "collective/discovery.h"
#include "progress/lock.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000, REPEATS = 12 };
static double in[MOST], out[MOST], expected[MOST];
static int rank, root;

static void call(enum mpispec_reducing operation, int count) {
  const MPI_Comm world = MPI_COMM_WORLD;
  if (operation == MPISPEC_ALLREDUCE) {
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, world);
    PMPI_Allreduce(in, expected, count, MPI_DOUBLE, MPI_SUM, world);
  } else if (operation == MPISPEC_REDUCE) {
    MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, root, world);
    PMPI_Reduce(in, expected, count, MPI_DOUBLE, MPI_SUM, root, world);
  } else if (operation == MPISPEC_SCAN) {
    MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, world);
    PMPI_Scan(in, expected, count, MPI_DOUBLE, MPI_SUM, world);
  } else {
    MPI_Reduce_scatter_block(in, out, count, MPI_DOUBLE, MPI_SUM, world);
    PMPI_Reduce_scatter_block(in, expected, count, MPI_DOUBLE, MPI_SUM, world);
  }
  if (operation != MPISPEC_REDUCE || rank == root)
    CHECK(!memcmp(out, expected, (size_t)count * sizeof(double)));
}

/* The order that such a call has found, without finding it out now. */
static const char *order_of(enum mpispec_reducing operation, int count) {
  struct mpispec_collective *collective = mpispec_communicator_find(MPI_COMM_WORLD)->collective;
  struct mpispec_reduction reduction;
  const struct mpispec_question question = {.communicator = MPI_COMM_WORLD,
                                            .operation = operation,
                                            .count = count,
                                            .root = operation == MPISPEC_REDUCE ? root : 0};
  CHECK(mpispec_reduction_find(MPI_SUM, MPI_DOUBLE, &reduction));
  if (collective->size < reduction.ordered_from)
    return "any order";
  mpispec_lock();
  const int is_known = mpispec_order_find(collective, &question, &reduction);
  mpispec_unlock();
  return is_known ? reduction.order->tree->name : "the library";
}

static void try_operation(const char *name, enum mpispec_reducing operation, int count) {
  for (int i = 0; i < REPEATS; ++i) {
    for (int k = 0; k < MOST; ++k)
      in[k] = 1.0 / (rank * 7 + k + i + 1);
    call(operation, count);
  }
  if (rank == 0)
    tell("%s of %d: %s", name, count, order_of(operation, count));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int count = atoi(argv[1]);
  root = atoi(argv[2]);
  try_operation("Allreduce", MPISPEC_ALLREDUCE, count);
  try_operation("Reduce", MPISPEC_REDUCE, count);
  try_operation("Scan", MPISPEC_SCAN, count);
  try_operation("Reduce_scatter_block", MPISPEC_REDUCE_SCATTER_BLOCK, count);
  MPI_Finalize();
  return 0;
}

// The orders are those of MPICH; Intel MPI has others.
// REQUIRES: mpich
// UNSUPPORTED: intel
//
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t 1 1 | FileCheck %s --check-prefix=TWO
// TWO-COUNT-4: any order
//
// RUN: env MPISPEC_MODE=lanes %mpirun -n 6 %t 1 2 | FileCheck %s --check-prefix=SHORT
// SHORT: Allreduce of 1: recursive doubling
// SHORT: Reduce of 1: binomial
// SHORT: Scan of 1: scan by doubling
// SHORT: Reduce_scatter_block of 1: recursive halving
//
// RUN: env MPISPEC_MODE=lanes %mpirun -n 5 %t 16384 4 | FileCheck %s --check-prefix=LONG
// LONG: Allreduce of 16384: halves
// LONG: Reduce of 16384: halves to root
// LONG: Scan of 16384: scan by doubling
// LONG: Reduce_scatter_block of 16384: pairwise
//
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 5 %t 1 1 \
// RUN:   | FileCheck %s --check-prefix=NODES %}
// NODES: Allreduce of 1: binomial by nodes
// NODES: Reduce of 1: root's node last
//
// A user may set other algorithms of MPICH. One of the two here is known to the runtime.
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0 MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=nb \
// RUN:   MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM=tsp_ring %mpirun -n 5 %t 300 0 \
// RUN:   | FileCheck %s --check-prefix=RING
// RING: Allreduce of 300: ring
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0 MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=nb \
// RUN:   MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM=tsp_tree %mpirun -n 6 %t 300 0 \
// RUN:   | FileCheck %s --check-prefix=TREE
// TREE: Allreduce of 300: the library
