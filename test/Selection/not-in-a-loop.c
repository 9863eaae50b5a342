// The body of a collective operation is large: only calls that may be made often get one.
#include <mpi.h>
#include <stdio.h>

double parameters[4], part, total, least;

/* Read once: left. */
static void read_input(void) {
  if (scanf("%lf", &parameters[0]) == 1)
    MPI_Bcast(parameters, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* A loop of another file may call it: inlined. */
double sum(double x) {
  double all;
  MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* One after another, a summary: left. */
void summary(void) {
  MPI_Reduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&part, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
}

/* The same in a loop: inlined. And messages are, anywhere. */
void steps(int n, int left, int right) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) {
    MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&part, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  }
  MPI_Sendrecv(&part, 1, MPI_DOUBLE, right, 0, &total, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/* Probes in a loop: inlined. Elsewhere: left. */
void poll(int *flag) {
  MPI_Iprobe(0, 0, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE);
  while (!*flag)
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  read_input();
  MPI_Send(&part, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  return MPI_Finalize();
}

// RUN: %analyze explain --print=choices -- -I%inputs/mpi-mpich-style %s | FileCheck %s
// CHECK:      site 0: left as it is
// CHECK-NEXT: not-in-a-loop: the call is executed once at most
// CHECK-NEXT: site 1: Allreduce{{$}}
// CHECK-NEXT: site 2: left as it is
// CHECK-NEXT: not-in-a-loop: the call is in no loop, and 'summary' has 1 more collective operation:
// CHECK-NEXT: site 3: left as it is
// CHECK-NEXT: not-in-a-loop
// CHECK-NEXT: site 4: left as it is
// CHECK-NEXT: not-in-a-loop: the call is in no loop, and 'steps' has 2 more collective operations:
// CHECK-NEXT: site 5: Allreduce{{$}}
// CHECK-NEXT: site 6: Allreduce{{$}}
// CHECK-NEXT: site 7: Sendrecv{{$}}
// CHECK:      site 8: left as it is
// CHECK-NEXT: not-in-a-loop: the call is in no loop: --mpispec-inline-all inlines it
// CHECK-NEXT: site 9: Iprobe{{$}}
// CHECK:      site 10: Send{{$}}

// With the option, all are inlined.
// RUN: %mpispec --mpispec-inline-all explain --print=choices %s -- -O2 | FileCheck --check-prefix=ALL %s
// ALL-NOT: not-in-a-loop

// RUN: rm -rf %t && mkdir -p %t
// RUN: %mpispec --mpispec-save=%t/some mpicc -O2 -c %s -o %t/some.o
// RUN: %mpispec --mpispec-save=%t/all --mpispec-inline-all mpicc -O2 -c %s -o %t/all.o
// RUN: grep -q 'mpispec_Reduce(send_buffer,' %t/all/*/rewritten.i
// RUN: not grep 'mpispec_Reduce(send_buffer,' %t/some/*/rewritten.i
// RUN: grep -q 'mpispec_Allreduce(send_buffer,' %t/some/*/rewritten.i
