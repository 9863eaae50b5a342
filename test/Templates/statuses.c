/* Templates write a status as a type of their own, and programs read it as MPI_Status. A compiler must not conclude
 * that a write by the one never changes the other. */
#include <mpi.h>

#include "mpispec/status.h"

#include <stdio.h>

__attribute__((noinline)) static int change(MPI_Status *status, void *same) {
  const int before = status->MPI_SOURCE;
  mpispec_status_fill((struct mpispec_status *)same, before + 5, 6, 7);
  return status->MPI_SOURCE - before;
}

int main(void) {
  MPI_Status status = {0};
  printf("changed by %d\n", change(&status, &status));
  return 0;
}

// In MPI-5's ABI the state says where a count goes, and here is none.
// REQUIRES: mpich
//
// RUN: for compiler in gcc clang-22; do for level in 0 1 2 3; do \
// RUN:   %behind $compiler mpicc -O$level -I%templates %s -o %t && %t || exit 1; \
// RUN: done; done > %t.out
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='changed by 0'
// CHECK-COUNT-8: changed by 5
