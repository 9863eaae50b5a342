/* Requests and messages go through numbers and back, of lanes as of the library: by Fortran's
 * conversions, and by those of MPI-5. */
#include "check.h"

#include <mpi.h>

#if MPI_VERSION >= 5
#define TO(KIND, HANDLE) MPI_##KIND##_toint(HANDLE)
#define FROM(KIND, NUMBER) MPI_##KIND##_fromint(NUMBER)
#else
#define TO(KIND, HANDLE) MPI_##KIND##_c2f(HANDLE)
#define FROM(KIND, NUMBER) MPI_##KIND##_f2c(NUMBER)
#endif

static int rank, in;

static MPI_Request through_number(MPI_Request request) {
  const int number = TO(Request, request);
  CHECK(FROM(Request, number) == request);
  return FROM(Request, number);
}

/* An intercommunicator's requests are the library's. */
static void exchange(MPI_Comm comm, int other) {
  int out = 5 + rank, found = 0;
  MPI_Request requests[2];
  MPI_Message message;
  MPI_Irecv(&in, 1, MPI_INT, other, 1, comm, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, other, 1, comm, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Request same = through_number(requests[i]);
    MPI_Wait(&same, MPI_STATUS_IGNORE);
    CHECK(same == MPI_REQUEST_NULL);
  }
  CHECK(in == 6 - rank);
  MPI_Isend(&out, 1, MPI_INT, other, 2, comm, &requests[1]);
  while (!found)
    MPI_Improbe(other, 2, comm, &found, &message, MPI_STATUS_IGNORE);
  message = FROM(Message, TO(Message, message));
  in = 0;
  MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  CHECK(in == 6 - rank);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  CHECK(through_number(MPI_REQUEST_NULL) == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
  MPI_Comm half, across;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 1, &across);
  for (int round = 0; round < 3; ++round) {
    exchange(MPI_COMM_WORLD, 1 - rank);
    exchange(across, 0);
  }
  MPI_Comm_free(&across);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc -w %s -I%S -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// CHECK: passed
