/* A posted receive gets its message straight from the lane while an older message, which a probe
 * has found, is kept elsewhere. The next receive that fits both gets the older: the lane stays
 * shut. */
#include "check.h"

#include <mpi.h>
#include <unistd.h>

enum { POSTED_TAG = 1, TAG = 2, WAYS = 3 };

/* The older message. When rank 0 has read it: the one that has a posted receive, and the newer. */
static void send_three(void) {
  int older = 1, posted = 10, newer = 2;
  MPI_Send(&older, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
  MPI_Recv(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&posted, 1, MPI_INT, 0, POSTED_TAG, MPI_COMM_WORLD);
  MPI_Send(&newer, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
}

/* By whatever takes a message of a lane for a receive. With more room than is needed
 * it is another. */
static void end_posted(MPI_Request *request, int way) {
  int flag = 0;
  if (way == 0)
    MPI_Wait(request, MPI_STATUS_IGNORE);
  else if (way == 1)
    MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
  while (way == 2 && !flag)
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
}

static void receive_three(int way, int tag, int room) {
  int posted[2] = {0, 0}, got[2] = {0, 0};
  MPI_Request request;
  MPI_Irecv(posted, room, MPI_INT, 1, POSTED_TAG, MPI_COMM_WORLD, &request);
  MPI_Probe(1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD);
  end_posted(&request, way);
  usleep(20000); /* now the newer is in the lane */
  for (int i = 0; i < 2; ++i)
    MPI_Recv(&got[i], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(posted[0] == 10);
  CHECK(got[0] == 1 && got[1] == 2);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4 * WAYS; ++i)
    if (rank == 1)
      send_three();
    else
      receive_three(i % WAYS, i / WAYS % 2 ? MPI_ANY_TAG : TAG, 1 + i / WAYS / 2);
  MPI_Finalize();
  if (rank == 0)
    puts("in order");
  return 0;
}

// LABEL: core
// RUN: %mpicc %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// CHECK: in order
