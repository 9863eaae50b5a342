// A global object's constructor calls MPI_Init and exchanges messages, and so does a constructor function of the first
// priority that a program may have. The destructor calls MPI_Finalize.
#include <cstdio>
#include <mpi.h>

namespace {
int received;

void begin() {
  int rank, version, subversion;
  MPI_Get_version(&version, &subversion);
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 8, &received, 1, MPI_INT, 1 - rank, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

#ifdef FUNCTION
__attribute__((constructor(101))) void early() { begin(); }
#endif

struct Environment {
  Environment() {
    int is_initialized;
    MPI_Initialized(&is_initialized);
    if (!is_initialized)
      begin();
  }
  ~Environment() { MPI_Finalize(); }
} environment;
} // namespace

int main() {
  int rank, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&received, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("received %d, sum %d\n", received, sum);
}

// RUN: %mpispec mpicxx -O2 %s -o %t && %mpirun -n 2 %t | FileCheck %s
// RUN: %mpispec mpicxx -O2 -DFUNCTION %s -o %t.function && %mpirun -n 2 %t.function | FileCheck %s
// RUN: mpicxx -O2 %s -o %t.plain && %mpirun -n 2 env LD_PRELOAD=%runtime-shared %t.plain | FileCheck %s
// CHECK: received 1, sum 1
