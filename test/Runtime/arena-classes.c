/* Bursts of messages of one size have taken all memory that they may take of their sender's arena, and one message is
 * received last, so that the arena is never empty. Then messages of another size find the memory that came back:
 *
 *   pipe    a long message by a pipe, whose pieces are larger than those of the burst
 *   sends   short sends before any receive, which must not wait for one */
#include "small-arena.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BURST = 1, GO, HELD, LATER, MOST = 300, SENDS = 50, KIB = 1024 };

static int rank, other;
static unsigned char *all;

static void send_burst(int count, int bytes) {
  MPI_Request requests[MOST];
  for (int i = 0; i < count; ++i) {
    memset(all + (size_t)i * bytes, i, (size_t)bytes);
    MPI_Isend(all + (size_t)i * bytes, bytes, MPI_BYTE, other, BURST, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Send(NULL, 0, MPI_BYTE, other, GO, MPI_COMM_WORLD);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* All messages are matched before any is received: the sender fills a part of each. */
static void receive_burst(int count, int bytes) {
  MPI_Request requests[MOST];
  for (int i = 0; i < count; ++i)
    MPI_Irecv(all + (size_t)i * bytes, bytes, MPI_BYTE, other, BURST, MPI_COMM_WORLD, &requests[i]);
  MPI_Recv(NULL, 0, MPI_BYTE, other, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  usleep(300000);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i)
    CHECK(all[(size_t)i * bytes] == (unsigned char)i && all[(size_t)(i + 1) * bytes - 1] == (unsigned char)i);
}

static void burst(int sender, int count, int bytes) {
  (rank == sender ? send_burst : receive_burst)(count, bytes);
}

static void pipe_after_burst(void) {
  burst(0, 300, 128 * KIB);
  if (rank == 0) {
    memset(all, 77, 1000000);
    MPI_Send(all, 1000000, MPI_BYTE, 1, LATER, MPI_COMM_WORLD);
  } else {
    MPI_Recv(all, 1000000, MPI_BYTE, 0, LATER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(all[0] == 77 && all[999999] == 77);
  }
}

static void sends_after_burst(void) {
  unsigned char bytes[2000];
  burst(0, 110, 512 * KIB);
  burst(1, 110, 512 * KIB);
  if (rank == 1) {
    memset(bytes, 99, sizeof bytes);
    for (int i = 0; i < SENDS; ++i)
      MPI_Send(bytes, sizeof bytes, MPI_BYTE, 0, LATER, MPI_COMM_WORLD);
    MPI_Send(NULL, 0, MPI_BYTE, 0, GO, MPI_COMM_WORLD);
  } else {
    MPI_Recv(NULL, 0, MPI_BYTE, 1, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < SENDS; ++i) {
      MPI_Recv(bytes, sizeof bytes, MPI_BYTE, 1, LATER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(bytes[0] == 99 && bytes[1999] == 99);
    }
  }
}

int main(int argc, char **argv) {
  unsigned char held[300], last[300];
  MPI_Request request;
  CHECK(argc == 2);
  MPI_Init(&argc, &argv);
  check_arena_is_small();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  all = malloc((size_t)110 * 512 * KIB);
  memset(held, 55 + rank, sizeof held);
  MPI_Isend(held, sizeof held, MPI_BYTE, other, HELD, MPI_COMM_WORLD, &request);
  (argv[1][0] == 'p' ? pipe_after_burst : sends_after_burst)();
  MPI_Recv(last, sizeof last, MPI_BYTE, other, HELD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(last[0] == 55 + other && last[299] == 55 + other);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(all);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// The limit makes arenas of 32 MiB (segment.c). Intel MPI needs larger files itself.
// UNSUPPORTED: intel
// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: sh -c "ulimit -f 160000 && MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES=pipe %mpirun -n 2 %t sends" | FileCheck %s
// RUN: sh -c "ulimit -f 160000 && MPISPEC_MODE=lanes %mpirun -n 2 %t sends" | FileCheck %s
// DEFINE: %{refuse} = env LD_PRELOAD=%t.refuse.so REFUSE=readv,writev
// RUN: %if !sanitizer %{ %mpicc -fPIC -shared %tool/refuse.c -o %t.refuse.so && \
// RUN:   sh -c "ulimit -f 160000 && MPISPEC_MODE=lanes %mpirun -n 2 %{refuse} %t pipe" | FileCheck %s %}
// CHECK: passed
