// One text, several element types: no false alarm.
#include <mpi.h>

template <class T> void send(T *data) {
  if (sizeof(T) == sizeof(double))
    MPI_Send(data, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Send(data, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

void run(float *f, double *d) {
  send(f);
  send(d);
}

// RUN: %facts %check
// CHECK-NOT: warning
// CHECK:     1: copies=2
// CHECK-NOT: warning
