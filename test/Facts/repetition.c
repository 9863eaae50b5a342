// How often a call is executed: loops around it, and around the calls of its function.
#include <mpi.h>
#include <stdlib.h>

double b[8];

static void twice(int n) {
  if (n)
    MPI_Send(b, 1, MPI_DOUBLE, 1, n, MPI_COMM_WORLD);
}

static __attribute__((noinline)) void set_up(void) {
  MPI_Send(b, 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}

static __attribute__((noinline)) void step(void) {
  MPI_Send(b, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}

static int compare(const void *x, const void *y) {
  MPI_Send(b, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  return *(const double *)x < *(const double *)y;
}

static void descend(int n) {
  MPI_Send(b, 5, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (n > 0) {
    descend(n / 2);
    descend(n / 3);
  }
}

void exchange(void) { MPI_Send(b, 6, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }

void iterate(void) { MPI_Send(b, 7, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Send(b, 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  twice(argc);
  set_up();
  descend(argc);
  for (int i = 0; i < argc; ++i) {
    step();
    iterate();
  }
  qsort(b, 8, sizeof *b, compare);
again:
  MPI_Send(b, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (b[0] > 0)
    goto again;
  return MPI_Finalize();
}

// RUN: %facts %check
// CHECK:      0: copies=1 once {{.*}}| count=1
// CHECK-NEXT: 1: copies=1 once {{.*}}| count=2
// CHECK-NEXT: 2: copies=1 repeated {{.*}}| count=3
// CHECK-NEXT: 3: copies=1 {{(comm=.*)?}}| count=4
// CHECK-NEXT: 4: copies={{[0-9]+}} repeated {{.*}}| count=5
// CHECK-NEXT: 5: copies=1 {{(comm=.*)?}}| count=6
// CHECK-NEXT: 6: copies=2 repeated {{.*}}| count=7
// CHECK-NEXT: 7: copies=1 once {{.*}}| count=8
// CHECK-NEXT: 8: copies=1 repeated {{.*}}| count=1
