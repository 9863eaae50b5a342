/* Each template's equation, in the variants that facts lead to: the fast path is taken, and does
 * what the call would do. Two ranks. */
#include "ordinary.h"

static unsigned char out[2048], in[2048];
static MPI_Status status;

static void fill(int round) {
  for (int i = 0; i < (int)sizeof out; ++i) {
    out[i] = (unsigned char)(i * 7 + round);
    in[i] = 0xee;
  }
}

static void check(int bytes, int source, int tag) {
  int count;
  MPI_Get_count(&status, MPI_BYTE, &count);
  EXPECT(count == bytes && status.MPI_SOURCE == source && status.MPI_TAG == tag);
  EXPECT(!memcmp(in, out, (size_t)bytes) && in[bytes] == 0xee);
}

/* One message each round, which has arrived before it is received. */
#define EACH_ROUND(SEND, RECEIVE, BYTES)                                                           \
  for (int round = 0; round < ROUNDS; ++round) {                                                   \
    fill(round);                                                                                   \
    if (rank == 0) {                                                                               \
      SEND;                                                                                        \
    }                                                                                              \
    MPI_Barrier(MPI_COMM_WORLD);                                                                   \
    if (rank == 1) {                                                                               \
      RECEIVE;                                                                                     \
      check(BYTES, 0, 7);                                                                          \
    }                                                                                              \
    MPI_Barrier(MPI_COMM_WORLD);                                                                   \
  }

#define SIZED(NAME, BYTES)                                                                         \
  EACH_ROUND(MPI_##NAME(out, BYTES, MPI_BYTE, 1, 7, MPI_COMM_WORLD),                               \
             MPI_Recv(in, BYTES, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &status), BYTES)                  \
  if (rank == 0)                                                                                   \
    FEW(NAME, CREDITS(BYTES));                                                                     \
  else                                                                                             \
    FEW(Recv, CREDITS(BYTES));

static void sends_of_known_size(int rank) {
  SIZED(Send, 0)
  SIZED(Send, 1)
  SIZED(Send, 8)
  SIZED(Send, 48)
  SIZED(Send, 49)
  SIZED(Send, 104)
  SIZED(Send, 105)
  SIZED(Send, 256)
  SIZED(Rsend, 8)
  SIZED(Bsend, 8)
  SIZED(Bsend, 250)
}

/* A message shorter than what the receive has room for. */
static void known_room(int rank) {
  EACH_ROUND(MPI_Send(out, 100, MPI_BYTE, 1, 7, MPI_COMM_WORLD),
             MPI_Recv(in, 256, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &status), 100)
  if (rank == 1)
    FEW(Recv, CREDITS(100));
  EACH_ROUND(MPI_Send(out, 5, MPI_BYTE, 1, 7, MPI_COMM_WORLD),
             MPI_Recv(in, 256, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &status), 5)
  if (rank == 1)
    FEW(Recv, CREDITS(5));
  ordinary_Send = 0;
}

/* Nothing is known but the datatype. */
static void generic(int rank, int count, int peer, int tag, MPI_Comm comm) {
  EACH_ROUND(MPI_Send(out, count, MPI_DOUBLE, peer, tag, comm),
             MPI_Recv(in, count, MPI_DOUBLE, peer, tag, comm, &status), count * 8)
  if (rank == 0)
    FEW(Send, CREDITS(count * 8));
  else
    FEW(Recv, CREDITS(count * 8));
}

static void nonblocking(int rank) {
  MPI_Request request = MPI_REQUEST_NULL, requests[3];
  EACH_ROUND(MPI_Isend(out, 4, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, &request);
             MPI_Wait(&request, MPI_STATUS_IGNORE),
             MPI_Irecv(in, 4, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
             MPI_Wait(&request, &status), 32)
  EXPECT(request == MPI_REQUEST_NULL);
  if (rank == 0) {
    FEW(Isend, CREDITS(32));
    FEW(Wait, 0);
  } else {
    FEW(Irecv, CREDITS(32));
    FEW(Wait, 0);
  }
  EACH_ROUND(MPI_Send(out, 2000, MPI_BYTE, 1, 7, MPI_COMM_WORLD), /* long: an ordinary call */
             MPI_Irecv(in, 2000, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request);
             MPI_Wait(&request, &status), 2000)
  if (rank == 1)
    FEW(Irecv, 0);
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_Status statuses[3];
    memset(statuses, 0x55, sizeof statuses);
    if (rank == 0) {
      for (int i = 0; i < 3; ++i)
        MPI_Isend(out, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
      MPI_Waitall(3, requests, statuses);
      for (int i = 0, cancelled; i < 3; ++i) {
        MPI_Test_cancelled(&statuses[i], &cancelled);
        EXPECT(requests[i] == MPI_REQUEST_NULL && !cancelled);
      }
    } else {
      for (int i = 0; i < 3; ++i)
        MPI_Recv(in, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0)
    FEW(Waitall, 0);
  ordinary_Isend = ordinary_Recv = 0;
}

/* Receives that were over at once, in an array with a null request, and tested. */
static void receipts(int rank) {
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                               MPI_REQUEST_NULL};
    MPI_Status statuses[4];
    int values[4] = {0}, count, flag = 0;
    for (int i = 0; rank == 0 && i < 4; ++i) {
      const int value = round + i;
      MPI_Isend(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[0]);
      for (flag = 0; !flag;)
        MPI_Test(&requests[0], &flag, &statuses[0]);
      EXPECT(requests[0] == MPI_REQUEST_NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    memset(statuses, 0x55, sizeof statuses);
    for (int i = 0; rank == 1 && i < 3; ++i)
      MPI_Irecv(&values[i], 2 - (i == 1), MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(4, requests, statuses);
    for (int i = 0; i < 4; ++i) {
      MPI_Get_count(&statuses[i], MPI_INT, &count);
      EXPECT(requests[i] == MPI_REQUEST_NULL);
      if (rank == 1 && i < 3)
        EXPECT(values[i] == round + i && count == 1 && statuses[i].MPI_TAG == i &&
               statuses[i].MPI_SOURCE == 0);
      else
        EXPECT(!count && statuses[i].MPI_TAG == MPI_ANY_TAG &&
               statuses[i].MPI_SOURCE == MPI_ANY_SOURCE);
    }
    if (rank == 1) {
      MPI_Irecv(&values[3], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[3]);
      for (flag = 0; !flag;)
        MPI_Test(&requests[3], &flag, &status);
      EXPECT(values[3] == round + 3 && requests[3] == MPI_REQUEST_NULL && status.MPI_TAG == 3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  FEW(Waitall, 0);
  FEW_AT_ALL(Test, 0);
  ordinary_Isend = ordinary_Irecv = 0;
}

static void synchronous(int rank) {
  MPI_Request request;
  for (int round = 0; round < ROUNDS; ++round) {
    fill(round);
    if (rank == 0) {
      MPI_Issend(out, 7, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, &status);
      EXPECT(request == MPI_REQUEST_NULL);
    } else {
      MPI_Recv(in, 7, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &status);
      check(56, 0, 7);
    }
  }
  if (rank == 0)
    FEW(Issend, CREDITS(56));
  templates_wait(1); /* else how many match at once is a matter of luck */
  for (int round = 0; round < ROUNDS; ++round) {
    fill(round);
    if (rank == 0) {
      MPI_Ssend(out, 6, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    } else {
      MPI_Recv(in, 6, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &status);
      check(48, 0, 7);
    }
  }
  templates_wait(0);
  if (rank == 0)
    FEW(Ssend, CREDITS(48));
  MPI_Barrier(MPI_COMM_WORLD);
  ordinary_Recv = ordinary_Wait = 0;
}

static void both_ways(int rank) {
  const int peer = 1 - rank;
  for (int round = 0; round < ROUNDS; ++round) {
    fill(round);
    MPI_Sendrecv(out, 3, MPI_DOUBLE, peer, 7, in, 3, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD, &status);
    check(24, peer, 7);
    memcpy(in, out, 16);
    in[16] = 0xee;
    MPI_Sendrecv_replace(in, 2, MPI_DOUBLE, peer, 8, peer, 8, MPI_COMM_WORLD, &status);
    check(16, peer, 8);
  }
  ordinary_Sendrecv = ordinary_Sendrecv_replace = 0; /* a matter of luck */
}

static void to_oneself(MPI_Comm comm, int self) {
  MPI_Request request;
  for (int round = 0; round < ROUNDS; ++round) {
    fill(round);
    MPI_Sendrecv(out, 3, MPI_DOUBLE, self, 7, in, 5, MPI_DOUBLE, self, 7, comm, &status);
    check(24, self, 7);
    memcpy(in, out, 16);
    in[16] = 0xee;
    MPI_Sendrecv_replace(in, 2, MPI_DOUBLE, self, 8, self, 8, comm, &status);
    check(16, self, 8);
    fill(round);
    MPI_Isend(out, 8, MPI_BYTE, self, 9, comm, &request);
    MPI_Recv(in, 8, MPI_BYTE, self, 9, comm, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(8, self, 9);
  }
  FEW(Sendrecv, CREDITS(24));
  FEW(Sendrecv_replace, CREDITS(16));
  FEW(Isend, CREDITS(8));
  FEW(Recv, CREDITS(8));
  FEW(Wait, 0);
}

int main(int argc, char **argv) {
  static char attached[1 << 20];
  volatile int three = 3, seven = 7;
  int rank, self;
  MPI_Comm reversed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach(attached, sizeof attached);
  sends_of_known_size(rank);
  known_room(rank);
  generic(rank, three, 1 - rank, seven, MPI_COMM_WORLD);
  nonblocking(rank);
  receipts(rank);
  synchronous(rank);
  both_ways(rank);
  to_oneself(MPI_COMM_WORLD, rank);
  to_oneself(MPI_COMM_SELF, 0);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Comm_rank(reversed, &self);
  EXPECT(self == 1 - rank);
  to_oneself(reversed, self);
  MPI_Comm_free(&reversed);
  MPI_Buffer_detach(&argv, &argc);
  return expect_finish();
}

// Options are tried over MPICH, and those that change layouts also over Open MPI.
// RUN: for options in "-O3 -fshort-enums" "-Os -fpack-struct" \
// RUN:     %if !openmpi && !quick %{ -O1 -O2 "-O2 -fPIC -fvisibility=hidden" %}; do \
// RUN:   echo "$options" && \
// RUN:   %specialise %t mpicc -std=c11 $options %s && %everywhere 2 %t || exit 1; \
// RUN: done
// RUN: for options in -O2 %if !openmpi && !quick %{ "-Os -fpack-struct" %}; do \
// RUN:   %behind clang-22 %specialise %t mpicc -std=c11 $options %s && %everywhere 2 %t || exit 1; \
// RUN: done
