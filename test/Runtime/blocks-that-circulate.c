/* Received blocks carry the next messages. Ranks that send as much as they receive keep as many blocks as a window
 * has, from any owner, and take no fresh memory. A rank that only receives keeps none. Blocks that no rank uses go
 * back. */
#include "check.h"
#include "p2p/block_cache.h"
#include "shm/shm.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { WINDOW = 16, LONGEST = 65536, ROUNDS = 6 };
static int rank, size;
static unsigned char out[WINDOW][LONGEST], in[WINDOW][LONGEST];

static void draw(unsigned char *bytes, int length, int seed) {
  for (int i = 0; i < length; ++i)
    bytes[i] = (unsigned char)(i * 7 + i / 251 + seed);
}

static void post(int from, int length, MPI_Request requests[]) {
  for (int k = 0; k < WINDOW; ++k) {
    memset(in[k], 0, (size_t)length);
    MPI_Irecv(in[k], length, MPI_BYTE, from, k, MPI_COMM_WORLD, &requests[k]);
  }
}

static void check(int length, int seed) {
  static unsigned char expected[LONGEST];
  for (int k = 0; k < WINDOW; ++k) {
    draw(expected, length, seed + k);
    CHECK(!memcmp(in[k], expected, (size_t)length));
  }
}

/* A window to the right, and one from the left. */
static void exchange(int length, int seed) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request requests[2 * WINDOW];
  post(left, length, requests);
  for (int k = 0; k < WINDOW; ++k) {
    draw(out[k], length, seed + 100 * rank + k);
    MPI_Isend(out[k], length, MPI_BYTE, right, k, MPI_COMM_WORLD, &requests[WINDOW + k]);
  }
  MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
  check(length, seed + 100 * left);
}

/* Blocks of that size that this rank keeps, and how many of them are of other ranks' arenas. */
static int kept(int length, int *others) {
  struct mpispec_block_ref places[2 * WINDOW];
  int count = 0;
  *others = 0;
  while (count < 2 * WINDOW && (places[count] = mpispec_block_cache_get(length)).offset)
    *others += places[count++].owner != rank;
  for (int i = count; i-- > 0;) /* the state after it has carried a message */
    mpispec_block_cache_put(places[i], length, length);
  return count;
}

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* On a busy machine, a wait may be so long that blocks go back. Then nothing is certain any more. */
static void circulate(int length) {
  int others, seen = 0, rested = 0;
  uint64_t begin = nanoseconds();
  for (int round = 0; round < 3; ++round) /* a rank that received before it ever sent gave blocks back */
    exchange(length, round);
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t top = mpispec_shm.arena.top;
  for (int round = 0; round < ROUNDS; ++round) {
    exchange(length, round);
    MPI_Barrier(MPI_COMM_WORLD);
    const int count = kept(length, &others);
    rested |= nanoseconds() - begin > MPISPEC_KEPT_REST;
    CHECK(count == WINDOW || rested);
    begin = nanoseconds();
    seen += others;
  }
  CHECK(mpispec_shm.arena.top == top || rested);
  CHECK(seen >= ROUNDS / size * WINDOW || rested);
}

static void one_way(int length) {
  size_t lent = 0;
  int others;
  MPI_Request requests[WINDOW];
  for (int round = 0; round < ROUNDS && rank < 2; ++round) {
    if (rank == 1)
      post(0, length, requests);
    for (int k = 0; k < WINDOW && rank == 0; ++k) {
      draw(out[k], length, round + k);
      MPI_Isend(out[k], length, MPI_BYTE, 1, k, MPI_COMM_WORLD, &requests[k]);
    }
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    if (rank == 1)
      check(length, round);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(kept(length, &others) == 0);
  for (int i = 0; i < ROUNDS; ++i) /* takes back some at a time */
    lent = mpispec_arena_lent(&mpispec_shm.arena, (uint64_t)length);
  CHECK(lent == 0);
}

/* Waits for a message while that is long in coming. */
static void rest(void) {
  const struct timespec time = {0, 400 * 1000 * 1000};
  if (rank == 0)
    nanosleep(&time, NULL);
  for (int peer = 1; peer < size; ++peer)
    if (rank == 0)
      MPI_Send(NULL, 0, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    else if (rank == peer)
      MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void all_goes_back(int length) {
  int others;
  for (int round = 0; round < ROUNDS; ++round)
    exchange(length, round);
  rest();
  CHECK(rank == 0 || kept(length, &others) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  one_way(3000); /* while nobody has sent any */
  one_way(40000);
  circulate(1000);
  circulate(8192);
  circulate(LONGEST);
  all_goes_back(8192);
  MPI_Finalize();
  return rank == 0 ? passed() : 0;
}

// LABEL: core
// RUN: %mpicc %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// A receive that finds its message at once gives the block back. No rank sleeps, so that none comes too late.
// RUN: env MPISPEC_MODE=lanes MPISPEC_YIELD=awake %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
