/* MPI_Sendrecv and its kin from and to MPI_PROC_NULL, with a datatype that is freed: MPI libraries do not look at it.
 * Wrong arguments are errors all the same, and a datatype that is not freed arrives. */
#include "check.h"

#include <mpi.h>

static int x[8], y[8];

static MPI_Datatype freed(void) {
  MPI_Datatype type;
  MPI_Type_vector(3, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  const MPI_Datatype handle = type;
  MPI_Type_free(&type);
  return handle;
}

static void without_peers(void) {
  const MPI_Datatype type = freed();
  MPI_Status status;
  CHECK(!MPI_Sendrecv(x, 1, type, MPI_PROC_NULL, 1, y, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
  CHECK(!MPI_Sendrecv(x, 1, MPI_INT, MPI_PROC_NULL, 1, y, 1, type, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
  CHECK(!MPI_Sendrecv_replace(x, 1, type, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
}

/* Where something is under way, calls that wait are the runtime's. */
static void under_way(void) {
  MPI_Request request;
  int word = 7, got = 0;
  MPI_Irecv(&got, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
  without_peers();
  MPI_Send(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(got == 7);
}

static void with_one_peer(void) {
  const MPI_Datatype type = freed();
  int word = 5, got = 0;
  MPI_Request request;
  MPI_Isend(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
  CHECK(!MPI_Sendrecv(x, 1, type, MPI_PROC_NULL, 1, &got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(got == 5);
}

static void are_errors(void) {
  const int count = -1;
  CHECK(MPI_Sendrecv(x, count, MPI_INT, MPI_PROC_NULL, 1, y, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
  CHECK(MPI_Sendrecv(x, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, y, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
  CHECK(MPI_Sendrecv(x, 1, MPI_INT, MPI_PROC_NULL, -5, y, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  without_peers();
  under_way();
  with_one_peer();
  are_errors();
  MPI_Finalize();
  return passed();
}

// A freed datatype is an error of the program's, which other libraries report or crash over.
// REQUIRES: mpich4
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 1 %t | FileCheck %s
// RUN: env MPISPEC_MODE=off %mpirun -n 1 %t | FileCheck %s
// CHECK: passed
