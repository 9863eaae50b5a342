// A program may redefine MPI's names and the language's own words. The value of a handle's name at the
// end of the file is no fact about its type.
#define float double
#include <mpi.h>

double b[2000];
#define sent_as_float(COUNT) MPI_Send(b, COUNT, MPI_FLOAT, 1, 0, MPI_COMM_WORLD)
void before(void) {
  sent_as_float(200); /* the library's floats have 4 bytes, whatever this file calls a float */
  MPI_Send(b, 200, MPI_SHORT, 1, 0, MPI_COMM_WORLD);
}
#undef MPI_SHORT
#define MPI_SHORT MPI_LONG
void after(void) {
  MPI_Send(b, 200, MPI_SHORT, 1, 0, MPI_COMM_WORLD);
  MPI_Send(b, 200, MPI_LONG, 1, 0, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK:      0: {{.*}} datatype=MPI_FLOAT {{.*}} bytes=800
// CHECK:      1: copies=1 {{[^|]*}}| count=200 (literal) peer=1 (literal) tag=0 (literal){{$}}
// CHECK-NEXT: 2: copies=1 {{[^|]*}}| count=200 (literal) peer=1 (literal) tag=0 (literal){{$}}
// CHECK-NEXT: 3: copies=1 {{[^|]*}}| count=200 (literal) peer=1 (literal) tag=0 (literal){{$}}
