/* A job whose two ranks are threads of one process, each with a runtime of its own: every message
 * in all its kinds, and both its ends under the eyes of one sanitizer. Inputs/rank.c is a rank.
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
  return passed();
}

// REQUIRES: sanitizer
// DEFINE: %{wrap} = -Wl,--wrap=mpispec_segment_create,--wrap=mpispec_segment_attach
// RUN: %mpicc %include -fPIC -shared %tool/rank.c -I%S %runtime -Wl,-Bsymbolic %{wrap} \
// RUN:   -Wl,--wrap=mpispec_segment_detach -o %t.rank0.so
// RUN: cp %t.rank0.so %t.rank1.so
// RUN: %mpicc %s -o %t -lpthread
// DEFINE: %{ranks} = env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 %t %t.rank0.so %t.rank1.so
// RUN: %{ranks} read 1 800 2>&1 | FileCheck %s
// RUN: %{ranks} pipe 1 800 2>&1 | FileCheck %s
// RUN: %{ranks} read 3 150 2>&1 | FileCheck %s
// RUN: %{ranks} pipe 3 150 2>&1 | FileCheck %s
// CHECK: lanes are open
// CHECK: passed
