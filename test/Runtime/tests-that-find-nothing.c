/* Tests of receives find nothing while all lanes are empty. The receives are plain, from any source, with any tag, of a
 * type with gaps, or persistent. Other events end them without a message in a lane, and then each loop of MPI_Test,
 * Testany, Testall and Testsome must end.
 *
 *   tests-that-find-nothing [threads] */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { TAG = 3, LONG = 1 << 18, FORMS = 4, ROUNDS = 3 };
static int rank;
static int numbers[LONG];

/* One look, by one of the four; the request becomes null (or at rest) when it is over. */
static int look(int form, MPI_Request *request, MPI_Status *status) {
  int flag = 0, index = 0, found = 0;
  switch (form) {
  case 0:
    MPI_Test(request, &flag, status);
    return flag;
  case 1:
    MPI_Testany(1, request, &index, &flag, status);
    return flag;
  case 2:
    MPI_Testall(1, request, &flag, status);
    return flag;
  default:
    MPI_Testsome(1, request, &found, &index, status);
    return found != 0; /* MPI_UNDEFINED: at rest */
  }
}

static int looks_until_over(int form, MPI_Request *request, MPI_Status *status) {
  int looks = 1;
  while (!look(form, request, status))
    ++looks;
  return looks;
}

static void expect(const MPI_Status *status, int count) {
  int got;
  MPI_Get_count(status, MPI_INT, &got);
  CHECK(got == count);
  CHECK(status->MPI_SOURCE == 1 && status->MPI_TAG == TAG);
}

/* Rank 0 looks often before it lets rank 1 send. */
static void start(int form, MPI_Request *request) {
  MPI_Status status;
  for (int i = 0; rank == 0 && i < 300; ++i)
    CHECK(!look(form, request, &status));
  if (rank == 0)
    MPI_Send(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD);
  else
    MPI_Recv(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A message in a cell, in a block, and through a pipe, which moves on only while the receiver makes progress. */
static void receive(int form, int source, int tag, int count) {
  MPI_Request request;
  MPI_Status status;
  memset(numbers, 0, sizeof numbers);
  if (rank == 0)
    MPI_Irecv(numbers, count, MPI_INT, source, tag, MPI_COMM_WORLD, &request);
  start(form, &request);
  for (int i = 0; rank == 1 && i < count; ++i)
    numbers[i] = i + 1;
  if (rank == 1) {
    MPI_Send(numbers, count, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    return;
  }
  looks_until_over(form, &request, &status);
  expect(&status, count);
  CHECK(numbers[0] == 1 && numbers[count - 1] == count);
}

/* Rank 1 waits for the match, which only the receiver's tests can tell. */
static void receive_synchronous(int form) {
  MPI_Request request;
  MPI_Status status;
  if (rank == 0)
    MPI_Irecv(numbers, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  start(form, &request);
  if (rank == 1)
    MPI_Ssend(numbers, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
  else
    looks_until_over(form, &request, &status);
}

static void receive_with_gaps(int form) {
  int got[9] = {0}, sent[3] = {1, 2, 3};
  MPI_Datatype gaps;
  MPI_Request request;
  MPI_Status status;
  MPI_Type_vector(3, 1, 3, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  if (rank == 0)
    MPI_Irecv(got, 1, gaps, 1, TAG, MPI_COMM_WORLD, &request);
  start(form, &request);
  if (rank == 1)
    MPI_Send(sent, 3, MPI_INT, 0, TAG, MPI_COMM_WORLD);
  else
    looks_until_over(form, &request, &status);
  CHECK(rank == 1 || (got[0] == 1 && got[3] == 2 && got[6] == 3 && !got[1]));
  MPI_Type_free(&gaps);
}

/* Tests of one receive must move another one on: its sender waits for that before it sends what the tests look for. */
static void receive_beside_long(int form) {
  int got = 0, sent = 9;
  MPI_Request request, other;
  MPI_Status status;
  if (rank == 0) {
    MPI_Irecv(numbers, LONG, MPI_INT, 1, TAG + 1, MPI_COMM_WORLD, &other);
    MPI_Irecv(&got, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request);
  }
  start(form, &request);
  if (rank == 1) {
    MPI_Ssend(numbers, LONG, MPI_INT, 0, TAG + 1, MPI_COMM_WORLD);
    MPI_Send(&sent, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    return;
  }
  looks_until_over(form, &request, &status);
  CHECK(got == 9);
  MPI_Wait(&other, MPI_STATUS_IGNORE);
}

/* A request of the library behind a receive that nothing comes for until the library's request is over. */
static void test_beside_library(int form) {
  int got = 0, sent = 9, flag = 0, index = -1, found = 0, indices[2];
  MPI_Request requests[2];
  MPI_Status statuses[2];
  if (rank == 1) {
    MPI_Ibarrier(MPI_COMM_WORLD, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Send(&sent, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    return;
  }
  MPI_Irecv(&got, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  while (form == 0 && !flag)
    MPI_Test(&requests[1], &flag, statuses);
  for (int ended = 0; form == 1 && ended < 2; ended += flag)
    MPI_Testany(2, requests, &index, &flag, statuses);
  while (form == 2 && !flag)
    MPI_Testall(2, requests, &flag, statuses);
  for (int ended = 0; form == 3 && ended < 2; ended += found)
    MPI_Testsome(2, requests, &found, indices, statuses);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(got == 9);
}

/* From oneself, and with a receive that the message is not for posted in front. */
static void receive_from_oneself(int form) {
  int got[2] = {0}, sent = 5;
  MPI_Request other, request;
  MPI_Status status;
  MPI_Irecv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, TAG + 1, MPI_COMM_SELF, &other);
  MPI_Irecv(got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
  for (int i = 0; i < 100; ++i)
    CHECK(!look(form, &request, &status));
  MPI_Send(&sent, 1, MPI_INT, 0, TAG, MPI_COMM_SELF);
  looks_until_over(form, &request, &status);
  CHECK(got[0] == 5 && status.MPI_TAG == TAG);
  CHECK(!look(form, &other, &status));
  MPI_Send(&sent, 1, MPI_INT, 0, TAG + 1, MPI_COMM_SELF);
  looks_until_over(form, &other, &status);
  CHECK(got[1] == 5);
}

static void cancel(int form) {
  int got, cancelled;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
  CHECK(!look(form, &request, &status));
  MPI_Cancel(&request);
  looks_until_over(form, &request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK(cancelled);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* At rest a persistent receive is over at once, with an empty status. */
static void receive_persistently(int form) {
  MPI_Request request;
  MPI_Status status;
  if (rank == 0)
    MPI_Recv_init(numbers, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  for (int i = 0; i < ROUNDS; ++i) {
    if (rank == 0) {
      CHECK(form == 3 || look(form, &request, &status));
      MPI_Start(&request);
    }
    start(form, &request);
    if (rank == 1) {
      numbers[0] = i;
      MPI_Send(numbers, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    } else {
      looks_until_over(form, &request, &status);
      expect(&status, 1);
      CHECK(numbers[0] == i);
    }
  }
  if (rank == 0)
    MPI_Request_free(&request);
}

/* More messages than there are cells in a lane, into one receive after the other. At each end of the lane, its sender
 * waits for the receiver's credit. */
static void receive_many(int form) {
  MPI_Request request;
  MPI_Status status;
  for (int i = 0; i < 3000; ++i)
    if (rank == 1) {
      MPI_Send(&i, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    } else {
      MPI_Irecv(numbers, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
      looks_until_over(form, &request, &status);
      CHECK(numbers[0] == i);
    }
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int form = 0; form < FORMS; ++form) {
    static const int counts[] = {1, 600, 20000, LONG};
    for (int i = 0; i < 4; ++i) {
      receive(form, MPI_ANY_SOURCE, TAG, counts[i]);
      receive(form, MPI_ANY_SOURCE, MPI_ANY_TAG, counts[i]);
      receive(form, 1, MPI_ANY_TAG, counts[i]);
      receive(form, 1, TAG, counts[i]);
    }
    receive_beside_long(form);
    test_beside_library(form);
    receive_synchronous(form);
    receive_with_gaps(form);
    receive_from_oneself(form);
    cancel(form);
    receive_persistently(form);
    receive_many(form);
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %both -n 2 %t threads | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t threads | FileCheck %s %}
// CHECK: passed
