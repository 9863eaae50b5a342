/* A program with a fast timer: signals interrupt the copies of long messages and what the runtime asks the system in
 * between. Each message arrives, and the permission to read the peer's memory stays. */
#include "check.h"
#include "shm/cma.h"

#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

enum { BYTES = 300 * 1024, ROUNDS = 1500, INTERVAL = 30 }; /* microseconds */
static volatile sig_atomic_t signals;
static unsigned char out[BYTES], in[BYTES];

static void count(int number) {
  (void)number;
  ++signals;
}

static void tick(int interval) {
  const struct itimerval timer = {{0, interval}, {0, interval}};
  CHECK(!setitimer(ITIMER_REAL, &timer, NULL));
}

int main(int argc, char **argv) {
  int rank;
  struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(!sigaction(SIGALRM, &action, NULL));
  CHECK(mpispec_cma_may_read(!rank));
  tick(INTERVAL);
  for (int round = 0; round < ROUNDS; ++round) {
    memset(out, round + rank, sizeof out);
    MPI_Sendrecv(out, BYTES, MPI_BYTE, !rank, 0, in, BYTES, MPI_BYTE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int at = 0; at < BYTES; at += 4099)
      CHECK(in[at] == (unsigned char)(round + !rank));
  }
  tick(0);
  CHECK(signals > 0);
  CHECK(mpispec_cma_may_read(!rank));
  MPI_Finalize();
  return rank ? 0 : passed();
}

// REQUIRES: mpich
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES=shared %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
