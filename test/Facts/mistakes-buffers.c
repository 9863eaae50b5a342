// Buffers of collective operations that are wrong in every execution: null, the same twice, a wrong MPI_IN_PLACE, two
// different amounts. An argument that only the root uses is wrong where the root is.
#include <mpi.h>
#include <stdio.h>

double b[8], c[8];
int n[8], m[8];

void everywhere(double *unknown, int *counts) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Send(0, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Send: buffer is null, but its count is not 0; pass the address
  MPI_Bcast(0, 2, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Bcast: buffer is null
  MPI_Allreduce(0, c, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Allreduce: send buffer is null
  MPI_Allreduce(b, 0, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Allreduce: receive buffer is null
  MPI_Allgather(b, 1, MPI_DOUBLE, 0, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Allgather: receive buffer is null
  MPI_Gather(0, 1, MPI_DOUBLE, c, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Gather: send buffer is null
  MPI_Allreduce(unknown, unknown, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Allreduce: send and receive buffer are the same; say MPI_IN_PLACE
  MPI_Alltoall(b, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Alltoall: send and receive buffer are the same
  MPI_Sendrecv(b, 1, MPI_DOUBLE, 1, 0, b, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Sendrecv: send and receive buffer are the same; use MPI_Sendrecv_replace
  MPI_Sendrecv(b, 1, MPI_DOUBLE, (rank + 1) % size, 0, b, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  // CHECK: buffers.c:[[@LINE-2]]:3: warning: MPI_Sendrecv: send and receive buffer are the same; use MPI_Sendrecv_replace
  MPI_Bcast(MPI_IN_PLACE, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Bcast: buffer is MPI_IN_PLACE, which MPI_Bcast does not take there
  MPI_Allreduce(b, MPI_IN_PLACE, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Allreduce: receive buffer is MPI_IN_PLACE
  MPI_Alltoall(b, 2, MPI_INT, c, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Alltoall: elements of 'b' have 8 bytes, but MPI_INT has 4
  // CHECK: buffers.c:[[@LINE-2]]:3: warning: MPI_Alltoall: each process sends 8 bytes to each, but receives 16 from each
  MPI_Allgather(n, 9, MPI_INT, m, 9, MPI_INT, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Allgather: the call describes 36 bytes, more than the buffer object has
  MPI_Gather(n, -1, MPI_INT, m, 1, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Gather: send count is -1
  MPI_Scatter(n, 1, MPI_INT, m, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Scatter: receive datatype is MPI_DATATYPE_NULL
  MPI_Allgatherv(b, 1, MPI_DOUBLE, c, 0, counts, MPI_DOUBLE, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Allgatherv: receive counts is null; give an array with an element for each process
  MPI_Alltoallv(b, counts, 0, MPI_DOUBLE, c, counts, counts, MPI_DOUBLE, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Alltoallv: send displacements is null
}

void root(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    MPI_Gather(n, 1, MPI_INT, 0, 1, MPI_INT, 0, MPI_COMM_WORLD);
    // CHECK: buffers.c:[[@LINE-1]]:5: warning: MPI_Gather: receive buffer is null
    MPI_Scatter(0, 1, MPI_INT, m, 1, MPI_INT, 0, MPI_COMM_WORLD);
    // CHECK: buffers.c:[[@LINE-1]]:5: warning: MPI_Scatter: send buffer is null
    MPI_Reduce(n, n, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    // CHECK: buffers.c:[[@LINE-1]]:5: warning: MPI_Reduce: send and receive buffer are the same
    MPI_Gatherv(n, 1, MPI_INT, m, 0, 0, MPI_INT, 0, MPI_COMM_WORLD);
    // CHECK: buffers.c:[[@LINE-1]]:5: warning: MPI_Gatherv: receive counts is null
    // CHECK: buffers.c:[[@LINE-2]]:5: warning: MPI_Gatherv: receive displacements is null
  } else {
    MPI_Reduce(MPI_IN_PLACE, n, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    // CHECK: buffers.c:[[@LINE-1]]:5: warning: MPI_Reduce: send buffer is MPI_IN_PLACE
    MPI_Scatter(n, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD);
    // CHECK: buffers.c:[[@LINE-1]]:5: warning: MPI_Scatter: receive buffer is MPI_IN_PLACE
  }
  MPI_Bcast(n, 1, MPI_INT, size, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Bcast: root is not below the size of MPI_COMM_WORLD
  MPI_Send(n, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Send: peer is not below the size of MPI_COMM_WORLD
}

/* Every process comes by: the root, too, for which main has a branch. */
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Gather(n, 1, MPI_INT, 0, 1, MPI_INT, 1, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Gather: receive buffer is null
  if (rank != 1)
    printf("%d\n", rank);
  MPI_Scatter(n, 8, MPI_INT, m, 1, MPI_INT, 1, MPI_COMM_WORLD);
  // CHECK: buffers.c:[[@LINE-1]]:3: warning: MPI_Scatter: each process sends 32 bytes to each, but receives 4 from each
  if (argc > 2)
    everywhere(b, n);
  return MPI_Finalize();
}

// RUN: %warnings %check
