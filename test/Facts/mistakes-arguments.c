// Arguments of calls that move no messages: numbers that cannot be, and addresses that are missing.
#include <mpi.h>

double b[8], c[8];

static void split(int color, MPI_Comm *comm) {
  MPI_Comm_split(MPI_COMM_WORLD, color, 0, comm);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Comm_split: color is -10; use 0 or more, or MPI_UNDEFINED
}

void constructors(MPI_Group group, const int *lengths) {
  MPI_Comm comm;
  MPI_Datatype type;
  split(-10, &comm);
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, 0);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Comm_split: new communicator is null; give the address of a communicator
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Comm_create: group is MPI_GROUP_NULL; use a group
  MPI_Group_incl(group, -1, lengths, &group);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Group_incl: length is -1; it is 0 or more
  MPI_Type_contiguous(-1, MPI_INT, &type);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Type_contiguous: count is -1; a count is 0 or more
  MPI_Type_vector(2, -3, 4, MPI_INT, &type);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Type_vector: length is -3
  MPI_Type_indexed(2, 0, lengths, MPI_INT, &type);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Type_indexed: array of lengths is null, but has to have elements
  MPI_Type_commit(0);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Type_commit: datatype is null; give the address of a datatype
}

void completion(MPI_Request *requests, int *indices) {
  MPI_Waitall(-1, requests, MPI_STATUSES_IGNORE);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Waitall: request count is -1; a count is 0 or more
  MPI_Waitsome(2, requests, 0, indices, MPI_STATUSES_IGNORE);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Waitsome: completed count is null; give the address of an int
  MPI_Wait(0, MPI_STATUS_IGNORE);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Wait: request is null; give the address of a request
  MPI_Isend(b, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, 0);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Isend: request is null
}

void onesided(MPI_Win win, MPI_File file) {
  MPI_Win_create(b, -8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Win_create: length is -8
  MPI_Win_create(b, 8, 0, MPI_INFO_NULL, MPI_COMM_NULL, &win);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Win_create: displacement unit is 0; a displacement unit is 1 or more
  // CHECK: arguments.c:[[@LINE-2]]:3: warning: MPI_Win_create: comm is MPI_COMM_NULL
  MPI_Put(b, 1, MPI_DOUBLE, -5, 0, 1, MPI_DOUBLE, win);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Put: target is -5; use a rank, or MPI_PROC_NULL
  MPI_Put(0, 1, MPI_DOUBLE, 0, 0, 1, MPI_DATATYPE_NULL, win);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_Put: target datatype is MPI_DATATYPE_NULL
  // CHECK: arguments.c:[[@LINE-2]]:3: warning: MPI_Put: buffer is null, but its count is not 0
  MPI_File_write_at(file, -1, b, -1, MPI_DOUBLE, MPI_STATUS_IGNORE);
  // CHECK: arguments.c:[[@LINE-1]]:3: warning: MPI_File_write_at: length is -1
  // CHECK: arguments.c:[[@LINE-2]]:3: warning: MPI_File_write_at: count is -1
}

// RUN: %warnings %check
