// Handles that were freed, that nobody has committed, or that are the library's own.
#include <mpi.h>

double b[8], c[8];
static void combine(void *in, void *inout, int *n, MPI_Datatype *type) {}

void communicators(void) {
  MPI_Comm comm, world = MPI_COMM_WORLD;
  int size;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_free(&comm);
  MPI_Barrier(comm);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Barrier: communicator is MPI_COMM_NULL
  MPI_Comm_size(comm, &size);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Comm_size: comm is MPI_COMM_NULL; use a communicator that is made and not freed
  MPI_Comm_free(&comm);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Comm_free: communicator is MPI_COMM_NULL; free each communicator once
  MPI_Comm_free(&world);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Comm_free: communicator is MPI_COMM_WORLD; free only communicators that the program has made
  MPI_Comm_dup(MPI_COMM_NULL, &comm);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Comm_dup: comm is MPI_COMM_NULL
}

void datatypes(void) {
  MPI_Datatype pair, uncommitted, freed, predefined = MPI_INT, null = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_DOUBLE, &uncommitted);
  MPI_Send(b, 1, uncommitted, 1, 0, MPI_COMM_WORLD);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Send: datatype is made, but not committed; call MPI_Type_commit first
  MPI_Allgather(b, 2, MPI_DOUBLE, c, 1, uncommitted, MPI_COMM_WORLD);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Allgather: receive datatype is made, but not committed
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_free(&pair);
  MPI_Bcast(b, 1, pair, 0, MPI_COMM_WORLD);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Bcast: datatype is MPI_DATATYPE_NULL
  MPI_Type_contiguous(2, pair, &freed);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Type_contiguous: datatype is MPI_DATATYPE_NULL; use a datatype that is made and not freed
  MPI_Type_free(&pair);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Type_free: datatype is MPI_DATATYPE_NULL; free each datatype once
  MPI_Type_free(&predefined);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Type_free: datatype is the predefined MPI_INT; free only datatypes
  MPI_Type_commit(&null);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Type_commit: datatype is MPI_DATATYPE_NULL; make the datatype first
}

void operations(void) {
  MPI_Op op, sum = MPI_SUM;
  MPI_Op_create(combine, 1, &op);
  MPI_Op_free(&op);
  MPI_Allreduce(b, c, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Allreduce: operation is MPI_OP_NULL
  MPI_Op_free(&op);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Op_free: op is MPI_OP_NULL; free each operation once
  MPI_Op_free(&sum);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Op_free: op is the predefined MPI_SUM; free only operations
}

void requests(void) {
  MPI_Request request = MPI_REQUEST_NULL, never = MPI_REQUEST_NULL, again;
  MPI_Start(&request);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Start: request is MPI_REQUEST_NULL; make the request first, and free it once
  MPI_Cancel(&never);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Cancel: request is MPI_REQUEST_NULL
  MPI_Send_init(b, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &again);
  MPI_Request_free(&again);
  MPI_Request_free(&again);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Request_free: request is MPI_REQUEST_NULL
}

void windows(void) {
  MPI_Win win = MPI_WIN_NULL;
  MPI_Win_fence(0, win);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Win_fence: window is MPI_WIN_NULL; use a window that is made and not freed
  MPI_Win_free(&win);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Win_free: window is MPI_WIN_NULL; free each window once
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "name", 0, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  MPI_File_write_at(file, 0, b, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_File_write_at: file is MPI_FILE_NULL; use a file that is open
  MPI_File_close(&file);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_File_close: file is MPI_FILE_NULL; close each file once
  MPI_Group group, nobody;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Group_free(&group);
  MPI_Group_incl(group, 0, 0, &nobody);
  // CHECK: handles.c:[[@LINE-1]]:3: warning: MPI_Group_incl: group is MPI_GROUP_NULL
}

// RUN: %warnings %check
