/* Errors are the MPI library's: the class of each, with lanes and without, in single and in array
 * completion. */
#include <mpi.h>
#include <stdio.h>

static int rank, seen_by_handler;

static void say(const char *what, int error) {
  int class = -1;
  MPI_Error_class(error, &class);
  if (error == MPI_SUCCESS)
    class = MPI_SUCCESS;
  printf("rank %d: %s: class %d\n", rank, what, class);
}

static void handler(MPI_Comm *comm, int *error, ...) {
  (void)comm, (void)error;
  ++seen_by_handler;
}

static void send(int bytes, int tag) {
  static char buffer[200000];
  MPI_Send(buffer, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
}

/* A message is longer than the receive has room for: short, in a block, long. */
static void truncation(int bytes) {
  static char in[200000];
  MPI_Status status, statuses[3];
  MPI_Request requests[3];
  if (rank == 0) {
    for (int i = 0; i < 8; ++i)
      send(i == 4 || i == 6 ? 4 : bytes, i);
  } else {
    say("Recv", MPI_Recv(in, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status));
    MPI_Irecv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
    say("Wait", MPI_Wait(&requests[0], &status));
    int index = -1;
    MPI_Irecv(in, 8, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &requests[0]);
    say("Waitany", MPI_Waitany(1, requests, &index, &status));
    for (int i = 0; i < 3; ++i)
      MPI_Irecv(in, 8, MPI_BYTE, 0, 3 + i, MPI_COMM_WORLD, &requests[i]);
    say("Waitall", MPI_Waitall(3, requests, statuses));
    say("first of Waitall", statuses[0].MPI_ERROR); /* the others may be pending, or not */
    int count, indices[2];
    for (int i = 0; i < 2; ++i)
      MPI_Irecv(in, 8, MPI_BYTE, 0, 6 + i, MPI_COMM_WORLD, &requests[i]);
    int error = MPI_SUCCESS;
    for (int got = 0; got < 2; got += count)
      if (MPI_Waitsome(2, requests, &count, indices, statuses))
        error = MPI_ERR_IN_STATUS;
    say("Waitsome", error);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void arguments(void) {
  int x = 0;
  MPI_Status status;
  MPI_Request request;
  MPI_Datatype raw;
  MPI_Type_contiguous(3, MPI_INT, &raw);
  say("rank", MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD));
  say("negative rank", MPI_Send(&x, 1, MPI_INT, -7, 0, MPI_COMM_WORLD));
  say("tag", MPI_Send(&x, 1, MPI_INT, 0, -5, MPI_COMM_WORLD));
  say("wild tag", MPI_Send(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD));
  say("wild target", MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD));
  say("count", MPI_Send(&x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD));
  say("type", MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
  say("not committed", MPI_Send(&x, 1, raw, 0, 0, MPI_COMM_WORLD));
  say("buffer", MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
  say("communicator", MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
  say("no attached buffer", MPI_Bsend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
  say("receive rank", MPI_Recv(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &status));
  say("receive tag", MPI_Irecv(&x, 1, MPI_INT, 0, -9, MPI_COMM_WORLD, &request));
  say("receive count", MPI_Irecv(&x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
  say("probe rank", MPI_Probe(99, 0, MPI_COMM_WORLD, &status));
  say("null process", MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  say("exchange",
      MPI_Sendrecv(&x, 1, MPI_INT, 0, -5, &x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status));
  MPI_Type_free(&raw);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  truncation(20);
  truncation(5000);
  truncation(150000);
  arguments();
  MPI_Errhandler own;
  MPI_Comm_create_errhandler(handler, &own);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
  truncation(20);
  printf("rank %d: the handler saw %d\n", rank, seen_by_handler);
  MPI_Errhandler_free(&own);
  MPI_Finalize();
  return 0;
}

// Numbers of classes are MPICH's. MPICH 5's codes for messages that are too long have no class.
// REQUIRES: mpich
// UNSUPPORTED: mpich5
//
// RUN: %mpicc -w %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// CHECK-DAG: exit 0
// CHECK-DAG: rank 1: Recv: class 14
