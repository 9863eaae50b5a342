/* Ranks in process namespaces of their own pass pidfds. Therefore a rank finds out that the awaited rank has ended,
 * although its process number means another process here, or none. */
#include "check.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, number = 5, class;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 1) {
    MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    sleep(3); /* longer than a wait without an examination */
    MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    _exit(0);
  }
  for (int i = 0; i < 2; ++i)
    CHECK(!MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  const int error = MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Error_class(error, &class);
  CHECK(class == MPI_ERR_PROC_ABORTED);
  tell("passed");
  _exit(0); /* the library's MPI_Finalize would wait for rank 1 */
}

// REQUIRES: mpich
// UNSUPPORTED: sanitizer
// RUN: %mpicc -w -I%S %s -o %t %runtime
// DEFINE: %{job} = env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=30 mpiexec -n 2 %tool/outlive.sh
// RUN: %{job} sh %tool/apart.sh -p %t >%t.out 2>&1; grep skipped %t.out || FileCheck %s <%t.out
// CHECK-DAG: mpispec: rank 1 (process {{[0-9]+}}) has ended: calls that wait for it fail
// CHECK-DAG: passed
