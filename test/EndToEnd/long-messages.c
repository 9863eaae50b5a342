/* Calls whose length the compiler finds to be long: on several communicators, in both directions, to the own rank,
 * before and after their receive. Templates leave some of them to the ordinary call. These messages are behind others,
 * do not fit, or go to MPI_PROC_NULL. */
#include "expect.h"
#include <string.h>

enum { tag = 5, longest = 300000 };
static char out[longest], in[longest + 8];
static MPI_Comm world, ring; /* ring: the other way round, so that ranks differ */

static void fill(int seed, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (char)(seed + 7 * i);
  memset(in, 0x55, sizeof in);
}

static int is_filled(const char *bytes, int seed, int n) {
  for (int i = 0; i < n; i++)
    if (bytes[i] != (char)(seed + 7 * i))
      return 0;
  return 1;
}

static int is_received(int seed, int n) { return is_filled(in, seed, n) && in[n] == 0x55; }

static int is_told(const MPI_Status *status, int source, int bytes) {
  int count = -1;
  MPI_Get_count(status, MPI_CHAR, &count);
  return status->MPI_SOURCE == source && status->MPI_TAG == tag && count == bytes;
}

/* Everyone to the next rank, the message before its receive and after it. */
#define AROUND(N, COMM)                                                                            \
  do {                                                                                             \
    MPI_Request request;                                                                           \
    MPI_Status status;                                                                             \
    fill(rank, N);                                                                                 \
    MPI_Isend(out, N, MPI_CHAR, next, tag, COMM, &request);                                        \
    MPI_Recv(in, N, MPI_CHAR, before, tag, COMM, &status);                                         \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                         \
    EXPECT(is_received(before, N) && is_told(&status, before, N));                                 \
    fill(rank, N);                                                                                 \
    MPI_Irecv(in, N, MPI_CHAR, before, tag, COMM, &request);                                       \
    MPI_Send(out, N, MPI_CHAR, next, tag, COMM);                                                   \
    MPI_Wait(&request, &status);                                                                   \
    EXPECT(is_received(before, N) && is_told(&status, before, N));                                 \
    fill(rank, N);                                                                                 \
    MPI_Sendrecv(out, N, MPI_CHAR, next, tag, in, N, MPI_CHAR, before, tag, COMM, &status);        \
    EXPECT(is_received(before, N) && is_told(&status, before, N));                                 \
    fill(rank, N);                                                                                 \
    MPI_Sendrecv_replace(out, N, MPI_CHAR, next, tag, before, tag, COMM, &status);                 \
    EXPECT(is_filled(out, before, N) && is_told(&status, before, N));                              \
  } while (0)

#define AROUND_ALL(COMM)                                                                           \
  do {                                                                                             \
    int rank, size, next, before;                                                                  \
    MPI_Comm_rank(COMM, &rank);                                                                    \
    MPI_Comm_size(COMM, &size);                                                                    \
    next = (rank + 1) % size;                                                                      \
    before = (rank + size - 1) % size;                                                             \
    for (int turn = 0; turn < 3; turn++) {                                                         \
      AROUND(257, COMM);                                                                           \
      AROUND(4096, COMM);                                                                          \
      AROUND(4097, COMM);                                                                          \
      AROUND(16384, COMM);                                                                         \
      AROUND(65536, COMM);                                                                         \
      AROUND(65537, COMM);                                                                         \
      AROUND(300000, COMM);                                                                        \
    }                                                                                              \
  } while (0)

/* More than a cell, and how much only the run knows. */
static void several_cells(int rank, int size) {
  for (int n = 0; n < 40; n++) {
    const int count = 60 + n;
    MPI_Request request;
    fill(rank, count);
    MPI_Irecv(in, count, MPI_CHAR, (rank + size - 1) % size, tag, world, &request);
    if (count >= 60 && count < 100)
      MPI_Send(out, count, MPI_CHAR, (rank + 1) % size, tag, world);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(is_received((rank + size - 1) % size, count));
  }
}

/* A receive from any source was posted before: the first message is its. */
static void others_first(int rank, int size) {
  static char first[2048];
  MPI_Request request;
  if (size < 2 || rank > 1)
    return;
  if (rank == 1) {
    MPI_Recv(first, 0, MPI_CHAR, 0, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fill(1, 2048);
    MPI_Send(out, 2048, MPI_CHAR, 0, tag, MPI_COMM_WORLD);
    fill(2, 2048);
    MPI_Send(out, 2048, MPI_CHAR, 0, tag, MPI_COMM_WORLD);
    return;
  }
  memset(in, 0x55, sizeof in);
  MPI_Irecv(first, 2048, MPI_CHAR, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request);
  MPI_Send(first, 0, MPI_CHAR, 1, tag + 1, MPI_COMM_WORLD);
  MPI_Recv(in, 2048, MPI_CHAR, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(is_filled(first, 1, 2048) && is_received(2, 2048));
}

/* Another tag comes first, and stays until it is wanted; shorter ones fit, longer ones do not. */
static void does_not_fit(int rank, int size) {
  MPI_Status status;
  int class = MPI_SUCCESS, error;
  if (size < 2 || rank > 1)
    return;
  if (rank == 1) {
    fill(1, 1000);
    MPI_Send(out, 1000, MPI_CHAR, 0, tag + 1, world);
    MPI_Send(out, 20, MPI_CHAR, 0, tag, world);
    MPI_Send(out, 200, MPI_CHAR, 0, tag, world);
    MPI_Send(out, 1000, MPI_CHAR, 0, tag, world);
    MPI_Send(out, 3000, MPI_CHAR, 0, tag, world);
    return;
  }
  memset(in, 0x55, sizeof in);
  MPI_Recv(in, 2000, MPI_CHAR, 1, tag, world, &status);
  EXPECT(is_received(1, 20) && is_told(&status, 1, 20));
  MPI_Recv(in, 2000, MPI_CHAR, 1, tag, world, &status);
  EXPECT(is_received(1, 200) && is_told(&status, 1, 200));
  MPI_Recv(in, 2000, MPI_CHAR, 1, tag, world, &status);
  EXPECT(is_received(1, 1000) && is_told(&status, 1, 1000));
  memset(in, 0x55, sizeof in);
  error = MPI_Recv(in, 2000, MPI_CHAR, 1, tag, world, &status);
  MPI_Error_class(error, &class);
  EXPECT(class == MPI_ERR_TRUNCATE && in[2000] == 0x55);
  MPI_Recv(in, 2000, MPI_CHAR, 1, tag + 1, world, MPI_STATUS_IGNORE);
}

static void nobody(void) {
  MPI_Status status;
  int count = -1;
  memset(in, 0x55, sizeof in);
  MPI_Send(out, 2000, MPI_CHAR, MPI_PROC_NULL, tag, world);
  MPI_Recv(in, 2000, MPI_CHAR, MPI_PROC_NULL, tag, world, &status);
  MPI_Get_count(&status, MPI_CHAR, &count);
  EXPECT(status.MPI_SOURCE == MPI_PROC_NULL && count == 0 && in[0] == 0x55);
  MPI_Sendrecv(out, 2000, MPI_CHAR, MPI_PROC_NULL, tag, in, 2000, MPI_CHAR, MPI_PROC_NULL, tag,
               world, MPI_STATUS_IGNORE);
  EXPECT(in[0] == 0x55);
}

/* A buffered send for which there is no buffer is the library's error; Open MPI sends some all the
 * same. */
static void no_buffer(int rank, int size) {
#ifndef OPEN_MPI
  int class = MPI_SUCCESS;
  MPI_Error_class(MPI_Bsend(out, 2000, MPI_CHAR, (rank + 1) % size, tag, world), &class);
  EXPECT(class == MPI_ERR_BUFFER || class == MPI_ERR_OTHER);
#else
  (void)rank, (void)size;
#endif
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &ring);
  AROUND_ALL(MPI_COMM_WORLD);
  AROUND_ALL(world);
  AROUND_ALL(ring);
  AROUND_ALL(MPI_COMM_SELF);
  several_cells(rank, size);
  others_first(rank, size);
  does_not_fit(rank, size);
  nobody();
  no_buffer(rank, size);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&world);
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 3 4" mpicc -O2 -I %inputs %s
