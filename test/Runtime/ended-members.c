/* Rank 2 ends, and rank 1 finds that in a collective operation. Rank 0 calls MPI_Finalize without a further one: the
 * error that it gets is MPI_ERR_PROC_ABORTED, and no line names different operations. */
#include "check.h"
#include "job/node.h"

#include <mpi.h>
#include <signal.h>

static int class_of(int error) {
  int class;
  MPI_Error_class(error, &class);
  return class;
}

/* The library's MPI_Finalize would wait for rank 2. */
static void pass(MPI_Comm *comm, int *error, ...) {
  (void)comm;
  CHECK(class_of(*error) == MPI_ERR_PROC_ABORTED);
  tell("passed");
  _exit(0);
}

int main(int argc, char **argv) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  int rank, word = 0;
  MPI_Init(&argc, &argv);
  CHECK(mpispec_node.size == 3);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Barrier(comm);
  if (rank == 2)
    kill(getpid(), SIGKILL);
  if (rank == 1) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Bcast(&word, 1, MPI_INT, 2, comm)) == MPI_ERR_PROC_ABORTED);
    MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    _exit(0);
  }
  MPI_Comm_create_errhandler(pass, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  CHECK(!"reached");
}

// REQUIRES: mpich
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=30 mpiexec -n 3 %tool/outlive.sh %t >%t.out 2>&1; FileCheck %s <%t.out
// CHECK-NOT: different collective operations
// CHECK: passed
