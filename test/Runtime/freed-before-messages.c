/* Many communicators over two nodes are freed while receives from any source wait on them. The receives get their own
 * messages, not those of MPI_COMM_WORLD. The attributes' deletion callbacks are called, in MPI_Finalize at the latest. */
#include "check.h"

#include <mpi.h>

enum { MANY = 80 };

static int deleted;

static int when_deleted(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  ++deleted;
  return MPI_SUCCESS;
}

static int at_end(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)extra;
  CHECK(deleted == MANY);
  if (*(int *)value == 0)
    tell("passed");
  return MPI_SUCCESS;
}

int main(int argc, char **argv) {
  static MPI_Comm made[MANY], copies[MANY];
  static MPI_Request requests[2 * MANY];
  static int in[MANY], out[MANY], rank, size, other = -1, number = 999, keyval, last;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &last, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, last, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, when_deleted, &keyval, NULL);
  for (int i = 0; i < MANY; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &made[i]);
    MPI_Comm_set_attr(made[i], keyval, NULL);
    copies[i] = made[i];
    in[i] = -1;
    out[i] = 1000 * rank + i;
    MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 3, made[i], &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Send(&number, 1, MPI_INT, right, 3, MPI_COMM_WORLD); /* must not get to one of these receives */
  for (int i = MANY - 1; i >= 0; --i)
    MPI_Isend(&out[i], 1, MPI_INT, right, 3, made[i], &requests[MANY + i]);
  for (int i = 0; i < MANY; ++i)
    MPI_Comm_free(&made[i]);
  MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < MANY; ++i)
    CHECK(in[i] == 1000 * left + i);
  MPI_Recv(&other, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(other == number);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}

// LABEL: core
// REQUIRES: nodes
// RUN: %mpicc -w -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
