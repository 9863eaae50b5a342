/* MPI-4.1's MPI_Request_get_status_any, all and some, over requests of lanes, the library's, null and one at rest.
 * They return what MPI_Testany and similar functions would, and no request ends. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { OURS, NONE, AT_REST, LIBRARYS, MANY };
static int rank, in[MANY];
static MPI_Comm across; /* an intercommunicator, so its requests are the library's */
static MPI_Request requests[MANY];

/* Rank 1 sends the message of slot `i`. */
static void ask_for(int i) { MPI_Send(&i, 1, MPI_INT, 1, 9, MPI_COMM_WORLD); }

static void check_status(const MPI_Status *status, int i) {
  int count;
  MPI_Get_count(status, MPI_INT, &count);
  CHECK(status->MPI_TAG == i && count == 1);
}

static void check_empty(const MPI_Status *status) {
  int count;
  MPI_Get_count(status, MPI_INT, &count);
  CHECK(status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0);
}

/* Looks by all three: those of `over` are over, of which there are `many`. */
static void look(int many, const int over[]) {
  int flag = 0, index = -7, count = -7, indices[MANY], seen[MANY] = {0};
  MPI_Status status, statuses[MANY];
  while (!flag && many)
    MPI_Request_get_status_any(MANY, requests, &index, &flag, &status);
  if (many) {
    CHECK(over[index]);
    check_status(&status, index);
  }
  do
    MPI_Request_get_status_some(MANY, requests, &count, indices, statuses);
  while (count < many);
  CHECK(count == many);
  for (int k = 0; k < count; ++k) {
    CHECK(over[indices[k]] && !seen[indices[k]]++);
    check_status(&statuses[k], indices[k]);
  }
  MPI_Request_get_status_some(MANY, requests, &count, indices, MPI_STATUSES_IGNORE);
  CHECK(count == many);
  MPI_Request_get_status_all(MANY, requests, &flag, statuses);
  CHECK(flag == (many == 2));
  for (int i = 0; flag && i < MANY; ++i)
    if (over[i])
      check_status(&statuses[i], i);
    else
      check_empty(&statuses[i]);
  for (int i = 0; i < MANY; ++i)
    CHECK((requests[i] == MPI_REQUEST_NULL) == (i == NONE)); /* nothing has ended */
}

/* Null and at rest: nothing is active. */
static void look_at_nothing(void) {
  int flag = 0, index = -7, count = -7, indices[2];
  MPI_Status status, statuses[2];
  MPI_Request_get_status_any(2, requests + NONE, &index, &flag, &status);
  CHECK(flag && index == MPI_UNDEFINED);
  check_empty(&status);
  flag = 0;
  MPI_Request_get_status_all(2, requests + NONE, &flag, statuses);
  CHECK(flag);
  check_empty(&statuses[1]);
  MPI_Request_get_status_some(2, requests + NONE, &count, indices, statuses);
  CHECK(count == MPI_UNDEFINED);
}

static void receive(void) {
  int flag = 1;
  requests[NONE] = MPI_REQUEST_NULL;
  MPI_Irecv(&in[OURS], 1, MPI_INT, 1, OURS, MPI_COMM_WORLD, &requests[OURS]);
  MPI_Recv_init(&in[AT_REST], 1, MPI_INT, 1, AT_REST, MPI_COMM_WORLD, &requests[AT_REST]);
  MPI_Irecv(&in[LIBRARYS], 1, MPI_INT, 0, LIBRARYS, across, &requests[LIBRARYS]);
  look(0, (int[MANY]){0});
  MPI_Request_get_status_any(MANY, requests, &(int){0}, &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);
  look_at_nothing();
  ask_for(OURS);
  look(1, (int[MANY]){[OURS] = 1});
  ask_for(LIBRARYS);
  look(2, (int[MANY]){[OURS] = 1, [LIBRARYS] = 1});
  MPI_Wait(&requests[OURS], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[LIBRARYS], MPI_STATUS_IGNORE);
  CHECK(in[OURS] == OURS + 100 && in[LIBRARYS] == LIBRARYS + 100);
  MPI_Request_free(&requests[AT_REST]);
}

static int class_of(int error) {
  int class;
  MPI_Error_class(error, &class);
  return class;
}

/* The library's message is longer than its receive. With a request of lanes in the array, the functions return the
 * library's error, as without it. */
static void look_at_failed(void) {
  int flag = 0, index, count = 0, indices[MANY], alone;
  MPI_Status status, statuses[MANY];
  MPI_Irecv(&in[OURS], 1, MPI_INT, 1, OURS, MPI_COMM_WORLD, &requests[OURS]);
  MPI_Irecv(&in[LIBRARYS], 1, MPI_INT, 0, LIBRARYS, across, &requests[LIBRARYS]);
  ask_for(LIBRARYS);
  do
    alone = PMPI_Request_get_status_any(1, requests + LIBRARYS, &index, &flag, &status);
  while (!alone && !flag);
  CHECK(class_of(MPI_Request_get_status_any(MANY, requests, &index, &flag, &status)) == class_of(alone));
  CHECK(flag && index == LIBRARYS);
  alone = PMPI_Request_get_status_some(1, requests + LIBRARYS, &count, indices, statuses);
  CHECK(class_of(MPI_Request_get_status_some(MANY, requests, &count, indices, statuses)) == class_of(alone));
  CHECK(count == 1 && indices[0] == LIBRARYS);
  ask_for(OURS);
  MPI_Wait(&requests[OURS], MPI_STATUS_IGNORE);
  alone = PMPI_Request_get_status_all(1, requests + LIBRARYS, &flag, statuses);
  MPI_Irecv(&in[OURS], 1, MPI_INT, MPI_PROC_NULL, OURS, MPI_COMM_WORLD, &requests[OURS]);
  CHECK(class_of(MPI_Request_get_status_all(MANY, requests, &flag, statuses)) == class_of(alone));
  MPI_Wait(&requests[OURS], MPI_STATUS_IGNORE);
  CHECK(class_of(MPI_Wait(&requests[LIBRARYS], MPI_STATUS_IGNORE)) == MPI_ERR_TRUNCATE);
}

/* The library's message has `count` integers. */
static void send(int count) {
  for (int k = 0; k < 2; ++k) {
    int i;
    MPI_Recv(&i, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const int words[] = {i + 100, 0};
    if (i == LIBRARYS)
      MPI_Send(words, count, MPI_INT, 0, i, across);
    else
      MPI_Send(words, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 1, &across);
  for (int round = 0; round < 3; ++round)
    rank ? send(1) : receive();
  requests[AT_REST] = MPI_REQUEST_NULL;
  MPI_Comm_set_errhandler(across, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  rank ? send(2) : look_at_failed();
  MPI_Comm_free(&across);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return passed();
}

// REQUIRES: mpi4.1
//
// RUN: %mpicc -w %s -I%S -o %t %runtime
// (Alone, MPICH 5's MPI_Request_get_status_some does not find both messages here.)
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=full %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
