/* MPI_Init agrees with the other ranks once about addresses and once about success; over launchers without keys once more,
 * about other nodes. Contexts of MPI_COMM_WORLD and MPI_COMM_SELF need none, and both communicators work at once. */
#include "adopted.h"
#include "check.h"

#include <mpi.h>

static int reductions, gathers;

int __real_PMPI_Iallreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Iallreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm,
                           MPI_Request *request) {
  ++reductions;
  return __real_PMPI_Iallreduce(mine, all, count, type, operation, comm, request);
}

int __real_PMPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Iallgather(const void *mine, int count, MPI_Datatype type, void *all, int each, MPI_Datatype type_of_all,
                           MPI_Comm comm, MPI_Request *request) {
  ++gathers;
  return __real_PMPI_Iallgather(mine, count, type, all, each, type_of_all, comm, request);
}

int main(int argc, char **argv) {
  int rank, size, in = -1;
  MPI_Init(&argc, &argv);
  CHECK(reductions >= 1 && reductions <= 2);
  CHECK(gathers == 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(is_adopted(MPI_COMM_WORLD) && is_adopted(MPI_COMM_SELF));
  MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  CHECK(in == rank);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(in == (rank + size - 1) % size);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc -w %s -o %t -Wl,--wrap=PMPI_Iallreduce -Wl,--wrap=PMPI_Iallgather %runtime
// RUN: %mpirun -n 3 %t | FileCheck %s
// CHECK-COUNT-3: passed
