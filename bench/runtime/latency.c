/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Measures the time of a message between two ranks: in a ping-pong, in a stream, and to oneself. It
 * also measures the raw handoff of a cache line between the same two cores, which is a lower bound
 * for the messages between ranks. Prints "name nanoseconds", one a line: the best of several
 * repetitions. Works with any MPI. The two ranks are bound to two cores.
 *
 *   latency [milliseconds per repetition [name...]] */
#include "cores.h"
#include "handoff.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 7, WINDOW = 64, COLD_BYTES = 64 << 20 };
static int rank;
static double budget; /* seconds a repetition */
static char *out, *in;

/* Rank 0's best time of one round of `body`, in seconds. `rounds` grows until the budget is met. */
static double best_of(void (*body)(int rounds, int bytes), int bytes) {
  double best = 1e9;
  int rounds = 10;
  for (;;) {
    MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime();
    body(rounds, bytes);
    took = MPI_Wtime() - took;
    MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (took > budget || rounds > 10000000)
      break;
    rounds = took < budget / 20 ? rounds * 10 : (int)(rounds * budget / took * 1.2);
  }
  for (int i = 0; i < REPETITIONS; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    body(rounds, bytes);
    const double took = (MPI_Wtime() - start) / rounds;
    best = took < best ? took : best;
  }
  return best;
}

static void ping_pong(int rounds, int bytes) {
  for (int i = 0; i < rounds; ++i)
    if (rank == 0) {
      MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(in, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(out, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

/* Buffers that walk through more memory than the caches hold. If `reads`, whoever receives looks at
 * each cache line of it: a library may have left them in a cache, or not. */
static void walk(int rounds, int bytes, int reads) {
  static size_t at;
  static volatile char read;
  for (int i = 0; i < rounds; ++i) {
    at = at + 2 * (size_t)bytes > COLD_BYTES ? 0 : at + (size_t)bytes;
    if (rank == 0)
      MPI_Send(out + at, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(in + at, bytes, MPI_BYTE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    char sum = 0;
    for (int k = 0; reads && k < bytes; k += 64)
      sum = (char)(sum + in[at + (size_t)k]);
    read = sum;
    if (rank == 1)
      MPI_Send(out + at, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
}

static void cold_ping_pong(int rounds, int bytes) { walk(rounds, bytes, 0); }
static void cold_ping_pong_read(int rounds, int bytes) { walk(rounds, bytes, 1); }

static void stream(int rounds, int bytes) {
  MPI_Request requests[WINDOW];
  char last;
  for (int i = 0; i < rounds; ++i) {
    for (int k = 0; k < WINDOW; ++k)
      if (rank == 0)
        MPI_Isend(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[k]);
      else
        MPI_Irecv(in + k * bytes, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[k]);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
  }
  if (rank == 0)
    MPI_Recv(&last, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(out, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
}

static void to_self(int rounds, int bytes) {
  for (int i = 0; i < rounds; ++i)
    MPI_Sendrecv(out, bytes, MPI_BYTE, rank, 0, in, bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void tell(const char *name, int bytes, double seconds) {
  if (rank == 0)
    printf("%s-%d %.1f\n", name, bytes, seconds * 1e9);
  fflush(stdout);
}

static char **wanted; /* names, up to a null; none means all */

/* `messages` one way in a round. */
static void measure(const char *name, void (*body)(int rounds, int bytes), int bytes,
                    int messages) {
  char whole[64];
  char **word = wanted;
  snprintf(whole, sizeof whole, "%s-%d", name, bytes);
  while (*word && strcmp(*word, whole))
    ++word;
  if (*word || !*wanted)
    tell(name, bytes, best_of(body, bytes) / messages);
}

int main(int argc, char **argv) {
  static const int sizes[] = {8, 64, 512, 4096, 16384, 65536, 1 << 18, 1 << 20, 4 << 20};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bind_to_core(rank);
  budget = (argc > 1 ? atof(argv[1]) : 30) / 1000;
  wanted = argv + (argc > 1 ? 2 : argc);
  out = malloc(COLD_BYTES);
  in = malloc(COLD_BYTES);
  memset(out, 1, COLD_BYTES);
  memset(in, 2, COLD_BYTES);
  tell("handoff", 0, handoff_nanoseconds() / 1e9);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    measure("ping-pong", ping_pong, sizes[i], 2);
  for (unsigned i = 3; i < sizeof sizes / sizeof *sizes; ++i)
    measure("cold-ping-pong", cold_ping_pong, sizes[i], 2);
  for (unsigned i = 5; i < sizeof sizes / sizeof *sizes; ++i)
    measure("cold-read-ping-pong", cold_ping_pong_read, sizes[i], 2);
  measure("stream", stream, 8, WINDOW);
  measure("self", to_self, 8, 1);
  MPI_Finalize();
  return 0;
}
