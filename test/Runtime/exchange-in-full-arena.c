/* Messages that are received last fill the arenas of two ranks. The ranks exchange a long message meanwhile, whose
 * memory neither can reach in the other's process. Its pieces fit the memory that is left to pipes. */
#include "refuse.h"
#include "small-arena.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { FLOOD = 40 << 20, LENGTH = 60000, MESSAGES = FLOOD / LENGTH, LONG = 8 << 20 };
static unsigned char flood[MESSAGES][LENGTH], in[LENGTH], exchanged[2][LONG];
static MPI_Request requests[MESSAGES];
static int rank, peer;

static void exchange(int length, int value) {
  unsigned char *out = exchanged[0], *back = exchanged[1];
  memset(out, value + rank, (size_t)length);
  memset(back, 0xee, (size_t)length);
  MPI_Sendrecv(out, length, MPI_BYTE, peer, 1, back, length, MPI_BYTE, peer, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(back[0] == (unsigned char)(value + peer) && !memcmp(back, back + 1, (size_t)length - 1));
}

/* Neither rank reaches the buffers of the other. */
static void refuse_long_messages(void) {
  uint64_t own = (uint64_t)(uintptr_t)exchanged, theirs = 0;
  MPI_Sendrecv(&own, 1, MPI_UINT64_T, peer, 2, &theirs, 1, MPI_UINT64_T, peer, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  refuse(theirs, sizeof exchanged);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  check_arena_is_small();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = !rank;
  for (int i = 0; i < atoi(argv[1]); ++i)
    exchange(1 << 20, i);
  for (int i = 0; i < MESSAGES; ++i) {
    memset(flood[i], i, LENGTH);
    MPI_Isend(flood[i], LENGTH, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &requests[i]);
  }
  exchange(1 << 20, 50); /* an exchange again, after the sends before */
  refuse_long_messages();
  exchange(LONG, 100);
  CHECK(refused_so_far());
  for (int i = 0; i < MESSAGES; ++i) {
    MPI_Recv(in, LENGTH, MPI_BYTE, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[0] == (unsigned char)i && !memcmp(in, in + 1, LENGTH - 1));
  }
  MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// The limit makes arenas of 32 MiB (segment.c). Intel MPI needs larger files itself. A preload does not know a sanitizer.
// UNSUPPORTED: sanitizer, intel
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %mpicc -fPIC -shared %tool/refuse.c -o %t.refuse.so
// RUN: sh -c "ulimit -f 160000 && MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES=shared \
// RUN:   %mpirun -n 2 env LD_PRELOAD=%t.refuse.so REFUSE=fault-one %t 20" | FileCheck %s
// RUN: sh -c "ulimit -f 160000 && MPISPEC_MODE=lanes \
// RUN:   %mpirun -n 2 env LD_PRELOAD=%t.refuse.so REFUSE=readv,writev %t 0" | FileCheck %s
// CHECK: passed
