// A program may redefine MPI's names and the language's own words. The type of a handle is what MPI's header
// calls it, and not what its name means at the end of the file.
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
// CHECK:      1: {{.*}} datatype=MPI_SHORT (macro MPI_SHORT) {{.*}} bytes=400
// CHECK:      2: {{.*}} datatype=MPI_LONG (macro MPI_SHORT) {{.*}} bytes=1600
// CHECK:      3: {{.*}} datatype=MPI_LONG (macro MPI_LONG) {{.*}} bytes=1600
