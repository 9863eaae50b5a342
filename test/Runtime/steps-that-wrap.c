/* A word of a collective operation contains the low bits of its step. When the steps exceed these bits, a communicator goes
 * on, also where a member comes late. It still finds members in different operations. */
#include "check.h"

#include <mpi.h>
#include <stdint.h>
#include <unistd.h>

enum { BEFORE = 200 };

static int moved;

/* The steps of each communicator begin shortly before the bits wrap. */
int __real_mpispec_slot_take(unsigned number, uint64_t *first_step);
int __wrap_mpispec_slot_take(unsigned number, uint64_t *first_step) {
  const int is_free = __real_mpispec_slot_take(number, first_step);
  *first_step += (UINT64_C(1) << 40) - BEFORE;
  ++moved;
  return is_free;
}

static int rank, size;

static void sum(MPI_Comm comm, int times) {
  for (long i = 0; i < times; ++i) {
    long mine = rank + i, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, comm);
    CHECK(all == size * i + size * (size - 1) / 2);
  }
}

/* The others look for members in different operations when they have waited for a while. */
static void come_late(MPI_Comm comm) {
  if (rank == 1)
    usleep(300000);
  MPI_Barrier(comm);
}

int main(int argc, char **argv) {
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 3; ++i) {
    come_late(MPI_COMM_WORLD);
    sum(MPI_COMM_WORLD, BEFORE / 2);
  }
  come_late(MPI_COMM_WORLD);
  CHECK(moved > 0);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  come_late(comm);
  sum(comm, 2 * BEFORE);
  come_late(comm);
  if (argc > 1) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    long mine = 0, all = 0;
    const int error = rank == 0 ? MPI_Barrier(comm) : MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, comm);
    CHECK(error != MPI_SUCCESS);
  } else {
    MPI_Comm_free(&comm);
  }
  MPI_Finalize();
  if (rank == 0)
    tell("as before");
  return 0;
}

// RUN: %mpicc -w %include %s -o %t -Wl,--wrap=mpispec_slot_take %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t different | FileCheck %s
// CHECK: as before
