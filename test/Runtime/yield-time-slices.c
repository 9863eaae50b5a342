/* Ranks that share a core with a program that computes request the shortest slices while they wait. Afterwards they have
 * their own slices, and their priority stays what it was. A thread with another policy than the usual one keeps its
 * slices, and so does a rank without such a neighbour. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
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

/* Linked in front of the C library's. */
static int requests;
long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i)
    a[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_sched_setattr)
    requests += ((const struct scheduling *)a[1])->slice == SHORTEST;
  static long (*next)(long, ...);
  if (!next)
    next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void bind_to_first_core(void) {
  cpu_set_t set;
  CHECK(!sched_getaffinity(0, sizeof set, &set));
  int core = 0;
  while (!CPU_ISSET(core, &set))
    ++core;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  CHECK(!sched_setaffinity(0, sizeof set, &set));
}

/* A process on this core that computes until its parent has ended, or for a minute. */
static pid_t start_neighbour(void) {
  const pid_t parent = getpid(), child = fork();
  if (child)
    return child;
  alarm(60);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (getppid() == parent)
    for (volatile int i = 0; i < 1000000; ++i)
      ;
  _exit(0);
}

static void wait_in_turn(int rounds) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < rounds; ++i) {
    int word = i, got = -1;
    if (rank == i % size)
      usleep(1000);
    MPI_Sendrecv(&word, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(got == i);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  const int is_batch = !strcmp(argv[1], "batch"), is_crowded = strcmp(argv[1], "apart") != 0;
  const struct sched_param none = {0};
  pid_t neighbour = 0;
  if (is_crowded)
    bind_to_first_core();
  CHECK(setpriority(PRIO_PROCESS, 0, 5) == 0);
  CHECK(!is_batch || sched_setscheduler(0, SCHED_BATCH, &none) == 0);
  const struct scheduling before = own();
  MPI_Init(&argc, &argv);
  if (is_crowded)
    neighbour = start_neighbour();
  wait_in_turn(is_crowded ? 60 : 10);
  const struct scheduling after = own();
  CHECK(after.policy == before.policy && after.nice == 5 && after.slice == before.slice);
  CHECK(is_batch ? !requests : !is_crowded || requests);
  if (neighbour)
    kill(neighbour, SIGKILL);
  MPI_Finalize();
  return passed();
}

// A sanitizer makes system calls before the test's function can find the next one.
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// DEFINE: %{job} = env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=60 %mpirun -n 2 %t
// RUN: %{job} computes | FileCheck %s
// RUN: %{job} batch | FileCheck %s
// RUN: %{job} apart | FileCheck %s
// CHECK: passed
