/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages of 8 bytes whose arguments are all known at compile time. */
#include "counted.h"

COUNTED counted_loop(int calls) {
  for (int i = 0; i < calls; ++i)
    __asm__ volatile("" ::: "memory");
}

COUNTED counted_send_8(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_recv_8(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

COUNTED counted_isend_wait_8(int calls) {
  MPI_Request request;
  for (int i = 0; i < calls; ++i) {
    MPI_Isend(out, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

COUNTED counted_irecv_wait_8(int calls) {
  MPI_Request request;
  for (int i = 0; i < calls; ++i) {
    MPI_Irecv(in, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

COUNTED counted_sendrecv_self_8(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Sendrecv(out, 1, MPI_DOUBLE, 0, tag, in, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

COUNTED counted_sendrecv_8(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Sendrecv(out, 1, MPI_DOUBLE, 1, tag, in, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

COUNTED counted_sendrecv_remote_8(int calls) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; rank != 1 && i < calls; ++i)
    MPI_Sendrecv(out, 1, MPI_DOUBLE, 1, tag, in, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

COUNTED counted_sendrecv_local_8(int calls) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < calls; ++i)
    MPI_Sendrecv(out, 1, MPI_DOUBLE, rank, tag, in, 1, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

COUNTED counted_replace_self_8(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Sendrecv_replace(in, 1, MPI_DOUBLE, 0, tag, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
