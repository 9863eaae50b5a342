/* A flood fills the arena of its sender. One of its messages is received last, so that the arena is
 * never empty. Later messages of another size still come, because messages leave memory to RTS
 * descriptors and extents: sends that wait in MPI_Send, and MPI_Isend, which must return before a
 * receive is posted. */
#include "small-arena.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FLOOD = 40 << 20, FIRST = 1, SECOND, HELD, GO };

static int rank, later_messages;

static void fill(unsigned char *bytes, int length, int number) {
  bytes[0] = (unsigned char)number;
  bytes[length - 1] = (unsigned char)(number >> 8);
}

static void receive(unsigned char *bytes, int length, int tag, int number) {
  MPI_Status status;
  int came;
  MPI_Recv(bytes, length, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_BYTE, &came);
  if (came != length || bytes[0] != (unsigned char)number ||
      bytes[length - 1] != (unsigned char)(number >> 8))
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void send_all(int length, int later, int isends) {
  unsigned char *held = malloc((size_t)length), *bytes = malloc((size_t)length);
  unsigned char *more = malloc((size_t)later * later_messages);
  MPI_Request first, *requests = malloc(later_messages * sizeof *requests);
  fill(held, length, HELD);
  MPI_Isend(held, length, MPI_BYTE, 1, HELD, MPI_COMM_WORLD, &first);
  for (int i = 0; i < FLOOD / length; ++i) {
    fill(bytes, length, i);
    MPI_Send(bytes, length, MPI_BYTE, 1, FIRST, MPI_COMM_WORLD);
  }
  for (int i = 0; i < later_messages; ++i) {
    fill(more + (size_t)later * i, later, i);
    if (isends)
      MPI_Isend(more + (size_t)later * i, later, MPI_BYTE, 1, SECOND, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Send(more + (size_t)later * i, later, MPI_BYTE, 1, SECOND, MPI_COMM_WORLD);
  }
  MPI_Send(NULL, 0, MPI_BYTE, 1, GO, MPI_COMM_WORLD);
  if (isends)
    MPI_Waitall(later_messages, requests, MPI_STATUSES_IGNORE);
  MPI_Wait(&first, MPI_STATUS_IGNORE);
  free(held);
  free(bytes);
  free(more);
  free(requests);
}

static void receive_all(int length, int later, int isends) {
  unsigned char *bytes = malloc((size_t)(length > later ? length : later));
  usleep(200000);
  for (int i = 0; i < FLOOD / length; ++i)
    receive(bytes, length, FIRST, i);
  if (isends)
    MPI_Recv(NULL, 0, MPI_BYTE, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < later_messages; ++i)
    receive(bytes, later, SECOND, i);
  if (!isends)
    MPI_Recv(NULL, 0, MPI_BYTE, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  receive(bytes, length, HELD, HELD);
  free(bytes);
}

int main(int argc, char **argv) {
  const int length = atoi(argv[1]), later = atoi(argv[2]);
  later_messages = later > 100000 ? 10 : 1000;
  MPI_Init(&argc, &argv);
  check_arena_is_small();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int isends = 0; isends < 2; ++isends) {
    if (rank == 0)
      send_all(length, later, isends);
    else
      receive_all(length, later, isends);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0)
    printf("passed\n");
  MPI_Finalize();
  return 0;
}

// The limit makes arenas of 32 MiB (segment.c). Intel MPI needs larger files itself.
// UNSUPPORTED: intel
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: for lengths in "100 8000" "700 100" "1000 3000" "2000 100" "8000 1500" "60000 8000"; do \
// RUN:   sh -c "ulimit -f 160000 && %mpirun -n 2 %t $lengths" | FileCheck %s || exit 1; done
// Long messages by pipes, after extents have filled their part.
// RUN: %if !sanitizer %{ %mpicc -fPIC -shared %tool/refuse.c -o %t.refuse.so && sh -c \
// RUN:   "ulimit -f 160000 && %mpirun -n 2 env LD_PRELOAD=%t.refuse.so REFUSE=readv,writev %t 48 1000000" | FileCheck %s %}
// CHECK: passed
