/* A message of another node is longer than the receive from any source that gets it. The error is raised on the
 * communicator of the receive, and nothing is written behind its buffer. Later messages arrive as usual. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { SHORT = 10, LONG = 20000, GUARD = 77 };

static MPI_Comm comm;
static int rank, handled;

static void answer(MPI_Comm *on, int *error, ...) {
  int class;
  MPI_Error_class(*error, &class);
  CHECK(*on == comm && class == MPI_ERR_TRUNCATE);
  ++handled;
}

/* Without MPI_Waitall: MPICH raises the error of an array on MPI_COMM_WORLD. */
enum way { RECV, WAIT, TEST, WAITANY, WAYS };

static int receive(enum way way, int *in, int count, MPI_Datatype type, MPI_Status *status) {
  MPI_Request request;
  int index, flag = 0, error = MPI_SUCCESS;
  if (way == RECV)
    return MPI_Recv(in, count, type, MPI_ANY_SOURCE, 1, comm, status);
  MPI_Irecv(in, count, type, MPI_ANY_SOURCE, 1, comm, &request);
  if (way == WAIT)
    error = MPI_Wait(&request, status);
  else if (way == WAITANY)
    error = MPI_Waitany(1, &request, &index, status);
  else
    while (!flag)
      error = MPI_Test(&request, &flag, status);
  CHECK(request == MPI_REQUEST_NULL);
  return error;
}

/* Pairs of integers with a gap between them, or a row of integers. */
static void check_way(enum way way, int has_gaps, int length) {
  static int in[4 * LONG], out[LONG];
  const int peer = rank ^ 1, before = handled;
  MPI_Datatype type = MPI_INT;
  MPI_Request sending;
  MPI_Status status;
  for (int i = 0; i < 4 * LONG; ++i)
    in[i] = GUARD;
  for (int i = 0; i < length; ++i)
    out[i] = i;
  if (has_gaps) {
    MPI_Type_vector(SHORT / 2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
  }
  MPI_Isend(out, length, MPI_INT, peer, 1, comm, &sending);
  const int error = receive(way, in, has_gaps ? 1 : SHORT, type, &status);
  MPI_Wait(&sending, MPI_STATUS_IGNORE);
  const int is_short = length > (has_gaps ? SHORT / 2 : SHORT);
  CHECK(!error == !is_short && handled - before == is_short);
  CHECK(status.MPI_SOURCE == peer && status.MPI_TAG == 1);
  for (int i = SHORT; i < 4 * LONG; ++i)
    CHECK(in[i] == GUARD);
  CHECK(is_short || in[0] == 0);
  if (has_gaps)
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Errhandler handler;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(answer, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  for (enum way way = RECV; way < WAYS; ++way)
    for (int has_gaps = 0; has_gaps < 2; ++has_gaps) {
      check_way(way, has_gaps, SHORT + 1);
      check_way(way, has_gaps, LONG);
      check_way(way, has_gaps, SHORT / 2);
    }
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return passed();
}

// REQUIRES: nodes
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s
// RUN: env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t multiple | FileCheck %s
// RUN: %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
// CHECK: passed
