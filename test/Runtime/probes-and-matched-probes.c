/* Probes and matched probes: the messages that they find. A probe takes nothing, no other call gets a matched
 * message, and matched messages may be received in any order. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { LARGE = 100000 };
static const int sizes[] = {0, 8, 300, 5000, LARGE};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static int rank, size;
static char in[SIZES][LARGE], out[SIZES][LARGE];

static void send_all(int to, int synchronous, MPI_Comm comm, MPI_Request requests[]) {
  for (int i = 0; i < SIZES; ++i) {
    memset(out[i], 'a' + i, sizeof out[i]);
    (synchronous ? MPI_Issend : MPI_Isend)(out[i], sizes[i], MPI_CHAR, to, i, comm, &requests[i]);
  }
}

static void check_status(const MPI_Status *status, int i) {
  int count = -1, elements = -1;
  MPI_Get_count(status, MPI_CHAR, &count);
  MPI_Get_elements(status, MPI_CHAR, &elements);
  CHECK(status->MPI_TAG == i && count == sizes[i] && elements == sizes[i]);
}

static void check_data(int i) {
  CHECK(!sizes[i] || (in[i][0] == 'a' + i && in[i][sizes[i] - 1] == 'a' + i));
}

/* Probed twice, it is still there; the wildcards find the first. */
static void probes(int from, int wild_source, int wild_tag, int blocking, MPI_Comm comm) {
  for (int i = 0; i < SIZES; ++i)
    for (int time = 0; time < 2; ++time) {
      MPI_Status status;
      const int source = wild_source ? MPI_ANY_SOURCE : from, tag = wild_tag ? MPI_ANY_TAG : i;
      int flag = blocking;
      if (blocking)
        MPI_Probe(source, tag, comm, &status);
      while (!flag)
        MPI_Iprobe(source, tag, comm, &flag, &status);
      check_status(&status, i);
      CHECK(status.MPI_SOURCE == from);
      if (time == 0)
        continue;
      MPI_Recv(in[i], LARGE, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
      check_status(&status, i);
      check_data(i);
    }
}

static void take(int from, int wild, int blocking, int i, MPI_Comm comm, MPI_Message *message) {
  MPI_Status status;
  int flag = blocking;
  if (blocking)
    MPI_Mprobe(wild ? MPI_ANY_SOURCE : from, i, comm, message, &status);
  while (!flag)
    MPI_Improbe(wild ? MPI_ANY_SOURCE : from, i, comm, &flag, message, &status);
  check_status(&status, i);
  CHECK(status.MPI_SOURCE == from && *message != MPI_MESSAGE_NULL);
}

static void receive_taken(MPI_Message *message, int i, int now) {
  MPI_Status status;
  MPI_Request request;
  if (now) {
    MPI_Mrecv(in[i], LARGE, MPI_CHAR, message, &status);
  } else {
    MPI_Imrecv(in[i], LARGE, MPI_CHAR, message, &request);
    MPI_Wait(&request, &status);
  }
  CHECK(*message == MPI_MESSAGE_NULL);
  check_status(&status, i);
  check_data(i);
}

/* Taken in one order, received in another; no probe or receive finds what is taken. */
static void matched(int from, int wild, int blocking, MPI_Comm comm) {
  static const int orders[2][SIZES] = {{4, 2, 0, 3, 1}, {1, 4, 3, 0, 2}};
  MPI_Message messages[SIZES];
  int flag = 1;
  MPI_Status status;
  for (int k = 0; k < SIZES; ++k)
    take(from, wild, blocking, orders[0][k], comm, &messages[orders[0][k]]);
  MPI_Iprobe(from, MPI_ANY_TAG, comm, &flag, &status);
  CHECK(!flag);
  MPI_Iprobe(MPI_ANY_SOURCE, 3, comm, &flag, &status);
  CHECK(!flag);
  for (int k = 0; k < SIZES; ++k)
    receive_taken(&messages[orders[1][k]], orders[1][k], (k + blocking) % 2);
}

static void one(int wild_source, int wild_tag, int blocking, int synchronous, MPI_Comm comm) {
  MPI_Request requests[SIZES];
  const int from = (rank + size - 1) % size;
  send_all((rank + 1) % size, synchronous, comm, requests);
  probes(from, wild_source, wild_tag, blocking, comm);
  MPI_Waitall(SIZES, requests, MPI_STATUSES_IGNORE);
  send_all((rank + 1) % size, synchronous, comm, requests);
  matched(from, wild_source, blocking, comm);
  MPI_Waitall(SIZES, requests, MPI_STATUSES_IGNORE);
  MPI_Barrier(comm); /* or a probe above may find what comes next: a library may copy long messages, too */
}

/* Two messages of one tag: the first is taken, a receive gets the second. */
static void taken_then_received(MPI_Comm comm) {
  const int from = (rank + size - 1) % size;
  int first = 0, second = 0;
  MPI_Message message;
  MPI_Request requests[2];
  static const int values[2] = {11, 22};
  MPI_Isend(&values[0], 1, MPI_INT, (rank + 1) % size, 5, comm, &requests[0]);
  MPI_Isend(&values[1], 1, MPI_INT, (rank + 1) % size, 5, comm, &requests[1]);
  MPI_Mprobe(from, 5, comm, &message, MPI_STATUS_IGNORE);
  MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 5, comm, MPI_STATUS_IGNORE);
  MPI_Mrecv(&first, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  CHECK(first == 11 && second == 22);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* A probe does not find the message of a posted receive. */
static void posted_comes_first(MPI_Comm comm) {
  const int from = (rank + size - 1) % size;
  int first = 0, second = 0, flag = 0;
  MPI_Request requests[3];
  static const int values[2] = {11, 22};
  MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 6, comm, &requests[2]);
  MPI_Barrier(comm);
  MPI_Isend(&values[0], 1, MPI_INT, (rank + 1) % size, 6, comm, &requests[0]);
  MPI_Isend(&values[1], 1, MPI_INT, (rank + 1) % size, 6, comm, &requests[1]);
  while (!flag)
    MPI_Iprobe(from, 6, comm, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(&second, 1, MPI_INT, from, 6, comm, MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  CHECK(first == 11 && second == 22);
}

/* Truncation and derived types in the receive of a matched message. */
static void into_types(MPI_Comm comm) {
  const int from = (rank + size - 1) % size;
  int numbers[6] = {1, 2, 3, 4, 5, 6}, strided[12] = {0}, count = 0;
  MPI_Datatype every_other;
  MPI_Message message;
  MPI_Status status;
  MPI_Request request;
  MPI_Type_vector(6, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Isend(numbers, 6, MPI_INT, (rank + 1) % size, 7, comm, &request);
  MPI_Mprobe(from, 7, comm, &message, &status);
  MPI_Get_count(&status, every_other, &count);
  CHECK(count == 1);
  MPI_Mrecv(strided, 1, every_other, &message, &status);
  for (int i = 0; i < 6; ++i)
    CHECK(strided[2 * i] == i + 1 && !strided[2 * i + 1]);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Isend(numbers, 6, MPI_INT, (rank + 1) % size, 8, comm, &request);
  MPI_Mprobe(from, 8, comm, &message, &status);
  int class = MPI_SUCCESS, error = MPI_Mrecv(strided, 2, MPI_INT, &message, &status);
  MPI_Error_class(error, &class);
  CHECK(class == MPI_ERR_TRUNCATE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&every_other);
}

static void nobody(void) {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  int count = -1, x = 5;
  MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status);
  CHECK(message == MPI_MESSAGE_NO_PROC);
  MPI_Mrecv(&x, 1, MPI_INT, &message, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && !count && x == 5 && message == MPI_MESSAGE_NULL);
}

int main(int argc, char **argv) {
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPICH asks that one */
  for (int i = 0; i < 16; ++i)
    one(i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3 & 1, i % 3 ? copy : MPI_COMM_WORLD);
  taken_then_received(copy);
  posted_comes_first(copy);
  into_types(copy);
  nobody();
  MPI_Comm_free(&copy);
  MPI_Finalize();
  tell("rank %d of %d did", rank, size);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 1 %t | FileCheck %s
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=2 %mpirun -n 4 %t | FileCheck %s
// CHECK: rank 0 of {{[124]}} did
