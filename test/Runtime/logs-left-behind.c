/* A leader that waits sends the log of its operations to the next node's leader, which may have freed the communicator
 * by then. The MPI library hands the log to a later communicator with the same context, where the leaders are in other
 * operations: no mismatch. Ranks 0 and 3 are on the first node, ranks 1 and 2 lead nodes of their own. */
#include "check.h"

#include <mpi.h>
#include <unistd.h>

enum { LATE_US = 60 * 1000 /* some intervals between logs */ };

static int rank;

/* Rank 1 waits for rank 0, and rank 2 is done already. */
static void leave_a_log_behind(void) {
  MPI_Comm comm;
  int all[4];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Barrier(comm);
  if (rank == 0)
    usleep(LATE_US);
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 1, comm);
  CHECK(rank != 1 || (all[0] == 0 && all[1] == 1 && all[2] == 2 && all[3] == 3));
  MPI_Comm_free(&comm);
}

/* All wait for rank 0, and compare logs. */
static void wait_in_other_operations(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 3; ++i) {
    int sum = 0;
    if (rank == 0)
      usleep(LATE_US);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == 6);
  }
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) {
    leave_a_log_behind();
    MPI_Barrier(MPI_COMM_WORLD);
    wait_in_other_operations();
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// REQUIRES: nodes
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=3 %mpirun -n 4 %t | FileCheck %s
// CHECK: passed
