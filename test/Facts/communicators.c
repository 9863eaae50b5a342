// Facts about peers are facts about one communicator: here a variable and MPI_COMM_SELF.
#include <mpi.h>

double b[8];

void split(void) {
  MPI_Comm row;
  int rank, size;
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &row);
  MPI_Comm_rank(row, &rank);
  MPI_Comm_size(row, &size);
  if (rank == 0) {
    for (int i = 1; i < size; i++)
      MPI_Send(b, 1, MPI_DOUBLE, i, 0, row);
  } else
    MPI_Recv(b, 1, MPI_DOUBLE, 0, 0, row, MPI_STATUS_IGNORE);
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, row);
  MPI_Comm_free(&row);
}

void self(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_SELF, &rank);
  MPI_Comm_size(MPI_COMM_SELF, &size);
  MPI_Send(b, size, MPI_DOUBLE, 0, rank, MPI_COMM_SELF);
}

/* A parameter is a communicator like any other. */
void parameter(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Send(b, 1, MPI_DOUBLE, rank + 1, 0, comm);
}

// RUN: %facts %check
// CHECK:      0: copies=1 repeated | {{.*}} node=remote (peer is never rank(row))
// CHECK-NEXT: 1: copies=1 status-ignored | {{.*}} node=remote (peer is never rank(row))
// CHECK-NEXT: 2: copies=1 | {{.*}} node=local (peer is rank(row))
// CHECK-NEXT: 3: copies=1 comm=MPI_COMM_SELF (macro MPI_COMM_SELF) | count=1 (every value of 'size') {{.*}} tag=0 (every value of 'rank') {{.*}} node=local
// CHECK-NEXT: 4: copies=1 | {{.*}} node=remote
