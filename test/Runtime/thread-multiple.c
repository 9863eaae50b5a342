/* MPI_THREAD_MULTIPLE: several threads of each rank send, receive, probe and make communicators. */
enum { THREADS = 4, ROUNDS = 300 };

#include "team.h"

/* Ping-pong with the same thread of the neighbour, told apart by tag. */
static void ping_pong(int thread, MPI_Comm comm) {
  const int peer = rank ^ 1;
  int value = 0;
  if (peer >= size)
    return;
  for (int i = 0; i < ROUNDS; ++i) {
    if (rank < peer) {
      value = i * THREADS + thread;
      MPI_Send(&value, 1, MPI_INT, peer, thread, comm);
      MPI_Recv(&value, 1, MPI_INT, i % 2 ? peer : MPI_ANY_SOURCE, thread, comm, MPI_STATUS_IGNORE);
      CHECK(value == i * THREADS + thread + 1);
    } else {
      MPI_Recv(&value, 1, MPI_INT, peer, thread, comm, MPI_STATUS_IGNORE);
      ++value;
      MPI_Ssend(&value, 1, MPI_INT, peer, thread, comm);
    }
  }
}

static void long_messages(int thread, MPI_Comm comm) {
  enum { LONG = 100000 };
  int *in = malloc(LONG * sizeof *in), *out = malloc(LONG * sizeof *out);
  MPI_Request requests[2];
  for (int i = 0; i < LONG; ++i)
    out[i] = rank + thread + i;
  MPI_Irecv(in, LONG, MPI_INT, (rank + 1) % size, 50 + thread, comm, &requests[0]);
  MPI_Isend(out, LONG, MPI_INT, (rank + size - 1) % size, 50 + thread, comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < LONG; ++i)
    CHECK(in[i] == (rank + 1) % size + thread + i);
  free(in);
  free(out);
}

/* At each moment each thread another operation on another datatype (of up to eight bytes, the
 * lowest first). */
static void reduce(int thread, MPI_Comm comm) {
  const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD};
  const MPI_Datatype types[] = {MPI_INT,      MPI_UNSIGNED,  MPI_LONG,    MPI_UNSIGNED_LONG,
                                MPI_SHORT,    MPI_LONG_LONG, MPI_INT8_T,  MPI_INT16_T,
                                MPI_INT32_T,  MPI_INT64_T,   MPI_UINT8_T, MPI_UINT16_T,
                                MPI_UINT32_T, MPI_UINT64_T};
  const long results[] = {size * (size + 1) / 2, size, 1, size == 2 ? 2 : 6};
  for (int i = 0; i < ROUNDS; ++i) {
    const int op = (i + thread) % 4;
    long in = rank + 1, out = 0;
    MPI_Allreduce(&in, &out, 1, types[(i / 4 + thread * 3) % 14], ops[op], comm);
    CHECK(out == results[op]);
  }
}

static void *work(void *argument) {
  const int thread = *(int *)argument;
  ping_pong(thread, MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i) {
    MPI_Comm copy;
    MPI_Comm_dup(parents[thread], &copy);
    ping_pong(thread, copy);
    long_messages(thread, copy);
    reduce(thread, copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
  }
  return NULL;
}

int main(void) {
  run_team(work);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 3 %t | FileCheck %s %}
// CHECK: all threads came through
