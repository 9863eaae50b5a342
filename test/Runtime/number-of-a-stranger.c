/* Another process has the number of a rank that has ended. Its bytes do not count as the rank's, and no rank writes
 * into its memory. After a read has found out whose number it is, a write must find out again. */
#include "check.h"
#include "job/node.h"
#include "shm/cma.h"
#include "shm/shm.h"

#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum { BYTES = 64, UNTOUCHED = 1, FOUND = 2 };
static volatile unsigned char memory[BYTES];

/* The stranger's whole life: it looks at its memory once it may. */
static void live(int pipe_end) {
  char go;
  CHECK(read(pipe_end, &go, 1) == 1);
  for (int i = 0; i < BYTES; ++i)
    if (memory[i] != UNTOUCHED)
      _exit(1);
  _exit(0);
}

int main(int argc, char **argv) {
  unsigned char bytes[BYTES];
  int rank, ends[2], status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    CHECK(mpispec_node.size == 2 && mpispec_cma_may_read(1) && mpispec_cma_may_write(1, 1));
    memset((void *)memory, UNTOUCHED, BYTES);
    CHECK(pipe(ends) == 0);
    const pid_t stranger = fork();
    if (stranger == 0)
      live(ends[0]);
    const int64_t process = mpispec_shm.addresses[1].process;
    mpispec_shm.addresses[1].process = stranger;
    memset(bytes, FOUND, BYTES);
    const uint64_t address = (uintptr_t)memory;
    CHECK(!mpispec_cma_read(bytes, BYTES, 1, address) && !mpispec_cma_may_read(1));
    CHECK(mpispec_cma_may_write(1, 1)); /* nothing has been written yet */
    CHECK(!mpispec_cma_write(bytes, BYTES, 1, address) && !mpispec_cma_may_write(1, 1));
    CHECK(write(ends[1], "", 1) == 1);
    CHECK(waitpid(stranger, &status, 0) == stranger && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    mpispec_shm.addresses[1].process = process;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc -w %include -I%S %s -o %t %runtime
// RUN: %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
