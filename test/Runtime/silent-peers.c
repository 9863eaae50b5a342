/* A receive from any source does not look at the lanes of peers that have never sent: here their
 * memory cannot even be read. */
#define _GNU_SOURCE
#include "check.h"
#include "job/node.h"
#include "shm/shm.h"

#include <mpi.h>
#include <sys/mman.h>

static int rank, size;

static void protect(int peer, int protection) {
  unsigned char *own = mpispec_shm.segments[mpispec_node.rank];
  const size_t bytes = MPISPEC_HOME_CELLS * MPISPEC_CELL_BYTES;
  CHECK(!mprotect(mpispec_segment_home(own, size, peer), bytes, protection));
}

/* Every call that looks for a message from anywhere. */
static void receive_one_by_one(void) {
  int word = -1, flag = 0, index;
  MPI_Status status;
  MPI_Request request;
  MPI_Message message;
  for (int i = 0; i < 600; ++i) {
    MPI_Request one[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    switch (i % 6) {
    case 0:
      MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      break;
    case 1:
      MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, &status);
      break;
    case 2:
      MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
      for (flag = 0; !flag;)
        MPI_Test(&request, &flag, &status);
      break;
    case 3:
      MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
      break;
    case 4:
      for (flag = 0; !flag;)
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
      MPI_Mrecv(&word, 1, MPI_INT, &message, &status);
      break;
    case 5:
      MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &one[1]);
      MPI_Waitany(2, one, &index, &status);
    }
    CHECK(word == i && status.MPI_SOURCE == 1);
    MPI_Send(&i, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  }
}

static void send_one_by_one(void) {
  int answer;
  for (int i = 0; i < 600; ++i) {
    MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(mpispec_node.size == size);
  if (rank == 0) {
    for (int peer = 2; peer < size; ++peer)
      protect(peer, PROT_NONE);
    receive_one_by_one();
    for (int peer = 2; peer < size; ++peer)
      protect(peer, PROT_READ | PROT_WRITE);
  } else if (rank == 1) {
    send_one_by_one();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 1; i < size; ++i) { /* now they speak, and are heard */
    int word;
    if (rank == 0)
      MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == i)
      MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  if (rank == 0)
    tell("heard one of %d, then all", size);
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 4 %t | FileCheck %s
// CHECK: heard one of 4, then all
