/* Alltoall and Alltoallv in place, with blocks so long that ranks copy them by pieces. Each byte of each block is at
 * its place, and no byte beside the blocks changes. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { KIB = 1024, MOST = 1024 * KIB + 40, RANKS = 4, GUARD = 64, ROUNDS = 6 };
static const int sizes[] = {128 * KIB, 1024 * KIB, 128 * KIB + 8, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };
static int rank, size;
static unsigned number; /* the number of the operation */
static unsigned char blocks[RANKS * (MOST + GUARD) + GUARD];

static const unsigned char *content(int from, int to) {
  static unsigned char table[MOST + 4096];
  for (unsigned i = 0, word = 1; !table[0] && i < sizeof table; ++i) {
    word = word * 1664525u + 1013904223u;
    table[sizeof table - 1 - i] = (unsigned char)(word >> 24 | 1);
  }
  return table + (number * 16 + (unsigned)(from * RANKS + to)) * 1009 % 4096;
}

static void check_untouched(const unsigned char *bytes, int length) {
  for (int i = 0; i < length; ++i)
    CHECK(bytes[i] == 0);
}

/* Keeps this rank back now and then, each at other times. */
static void dawdle(void) {
  if ((number * 2654435761u >> (4 * rank + 5)) % 4 == 0)
    usleep(300);
}

static void alltoall(int length) {
  ++number;
  memset(blocks, 0, sizeof blocks);
  for (int i = 0; i < size; ++i)
    memcpy(blocks + i * length, content(rank, i), (size_t)length);
  dawdle();
  MPI_Alltoall(MPI_IN_PLACE, length, MPI_BYTE, blocks, length, MPI_BYTE, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    CHECK(!memcmp(blocks + i * length, content(i, rank), (size_t)length));
  check_untouched(blocks + size * length, GUARD);
}

/* Blocks of unequal lengths, the same in both directions, with gaps, in another order. */
static int length_between(int a, int b, int length) {
  return (a + b) % 3 == 2 ? 0 : length - 8 * ((a + b) % 2);
}

static void alltoallv(int length) {
  int counts[RANKS], places[RANKS];
  ++number;
  memset(blocks, 0, sizeof blocks);
  for (int i = 0; i < size; ++i) {
    counts[i] = length_between(rank, i, length);
    places[i] = GUARD + (size - 1 - i) * (length + GUARD);
    memcpy(blocks + places[i], content(rank, i), (size_t)counts[i]);
  }
  dawdle();
  MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_BYTE, blocks, counts, places, MPI_BYTE,
                MPI_COMM_WORLD);
  check_untouched(blocks, GUARD);
  for (int i = 0; i < size; ++i) {
    CHECK(!memcmp(blocks + places[i], content(i, rank), (size_t)counts[i]));
    check_untouched(blocks + places[i] + counts[i], GUARD);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size <= RANKS);
  for (int round = 0; round < ROUNDS; ++round)
    for (int i = 0; i < SIZES; ++i) {
      alltoall(sizes[i]);
      alltoallv(sizes[i]);
    }
  MPI_Finalize();
  if (rank == 0)
    passed();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// DEFINE: %{long} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES
// RUN: %{long}=measured %mpirun -n 4 %t | FileCheck %s
// RUN: for way in pipe shared; do for ranks in 2 %if !quick || !sanitizer %{ 4 %}; do \
// RUN:   %{long}=$way %mpirun -n $ranks %t | FileCheck %s || exit 1; done; done
// CHECK: passed
