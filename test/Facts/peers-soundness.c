// Where the peer may or may not be the caller, nothing is proven.
#include <mpi.h>
#include <stdlib.h>

double b[8];
int global_rank;
void opaque(void);
void keep(int *);
int decide(void);

void ring_of_any_size(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Send(b, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, rank == size - 1 ? 0 : rank + 1, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, size - 1, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++)
    MPI_Send(b, 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
  if (size > 1)
    MPI_Send(b, 1, MPI_DOUBLE, (rank + 2) % size, 0, MPI_COMM_WORLD); /* 2 ranks: itself */
}

void rank_that_may_have_changed(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &global_rank);
  opaque();
  MPI_Send(b, 1, MPI_DOUBLE, global_rank, 0, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  keep(&rank);
  opaque();
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
}

/* MPI_Abort may return (MPI-4.0, section 9.5). */
void abort_returns(int dest) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (dest == rank)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Send(b, 1, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
}

void alone(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Send(b, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
}

/* The text is in two places, one of them an error path that does not return. */
static void tell(int dest) { MPI_Send(b, 1, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD); }
void error_path(int dest) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (dest < 0) {
    tell(rank + 1);
    exit(1);
  }
  tell(dest);
}

/* One copy with 1, one with any other: the text is one. */
static void to(int dest, int rank) {
  if (rank == 0)
    MPI_Send(b, 1, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
}
void copies_differ(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  to(1, rank);
  to(decide(), rank);
}

/* Before MPI_Comm_rank has run the variable holds something else. */
void not_yet_known(int early) {
  int rank = 0;
  if (!early)
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
}

/* One of the sides may be the caller; a ring of any size; two that differ, but neither from the rank. */
void above_or_at(int up, int flag, int low, int high, int other) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Send(b, 1, MPI_DOUBLE, up ? rank + 1 : rank, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, up ? (rank + 1) % size : (rank - 1 + size) % size, 0, MPI_COMM_WORLD);
  if (other < rank || other >= rank)
    MPI_Send(b, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  if (other < low || other > rank)
    MPI_Send(b, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  if (low < high || low > high)
    MPI_Send(b, 1, MPI_DOUBLE, low, 0, MPI_COMM_WORLD);
  if (!(low < rank || low > high))
    MPI_Send(b, 1, MPI_DOUBLE, low, 0, MPI_COMM_WORLD);
  int next = rank + 1;
  if (next >= size)
    next -= size;
  MPI_Send(b, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
  if (size > 1)
    MPI_Send(b, 1, MPI_DOUBLE, (rank + (up ? size - 2 : 2)) % size, 0, MPI_COMM_WORLD); /* 2 ranks: itself */
}

/* A step that may be 0, the size, or a multiple of it. */
void any_step(int distance, MPI_Comm other, unsigned many) {
  int rank, size, others;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_size(other, &others);
  for (int k = 0; k < size; k++)
    MPI_Send(b, 1, MPI_DOUBLE, (rank + k) % size, 0, MPI_COMM_WORLD);
  for (int k = 1; k <= size; k++)
    MPI_Recv(b, 1, MPI_DOUBLE, (rank - k + size) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = 1; k < size; k++) {
    MPI_Send(b, 1, MPI_DOUBLE, (rank + 2 * k) % size, 0, MPI_COMM_WORLD);
    MPI_Send(b, 1, MPI_DOUBLE, (rank + k) % others, 0, MPI_COMM_WORLD);
    MPI_Send(b, 1, MPI_DOUBLE, (rank + k) % size, 0, other);
    MPI_Send(b, 1, MPI_DOUBLE, (rank + k - 1) % size, 0, MPI_COMM_WORLD);
  }
  for (unsigned k = 1; k < many; k++)
    MPI_Send(b, 1, MPI_DOUBLE, (rank + k) % size, 0, MPI_COMM_WORLD);
  if (distance > 0)
    MPI_Send(b, 1, MPI_DOUBLE, (rank + distance) % size, 0, MPI_COMM_WORLD);
  if (distance < size)
    MPI_Send(b, 1, MPI_DOUBLE, (rank + distance) % size, 0, MPI_COMM_WORLD);
  for (int k = 1; k < others; k++) {
    int peer = rank + k;
    if (peer >= size)
      peer -= size;
    MPI_Send(b, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
  }
}

// RUN: %facts %check
// CHECK-NOT: node=
// CHECK:     6: copies=1
// CHECK-NOT: node=
// CHECK:     12: copies=1
// CHECK-NOT: node=
// CHECK:     20: copies=1
// CHECK-NOT: node=
// CHECK:     30: copies=1
// CHECK-NOT: node=
