/* The large-count form of every function that has one, by itself. The plain form of the other side receives its
 * messages, and the other way round: to oneself, to a neighbour, and to MPI_PROC_NULL. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { LARGE = 20000 };
static int rank, size, to, from;
static int in[LARGE], out[LARGE], expected[LARGE];
static const int counts[] = {0, 2, 100, 3000, LARGE};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static void prepare(int count, int round) {
  for (int i = 0; i < LARGE; ++i) {
    out[i] = rank * 1000 + round + i;
    expected[i] = i < count ? from * 1000 + round + i : -1;
    in[i] = -1;
  }
}

static void check(int count, int tag, const MPI_Status *status) {
  MPI_Count elements = -1;
  if (status) {
    MPI_Get_count_c(status, MPI_INT, &elements);
    CHECK(elements == count && status->MPI_SOURCE == from && status->MPI_TAG == tag);
  }
  CHECK(!memcmp(in, expected, sizeof in));
}

static void end(MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  if (*request != MPI_REQUEST_NULL)
    MPI_Request_free(request);
}

/* One form of a send against the receives. */
#define BLOCKING(NAME, COUNT)                                                                      \
  static void NAME##_to(COUNT count, int tag, MPI_Request *request) {                              \
    MPI_##NAME(out, count, MPI_INT, to, tag, MPI_COMM_WORLD);                                      \
    *request = MPI_REQUEST_NULL;                                                                   \
  }
#define NONBLOCKING(NAME, COUNT)                                                                   \
  static void NAME##_to(COUNT count, int tag, MPI_Request *request) {                              \
    MPI_##NAME(out, count, MPI_INT, to, tag, MPI_COMM_WORLD, request);                             \
  }
#define PERSISTENT(NAME, COUNT)                                                                    \
  static void NAME##_to(COUNT count, int tag, MPI_Request *request) {                              \
    MPI_##NAME(out, count, MPI_INT, to, tag, MPI_COMM_WORLD, request);                             \
    MPI_Start(request);                                                                            \
  }
#define EACH_SEND(B, N, P, T)                                                                      \
  B(Send, T)                                                                                       \
  B(Bsend, T)                                                                                      \
  B(Ssend, T) B(Rsend, T) N(Isend, T) N(Ibsend, T) N(Issend, T) N(Irsend, T) P(Send_init, T)       \
      P(Bsend_init, T) P(Ssend_init, T) P(Rsend_init, T)
#define EACH_SEND_C(B, N, P, T)                                                                    \
  B(Send_c, T)                                                                                     \
  B(Bsend_c, T)                                                                                    \
  B(Ssend_c, T) B(Rsend_c, T) N(Isend_c, T) N(Ibsend_c, T) N(Issend_c, T) N(Irsend_c, T)           \
      P(Send_init_c, T) P(Bsend_init_c, T) P(Ssend_init_c, T) P(Rsend_init_c, T)
EACH_SEND(BLOCKING, NONBLOCKING, PERSISTENT, int)
EACH_SEND_C(BLOCKING, NONBLOCKING, PERSISTENT, MPI_Count)

typedef void start_send(MPI_Count, int, MPI_Request *);
#define WRAP(NAME, T)                                                                              \
  static void NAME##_wrapped(MPI_Count count, int tag, MPI_Request *request) {                     \
    NAME##_to((T)count, tag, request);                                                             \
  }
EACH_SEND(WRAP, WRAP, WRAP, int)
EACH_SEND_C(WRAP, WRAP, WRAP, MPI_Count)
#define ADDRESS(NAME, T) NAME##_wrapped,
static start_send *const sends[] = {EACH_SEND(ADDRESS, ADDRESS, ADDRESS, 0)
                                        EACH_SEND_C(ADDRESS, ADDRESS, ADDRESS, 0)};
enum { SENDS = sizeof sends / sizeof sends[0] };

enum {
  IRECV,
  IRECV_C,
  RECV_INIT,
  RECV_INIT_C,
  POSTED,
  RECV = POSTED,
  RECV_C,
  IMRECV,
  IMRECV_C,
  MRECV,
  MRECV_C,
  RECEIVES
};

static void post(int way, int source, int tag, MPI_Request *request) {
  if (way == IRECV)
    MPI_Irecv(in, LARGE, MPI_INT, source, tag, MPI_COMM_WORLD, request);
  if (way == IRECV_C)
    MPI_Irecv_c(in, LARGE, MPI_INT, source, tag, MPI_COMM_WORLD, request);
  if (way == RECV_INIT)
    MPI_Recv_init(in, LARGE, MPI_INT, source, tag, MPI_COMM_WORLD, request);
  if (way == RECV_INIT_C)
    MPI_Recv_init_c(in, LARGE, MPI_INT, source, tag, MPI_COMM_WORLD, request);
  if (way >= RECV_INIT)
    MPI_Start(request);
}

static void receive(int way, int source, int tag, MPI_Status *status) {
  MPI_Message message;
  MPI_Request request;
  if (way == RECV)
    MPI_Recv(in, LARGE, MPI_INT, source, tag, MPI_COMM_WORLD, status);
  if (way == RECV_C)
    MPI_Recv_c(in, LARGE, MPI_INT, source, tag, MPI_COMM_WORLD, status);
  if (way < IMRECV)
    return;
  MPI_Mprobe(source, tag, MPI_COMM_WORLD, &message, status);
  if (way == MRECV)
    MPI_Mrecv(in, LARGE, MPI_INT, &message, status);
  if (way == MRECV_C)
    MPI_Mrecv_c(in, LARGE, MPI_INT, &message, status);
  if (way == IMRECV)
    MPI_Imrecv(in, LARGE, MPI_INT, &message, &request), MPI_Wait(&request, status);
  if (way == IMRECV_C)
    MPI_Imrecv_c(in, LARGE, MPI_INT, &message, &request), MPI_Wait(&request, status);
}

static void send_and_receive(int send, int way, int count, int tag) {
  MPI_Request sending, receiving;
  MPI_Status status;
  const int source = (send + way) % 2 ? from : MPI_ANY_SOURCE;
  prepare(count, send + way);
  if (way < POSTED) {
    post(way, source, tag, &receiving);
    if (to != rank)
      MPI_Barrier(MPI_COMM_WORLD); /* for the ready mode */
    sends[send](count, tag, &sending);
    MPI_Wait(&receiving, &status);
    if (receiving != MPI_REQUEST_NULL)
      MPI_Request_free(&receiving);
  } else {
    const int kind = send % 12;
    if (kind < 4 || kind % 4 == 3) /* these kinds may wait for a receive, or need one */
      MPI_Isend(out, count, MPI_INT, to, tag, MPI_COMM_WORLD, &sending);
    else
      sends[send](count, tag, &sending);
    receive(way, source, tag, &status);
  }
  end(&sending);
  check(count, tag, &status);
}

/* --- exchanges ---------------------------------------------------------------------------------*/

static void exchange(int way, int count, MPI_Status *status) {
  MPI_Request request;
  if (way == 0)
    MPI_Sendrecv(out, count, MPI_INT, to, 1, in, LARGE, MPI_INT, from, 1, MPI_COMM_WORLD, status);
  if (way == 1)
    MPI_Sendrecv_c(out, count, MPI_INT, to, 1, in, LARGE, MPI_INT, MPI_ANY_SOURCE, 1,
                   MPI_COMM_WORLD, status);
  if (way == 2)
    MPI_Isendrecv(out, count, MPI_INT, to, 1, in, LARGE, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                  &request);
  if (way == 3)
    MPI_Isendrecv_c(out, count, MPI_INT, to, 1, in, LARGE, MPI_INT, from, 1, MPI_COMM_WORLD,
                    &request);
  if (way > 1 && way < 4)
    MPI_Wait(&request, status);
  if (way < 4)
    return;
  memcpy(in, out, (size_t)count * sizeof in[0]);
  if (way == 4)
    MPI_Sendrecv_replace(in, count, MPI_INT, to, 1, from, 1, MPI_COMM_WORLD, status);
  if (way == 5)
    MPI_Sendrecv_replace_c(in, count, MPI_INT, to, 1, from, MPI_ANY_TAG, MPI_COMM_WORLD, status);
  if (way == 6)
    MPI_Isendrecv_replace(in, count, MPI_INT, to, 1, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
  if (way == 7)
    MPI_Isendrecv_replace_c(in, count, MPI_INT, to, 1, from, 1, MPI_COMM_WORLD, &request);
  if (way > 5)
    MPI_Wait(&request, status);
}

/* The nonblocking ones of MPICH fill in no status (and fail where both sides are null processes);
 * those of lanes do. */
static int has_status(int way) {
  const char *mode = getenv("MPISPEC_MODE");
  const int all_in_lanes = mode && strcmp(mode, "off") && !getenv("MPIR_CVAR_ODD_EVEN_CLIQUES") &&
                           !getenv("MPIR_CVAR_NUM_CLIQUES");
  return !(way & 2) || all_in_lanes;
}

/* A null process on one side: what is sent to somebody, or awaited, is done by the plain call. */
static void exchange_with_nobody(int way) {
  MPI_Request request;
  MPI_Status status;
  const int real_to = to, real_from = from, is_wild = way == 1 || way == 2 || way == 6;
  prepare(0, way);
  for (int i = 0; way > 3 && i < 2; ++i)
    expected[i] = out[i]; /* replaced by nothing */
  from = MPI_PROC_NULL;
  if (!is_wild) {
    exchange(way, 2, &status);
    CHECK(!memcmp(in, expected, sizeof in));
    from = real_from;
    MPI_Recv(in, LARGE, MPI_INT, from, 1, MPI_COMM_WORLD, &status);
  }
  from = real_from;
  to = MPI_PROC_NULL;
  prepare(2, way);
  MPI_Isend(out, 2, MPI_INT, real_to, 1, MPI_COMM_WORLD, &request);
  exchange(way, 2, &status);
  check(2, 1, has_status(way) ? &status : NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  to = real_to;
}

int main(int argc, char **argv) {
  static char buffer[2 * (sizeof out + MPI_BSEND_OVERHEAD)];
  void *address;
  MPI_Count bytes;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Buffer_attach_c(buffer, sizeof buffer);
  for (int own = 0; own < 2; ++own) {
    to = own ? rank : (rank + 1) % size;
    from = own ? rank : (rank + size - 1) % size;
    for (int send = 0; send < SENDS; ++send)
      for (int way = 0; way < RECEIVES; ++way)
        send_and_receive(send, way, counts[(send + way) % COUNTS], send);
    for (int way = 0; way < 8; ++way) {
      for (int i = 0; i < COUNTS; ++i) {
        prepare(counts[i], way);
        exchange(way, counts[i], &status);
        check(counts[i], 1, has_status(way) ? &status : NULL);
      }
      exchange_with_nobody(way);
    }
  }
  MPI_Buffer_detach_c(&address, &bytes);
  CHECK(address == buffer && bytes == sizeof buffer);
  MPI_Finalize();
  tell("rank %d did", rank);
  return 0;
}

// Calls functions of MPI-4.
// REQUIRES: mpi4
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 3 %t | FileCheck %s %}
// CHECK: rank 1 did
