/* A cell whose header has a length that no sender writes ends the job. A receive of a derived type would write past its
 * buffer, and other receives would read past the lane. */
#include "check.h"
#include "comm/communicator.h"
#include "job/node.h"
#include "shm/shm.h"

#include <mpi.h>

enum { TAG = 4, LENGTH = 100000 };

static void write_damaged(void) {
  struct mpispec_outgoing *lane = &mpispec_shm.outgoing[1];
  int word = 0;
  MPI_Send(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD); /* shows this rank to the other one */
  CHECK(mpispec_lane_reserve(lane, 1));
  lane->end.next->header = mpispec_header(MPISPEC_INLINE, 0, LENGTH);
  mpispec_lane_publish(lane, mpispec_key(mpispec_communicator_find(MPI_COMM_WORLD)->context.id, TAG));
}

static void receive(void) {
  static int numbers[2 * LENGTH];
  MPI_Datatype every_other;
  int word;
  MPI_Type_vector(LENGTH, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Recv(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(numbers, 1, every_other, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(mpispec_node.size == 2);
  if (rank == 0)
    write_damaged();
  else
    receive();
  MPI_Barrier(MPI_COMM_WORLD);
  return passed();
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: not env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=60 %mpirun -n 2 %t 2>&1 | FileCheck %s
// CHECK-NOT: passed
// CHECK: mpispec: shared memory is damaged: a message is longer than its cells
