/* Ranks notice when they share a processor, from their masks at Init and from later events. oversubscription-alone.c
 * tests the end of sharing. The argument names the expected state, and whether ranks bind themselves. */
#define _GNU_SOURCE
#include "check.h"
#include "progress/oversubscription.h"
#include "progress/processors.h"
#include "progress/progress.h"

#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int rank, has_many_processors;

/* Takes the place of the C library's function, with which the runtime reads masks. The system refuses a mask that
 * has less room than its number of processors. */
int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set) {
  const long written =
      has_many_processors && bytes <= 8 * MPISPEC_PROCESSOR_WORDS ? -1 : syscall(SYS_sched_getaffinity, process, bytes, set);
  if (written < 0) {
    errno = EINVAL;
    return -1;
  }
  memset((char *)set + written, 0, bytes - (size_t)written);
  return 0;
}

static void bind_to(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
}

/* Messages there and back until this rank's answer is the expected one, or for 20 s. At
 * first it may change more than once; masks, which are read every 10 ms, settle it. The ranks agree
 * when to end: both send whether they go on. That no processor is shared need hold for a moment only, because other
 * load may come. */
static void exchange_until(int expected, unsigned late) {
  int was_alone = 0;
  const double begin = MPI_Wtime(), least = 0.1, end = begin + 20;
  for (int mine = 1, theirs = 1; mine || theirs;) {
    const double now = MPI_Wtime();
    was_alone |= !mpispec_is_oversubscribed();
    const int is = expected ? mpispec_is_oversubscribed() : !was_alone;
    mine = now < begin + least || (is != expected && now < end);
    if (rank)
      MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep(late);
    MPI_Send(&mine, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
    if (!rank)
      MPI_Recv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  CHECK(expected ? mpispec_is_oversubscribed() : was_alone);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  has_many_processors = !strcmp(argv[1], "many-processors");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int at_init = mpispec_is_oversubscribed();
  CHECK(at_init == (!strcmp(argv[1], "one-processor") || !strcmp(argv[1], "apart-later") || has_many_processors));
  CHECK(mpispec_progress_was_oversubscribed() == at_init);
  CHECK(mpispec_wait_has_polled(mpispec_first_round()) == at_init);
  CHECK(at_init || mpispec_first_round() == 0);
  if (!strcmp(argv[1], "later")) {
    bind_to(0);
    exchange_until(1, 0);
  }
  if (!strcmp(argv[1], "apart-later")) { /* as with many ranks to a processor, which sleep and do not yield */
    CHECK(mpispec_awake_rounds > 8);
    mpispec_awake_rounds = 8;
    bind_to(rank);
    exchange_until(0, 300);
  }
  CHECK(mpispec_progress_was_oversubscribed() == at_init);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 taskset -c 0 %t one-processor | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 taskset -c 0,1 %t two-processors | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 taskset -c 0,1 %t later | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 taskset -c 0 %t apart-later | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 taskset -c 0 %t one-processor : -n 1 taskset -c 0 %t many-processors | FileCheck %s
// CHECK: passed
// CHECK: passed
