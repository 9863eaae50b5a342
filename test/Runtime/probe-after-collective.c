/* After a collective operation, one call that does not block sees all earlier events, on windows and
 * intercommunicators, too. Both belong to the library, which takes no part in the collective operation. */
#include "check.h"

#include <mpi.h>

enum { TIMES = 500 };
static int rank, other;

static void window(void) {
  MPI_Group all, peer;
  MPI_Win window;
  static int memory[16];
  int flag;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &other, &peer);
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int i = 0; i < TIMES; ++i) {
    if (rank == 0) {
      MPI_Win_start(peer, 0, window);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Put(&i, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
      MPI_Win_complete(window);
      MPI_Barrier(MPI_COMM_WORLD);
    } else {
      MPI_Win_post(peer, 0, window);
      MPI_Win_test(window, &flag);
      CHECK(!flag);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Win_test(window, &flag);
      CHECK(flag && memory[0] == i);
    }
  }
  MPI_Win_free(&window);
  MPI_Group_free(&peer);
  MPI_Group_free(&all);
}

static void probes(void) {
  MPI_Comm inter;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, other, 3, &inter);
  for (int i = 0; i < TIMES; ++i) {
    if (rank == 0)
      MPI_Send(&i, 1, MPI_INT, 0, 1, inter);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
      continue;
    int flag, got = -1;
    MPI_Message message;
    if (i % 2) {
      MPI_Iprobe(0, 1, inter, &flag, MPI_STATUS_IGNORE);
      CHECK(flag);
      MPI_Recv(&got, 1, MPI_INT, 0, 1, inter, MPI_STATUS_IGNORE);
    } else {
      MPI_Improbe(MPI_ANY_SOURCE, 1, inter, &flag, &message, MPI_STATUS_IGNORE);
      CHECK(flag);
      MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    CHECK(got == i);
  }
  MPI_Comm_free(&inter);
}

int main(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = !rank;
  window();
  probes();
  MPI_Finalize();
  return passed();
}

// LABEL: core
// RUN: %mpicc -w %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// CHECK: passed
