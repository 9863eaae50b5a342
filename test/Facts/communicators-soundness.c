// A rank in one communicator says nothing about another, even in the same variable.
#include <mpi.h>

double b[8];

void another(void) {
  MPI_Comm row;
  int rank;
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &row);
  MPI_Comm_rank(row, &rank);
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, row);
}

void made_again(void) {
  MPI_Comm row;
  int rank;
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &row);
  MPI_Comm_rank(row, &rank);
  MPI_Comm_free(&row);
  MPI_Comm_split(MPI_COMM_WORLD, 1, 0, &row);
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, row);
  MPI_Send(b, 1, MPI_DOUBLE, rank + 1, 0, row);
  if (rank > 0)
    MPI_Send(b, 1, MPI_DOUBLE, 0, 0, row);
}

void duplicated(void) {
  MPI_Comm twin;
  int rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, twin); /* true, but nobody told the optimizer */
  MPI_Comm_free(&twin);
}

MPI_Comm global_comm;
void opaque(void);
void replaced_behind_our_back(void) {
  int rank;
  MPI_Comm_rank(global_comm, &rank);
  opaque();
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, global_comm);
}

// RUN: %facts %check
// CHECK:     0:
// CHECK-NOT: node=
// CHECK:     6:
// CHECK-NOT: node=
