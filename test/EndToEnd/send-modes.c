/* Every way to send and to receive one message, and the status afterwards. Sizes are on both sides of
 * the short bound. They are constant and variable, contiguous and with gaps. */
#include "expect.h"
#include <string.h>

enum { longest = 70000, tag = 17 };
static char out[longest], in[longest + 8];

static void fill(int seed, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (char)(seed + 3 * i);
  memset(in, 0x55, sizeof in);
}

static void expect_received(int seed, int n) {
  for (int i = 0; i < n; i++)
    if (in[i] != (char)(seed + 3 * i)) {
      EXPECT(!"payload");
      return;
    }
  EXPECT(in[n] == 0x55);
}

static void expect_status(MPI_Status *status, int source, int bytes) {
  int count = -1;
  MPI_Get_count(status, MPI_BYTE, &count);
  EXPECT(status->MPI_SOURCE == source && status->MPI_TAG == tag && count == bytes);
}

/* The receive is posted before the send in every pattern, so each mode may be used,
 * to oneself too. */
#define ROUND(BYTES, SEND)                                                                         \
  do {                                                                                             \
    MPI_Request request;                                                                           \
    MPI_Status status;                                                                             \
    fill(rank + (BYTES), (BYTES));                                                                 \
    MPI_Irecv(in, (BYTES), MPI_CHAR, left, tag, MPI_COMM_WORLD, &request);                         \
    MPI_Barrier(MPI_COMM_WORLD);                                                                   \
    SEND;                                                                                          \
    MPI_Wait(&request, &status);                                                                   \
    expect_received(left + (BYTES), (BYTES));                                                      \
    expect_status(&status, left, (BYTES));                                                         \
  } while (0)

#define START(CALL)                                                                                \
  do {                                                                                             \
    MPI_Request sending;                                                                           \
    CALL;                                                                                          \
    MPI_Wait(&sending, MPI_STATUS_IGNORE);                                                         \
  } while (0)

#define ALL_MODES(N)                                                                               \
  ROUND(N, MPI_Send(out, N, MPI_CHAR, right, tag, MPI_COMM_WORLD));                                \
  ROUND(N, MPI_Ssend(out, N, MPI_BYTE, right, tag, MPI_COMM_WORLD));                               \
  ROUND(N, MPI_Rsend(out, N, MPI_SIGNED_CHAR, right, tag, MPI_COMM_WORLD));                        \
  ROUND(N, MPI_Bsend(out, N, MPI_CHAR, right, tag, MPI_COMM_WORLD));                               \
  ROUND(N, START(MPI_Isend(out, N, MPI_CHAR, right, tag, MPI_COMM_WORLD, &sending)));              \
  ROUND(N, START(MPI_Issend(out, N, MPI_CHAR, right, tag, MPI_COMM_WORLD, &sending)));

/* Sizes that the compiler sees. 256 bytes is the last short one. */
static void constant_sizes(int rank, int left, int right) {
  ALL_MODES(0)
  ALL_MODES(1)
  ALL_MODES(48)
  ALL_MODES(256)
  ALL_MODES(257)
  ALL_MODES(1024)
  ALL_MODES(65536)
}

/* Sizes that it does not. */
static void any_size(int rank, int left, int right, int n) { ALL_MODES(n) }

/* The blocking receive, which completes in the call. */
static void blocking(int rank, int left, int right) {
  MPI_Request request;
  MPI_Status status;
  double value = 2.5 * rank, got[3] = {0, -1, -1};
  MPI_Isend(&value, 1, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, &request);
  MPI_Recv(got, 3, MPI_DOUBLE, left, tag, MPI_COMM_WORLD, &status); /* shorter than the buffer */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(got[0] == 2.5 * left && got[1] == -1);
  expect_status(&status, left, sizeof(double));
  MPI_Isend(&value, 1, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, &request);
  MPI_Recv(got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(got[0] == 2.5 * left);
}

static void strided(int rank, int left, int right) {
  int grid[8][8], column[8], i;
  MPI_Datatype type;
  MPI_Request request;
  for (i = 0; i < 64; i++)
    grid[i / 8][i % 8] = 100 * rank + i;
  MPI_Type_vector(8, 1, 8, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Irecv(column, 8, MPI_INT, left, tag, MPI_COMM_WORLD, &request);
  MPI_Send(&grid[0][3], 1, type, right, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  for (i = 0; i < 8; i++)
    EXPECT(column[i] == 100 * left + 8 * i + 3);
}

int main(int argc, char **argv) {
  static char attached[longest + MPI_BSEND_OVERHEAD];
  void *detached;
  int rank, size, left, right, bytes;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  MPI_Buffer_attach(attached, sizeof attached);
  constant_sizes(rank, left, right);
  any_size(rank, left, right, 7 + argc);
  any_size(rank, left, right, 9000 * argc);
  blocking(rank, left, right);
  strided(rank, left, right);
  MPI_Buffer_detach(&detached, &bytes);
  EXPECT(detached == (void *)attached && bytes == (int)sizeof attached);
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicc -O2 -I %inputs %s
// RUN: sh %inputs/same-both-ways.sh %mpispec %t "2" mpicc -O0 -g -I %inputs %s
// RUN: %behind clang-22 sh %inputs/same-both-ways.sh %mpispec %t "2 4" mpicc -O3 -I %inputs %s
