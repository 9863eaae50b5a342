/* Ranks that share a processor yield while the MPI library polls, in each way that a program gets the runtime. They
 * do not yield with MPISPEC_YIELD=never. They do not if the program defines the library's polling function, either. The
 * definition may be in an object or in an archive, as in a static UCX. A reduction by the program's own operation is
 * always the library's. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OWN_DEFINITION
extern long calls;
#endif
#ifdef DEFINES
#define _GNU_SOURCE
#include <dlfcn.h>
long calls;
unsigned ucp_worker_progress(void *worker) {
  static unsigned (*next)(void *);
  if (!next)
    next = (unsigned (*)(void *))dlsym(dlopen("libucp.so.0", RTLD_LAZY), "ucp_worker_progress");
  ++calls;
  return next(worker);
}
#else
static void add(void *in, void *inout, int *length, MPI_Datatype *type) {
  for (int i = 0; i < *length; ++i)
    ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Op own;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Op_create(add, 1, &own);
  for (int i = 0; i < 10; ++i) {
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, own, MPI_COMM_WORLD);
    if (sum != size)
      printf("rank %d has %d\n", rank, sum);
  }
  MPI_Op_free(&own);
  MPI_Finalize();
#ifdef OWN_DEFINITION
  if (!rank)
    puts(calls ? "own definition: called" : "own definition: not called");
#endif
  return 0;
}
#endif

// The launcher of tests preloads a library that yields (polite-library.c); here it must not.
// Preloads into programs that know nothing of a sanitizer; another library polls by other means.
// UNSUPPORTED: sanitizer
// REQUIRES: mpich4
// RUN: %mpicc -w %s -o %t.plain
// RUN: %mpicc -w %s -o %t.static %runtime
// RUN: %mpicc -w %s -o %t.shared %runtime-shared
// RUN: %mpicc -w -DDEFINES -c %s -o %t.o && rm -f %t.a && ar rc %t.a %t.o
// RUN: %mpicc -w -DOWN_DEFINITION %s %t.o -o %t.own %runtime -ldl
// RUN: %mpicc -w -DOWN_DEFINITION %s %t.a -o %t.before %runtime -ldl
// RUN: %mpicc -w -DOWN_DEFINITION %s -o %t.behind %runtime %t.a -ldl
// RUN: env MPISPEC_VERBOSE=1 LD_PRELOAD=%library-shared taskset -c 0 %mpirun -n 3 %t.plain > %t.out 2>&1
// RUN: FileCheck %s --check-prefix=YIELDS < %t.out
// RUN: for kind in static shared; do \
// RUN:   env LD_PRELOAD= MPISPEC_VERBOSE=1 taskset -c 0 %mpirun -n 3 %t.$kind > %t.out 2>&1 && \
// RUN:   FileCheck %s --check-prefix=YIELDS < %t.out || exit 1; done
// RUN: env LD_PRELOAD= MPISPEC_VERBOSE=1 MPISPEC_YIELD=never taskset -c 0 %mpirun -n 2 %t.static > %t.out 2>&1
// RUN: FileCheck %s --check-prefix=NEVER < %t.out
// RUN: for kind in own before behind; do \
// RUN:   env LD_PRELOAD= MPISPEC_VERBOSE=1 taskset -c 0 %mpirun -n 2 %t.$kind > %t.out 2>&1 && \
// RUN:   FileCheck %s --check-prefix=OWN < %t.out || exit 1; done
// RUN: env LD_PRELOAD= MPISPEC_VERBOSE=1 MPISPEC_MODE=off %mpirun -n 1 %t.static > %t.out 2>&1
// RUN: FileCheck %s --check-prefix=OFF < %t.out
// YIELDS-NOT: rank {{[0-9]+}} has
// YIELDS: the MPI library: yields while it polls, by ucp_worker_progress
// YIELDS: mpispec: yields while the MPI library polled: {{[1-9]}}
// NEVER: the MPI library: polls as without mpispec
// NEVER-NOT: yields
// OWN: the MPI library: cannot be made to yield while it polls
// OWN-NOT: yields while
// OWN: own definition: called
// OFF-NOT: yields
