/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages of 1 and 2 KiB whose arguments are all known at compile time, and messages to oneself */
#include "counted.h"

COUNTED counted_send_1024(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, 128, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_send_2048(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, 256, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_recv_2048(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, 256, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

COUNTED counted_isend_wait_2048(int calls) {
  MPI_Request request;
  for (int i = 0; i < calls; ++i) {
    MPI_Isend(out, 256, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

COUNTED counted_irecv_wait_2048(int calls) {
  MPI_Request request;
  for (int i = 0; i < calls; ++i) {
    MPI_Irecv(in, 256, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

COUNTED counted_sendrecv_2048(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Sendrecv(out, 256, MPI_DOUBLE, 1, tag, in, 256, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

COUNTED counted_send_pair_2048(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, 256, MPI_DOUBLE, 1, tag, pair);
}

COUNTED counted_recv_pair_2048(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, 256, MPI_DOUBLE, 1, tag, pair, MPI_STATUS_IGNORE);
}

static __attribute__((noinline, noclone)) void counted_own_posted(int calls, int count) {
  int rank;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < calls; ++i) {
    MPI_Irecv(in, count, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD, &request);
    MPI_Send(out, count, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

void own_posted_8(int calls) { counted_own_posted(calls, 1); }
void own_posted_2048(int calls) { counted_own_posted(calls, 256); }
