/* The shortest paths remember the datatype of the last call. A freed type leaves its handle to another. A count is 8
 * bytes for some types and none for others. Calls with invalid arguments, or that wait for a receive with a wildcard,
 * do not take these paths. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { TAG = 7, DOUBLES = 12 };

static double in[DOUBLES], out[DOUBLES];
static int rank, other;

/* So many doubles in a row as one element, under whatever handle the library gives. */
static MPI_Datatype row_of(int doubles) {
  MPI_Datatype row;
  MPI_Type_contiguous(doubles, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  return row;
}

/* To the other rank, which tells how many bytes have come, then back. */
static void send_and_check(int count, MPI_Datatype type, int bytes) {
  MPI_Status status;
  int come;
  memset(in, 0, sizeof in);
  if (rank == 0)
    MPI_Send(out, count, type, other, TAG, MPI_COMM_WORLD);
  MPI_Recv(in, sizeof in, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_BYTE, &come);
  CHECK(come == bytes && status.MPI_SOURCE == other && status.MPI_TAG == TAG);
  CHECK(!memcmp(in, out, (size_t)bytes) && in[DOUBLES - 1] == 0);
  if (rank == 1)
    MPI_Send(out, count, type, other, TAG, MPI_COMM_WORLD);
}

static void receive_and_check(int count, MPI_Datatype type, int bytes) {
  memset(in, 0, sizeof in);
  if (rank == 0)
    MPI_Send(out, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD);
  MPI_Recv(in, count, type, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(!memcmp(in, out, (size_t)bytes) && in[DOUBLES - 1] == 0);
  if (rank == 1)
    MPI_Send(out, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD);
}

/* One after the other with the same handle, where the library gives it again. */
static void handles_again(void) {
  for (int round = 0; round < 40; ++round) {
    const int doubles = 1 + round % 5;
    MPI_Datatype row = row_of(doubles);
    send_and_check(1, row, 8 * doubles);
    receive_and_check(1, row, 8 * doubles);
    if (doubles > 1)
      receive_and_check(1, row, 8); /* shorter than there is room for */
    MPI_Type_free(&row);
  }
}

static void types_in_turns(void) {
  for (int round = 0; round < 20; ++round) {
    send_and_check(1, MPI_DOUBLE, 8);
    send_and_check(1, MPI_INT, 4);
    send_and_check(2, MPI_INT, 8);
    send_and_check(2, MPI_DOUBLE, 16);
    send_and_check(8, MPI_CHAR, 8);
    send_and_check(1, MPI_CHAR, 1);
    send_and_check(4, MPI_SHORT, 8);
    send_and_check(1, MPI_C_DOUBLE_COMPLEX, 16);
    send_and_check(3, MPI_C_DOUBLE_COMPLEX, 48);
    send_and_check(0, MPI_DOUBLE, 0);
    receive_and_check(1, MPI_DOUBLE, 8);
    receive_and_check(2, MPI_INT, 8);
    receive_and_check(2, MPI_INT, 4);
    receive_and_check(2, MPI_DOUBLE, 8);
    receive_and_check(1, MPI_C_DOUBLE_COMPLEX, 16);
    receive_and_check(2, MPI_C_DOUBLE_COMPLEX, 16);
    receive_and_check(0, MPI_DOUBLE, 0);
  }
}

static void is_error(int error, int wanted) {
  int class = MPI_SUCCESS;
  if (error)
    MPI_Error_class(error, &class);
  CHECK(class == wanted);
}

/* Each after a valid call with the same datatype. */
static void invalid_calls(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  send_and_check(1, MPI_DOUBLE, 8);
  is_error(MPI_Send(out, -1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD), MPI_ERR_COUNT);
  is_error(MPI_Send(NULL, 1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  is_error(MPI_Send(out, 1, MPI_DOUBLE, 2, TAG, MPI_COMM_WORLD), MPI_ERR_RANK);
  is_error(MPI_Send(out, 1, MPI_DOUBLE, other, -5, MPI_COMM_WORLD), MPI_ERR_TAG);
  is_error(MPI_Send(out, 1, MPI_DATATYPE_NULL, other, TAG, MPI_COMM_WORLD), MPI_ERR_TYPE);
  send_and_check(1, MPI_C_DOUBLE_COMPLEX, 16);
  is_error(MPI_Send(out, -1, MPI_C_DOUBLE_COMPLEX, other, TAG, MPI_COMM_WORLD), MPI_ERR_COUNT);
  is_error(MPI_Recv(in, -1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
           MPI_ERR_COUNT);
  if (rank == 0) {
    MPI_Send(out, 2, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD);
  } else {
    is_error(MPI_Recv(in, 1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
             MPI_ERR_TRUNCATE);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* The first of two messages is for the receive that was posted first, with a wildcard. */
static void behind_a_wildcard(void) {
  MPI_Request any;
  double first = 0, second = 0;
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&(double){1}, 1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD);
    MPI_Send(&(double){2}, 1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(&first, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(&second, 1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&any, MPI_STATUS_IGNORE);
    CHECK(first == 1 && second == 2);
  }
}

/* Tags and contexts share a word: a message of MPI_COMM_WORLD with tag 0 differs from all others in
 * few bits. */
static void least_tags(void) {
  MPI_Comm pair;
  MPI_Comm_dup(MPI_COMM_WORLD, &pair);
  for (int round = 0; round < 600; ++round) { /* more than a lane has cells */
    double one = 0, two = 0, three = 0;
    if (rank == 0) {
      MPI_Send(&(double){1}, 1, MPI_DOUBLE, other, 0, pair);
      MPI_Send(&(double){2}, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
      MPI_Send(&(double){3}, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&three, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&two, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&one, 1, MPI_DOUBLE, other, MPI_ANY_TAG, pair, MPI_STATUS_IGNORE);
      CHECK(one == 1 && two == 2 && three == 3);
    }
  }
  MPI_Comm_free(&pair);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  for (int i = 0; i < DOUBLES; ++i)
    out[i] = i + 1;
  handles_again();
  types_in_turns();
  invalid_calls();
  behind_a_wildcard();
  least_tags();
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
