/* A program that tests a receive between long pieces of work makes progress in each test. Two ranks by operations on a
 * window, which need the target's progress; three ranks by a synchronous send that another receive matches. */
#include "check.h"

#include <mpi.h>
#include <unistd.h>

enum { OPERATIONS = 5, MOST_TESTS = 400, MOST_TESTS_OF_THREE = 40 };
static char in[1 << 20];
static int rank;

/* Returns the number of tests until the last message of rank 1. */
static int test_rarely(void) {
  int word, is_over = 0, tests = 0;
  MPI_Request request;
  MPI_Irecv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  for (; !is_over; ++tests) {
    usleep(1000);
    MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
  }
  return tests;
}

static void window(void) {
  int *memory, word = 1;
  MPI_Win win;
  MPI_Alloc_mem(sizeof *memory, MPI_INFO_NULL, &memory);
  *memory = 0;
  MPI_Win_create(memory, sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (rank == 0) {
    CHECK(test_rarely() < MOST_TESTS);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < OPERATIONS; ++i) {
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
      MPI_Win_unlock(0, win);
    }
    MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(rank || *memory == OPERATIONS);
  MPI_Win_free(&win);
  MPI_Free_mem(memory);
}

/* Rank 1 sends when rank 2 has been received. */
static void three(void) {
  int word = 0;
  MPI_Request request;
  if (rank == 0) {
    MPI_Irecv(in, sizeof in, MPI_BYTE, 2, 2, MPI_COMM_WORLD, &request);
    CHECK(test_rarely() < MOST_TESTS_OF_THREE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Recv(&word, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  } else {
    MPI_Ssend(in, sizeof in, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    MPI_Send(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 2)
    window();
  else
    three();
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
