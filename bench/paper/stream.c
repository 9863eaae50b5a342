/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stream.c - the time of a message in a stream in one direction, by size.
 *
 *   send   blocking sends and receives; count, datatype, peer and tag are known at compile time
 *   isend  nonblocking ones, up to 64 under way at once; the count is not known at compile time
 *
 * The receiver answers once in a window of messages, so that the sender is never far ahead. Prints
 * "name-bytes nanoseconds" for one message.
 *
 *   stream [milliseconds per repetition] */
#include "measure.h"
#include <stdlib.h>
#include <string.h>

enum {
  LARGEST = MEASURE_LARGEST,
  UNDER_WAY = 64,
  WINDOW_BYTES = 8388608,
  data_tag = 3,
  answer_tag = 4
};
static char *out, *in;

/* Messages between two answers: at most WINDOW_BYTES, and no more than 1024. */
static int window_of(int bytes) {
  const int most = bytes ? WINDOW_BYTES / bytes : 1024;
  return most > 1024 ? 1024 : most;
}

#define SEND_CASE(BYTES)                                                                           \
  case BYTES:                                                                                      \
    for (int i = 0; i < window; ++i)                                                               \
      MPI_Send(out, BYTES, MPI_BYTE, 1, data_tag, MPI_COMM_WORLD);                                 \
    break;
#define RECV_CASE(BYTES)                                                                           \
  case BYTES:                                                                                      \
    for (int i = 0; i < window; ++i)                                                               \
      MPI_Recv(in, BYTES, MPI_BYTE, 0, data_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);               \
    break;

static void blocking(int rounds, int bytes) {
  const int window = window_of(bytes);
  int rank, answer = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < rounds; ++round)
    if (rank == 0) {
      switch (bytes) { MEASURE_SIZES(SEND_CASE) }
      MPI_Recv(&answer, 1, MPI_INT, 1, answer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      switch (bytes) { MEASURE_SIZES(RECV_CASE) }
      MPI_Send(&answer, 1, MPI_INT, 0, answer_tag, MPI_COMM_WORLD);
    }
}

static void nonblocking(int rounds, int bytes) {
  const int window = window_of(bytes), batch = window < UNDER_WAY ? window : UNDER_WAY;
  MPI_Request requests[UNDER_WAY];
  int rank, answer = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < rounds; ++round) {
    for (int sent = 0; sent + batch <= window; sent += batch) {
      for (int i = 0; i < batch; ++i)
        if (rank == 0)
          MPI_Isend(out, bytes, MPI_BYTE, 1, data_tag, MPI_COMM_WORLD, &requests[i]);
        else
          MPI_Irecv(in + (size_t)i * (size_t)bytes, bytes, MPI_BYTE, 0, data_tag, MPI_COMM_WORLD,
                    &requests[i]);
      MPI_Waitall(batch, requests, MPI_STATUSES_IGNORE);
    }
    if (rank == 0)
      MPI_Recv(&answer, 1, MPI_INT, 1, answer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(&answer, 1, MPI_INT, 0, answer_tag, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  static const int sizes[] = {
#define ITEM(BYTES) BYTES,
      MEASURE_SIZES(ITEM)};
  measure_begin(&argc, &argv, argc > 1 ? atof(argv[1]) : 10);
  out = malloc(LARGEST);
  in = malloc(WINDOW_BYTES);
  memset(out, 1, LARGEST);
  memset(in, 2, WINDOW_BYTES);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const int bytes = sizes[i], window = window_of(bytes);
    measure_tell("send", bytes, measure_best(blocking, bytes) / window);
    measure_tell("isend", bytes, measure_best(nonblocking, bytes) / window);
  }
  free(in);
  free(out);
  measure_end();
  return 0;
}
