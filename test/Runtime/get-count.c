/* MPI_Get_count returns the same as in the MPI library, also for invalid arguments. Datatypes have gaps or none,
 * lengths are no whole number of elements, and types end while their handle is used again. */
#include "check.h"

#include <mpi.h>
#include <string.h>

static int rank;

/* A message of so many bytes to ourselves; its status. */
static MPI_Status of(int bytes) {
  static char out[6000], in[6000];
  MPI_Status status;
  MPI_Sendrecv(out, bytes, MPI_BYTE, rank, 7, in, sizeof in, MPI_BYTE, rank, 7, MPI_COMM_WORLD,
               &status);
  return status;
}

/* Sends one, so that the runtime has seen the type. */
static void use(MPI_Datatype type) {
  char out[256], in[256];
  memset(out, 0, sizeof out);
  MPI_Sendrecv(out, 1, type, rank, 8, in, 1, type, rank, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void agree(MPI_Datatype type) {
  const int lengths[] = {0, 1, 4, 7, 8, 12, 24, 4096, 6000};
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    const MPI_Status status = of(lengths[i]);
    int ours = 77, theirs = 77;
    CHECK(MPI_Get_count(&status, type, &ours) == PMPI_Get_count(&status, type, &theirs));
    CHECK(ours == theirs);
  }
}

static void of_types(void) {
  MPI_Datatype made[4], again;
  const MPI_Datatype known[] = {MPI_BYTE, MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_DOUBLE_INT};
  MPI_Type_contiguous(3, MPI_INT, &made[0]);
  MPI_Type_vector(2, 1, 2, MPI_INT, &made[1]);
  MPI_Type_contiguous(0, MPI_INT, &made[2]);
  MPI_Type_create_resized(MPI_INT, 0, 12, &made[3]);
  for (int i = 0; i < 5; ++i) {
    use(known[i]);
    agree(known[i]);
  }
  for (int i = 0; i < 4; ++i) {
    MPI_Type_commit(&made[i]);
    use(made[i]);
    agree(made[i]);
    MPI_Type_free(&made[i]);
  }
  /* Handles are used again. */
  for (int n = 1; n <= 4; ++n) {
    MPI_Type_contiguous(n, MPI_INT, &again);
    MPI_Type_commit(&again);
    use(again);
    agree(again);
    MPI_Type_free(&again);
  }
}

static int class_of(int error) {
  int class = MPI_SUCCESS;
  if (error)
    MPI_Error_class(error, &class);
  return class;
}

static void of_statuses(void) {
  MPI_Status status = of(8);
  MPI_Request request = MPI_REQUEST_NULL;
  int count = 77;
  MPI_Wait(&request, &status); /* an empty one */
  CHECK(MPI_Get_count(&status, MPI_INT, &count) == MPI_SUCCESS && count == 0);
  MPI_Recv(&count, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &status);
  CHECK(MPI_Get_count(&status, MPI_INT, &count) == MPI_SUCCESS && count == 0);
  /* More elements than an int counts. */
  MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)1 << 31);
  CHECK(MPI_Get_count(&status, MPI_BYTE, &count) == MPI_SUCCESS && count == MPI_UNDEFINED);
  MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)1 << 33);
  CHECK(MPI_Get_count(&status, MPI_DOUBLE, &count) == MPI_SUCCESS && count == 1 << 30);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#ifndef OPEN_MPI /* which ends with a signal */
  CHECK(class_of(MPI_Get_count(&status, MPI_INT, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Get_count(NULL, MPI_INT, &count)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Get_count(&status, MPI_DATATYPE_NULL, &count)) == MPI_ERR_TYPE);
#endif
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  of_types();
  of_statuses();
  MPI_Finalize();
  tell("rank %d did", rank);
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// CHECK: rank 1 did
