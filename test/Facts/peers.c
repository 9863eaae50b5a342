// Remote: the peer is never the caller. Local: it always is.
#include <mpi.h>
#include <stdlib.h>

double b[8];

void master_worker(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int i = 1; i < size; i++)
      MPI_Send(b, 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(b, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(b, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD);
}

void line(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0)
    MPI_Recv(b, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank < size - 1)
    MPI_Send(b, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
  int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
  int right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
  MPI_Sendrecv(b, 1, MPI_DOUBLE, right, 0, b + 1, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

void ring(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2)
    exit(1);
  MPI_Send(b, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Recv(b, 1, MPI_DOUBLE, (rank - 1 + size) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(b, 1, MPI_DOUBLE, rank == size - 1 ? 0 : rank + 1, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, rank == 0 ? size - 1 : rank - 1, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, rank < size - 1 ? rank + 1 : 0, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, rank > 0 ? rank - 1 : size - 1, 0, MPI_COMM_WORLD);
}

void everybody_else(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) {
    if (i == rank)
      MPI_Send(b, 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
    else
      MPI_Send(b, 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
  }
}

/* HPC Challenge's macros, and others' ways to say the same. */
#define MModAdd1(I, d) (((I) != (d)-1) ? (I) + 1 : 0)
#define MModSub1(I, d) (((I) != 0) ? (I)-1 : (d)-1)
void ring_of_several(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size <= 1)
    return;
  MPI_Send(b, 1, MPI_DOUBLE, MModAdd1(rank, size), 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, MModSub1(rank, size), 0, MPI_COMM_WORLD);
  int next = rank + 1;
  if (next >= size)
    next -= size;
  MPI_Send(b, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
  int previous = rank - 1;
  if (previous < 0)
    previous += size;
  MPI_Send(b, 1, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD);
}

void above_or_below(int up, int flag, int low, int high, int other) {
  int rank, size, peer;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Send(b, 1, MPI_DOUBLE, up ? rank + 1 : rank - 1, 0, MPI_COMM_WORLD);
  if (other < rank || other > rank)
    MPI_Send(b, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  if (size > 1)
    MPI_Send(b, 1, MPI_DOUBLE, up ? (rank + 1) % size : (rank - 1 + size) % size, 0, MPI_COMM_WORLD);
  for (int client = low; client <= high; client++)
    for (int server = low; server <= high; server++)
      if ((flag <= 0 && server > client) || (flag >= 0 && server < client)) {
        if (rank == client)
          MPI_Send(b, 1, MPI_DOUBLE, server, 0, MPI_COMM_WORLD);
        if (rank == server)
          MPI_Send(b, 1, MPI_DOUBLE, client, 0, MPI_COMM_WORLD);
      }
}

/* A step that is a variable, but between 0 and the size. */
void any_step(int distance) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 1; k < size; k++) {
    MPI_Send(b, 1, MPI_DOUBLE, (rank + k) % size, 0, MPI_COMM_WORLD);
    MPI_Send(b, 1, MPI_DOUBLE, (rank - k + size) % size, 0, MPI_COMM_WORLD);
    MPI_Recv(b, 1, MPI_DOUBLE, (rank + k) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(b, 1, MPI_DOUBLE, (size - k + rank) % size, 0, MPI_COMM_WORLD);
    int peer = rank + k;
    if (peer >= size)
      peer -= size;
    MPI_Send(b, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
  }
  for (int k = 0; k < size - 1; k++)
    MPI_Send(b, 1, MPI_DOUBLE, (rank + k + 1) % size, 0, MPI_COMM_WORLD);
  if (distance > 0 && distance < size)
    MPI_Send(b, 1, MPI_DOUBLE, (rank + distance) % size, 0, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK:      0: {{.*}} peer=[1, 2147483647] {{.*}} node=remote
// CHECK-NEXT: 1: {{.*}} node=remote
// CHECK-NEXT: 2: {{.*}} node=local (peer is rank(MPI_COMM_WORLD))
// CHECK-NEXT: 3: {{.*}} node=remote (peer is never rank(MPI_COMM_WORLD))
// CHECK-NEXT: 4: {{.*}} node=remote
// CHECK-NEXT: 5: {{.*}} node=remote
// CHECK-NEXT: 6: {{.*}} node=remote {{.*}} | {{.*}} node=remote
// CHECK-NEXT: 7: {{.*}} node=remote
// CHECK-NEXT: 8: {{.*}} node=remote
// CHECK-NEXT: 9: {{.*}} node=remote
// CHECK-NEXT: 10: {{.*}} node=remote
// CHECK-NEXT: 11: {{.*}} node=remote
// CHECK-NEXT: 12: {{.*}} node=remote
// CHECK-NEXT: 13: {{.*}} node=local
// CHECK-NEXT: 14: {{.*}} node=remote
// CHECK-NEXT: 15: {{.*}} node=remote
// CHECK-NEXT: 16: {{.*}} node=remote
// CHECK-NEXT: 17: {{.*}} node=remote
// CHECK-NEXT: 18: {{.*}} node=remote
// CHECK-NEXT: 19: {{.*}} node=remote
// CHECK-NEXT: 20: {{.*}} node=remote
// CHECK-NEXT: 21: {{.*}} node=remote
// CHECK-NEXT: 22: {{.*}} node=remote
// CHECK-NEXT: 23: {{.*}} node=remote
// CHECK-NEXT: 24: {{.*}} node=remote
// CHECK-NEXT: 25: {{.*}} node=remote
// CHECK-NEXT: 26: {{.*}} node=remote
// CHECK-NEXT: 27: {{.*}} node=remote
// CHECK-NEXT: 28: {{.*}} node=remote
// CHECK-NEXT: 29: {{.*}} node=remote
// CHECK-NEXT: 30: {{.*}} node=remote
