/* Calls inside a checking macro, a callee whose name comes from a macro, arguments with side effects,
 * calls in conditions. MPI functions are also taken as values. */
#include "expect.h"

#define CHECK(CALL)                                                                                \
  do {                                                                                             \
    int error = (CALL);                                                                            \
    if (error != MPI_SUCCESS)                                                                      \
      MPI_Abort(MPI_COMM_WORLD, error);                                                            \
  } while (0)
#define SEND_INT(VALUE, PEER, REQUEST)                                                             \
  MPI_Isend(&(VALUE), 1, MPI_INT, PEER, 4, MPI_COMM_WORLD, REQUEST)

static int evaluated;
static int *once(int *p) {
  evaluated++;
  return p;
}

typedef int (*receiver)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);

int main(int argc, char **argv) {
  int rank, size, left, right, got = -1, tag = 0, values[4], *next = values;
  MPI_Request request;
  receiver receive = MPI_Recv;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;

  CHECK(MPI_Isend(once(&rank), 1, MPI_INT, right, 4, MPI_COMM_WORLD, &request));
  CHECK(MPI_Recv(once(&got), 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  EXPECT(evaluated == 2 && got == left);

  SEND_INT(rank, right, &request);
  receive(&got, 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(got == left);

  while (next < values + 4)
    if (MPI_Isend(&rank, 1, MPI_INT, right, tag, MPI_COMM_WORLD, &request) != MPI_SUCCESS ||
        MPI_Recv(next++, 1, MPI_INT, left, tag++, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != 0 ||
        MPI_Wait(&request, MPI_STATUS_IGNORE))
      EXPECT(!"an error");
  EXPECT(tag == 4);
  for (int i = 0; i < 4; i++)
    EXPECT(values[i] == left);
  (MPI_Barrier)(MPI_COMM_WORLD);
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicc -O2 -I %inputs %s
