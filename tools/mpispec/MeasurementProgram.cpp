//===- MeasurementProgram.cpp - The program that `mpispec tune` builds and runs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two ranks exchange messages of the largest size in each size class. The messages go there and
// back in turn, or in both directions at once. In one half of the measurements the buffers are
// touched: written before and read after each message. Rank 0 prints a line for each size and
// direction: bytes, direction, and nanoseconds of one message:
//
// - untouched
// - touched, without the time that the same accesses take in a rank that exchanges no messages
// - touched, without the time that the accesses take
//
// Sends of 64 KiB are synchronous, because other sends of this size use no rendezvous.
//
//===------------------------------------------------------------------------------------------===//
#include "Measurement.h"

namespace mpispec {

const char MeasurementSource[] = R"(#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 24, LEAST = 1 << 16, BATCHES = 8 };
static double *out, *in;
static volatile double sink;
static int rank, other;
static double touching; /* seconds of this rank's accesses in the batch */

static void write_out(int count, int round) {
  const double begin = MPI_Wtime();
  int i;
  for (i = 0; i < count; ++i)
    out[i] = round + i;
  touching += MPI_Wtime() - begin;
}

static void read_in(int count) {
  const double begin = MPI_Wtime();
  double sums[4] = {0, 0, 0, 0};
  int i;
  for (i = 0; i < count; i += 4) {
    sums[0] += in[i];
    sums[1] += in[i + 1];
    sums[2] += in[i + 2];
    sums[3] += in[i + 3];
  }
  sink = sums[0] + sums[1] + sums[2] + sums[3];
  touching += MPI_Wtime() - begin;
}

static void send(int count) {
  if (count * 8 == LEAST)
    MPI_Ssend(out, count, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  else
    MPI_Send(out, count, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
}

static void receive(int count) {
  MPI_Recv(in, count, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void there_and_back(int count, int touched, int round) {
  if (rank == 1)
    receive(count);
  if (rank == 1 && touched)
    read_in(count);
  if (touched)
    write_out(count, round);
  send(count);
  if (rank == 0)
    receive(count);
  if (rank == 0 && touched)
    read_in(count);
}

static void both_ways(int count, int touched, int round) {
  MPI_Request requests[2];
  if (touched)
    write_out(count, round);
  MPI_Irecv(in, count, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[0]);
  if (count * 8 == LEAST)
    MPI_Issend(out, count, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[1]);
  else
    MPI_Isend(out, count, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (touched)
    read_in(count);
}

static void touch(int count, int touched, int round) {
  (void)touched;
  write_out(count, round);
  read_in(count);
}

typedef void step(int count, int touched, int round);

static double time_of(step *run, int count, int touched, int rounds) {
  double begin;
  int i;
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  for (i = 0; i < rounds; ++i)
    run(count, touched, i);
  return (MPI_Wtime() - begin) / rounds;
}

/* Seconds of a round, and a rank's mean time of accesses in it. */
struct times {
  double round, touching;
};

/* On rank 0: the best of some batches, which take so many seconds together. */
static struct times best(step *run, int count, int touched, double seconds) {
  struct times least = {0, 0};
  double time = time_of(run, count, touched, 2), sum = 0;
  int rounds, batch;
  MPI_Bcast(&time, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  rounds = 1 + (int)(seconds / BATCHES / time);
  for (batch = 0; batch < BATCHES; ++batch) {
    touching = 0;
    time = time_of(run, count, touched, rounds);
    MPI_Reduce(&touching, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (batch == 0 || time < least.round) {
      least.round = time;
      least.touching = sum / 2 / rounds;
    }
  }
  return least;
}

/* A round has so many messages in turn, each of which is followed by the accesses of one rank. */
static void measure_direction(step *run, int count, int messages, double alone, double seconds) {
  const struct times still = best(run, count, 0, seconds), touched = best(run, count, 1, seconds);
  if (rank == 0)
    printf("tune: %d %d %.0f %.0f %.0f\n", count * 8, messages == 1, still.round / messages * 1e9,
           (touched.round / messages - alone) * 1e9,
           (touched.round / messages - touched.touching) * 1e9);
}

static void measure(int count, double seconds) {
  const double alone = best(touch, count, 1, seconds).round;
  measure_direction(there_and_back, count, 2, alone, seconds);
  measure_direction(both_ways, count, 1, alone, seconds);
}

int main(int argc, char **argv) {
  cpu_set_t cores;
  int size, bytes;
  CPU_ZERO(&cores);
  CPU_SET(argc == 3 ? atoi(argv[1]) : 0, &cores);
  if (argc != 3 || sched_setaffinity(0, sizeof cores, &cores))
    return 2;
  alarm(TRIAL_ALARM);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  other = !rank;
  out = malloc(MOST);
  in = malloc(MOST);
  if (!out || !in || size != 2) {
    printf("tune: alone\n");
    return MPI_Finalize();
  }
  memset(out, 1, MOST);
  memset(in, 2, MOST);
  for (bytes = LEAST; bytes <= MOST; bytes *= 2)
    measure(bytes / 8, atof(argv[2]) / 1e3);
  return MPI_Finalize();
}
)";

} // namespace mpispec
