// A condition proves nothing about a variable that may have changed since.
#include <mpi.h>

extern double buffer[];
extern int n;
void opaque(void);

void send(int m) {
  if (n < 30) {
    opaque();
    MPI_Send(buffer, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  }
  if (m < 30)
    opaque();
  MPI_Send(buffer, m, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  if (m < 30 || m > 1000)
    MPI_Send(buffer, m, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  if (m <= 32)
    MPI_Send(buffer, m, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD); /* 256 bytes are short */
  if (m <= 33)
    MPI_Send(buffer, m, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK-NOT: size=
// CHECK:     3: {{.*}} size=short
// CHECK-NOT: size=
