/* A message that a template takes for long may be short, if the compiler reads the program otherwise than the
 * analysis. Then no byte behind the buffer is read, and the message arrives. */
#include <mpi.h>

#include "mpispec/send.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int rank, right = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(two, 'x', page);
  mprotect(two + page, page, PROT_NONE);
  for (int bytes = 0; bytes <= 60; ++bytes) {
    char in[64] = {0};
    const char *at = two + page - bytes;
    if (rank == 1) {
      MPI_Recv(in, sizeof in, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      right &= strspn(in, "x") == (size_t)bytes;
    } else if (!mpispec_Send_long(at, bytes, 1, 1, 7, mpispec_comm_world, mpispec_standard)) {
      right = 0;
    }
  }
  printf("%s\n", right ? "right" : "WRONG");
  return MPI_Finalize();
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=full %mpirun -n 2 %t | FileCheck %s
// CHECK-COUNT-2: right
