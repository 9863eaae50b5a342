// The contents of arrays of counts, lengths and datatypes; null addresses of calls that are made otherwise.
#include <mpi.h>

extern int b[8], c[8];
extern int z[8];

void lengths(int n) {
  MPI_Aint places[3] = {0, 8, 16};
  MPI_Datatype type;
  int written[3] = {1, 1, -1};
  MPI_Type_indexed(3, written, z, MPI_INT, &type);
  // CHECK: arrays.c:[[@LINE-1]]:3: warning: MPI_Type_indexed: array of lengths has -1 at 2; a length is 0 or more
  static const int fixed[3] = {1, -4, 2};
  MPI_Type_create_hindexed(3, fixed, places, MPI_INT, &type);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Type_create_hindexed: array of lengths has -4 at 1
  MPI_Datatype types[3] = {MPI_INT, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  int one[3] = {1, 0, 2};
  MPI_Type_create_struct(3, one, places, types, &type);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Type_create_struct: array of datatypes has MPI_DATATYPE_NULL at 2; use datatypes

  // Not looked at by MPI, or perhaps overwritten.
  MPI_Type_indexed(2, written, z, MPI_INT, &type);
  MPI_Type_indexed(n, written, z, MPI_INT, &type);
  MPI_Type_create_struct(2, one, places, types, &type);
  written[n] = 3;
  MPI_Type_indexed(3, written, z, MPI_INT, &type);
}

void counts(MPI_Comm comm, int n) {
  int first[4] = {-3, 1, 1, 1}, last[4] = {1, 1, 1, -3}, none[4] = {0, 0, 0, 0};
  MPI_Datatype types[1] = {MPI_DATATYPE_NULL};
  MPI_Alltoallv(b, first, z, MPI_INT, c, z, z, MPI_INT, comm);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Alltoallv: send counts has -3 at 0; a count is 0 or more
  MPI_Gatherv(b, 1, MPI_INT, c, z, z, MPI_INT, 0, comm);
  MPI_Allgatherv(b, 1, MPI_INT, c, z, z, MPI_DATATYPE_NULL, comm);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Allgatherv: receive datatype is MPI_DATATYPE_NULL
  MPI_Alltoallw(b, last, z, types, c, none, z, types, comm);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Alltoallw: send datatypes has MPI_DATATYPE_NULL at 0
  MPI_Reduce_scatter(b, c, z, MPI_DATATYPE_NULL, MPI_SUM, comm);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Reduce_scatter: datatype is MPI_DATATYPE_NULL

  // One process has one count; where another process is the root, or its own buffer is the other's, nobody looks.
  MPI_Alltoallv(b, last, z, MPI_INT, c, none, z, MPI_INT, comm);
  MPI_Alltoallv(MPI_IN_PLACE, first, z, MPI_DATATYPE_NULL, c, none, z, MPI_INT, comm);
  MPI_Gatherv(b, 1, MPI_INT, 0, first, 0, MPI_DATATYPE_NULL, n, comm);
  MPI_Neighbor_alltoallv(b, first, z, MPI_DATATYPE_NULL, c, z, z, MPI_DATATYPE_NULL, comm);
}

static void rank(MPI_Comm comm, int *where) { MPI_Comm_rank(comm, where); }
// CHECK-NEXT: arrays.c:[[@LINE-1]]:47: warning: MPI_Comm_rank: rank is null; give the address of an int

int null(MPI_Comm comm, int n, int *where) {
  MPI_Win win;
  int size = 0;
  if (n == 1)
    rank(comm, 0);
  if (n == 2)
    MPI_Comm_size(comm, 0);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:5: warning: MPI_Comm_size: size is null
  MPI_Win_create(0, 8, 1, MPI_INFO_NULL, comm, &win);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Win_create: buffer is null, but the window's length is not 0
  MPI_Pack(0, 1, MPI_INT, b, 8, &size, comm);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Pack: buffer is null, but its count is not 0
  MPI_Reduce_local(b, 0, 1, MPI_INT, MPI_SUM);
  // CHECK-NEXT: arrays.c:[[@LINE-1]]:3: warning: MPI_Reduce_local: receive buffer is null

  MPI_Win_create(0, 0, 1, MPI_INFO_NULL, comm, &win);
  MPI_Win_create(0, n, 1, MPI_INFO_NULL, comm, &win);
  MPI_Pack(0, 0, MPI_INT, b, 8, &size, comm);
  MPI_Comm_rank(comm, where);
  MPI_Comm_size(comm, n ? &size : where);
  return size;
}
// CHECK-NOT: warning

// RUN: %warnings %check
