// Conditions and loops give ranges; a range on one side of the short bound (256 bytes) is enough.
#include <mpi.h>

extern double buffer[];

void send(int n) {
  if (n < 30)
    MPI_Send(buffer, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  else if (n > 1000)
    MPI_Send(buffer, n, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  else
    MPI_Send(buffer, n, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  for (int i = 1; i <= 16; i *= 2)
    MPI_Send(buffer, i, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  for (int i = 0; i < 10; ++i)
    MPI_Send(buffer + i, 1, MPI_DOUBLE, i, i, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK:      0: {{.*}} count=[0, 29] (callers of and conditions on 'n') {{.*}} bytes=[0, 232] {{.*}} size=short
// CHECK-NEXT: 1: {{.*}} count=[1001, 2147483647] {{.*}} size=long
// CHECK-NEXT: 2: {{.*}} count=[30, 1000] {{.*}} bytes=[240, 8000] (optimizer){{$}}
// CHECK-NEXT: 3: {{.*}} size=short
// CHECK-NEXT: 4: {{.*}} peer=[0, 9] (conditions on and loop bounds of 'i') tag=[0, 9]
