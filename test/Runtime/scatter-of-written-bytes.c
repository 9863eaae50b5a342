/* Scatter between two ranks of more bytes than a chunk. The root copies its own portion before or after the other
 * one, by the time since the last long operation. Bytes are written before a call or not, roots change, either rank
 * is late, and the root's portion stays in place or not. */
// LABEL: core
#include "check.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS = 2, LENGTHS = 6, LONGEST = 1 << 20, GUARD = 64, ROUNDS = 60 };
static const int lengths[LENGTHS] = {65537, 131072, 200000, 524288, 524289, LONGEST};
static unsigned char *sent, *received;
static int rank;

static unsigned char byte_at(int call, int i) { return (unsigned char)(call * 41 + i + (i >> 9)); }

static void write_bytes(int call, int length) {
  for (int i = 0; i < RANKS * length; ++i)
    sent[i] = byte_at(call, i);
}

/* Each rank has its portion, and the bytes behind it and those of the root stay as they are. The portion of a root in
 * place is not received, but may be that of an earlier call if the call was `repeated`. */
static void check(int call, int root, int length, int in_place, int repeated) {
  const int receives = !(in_place && rank == root);
  int wrong = 0;
  for (int i = 0; i < length && receives; ++i)
    wrong += received[i] != byte_at(call, rank * length + i);
  for (int i = receives || repeated ? length : 0; i < LONGEST + GUARD; ++i)
    wrong += received[i] != 0xee;
  for (int i = 0; rank == root && i < RANKS * length; ++i)
    wrong += sent[i] != byte_at(call, i);
  CHECK(!wrong);
}

static void scatter(int root, int length, int by_counts, int in_place) {
  const int counts[RANKS] = {length, length}, places[RANKS] = {0, length};
  void *own = in_place && rank == root ? MPI_IN_PLACE : received;
  if (by_counts)
    MPI_Scatterv(sent, counts, places, MPI_BYTE, own, length, MPI_BYTE, root, MPI_COMM_WORLD);
  else
    MPI_Scatter(sent, length, MPI_BYTE, own, length, MPI_BYTE, root, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sent = malloc(RANKS * LONGEST);
  received = malloc(LONGEST + GUARD);
  srand(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
  for (int round = 0; round < ROUNDS; ++round) {
    const int length = lengths[rand() % LENGTHS], repeats = rand() % 5, late = rand() % 6;
    const int by_counts = rand() % 2, in_place = rand() % 3 == 0, moves = rand() % 2;
    int root = rand() % RANKS, last = root;
    if (late == rank)
      usleep(300);
    memset(received, 0xee, LONGEST + GUARD);
    write_bytes(round, length);
    for (int i = 0; i < repeats; ++i) { /* nobody writes the bytes in between */
      scatter(root, length, by_counts, in_place);
      last = root;
      root = moves ? RANKS - 1 - root : root;
    }
    if (repeats)
      check(round, last, length, in_place, 1);
    memset(received, 0xee, LONGEST + GUARD);
    write_bytes(round, length);
    scatter(root, length, by_counts, in_place);
    check(round, root, length, in_place, 0);
  }
  free(sent);
  free(received);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: for seed in 1 2 3; do %both -n 2 %t $seed | FileCheck %s || exit 1; done
// CHECK: passed
