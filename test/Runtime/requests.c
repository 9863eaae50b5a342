/* The life of a request beside its completion: freed while it is active, cancelled, tested for its status. Persistent
 * requests of every mode are started, completed, left alone and freed. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { LARGE = 200000 };
static const int sizes[] = {0, 8, 300, 5000, LARGE};
enum { SIZES = sizeof sizes / sizeof sizes[0] };
static int rank, peer;
static char in[LARGE], out[SIZES][LARGE], buffer[2 * LARGE + 2 * MPI_BSEND_OVERHEAD];

static int is_cancelled(const MPI_Status *status) {
  int flag = -1;
  MPI_Test_cancelled(status, &flag);
  return flag;
}

/* --- freed while active ------------------------------------------------------------------------*/

/* A send goes on to its end; a receive, too: that it is over is seen in its buffer. */
static void freed_while_active(MPI_Comm comm) {
  static volatile char last;
  MPI_Request request, word;
  for (int i = 0; i < SIZES; ++i)
    for (int mode = 0; mode < 3; ++mode) {
      memset(out[i], 'a' + i, sizeof out[i]);
      if (mode == 0)
        MPI_Isend(out[i], sizes[i], MPI_CHAR, peer, mode, comm, &request);
      else if (mode == 1)
        MPI_Issend(out[i], sizes[i], MPI_CHAR, peer, mode, comm, &request);
      else
        MPI_Send_init(out[i], sizes[i], MPI_CHAR, peer, mode, comm, &request), MPI_Start(&request);
      MPI_Request_free(&request);
      CHECK(request == MPI_REQUEST_NULL);
      in[0] = 0;
      MPI_Irecv(in, LARGE, MPI_CHAR, peer, mode, comm, &request);
      if (sizes[i]) {
        MPI_Request_free(&request);
        for (const volatile char *byte = in; byte[sizes[i] - 1] != 'a' + i;) {
          int flag;
          MPI_Iprobe(MPI_ANY_SOURCE, 99, comm, &flag, MPI_STATUS_IGNORE);
        }
        last = in[sizes[i] - 1];
        memset(in, 0, sizeof in);
      } else {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      MPI_Irecv(&in, 0, MPI_CHAR, peer, 50, comm, &word);
      MPI_Send(NULL, 0, MPI_CHAR, peer, 50, comm);
      MPI_Wait(&word, MPI_STATUS_IGNORE); /* before the buffer is used again */
    }
  (void)last;
}

/* --- cancelled ---------------------------------------------------------------------------------*/

/* The message goes to the next receive, as if the cancelled one had never been. */
static void cancelled(int source, int tag, int persistent, MPI_Comm comm) {
  int gone = -1, word = 0;
  MPI_Request request, next, handle;
  MPI_Status status;
  if (persistent)
    MPI_Recv_init(&gone, 1, MPI_INT, source, tag, comm, &request), MPI_Start(&request);
  else
    MPI_Irecv(&gone, 1, MPI_INT, source, tag, comm, &request);
  MPI_Irecv(&word, 1, MPI_INT, source, tag, comm, &next);
  handle = request;
  MPI_Cancel(&request);
  CHECK(request == handle); /* a cancelled request is still to be completed */
  MPI_Wait(&request, &status);
  CHECK(is_cancelled(&status) && (persistent ? request == handle : request == MPI_REQUEST_NULL));
  MPI_Barrier(comm);
  const int value = rank + 5;
  MPI_Send(&value, 1, MPI_INT, peer, 2, comm);
  MPI_Wait(&next, &status);
  CHECK(!is_cancelled(&status) && word == peer + 5 && gone == -1);
  if (!persistent)
    return;
  MPI_Start(&request); /* and as good as new */
  MPI_Send(&value, 1, MPI_INT, peer, 2, comm);
  MPI_Wait(&request, &status);
  CHECK(!is_cancelled(&status) && gone == peer + 5);
  MPI_Request_free(&request);
}

/* The receive of an exchange with an end of a chain. The message that was not received is received by another call. */
static void cancelled_exchange(int source, int replaces, MPI_Comm comm) {
#if MPI_VERSION >= 4
  int in = -1, out = 1, value = rank + 5;
  MPI_Request request;
  MPI_Status status;
  if (replaces)
    MPI_Isendrecv_replace(&in, 1, MPI_INT, MPI_PROC_NULL, 2, source, 2, comm, &request);
  else
    MPI_Isendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 2, &in, 1, MPI_INT, source, 2, comm, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  CHECK(is_cancelled(&status) && request == MPI_REQUEST_NULL && in == -1);
  MPI_Barrier(comm);
  MPI_Sendrecv(&value, 1, MPI_INT, peer, 2, &in, 1, MPI_INT, peer, 2, comm, MPI_STATUS_IGNORE);
  CHECK(in == peer + 5);
#endif
}

/* Too late: it has its message. In an array, and freed at once. */
static void cancelled_too_late(MPI_Comm comm) {
  int word = 0, flag = 0;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Irecv(&word, 1, MPI_INT, peer, 3, comm, &requests[0]);
  MPI_Irecv(&word, 1, MPI_INT, peer, 4, comm, &requests[1]);
  MPI_Send(&rank, 1, MPI_INT, peer, 3, comm);
  while (!flag)
    MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
  MPI_Cancel(&requests[0]);
  MPI_Cancel(&requests[1]);
  MPI_Waitall(2, requests, statuses);
  CHECK(!is_cancelled(&statuses[0]) && is_cancelled(&statuses[1]) && word == peer);
  MPI_Irecv(&word, 1, MPI_INT, peer, 5, comm, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Request_free(&requests[0]);
  CHECK(requests[0] == MPI_REQUEST_NULL);
}

/* The message has come, but no call has found it yet. A library may cancel such a receive; the runtime receives the
 * message. */
static void cancelled_with_message(int source, int tag, int length, int in_lanes, MPI_Comm comm) {
  static int in[40000], out[40000];
  MPI_Request request, sending;
  MPI_Status status;
  in[length - 1] = -1;
  out[length - 1] = rank + 5;
  MPI_Irecv(in, length, MPI_INT, source, tag, comm, &request);
  MPI_Isend(out, length, MPI_INT, peer, 2, comm, &sending);
  MPI_Barrier(comm);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  CHECK(!in_lanes || !is_cancelled(&status));
  if (is_cancelled(&status))
    MPI_Recv(in, length, MPI_INT, peer, 2, comm, MPI_STATUS_IGNORE);
  CHECK(in[length - 1] == peer + 5);
  MPI_Wait(&sending, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
}

/* --- asked for its status ----------------------------------------------------------------------*/

static void asked(MPI_Comm comm) {
  int word = 0, flag = 1, count = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
  MPI_Request_get_status(request, &flag, &status);
  CHECK(!flag);
  MPI_Barrier(comm);
  MPI_Send(&rank, 1, MPI_INT, peer, 8, comm);
  for (int time = 0; time < 3; ++time) { /* it stays as it is */
    flag = 0;
    while (!flag)
      MPI_Request_get_status(request, &flag, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(status.MPI_SOURCE == peer && status.MPI_TAG == 8 && count == 1 && word == peer);
  }
  MPI_Wait(&request, &status);
  CHECK(request == MPI_REQUEST_NULL && status.MPI_TAG == 8);
}

/* A single completion leaves MPI_ERROR alone. */
static void error_field(MPI_Comm comm) {
  int word, flag = 0, index;
  MPI_Request request;
  MPI_Status status;
  for (int way = 0; way < 4; ++way) {
    MPI_Irecv(&word, 1, MPI_INT, peer, 9, comm, &request);
    MPI_Send(&rank, 1, MPI_INT, peer, 9, comm);
    status.MPI_ERROR = 1234;
    if (way == 0)
      MPI_Wait(&request, &status);
    else if (way == 1)
      MPI_Waitany(1, &request, &index, &status);
    for (flag = way < 2; !flag;)
      if (way == 2)
        MPI_Test(&request, &flag, &status);
      else
        MPI_Testany(1, &request, &index, &flag, &status);
    CHECK(status.MPI_ERROR == 1234);
  }
}

/* --- persistent --------------------------------------------------------------------------------*/

typedef int init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/* All sends of a mode and their receives, started in one go, in changing order. */
static void persistent(init *send_init, int ready, MPI_Comm comm) {
  static char room[SIZES][LARGE];
  MPI_Request requests[2 * SIZES], before[2 * SIZES];
  MPI_Status statuses[2 * SIZES];
  for (int i = 0; i < SIZES; ++i) {
    MPI_Recv_init(room[i], LARGE, MPI_CHAR, i % 2 ? peer : MPI_ANY_SOURCE, i, comm, &requests[i]);
    send_init(out[i], sizes[i], MPI_CHAR, peer, i, comm, &requests[SIZES + i]);
  }
  memcpy(before, requests, sizeof before);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < SIZES; ++i)
      memset(out[i], 'a' + i + round, sizeof out[i]);
    if (round % 2 || ready) {
      MPI_Startall(SIZES, requests);
      MPI_Barrier(comm);
      MPI_Startall(SIZES, requests + SIZES);
    } else {
      MPI_Startall(2 * SIZES, requests);
    }
    MPI_Waitall(2 * SIZES, requests, statuses);
    CHECK(!memcmp(before, requests, sizeof before));
    for (int i = 0; i < SIZES; ++i) {
      int count;
      MPI_Get_count(&statuses[i], MPI_CHAR, &count);
      CHECK(count == sizes[i] && statuses[i].MPI_SOURCE == peer && statuses[i].MPI_TAG == i);
      CHECK(!count || room[i][count - 1] == 'a' + i + round);
    }
  }
  for (int i = 0; i < 2 * SIZES; ++i)
    MPI_Request_free(&requests[i]);
}

int main(int argc, char **argv) {
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = rank ^ 1;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Buffer_attach(buffer, sizeof buffer);
  freed_while_active(copy);
  for (int i = 0; i < 8; ++i)
    cancelled(i & 1 ? MPI_ANY_SOURCE : peer, i & 2 ? MPI_ANY_TAG : 2, i >> 2, copy);
  for (int i = 0; i < 4; ++i)
    cancelled_exchange(i & 1 ? MPI_ANY_SOURCE : peer, i >> 1, copy);
  cancelled_too_late(copy);
  for (int i = 0; i < 8; ++i)
    cancelled_with_message(i & 1 ? MPI_ANY_SOURCE : peer, i & 2 ? MPI_ANY_TAG : 2, i & 4 ? 40000 : 1, argc > 1, copy);
  asked(copy);
  error_field(copy);
  persistent(MPI_Send_init, 0, copy);
  persistent(MPI_Bsend_init, 0, copy);
  persistent(MPI_Ssend_init, 0, copy);
  persistent(MPI_Rsend_init, 1, copy);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  tell("rank %d did", rank);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// Without lanes, Open MPI 4.1 fails at the persistent receives here.
// RUN: %if openmpi %{ env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s %}
// RUN: %if !openmpi %{ %both -n 2 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t in-lanes | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=2 %mpirun -n 4 %t | FileCheck %s
// CHECK: rank 1 did
