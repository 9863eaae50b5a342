// No false alarm of a handle, a buffer or a number: all of these calls are in correct programs.
#include <mpi.h>

double b[8], c[8];
int n[8];
static MPI_Datatype shared;
void elsewhere(void);
void commit(MPI_Datatype type);
void finish(MPI_Datatype *type);

void datatypes(int maybe) {
  MPI_Datatype row, copy, given, made, nested, dup;
  MPI_Type_contiguous(2, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  MPI_Send(b, 1, row, 1, 0, MPI_COMM_WORLD);
  MPI_Type_contiguous(2, row, &copy); // a datatype may be made of one that is not committed
  MPI_Type_contiguous(2, copy, &nested);
  MPI_Type_dup(row, &dup); // committed like the one it is a copy of
  MPI_Send(b, 1, dup, 1, 0, MPI_COMM_WORLD);
  MPI_Datatype same = nested;
  MPI_Type_commit(&same);
  MPI_Send(b, 1, nested, 1, 0, MPI_COMM_WORLD);
  MPI_Type_contiguous(2, MPI_DOUBLE, &given);
  commit(given);
  MPI_Send(b, 1, given, 1, 0, MPI_COMM_WORLD);
  MPI_Type_contiguous(2, MPI_DOUBLE, &made);
  finish(&made);
  MPI_Send(b, 1, made, 1, 0, MPI_COMM_WORLD);
  MPI_Type_contiguous(2, MPI_DOUBLE, &shared);
  elsewhere();
  MPI_Send(b, 1, shared, 1, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
  if (row != MPI_DATATYPE_NULL)
    MPI_Type_free(&row);
  MPI_Type_contiguous(3, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  MPI_Send(b, 1, row, 1, 0, MPI_COMM_WORLD);
  MPI_Datatype predefined = MPI_INT;
  MPI_Type_commit(&predefined); // does nothing
  MPI_Type_contiguous(0, MPI_INT, &copy);
}

void failed(MPI_Comm *comm) {
  if (MPI_Comm_free(comm) != MPI_SUCCESS)
    MPI_Comm_free(comm); // it is not freed, then
}

void reused(void) {
  MPI_Comm comm;
  for (int i = 0; i < 3; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &comm);
    if (comm != MPI_COMM_NULL) {
      MPI_Barrier(comm);
      MPI_Comm_free(&comm);
    }
  }
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_NULL, 0, 1, &comm); // not the leader
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm);
}

void requests(void) {
  MPI_Request request = MPI_REQUEST_NULL, none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status status;
  int flag, count;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Test(&request, &flag, &status);
  MPI_Waitsome(0, 0, &count, 0, MPI_STATUSES_IGNORE);
  MPI_Waitsome(0, 0, &count, 0, 0);
  MPI_Waitsome(2, none, &count, n, MPI_STATUSES_IGNORE);
  MPI_Waitall(0, 0, 0);
  MPI_Send_init(b, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Wait(&request, &status);
  MPI_Start(&request);
  MPI_Request_free(&request);
}

void buffers(double *may, MPI_Datatype absolute, int count, const int *counts, MPI_Comm inter) {
  MPI_Send(0, 0, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(0, 0, MPI_DATATYPE_NULL, 1, 0, MPI_COMM_WORLD);
  MPI_Send(0, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_BOTTOM, 1, absolute, MPI_BOTTOM, 1, absolute, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(b, b, 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(b, b + 4, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(may, -1, MPI_DATATYPE_NULL, b, 1, MPI_DOUBLE, MPI_COMM_WORLD); // in place, perhaps
  MPI_Allgather(b, 1, MPI_DOUBLE, c, 2, MPI_DOUBLE, inter); // amounts differ by direction
  MPI_Alltoallv(MPI_IN_PLACE, 0, 0, MPI_DATATYPE_NULL, c, counts, counts, MPI_DOUBLE, MPI_COMM_WORLD);
}

void root(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : b, b, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, c, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatter(b, 1, MPI_DOUBLE, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  } else {
    MPI_Gather(b, 1, MPI_DOUBLE, 0, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Gather(b, 1, MPI_DOUBLE, 0, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatter(0, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(b, 1, MPI_DOUBLE, 0, 0, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce(b, 0, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(b, b, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
}

void onesided(MPI_Win win) {
  MPI_Win_create(0, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Put(b, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, win);
  MPI_Get_accumulate(0, 1, MPI_DATATYPE_NULL, b, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_NO_OP, win);
  MPI_Win_free(&win);
}

/* A call that is never executed is not wrong. */
void dead(void) {
  if (0)
    MPI_Type_commit(0);
  if (sizeof(int) == 2)
    MPI_Comm_split(MPI_COMM_WORLD, -1, 0, 0);
}

/* Some processes have gone another way. */
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 || argc > 3)
    MPI_Gather(n, 1, MPI_INT, 0, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Gather(n, 1, MPI_INT, n + 4, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return MPI_Finalize();
}

// RUN: %warnings | FileCheck --allow-empty %s || exit 1; done
// CHECK-NOT: warning
