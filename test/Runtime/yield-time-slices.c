/* A thread that yields its core forfeits a slice of time. Therefore ranks that wait ask for the
 * shortest slices, and keep their priority. A thread with another policy than the usual one keeps
 * its slices, and MPISPEC_YIELD=never keeps those of all threads. */
#define _GNU_SOURCE
#include "check.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SHORTEST = 100 * 1000 };

struct scheduling {
  unsigned size, policy;
  unsigned long long flags;
  int nice;
  unsigned priority;
  unsigned long long slice, deadline, period;
  unsigned least, most;
};

static struct scheduling own(void) {
  struct scheduling mine = {0};
  CHECK(syscall(SYS_sched_getattr, 0, &mine, sizeof mine, 0) == 0);
  return mine;
}

/* Linux 6.12 and later tell slices; before, it is 0. */
static void has_short_slices(const struct scheduling *mine) {
  CHECK(mine->slice == 0 || mine->slice == SHORTEST);
}

int main(int argc, char **argv) {
  const int is_batch = argc > 1;
  const struct sched_param none = {0};
  CHECK(setpriority(PRIO_PROCESS, 0, 5) == 0);
  CHECK(!is_batch || sched_setscheduler(0, SCHED_BATCH, &none) == 0);
  const struct scheduling before = own();
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) {
    if (rank == i)
      usleep(20000);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const struct scheduling after = own();
  CHECK(after.policy == before.policy && after.nice == 5);
  if (is_batch || getenv("MPISPEC_YIELD"))
    CHECK(after.slice == before.slice);
  else
    has_short_slices(&after);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t batch | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPISPEC_YIELD=never %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
