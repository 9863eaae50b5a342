/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages whose arguments, or only the count, are known only at run time. Messages of derived
 * datatypes. */
#include "counted.h"

COUNTED counted_send_struct(int calls) {
  const struct message *m = &message;
  for (int i = 0; i < calls; ++i)
    MPI_Send(m->buffer, m->count, m->datatype, m->peer, m->tag, m->communicator);
}

COUNTED counted_recv_struct(int calls) {
  const struct message *m = &message;
  for (int i = 0; i < calls; ++i)
    MPI_Recv(m->buffer, m->count, m->datatype, m->peer, m->tag, m->communicator, MPI_STATUS_IGNORE);
}

COUNTED counted_send_contiguous(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, 1, contiguous, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_send_vector(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, 1, strided, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_recv_vector(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, 1, strided, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

COUNTED counted_send_one(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, one, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_recv_one(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, one, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

COUNTED counted_send_some(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, some, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_recv_some(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, some, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

COUNTED counted_send_many(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, many, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_recv_many(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, many, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

COUNTED counted_post_many(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Irecv(&in[i * many], many, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &requests[i]);
}
