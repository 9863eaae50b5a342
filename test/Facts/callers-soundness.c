// Callers that disagree, cannot be seen, or come through a pointer.
#include <mpi.h>

double buffer[200];

static void two_callers(int count) { MPI_Send(buffer, count, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD); }

/* Inlined below with 10; but this copy stays for other translation units. */
void not_static(int count) { MPI_Send(buffer, count, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD); }

static void through_pointer(int count) {
  MPI_Send(buffer, count, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
}
void (*callback)(int) = through_pointer;

__attribute__((noinline)) static void never_called_alike(int count, MPI_Datatype type) {
  MPI_Send(buffer, count, type, 1, 4, MPI_COMM_WORLD);
}

void run(int n) {
  two_callers(10);
  two_callers(n);
  not_static(10);
  through_pointer(10);
  never_called_alike(10, MPI_INT);
  never_called_alike(10, MPI_DOUBLE);
}

// RUN: %facts %check
// CHECK:      0: copies=2 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=1 (literal){{$}}
// CHECK:      1: copies=2 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=2 (literal){{$}}
// CHECK:      2: copies=2 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=3 (literal){{$}}
// CHECK:      3: copies=1 {{[^|]*}}| count=10 (all callers agree on 'count') peer=1 (literal) tag=4 (literal){{$}}
