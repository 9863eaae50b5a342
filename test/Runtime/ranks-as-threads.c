/* A job whose two ranks are threads of one process, each with a runtime of its own. Every kind of message is sent,
 * and one sanitizer sees both ends of it. Inputs/rank.c is a rank, with Inputs/rank-long.c for long messages.
 *
 *   ranks-as-threads <rank 0's object> <rank 1's> read|pipe <threads of a rank> <rounds> */
#define _GNU_SOURCE
#include "Inputs/rank.h"
#include "check.h"

#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

static struct job job;

struct rank {
  int number;
  void (*run)(struct job *, int);
};

static void *run(void *argument) {
  const struct rank *rank = argument;
  rank->run(&job, rank->number);
  return NULL;
}

/* The ways that bytes of long messages have gone. */
static void tell_ways(void) {
  tell("long messages:%s%s%s", job.filled[0] && job.filled[1] ? " filled" : "",
       job.pulled[0] && job.pulled[1] ? " pulled" : "",
       job.pushed[0] && job.pushed[1] ? " pushed" : "");
}

int main(int argc, char **argv) {
  struct rank ranks[RANKS];
  pthread_t threads[RANKS];
  int provided;
  CHECK(argc == 6);
  job.can_read = !strcmp(argv[3], "read");
  job.threads = atoi(argv[4]);
  job.rounds = atoi(argv[5]);
  pthread_barrier_init(&job.barrier, NULL, RANKS);
  PMPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < RANKS; ++i) {
    void *object = dlopen(argv[1 + i], RTLD_NOW | RTLD_LOCAL);
    CHECK(object);
    ranks[i] = (struct rank){i, (void (*)(struct job *, int))dlsym(object, "rank_main")};
    CHECK(!pthread_create(&threads[i], NULL, run, &ranks[i]));
  }
  for (int i = 0; i < RANKS; ++i)
    pthread_join(threads[i], NULL);
  tell_ways();
  return passed();
}

// LABEL: core
// REQUIRES: sanitizer
// DEFINE: %{wrap} = -Wl,--wrap=mpispec_segment_create,--wrap=mpispec_segment_attach
// RUN: %mpicc %include -fPIC -shared %tool/rank.c %tool/rank-long.c -I%S %runtime -Wl,-Bsymbolic %{wrap} \
// RUN:   -Wl,--wrap=mpispec_segment_detach,--wrap=mpispec_homes_at -o %t.rank0.so
// RUN: cp %t.rank0.so %t.rank1.so
// RUN: %mpicc %s -o %t -lpthread
// DEFINE: %{ranks} = env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 %t %t.rank0.so %t.rank1.so
// RUN: %{ranks} read 1 %if quick %{ 200 %} %else %{ 800 %} 2>&1 | FileCheck %s
// RUN: %{ranks} pipe 1 %if quick %{ 200 %} %else %{ 800 %} 2>&1 | FileCheck %s --check-prefixes=CHECK,PIPE
// RUN: %{ranks} read 3 %if quick %{ 40 %} %else %{ 150 %} 2>&1 | FileCheck %s
// RUN: %{ranks} pipe 3 %if quick %{ 40 %} %else %{ 150 %} 2>&1 | FileCheck %s --check-prefixes=CHECK,PIPE
// RUN: for threads in 1 3; do \
// RUN:   env MPISPEC_LONG_MESSAGES=shared %{ranks} read $threads %if quick %{ 40 %} %else %{ 120 %} 2>&1 | \
// RUN:     FileCheck %s --check-prefixes=CHECK,SHARED && \
// RUN:   env MPISPEC_LONG_MESSAGES=pipe %{ranks} read $threads %if quick %{ 40 %} %else %{ 120 %} 2>&1 | \
// RUN:     FileCheck %s --check-prefixes=CHECK,FILLED || exit 1; done
// CHECK: lanes are open
// PIPE: long messages: filled{{$}}
// SHARED: long messages:{{( filled)?}} pulled pushed
// FILLED: long messages: filled
// CHECK: passed
