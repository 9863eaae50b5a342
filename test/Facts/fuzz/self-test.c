/* self-test.c - a program with one fact of each kind, for `fuzz.py --self-test` to corrupt */
#include <mpi.h>
#include <stdio.h>

static double buffer[512];

int main(int argc, char **argv) {
  int rank, size, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 1; i < 100; i++)
    MPI_Send(buffer, i, MPI_DOUBLE, rank, i, MPI_COMM_WORLD);
  MPI_Recv(buffer, 4, MPI_INT, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(buffer, argc > 1 ? 200 : 300, MPI_DOUBLE, rank, 2, buffer + 300, 5, MPI_INT, rank ^ 1, 2,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(buffer, 6, MPI_FLOAT, 2, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
