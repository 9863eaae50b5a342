/* Spawned processes are a job of their own, whose names must not be taken for their parents'. Where
 * the MPI library cannot spawn (MPICH over UCX), the error is the library's own. */
#include "check.h"

#include <mpi.h>

/* Everybody to the right, in a communicator of both generations: that is the library's. */
static void exchange(MPI_Comm comm) {
  int rank, size, x;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  x = rank;
  MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, comm,
                       MPI_STATUS_IGNORE);
  CHECK(x == (rank + size - 1) % size);
}

int main(int argc, char **argv) {
  MPI_Comm parent, both, merged;
  int error_class = MPI_SUCCESS;
  MPI_Init(&argc, &argv);
  exchange(MPI_COMM_WORLD);
  MPI_Comm_get_parent(&parent);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (parent == MPI_COMM_NULL)
    MPI_Error_class(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                                   &both, MPI_ERRCODES_IGNORE),
                    &error_class);
  else
    both = parent;
  if (!error_class) {
    MPI_Intercomm_merge(both, parent != MPI_COMM_NULL, &merged);
    exchange(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&both);
  }
  exchange(MPI_COMM_WORLD);
  printf("%s, error class %d\n", parent == MPI_COMM_NULL ? "parent" : "child", error_class);
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// Intel MPI starts no processes unless it is asked to.
// RUN: env I_MPI_SPAWN=on %both -n 2 %t | FileCheck %s
// CHECK: exit 0
// CHECK: parent, error class
