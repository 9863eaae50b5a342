/* MPI_Isend to MPI_PROC_NULL and MPI_Irecv from it: each function that completes requests, among
 * other messages, and more receives than the runtime has for these. Persistent requests, too. */
// LABEL: core
#include "check.h"

#include <mpi.h>

enum { MANY = 5000, RIGHT = 3 };
static int rank, size, left, right, word = 5, got;
static MPI_Request request;
static MPI_Status status;

static void receive(void) {
  got = 7;
  CHECK(!MPI_Irecv(&got, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
  CHECK(request != MPI_REQUEST_NULL);
}

static void send(void) {
  CHECK(!MPI_Isend(&word, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
}

/* The status of a receive from MPI_PROC_NULL (MPI 4.0, section 3.10). */
static void check_status(const MPI_Status *found) {
  int count, cancelled;
  MPI_Get_count(found, MPI_INT, &count);
  MPI_Test_cancelled(found, &cancelled);
  CHECK(found->MPI_SOURCE == MPI_PROC_NULL && found->MPI_TAG == MPI_ANY_TAG && !count &&
        !cancelled && got == 7);
}

static void check_received(void) {
  CHECK(request == MPI_REQUEST_NULL);
  check_status(&status);
}

static void one_at_a_time(void) {
  int flag = 0, index = -1, count = 0;
  receive();
  MPI_Wait(&request, &status);
  check_received();
  receive();
  MPI_Test(&request, &flag, &status);
  CHECK(flag);
  check_received();
  receive();
  MPI_Request_get_status(request, &flag, &status);
  CHECK(flag);
  check_status(&status);
  MPI_Waitany(1, &request, &index, &status);
  CHECK(!index);
  check_received();
  receive();
  MPI_Testany(1, &request, &index, &flag, &status);
  CHECK(!index && flag);
  check_received();
  receive();
  MPI_Waitsome(1, &request, &count, &index, &status);
  CHECK(!index && count == 1);
  check_received();
  receive();
  MPI_Testall(1, &request, &flag, &status);
  CHECK(flag);
  check_received();
  receive();
  MPI_Request_free(&request);
  CHECK(request == MPI_REQUEST_NULL);
  receive(); /* already complete: it is not cancelled */
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  check_received();
}

static void sends(void) {
  int flag = 0;
  send();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  send();
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  CHECK(flag && request == MPI_REQUEST_NULL);
  CHECK(!MPI_Issend(&word, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
  MPI_Request_free(&request);
  CHECK(!MPI_Irsend(NULL, 0, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A halo of a rank at the end of a line. */
static void among_others(void) {
  int from_left = -1, from_right = -1;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  MPI_Irecv(&from_left, 1, MPI_INT, left, RIGHT, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&from_right, 1, MPI_INT, right, RIGHT, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&rank, 1, MPI_INT, left, RIGHT, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&rank, 1, MPI_INT, right, RIGHT, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, statuses);
  CHECK(from_left == (rank ? rank - 1 : -1) && statuses[0].MPI_SOURCE == left);
  CHECK(from_right == (rank + 1 < size ? rank + 1 : -1) && statuses[1].MPI_SOURCE == right);
}

/* The same by persistent requests, which rest between two starts. */
static void persistent_among_others(void) {
  int from_left, from_right, sent, flag, index, count, ended = 0;
  int (*const inits[])(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) = {
      MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init};
  MPI_Request requests[4];
  MPI_Status statuses[4];
  MPI_Recv_init(&from_left, 1, MPI_INT, left, RIGHT, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&from_right, 1, MPI_INT, right, RIGHT, MPI_COMM_WORLD, &requests[1]);
  MPI_Send_init(&sent, 1, MPI_INT, left, RIGHT, MPI_COMM_WORLD, &requests[2]);
  MPI_Send_init(&sent, 1, MPI_INT, right, RIGHT, MPI_COMM_WORLD, &requests[3]);
  for (int i = 0; i < 20; ++i) {
    from_left = from_right = -1;
    sent = rank + i;
    MPI_Startall(4, requests);
    if (i % 4 == 0)
      MPI_Waitall(4, requests, statuses);
    for (int k = 0; k < 4 && i % 4 == 1; ++k)
      MPI_Wait(&requests[k], &statuses[k]);
    for (flag = 0; !flag && i % 4 == 2;)
      MPI_Testall(4, requests, &flag, statuses);
    for (ended = 0; ended < 4 && i % 4 == 3; ++ended) {
      MPI_Waitany(4, requests, &index, &status);
      statuses[index] = status;
    }
    CHECK(from_left == (rank ? rank - 1 + i : -1) && statuses[0].MPI_SOURCE == left);
    CHECK(from_right == (rank + 1 < size ? rank + 1 + i : -1) && statuses[1].MPI_SOURCE == right);
    CHECK(rank || statuses[0].MPI_TAG == MPI_ANY_TAG);
    MPI_Get_count(&statuses[0], MPI_INT, &count);
    CHECK(count == (rank != 0));
    MPI_Waitany(4, requests, &index, &status);
    CHECK(index == MPI_UNDEFINED); /* all rest */
  }
  for (int k = 0; k < 4; ++k)
    MPI_Request_free(&requests[k]);
  for (int k = 0; k < 3; ++k) {
    CHECK(!inits[k](&sent, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]));
    for (int i = 0; i < 3; ++i) {
      MPI_Start(&requests[0]);
      if (i == 1)
        MPI_Cancel(&requests[0]);
      MPI_Wait(&requests[0], &status);
    }
    MPI_Start(&requests[0]);
    MPI_Request_free(&requests[0]);
    CHECK(requests[0] == MPI_REQUEST_NULL);
  }
}

static void many(void) {
  static MPI_Request requests[MANY];
  static MPI_Status statuses[MANY];
  for (int i = 0; i < MANY; ++i) {
    receive();
    requests[i] = request;
  }
  among_others();
  MPI_Waitall(MANY, requests, statuses);
  for (int i = 0; i < MANY; ++i)
    CHECK(requests[i] == MPI_REQUEST_NULL);
  check_status(&statuses[0]);
}

static void errors(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Request unused;
  const int count = -1;
  CHECK(MPI_Irecv(&got, count, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &unused));
  CHECK(MPI_Irecv(&got, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &unused));
  CHECK(MPI_Irecv(&got, 1, MPI_INT, MPI_PROC_NULL, -77, MPI_COMM_WORLD, &unused));
  CHECK(MPI_Isend(&word, count, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &unused));
  CHECK(MPI_Isend(&word, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &unused));
  CHECK(MPI_Send_init(&word, count, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &unused));
  CHECK(MPI_Recv_init(&got, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &unused));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = rank ? rank - 1 : MPI_PROC_NULL;
  right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  one_at_a_time();
  sends();
  for (int i = 0; i < 100; ++i)
    among_others();
  persistent_among_others();
  many();
  MPI_Barrier(MPI_COMM_WORLD);
  one_at_a_time();
  errors();
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: %mpirun -n 2 %t | FileCheck %s
// RUN: %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
