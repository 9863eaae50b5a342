/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions that calls.c counts: one for each operation, with a loop of identical calls. They
 * are in several files, as in programs. In a file with many calls of messages, mpispec makes the
 * rest share their code (docs/Templates.md). */
#ifndef MPISPEC_BENCH_COUNTED_H
#define MPISPEC_BENCH_COUNTED_H

#include <mpi.h>

enum { MANY = 32 /* calls of a round */, ARRAY = 200, ACTIVE = 8, tag = 7 };
#define COUNTED __attribute__((noinline, noclone)) void

extern double out[256], in[MANY * 100];
extern MPI_Request requests[ARRAY];
extern MPI_Status statuses[ARRAY];

/* A message as programs keep one: in a structure that only the run fills in. */
struct message {
  void *buffer;
  int count, peer, tag;
  MPI_Datatype datatype;
  MPI_Comm communicator;
};
extern struct message message;

extern int many, some, one; /* counts that only the run knows */
extern MPI_Datatype contiguous, strided;
extern MPI_Comm pair; /* a duplicate of MPI_COMM_WORLD */

void counted_loop(int calls);
void counted_send_8(int calls);
void counted_recv_8(int calls);
void counted_isend_wait_8(int calls);
void counted_irecv_wait_8(int calls);
void counted_sendrecv_self_8(int calls);
void counted_sendrecv_8(int calls);
void counted_sendrecv_remote_8(int calls);
void counted_sendrecv_local_8(int calls);
void counted_replace_self_8(int calls);
void counted_send_1024(int calls);
void counted_send_2048(int calls);
void counted_recv_2048(int calls);
void counted_isend_wait_2048(int calls);
void counted_irecv_wait_2048(int calls);
void counted_sendrecv_2048(int calls);
void counted_send_pair_2048(int calls);
void counted_recv_pair_2048(int calls);
void own_posted_8(int calls);
void own_posted_2048(int calls);
void counted_send_struct(int calls);
void counted_recv_struct(int calls);
void counted_send_contiguous(int calls);
void counted_send_vector(int calls);
void counted_recv_vector(int calls);
void counted_send_one(int calls);
void counted_recv_one(int calls);
void counted_send_some(int calls);
void counted_recv_some(int calls);
void counted_send_many(int calls);
void counted_recv_many(int calls);
void counted_post_many(int calls);
void counted_post(int calls);
void counted_waitall(int calls);
void counted_wait_status(int calls);
void counted_wait_unread(int calls);
void counted_waitany(int calls);
void counted_testsome(int calls);
void counted_test_nothing(int calls);
void counted_testany_one_nothing(int calls);
void counted_testany_nothing(int calls);
void counted_testall_nothing(int calls);
void counted_testsome_nothing(int calls);
void counted_startall(int calls);
void counted_startall_waitall(int calls);
void counted_recv_any(int calls);
void counted_probe_recv(int calls);
void counted_iprobe_nothing(int calls);
void counted_iprobe_one_nothing(int calls);
void counted_barrier(int calls);
void counted_bcast_from_here(int calls);
void counted_bcast_to_here(int calls);
void counted_reduce_to_here(int calls);
void counted_reduce_from_here(int calls);
void counted_allreduce(int calls);

#endif
