/* A root that has arrived in Gatherv gets a portion of medium length without a copy in shared memory, also if another
 * portion is longer. */
#include "check.h"
#include "p2p/rendezvous.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS = 3, MEDIUM = 200 << 10, LONG = 1 << 20, GO = 1, TRIES = 50 };
static const int lengths[RANKS] = {0, MEDIUM, LONG}, places[RANKS] = {0, 0, MEDIUM};
static unsigned char out[LONG], in[MEDIUM + LONG];
static int rank;

static uint64_t own_bytes(void) {
  return mpispec_rendezvous_counts.filled + mpispec_rendezvous_counts.pulled + mpispec_rendezvous_counts.pushed;
}

/* The bytes that went by RTS (ready to send). The others come when the root is in the call. */
static uint64_t gathered(int number) {
  const uint64_t before = own_bytes();
  uint64_t own, all;
  memset(out, number + rank, sizeof out);
  memset(in, 0xee, sizeof in);
  if (rank)
    usleep(20 * 1000);
  MPI_Gatherv(out, lengths[rank], MPI_BYTE, in, lengths, places, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; !rank && i < MEDIUM + LONG; ++i)
    CHECK(in[i] == (unsigned char)(number + (i < MEDIUM ? 1 : 2)));
  own = own_bytes() - before;
  MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  int direct = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < TRIES && !direct; ++i)
    direct = gathered(i) == MEDIUM + LONG;
  CHECK(direct);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES=shared %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
