/* A rank that only tests operations of the MPI library answers a sender that asks for room. Rank 0 floods rank 1, and
 * only then takes its part in the operation for which rank 1 tests.
 *
 *   room-in-foreign-tests WAY...: test, testall, testany, testsome, status, window */
#include "small-arena.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 42000, BYTES = 1000 };

static int rank;
static char *out, *in;
static MPI_Request *requests;

/* Whether the operation is over. */
static int test(const char *way, MPI_Request *request, MPI_Win window) {
  int flag = 0, index, indices[1], found;
  if (!strcmp(way, "window")) {
    MPI_Win_test(window, &flag);
  } else if (!strcmp(way, "testall")) {
    MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE);
  } else if (!strcmp(way, "testany")) {
    MPI_Testany(1, request, &index, &flag, MPI_STATUS_IGNORE);
  } else if (!strcmp(way, "testsome")) {
    MPI_Testsome(1, request, &found, indices, MPI_STATUSES_IGNORE);
    flag = found > 0;
  } else if (!strcmp(way, "status")) {
    MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
  } else {
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  }
  return flag;
}

static void give(const char *way, MPI_Win window, MPI_Group other) {
  MPI_Request request = MPI_REQUEST_NULL;
  for (int i = 0; i < COUNT; ++i) {
    memcpy(out + (size_t)i * BYTES, &i, sizeof i);
    MPI_Isend(out + (size_t)i * BYTES, BYTES, MPI_BYTE, 1, 7, MPI_COMM_WORLD, &requests[i]);
  }
  if (!strcmp(way, "window")) {
    MPI_Win_start(other, 0, window);
    MPI_Win_complete(window);
  } else {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  }
  MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void take(const char *way, MPI_Win window, MPI_Group other) {
  MPI_Request request = MPI_REQUEST_NULL;
  int number;
  if (!strcmp(way, "window"))
    MPI_Win_post(other, 0, window);
  else
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (!test(way, &request, window))
    ;
  for (int i = 0; i < COUNT; ++i) {
    MPI_Recv(in, BYTES, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(&number, in, sizeof number);
    CHECK(number == i);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  static int word;
  MPI_Win window;
  MPI_Group all, other;
  MPI_Init(&argc, &argv);
  check_arena_is_small();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &(int){1 - rank}, &other);
  MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  out = malloc((size_t)COUNT * BYTES);
  in = malloc(BYTES);
  requests = malloc(COUNT * sizeof *requests);
  for (int i = 1; i < argc; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    (rank ? take : give)(argv[i], window, other);
  }
  MPI_Win_free(&window);
  MPI_Group_free(&other);
  MPI_Group_free(&all);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// The limit makes arenas of 32 MiB (segment.c). Intel MPI needs larger files itself.
// UNSUPPORTED: intel
// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{ways} = test testall testany testsome status window
// RUN: sh -c "ulimit -f 160000 && MPISPEC_MODE=lanes %mpirun -n 2 %t %{ways}" | FileCheck %s
// CHECK: passed
