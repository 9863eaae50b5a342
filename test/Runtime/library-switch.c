/* The switch of Open MPI by which ranks that share a processor yield. It is on during the runtime's own blocking call
 * in MPI_Init, and off when MPI_Init returns. With two threads in blocking functions, it stays on when the first of
 * them leaves. The runtime leaves the switch alone if the user has chosen its value. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

static _Bool (*next)(_Bool yields);
static int has_turned_on;

_Bool opal_progress_set_yield_when_idle(_Bool yields) {
  if (!next)
    next = (_Bool(*)(_Bool))dlsym(RTLD_NEXT, "opal_progress_set_yield_when_idle");
  has_turned_on |= yields;
  return next(yields);
}

static const char *directory;
static void give_sign(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  const int file = creat(path, 0600);
  CHECK(file >= 0 && !close(file));
}

static void await_sign(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  while (access(path, F_OK))
    usleep(1000);
}

/* The yields of rank 0's two threads in the library. The first one leaves first. */
enum thread { NEITHER, FIRST, SECOND };
static _Thread_local enum thread thread;
static _Atomic long yields_first, yields_alone;
static _Atomic int has_left;

int sched_yield(void) {
  if (thread == FIRST)
    ++yields_first;
  if (thread == SECOND && has_left)
    ++yields_alone;
  return (int)syscall(SYS_sched_yield);
}

/* The program's own operation: the library executes the reduction. */
static void add(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *length; ++i)
    ((int *)inout)[i] += ((int *)in)[i];
}

static MPI_Op own;
static void reduce_as(enum thread which, MPI_Comm communicator) {
  int one = 1, sum = 0;
  thread = which;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, own, communicator);
  thread = NEITHER;
  CHECK(sum == 2);
}

static void *leave_first(void *unused) {
  reduce_as(FIRST, MPI_COMM_WORLD);
  has_left = 1;
  usleep(100 * 1000);
  give_sign("left");
  return unused;
}

static void *give_sign_when_both_are_inside(void *unused) {
  usleep(100 * 1000); /* the second thread sleeps in Open MPI while the first one polls for both */
  give_sign("inside");
  return unused;
}

static void run_threads(MPI_Comm other) {
  pthread_t first, third;
  CHECK(!pthread_create(&first, NULL, leave_first, NULL));
  while (!yields_first)
    usleep(1000);
  CHECK(!pthread_create(&third, NULL, give_sign_when_both_are_inside, NULL));
  reduce_as(SECOND, other);
  CHECK(!pthread_join(first, NULL) && !pthread_join(third, NULL));
  tell("the second thread: %s", yields_alone ? "yields" : "does not yield");
}

static void join_threads(MPI_Comm other) {
  await_sign("inside");
  reduce_as(NEITHER, MPI_COMM_WORLD);
  await_sign("left");
  reduce_as(NEITHER, other);
}

int main(int argc, char **argv) {
  int rank, level;
  MPI_Comm other;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const _Bool is_on = opal_progress_set_yield_when_idle(0);
  opal_progress_set_yield_when_idle(is_on);
  if (!rank)
    tell("in MPI_Init: %s, then %s", has_turned_on ? "on" : "off", is_on ? "on" : "off");
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Op_create(add, 1, &own);
  reduce_as(NEITHER, MPI_COMM_WORLD); /* the runtime agrees on each communicator's first reduction */
  reduce_as(NEITHER, other);
  directory = argc > 1 ? argv[1] : NULL;
  if (directory && level == MPI_THREAD_MULTIPLE)
    (rank ? join_threads : run_threads)(other);
  MPI_Op_free(&own);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}

// The launcher of tests sets the parameter; only the last two runs keep it. The runtime assumes several nodes.
// UNSUPPORTED: sanitizer
// LABEL: core
// REQUIRES: openmpi4
// RUN: %mpicc %s -I%S -o %t %runtime -lpthread -ldl -rdynamic
// RUN: rm -rf %t.signs && mkdir %t.signs
// RUN: echo 'mpi_yield_when_idle = 0' > %t.parameters
// DEFINE: %{run} = env MPIR_CVAR_NUM_CLIQUES=2 taskset -c 0 %mpirun -n 2 --bind-to none env
// DEFINE: %{free} = %{run} -u OMPI_MCA_mpi_yield_when_idle OMPI_MCA_mpi_oversubscribe=0
// RUN: %{free} %t %t.signs | FileCheck %s
// RUN: %{free} MPISPEC_YIELD=never %t | FileCheck %s --check-prefix=OFF
// RUN: %{free} OMPI_MCA_mca_base_param_files=%t.parameters %t | FileCheck %s --check-prefix=OFF
// RUN: %{run} OMPI_MCA_mpi_yield_when_idle=0 %t | FileCheck %s --check-prefix=OFF
// RUN: %{run} OMPI_MCA_mpi_yield_when_idle=1 %t | FileCheck %s --check-prefix=ON
// CHECK: in MPI_Init: on, then off
// CHECK: the second thread: yields
// OFF: in MPI_Init: off, then off
// ON: in MPI_Init: on, then on
