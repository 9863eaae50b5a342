/* Invalid arguments reach the MPI library, so class and text of each error are its own, whatever
 * was proven about the call. The program is told by MPI_ERRORS_RETURN. */
#include "expect.h"
#include <string.h>

static void expect_class(const char *call, int error, int wanted) {
  int class = -1, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_class(error, &class);
  MPI_Error_string(error, text, &length);
  EXPECT(class == wanted);
  text[strcspn(text, "\n")] = 0; /* the rest of the text names addresses */
  printf("%s: %s\n", call, text);
}
#define EXPECT_CLASS(CALL, WANTED) expect_class(#CALL, CALL, WANTED)

int main(int argc, char **argv) {
  int word = 0, other = 0, rank, size;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    EXPECT_CLASS(MPI_Send(&word, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    EXPECT_CLASS(MPI_Send(&word, 1, MPI_INT, 99, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    EXPECT_CLASS(MPI_Ssend(&word, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    EXPECT_CLASS(MPI_Send(&word, 1, MPI_INT, 0, -7, MPI_COMM_WORLD), MPI_ERR_TAG);
    EXPECT_CLASS(MPI_Send(&word, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_CLASS(MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    EXPECT_CLASS(MPI_Isend(&word, 1, MPI_INT, -20, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
    EXPECT_CLASS(MPI_Recv(&word, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                 MPI_ERR_RANK);
    EXPECT_CLASS(MPI_Sendrecv(&word, 1, MPI_INT, 0, 0, &other, -2, MPI_INT, 0, 0, MPI_COMM_WORLD,
                              MPI_STATUS_IGNORE),
                 MPI_ERR_COUNT);
    EXPECT_CLASS(MPI_Bcast(&word, 1, MPI_INT, size, MPI_COMM_WORLD), MPI_ERR_ROOT);
    EXPECT_CLASS(MPI_Allreduce(&word, &other, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT(request == MPI_REQUEST_NULL && word == 0 && other == 0);
  }
  /* Truncation is found by the receive. */
  int pair[2] = {4, 5}, single = -1;
  MPI_Isend(pair, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
  int error = MPI_Recv(&single, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int class = MPI_SUCCESS;
  MPI_Error_class(error, &class);
  EXPECT(class == MPI_ERR_TRUNCATE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return expect_finish();
}

// RUN: env MPISPEC_FLAGS=--mpispec-Wno-args \
// RUN:   sh %inputs/same-both-ways.sh %mpispec %t "1 2" mpicc -O2 -I %inputs %s
