/* Messages of 128 KiB to 1 MiB are in blocks where two ranks take turns, and only there: in a stream,
 * one that is acknowledged by messages of a few cells as well, they go by pipes, whose bytes are
 * counted. */
#include "check.h"
#include "p2p/rendezvous.h"

#include <mpi.h>
#include <string.h>

enum { ROUNDS = 20, BYTES = 1024 * 1024 };
static int rank;
static unsigned char out[BYTES + 1], in[BYTES + 1];

static void send(int length, int round) {
  memset(out, round, (size_t)length);
  MPI_Send(out, length, MPI_BYTE, !rank, 0, MPI_COMM_WORLD);
}

static void receive(int length, int round) {
  MPI_Recv(in, length, MPI_BYTE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < length; ++i)
    CHECK(in[i] == round);
}

/* Bytes that pass through pipes in so many rounds. */
static uint64_t take_turns(int length) {
  const uint64_t before = mpispec_rendezvous_moved;
  for (int i = 0; i < ROUNDS; ++i)
    if (rank == 0) {
      send(length, i);
      receive(length, i);
    } else {
      receive(length, i);
      send(length, i);
    }
  return mpispec_rendezvous_moved - before;
}

static uint64_t stream(int length, int acknowledged) {
  const uint64_t before = mpispec_rendezvous_moved;
  for (int i = 0; i < ROUNDS; ++i)
    if (rank == 0) {
      send(length, i);
      if (acknowledged)
        receive(acknowledged, i);
    } else {
      receive(length, i);
      if (acknowledged)
        send(acknowledged, i);
    }
  return mpispec_rendezvous_moved - before;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(take_turns(BYTES) <= BYTES); /* the first cannot know */
  CHECK(take_turns(BYTES / 2) <= BYTES / 2);
  CHECK(take_turns(BYTES / 8) <= BYTES / 8);
  CHECK(take_turns(BYTES + 1) == 2 * ROUNDS * (BYTES + 1));
  /* Of what comes before, at most the first message can look like a turn. */
  CHECK(stream(BYTES, 0) >= (ROUNDS - 1) * BYTES);
  CHECK(stream(BYTES / 2, 0) >= (ROUNDS - 1) * BYTES / 2);
  CHECK(stream(BYTES / 8, 0) >= (ROUNDS - 1) * BYTES / 8);
  CHECK(stream(BYTES, 200) >= (ROUNDS - 1) * BYTES);
  MPI_Finalize();
  return rank == 0 ? passed() : 0;
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
