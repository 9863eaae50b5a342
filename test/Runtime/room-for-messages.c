/* Messages that nobody has received fill the lanes and the arena of their sender. Sends return all the same while their
 * receivers wait in MPI, and each message comes in its order with its bytes.
 *
 *   room-for-messages COUNT BYTES WAY...
 *
 *   both      all ranks send before they receive        self     each rank sends to itself
 *   barrier   one way; the receiver waits in a Barrier  first    the same, in its first collective operation
 *   test      the receiver tests for another message    bsend    both ways, buffered
 *   probed    both ways; received after a probe         wild     both ways; received from any source
 *   waits     both ways; blocking sends to a neighbour that waits in a Recv from another rank
 *   held      one way; blocking sends, and the receiver matches all messages before it receives one
 *   issend    one way; unmatched synchronous sends, and then standard ones */
#include "small-arena.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, count, bytes;
static unsigned char *out, *in;
static MPI_Request *requests;

static void fill(int number) {
  memcpy(out + (size_t)number * bytes, &number, sizeof number);
  if (bytes > (int)sizeof number)
    out[(size_t)(number + 1) * bytes - 1] = (unsigned char)(number + rank);
}

static void check(int number, int source, const MPI_Status *status) {
  int came, length;
  MPI_Get_count(status, MPI_BYTE, &length);
  memcpy(&came, in, sizeof came);
  CHECK(length == bytes && came == number && status->MPI_SOURCE == source && status->MPI_TAG == number % 3);
  CHECK(bytes == sizeof came || in[bytes - 1] == (unsigned char)(number + source));
}

static void send_all(int to, int is_buffered) {
  for (int i = 0; i < count; ++i) {
    fill(i);
    if (is_buffered)
      MPI_Ibsend(out + (size_t)i * bytes, bytes, MPI_BYTE, to, i % 3, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Isend(out + (size_t)i * bytes, bytes, MPI_BYTE, to, i % 3, MPI_COMM_WORLD, &requests[i]);
  }
}

static void receive_all(int from, const char *way) {
  MPI_Status status;
  MPI_Message message;
  for (int i = 0; i < count; ++i) {
    if (!strcmp(way, "probed") && i % 2) {
      MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
      MPI_Mrecv(in, bytes, MPI_BYTE, &message, &status);
    } else if (!strcmp(way, "probed")) {
      MPI_Probe(MPI_ANY_SOURCE, i % 3, MPI_COMM_WORLD, &status);
      MPI_Recv(in, bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    } else if (!strcmp(way, "wild")) {
      MPI_Recv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } else {
      MPI_Recv(in, bytes, MPI_BYTE, from, i % 3, MPI_COMM_WORLD, &status);
    }
    check(i, from, &status);
  }
}

/* Rank 0 sends to rank 1, which waits for something else first. */
static void one_way(const char *way) {
  int done = 0, word;
  MPI_Request other;
  if (rank == 1 && !strcmp(way, "test"))
    MPI_Irecv(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &other);
  if (rank == 0)
    send_all(1, 0);
  if (strcmp(way, "test"))
    MPI_Barrier(MPI_COMM_WORLD);
  else if (rank == 0)
    MPI_Send(&count, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
  else
    while (rank == 1 && !done)
      MPI_Test(&other, &done, MPI_STATUS_IGNORE);
  if (rank == 1)
    receive_all(0, way);
  if (rank == 0)
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* In a ring, except `self`. */
static void both_ways(const char *way) {
  const int shift = strcmp(way, "self") ? 1 : 0;
  send_all((rank + shift) % size, !strcmp(way, "bsend"));
  receive_all((rank + size - shift) % size, way);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* All ranks but the last send to the next one, which waits for a word of the last rank. */
static void blocking(void) {
  int word = 0;
  for (int i = 0; rank < size - 1 && i < count; ++i) {
    fill(i);
    MPI_Send(out + (size_t)i * bytes, bytes, MPI_BYTE, rank + 1, i % 3, MPI_COMM_WORLD);
  }
  if (rank == size - 1)
    for (int i = 0; i < size - 1; ++i)
      MPI_Recv(&word, 1, MPI_INT, i, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&word, 1, MPI_INT, size - 1, 8, MPI_COMM_WORLD);
  if (rank > 0)
    receive_all(rank - 1, "waits");
}

/* Rank 0 sends to rank 1. */
static void held(void) {
  MPI_Message *messages = malloc((size_t)count * sizeof *messages);
  MPI_Status status;
  for (int i = 0; i < count && rank == 0; ++i) {
    fill(i);
    MPI_Send(out + (size_t)i * bytes, bytes, MPI_BYTE, 1, i % 3, MPI_COMM_WORLD);
  }
  for (int i = 0; i < count && rank == 1; ++i)
    MPI_Mprobe(0, i % 3, MPI_COMM_WORLD, &messages[i], &status);
  for (int i = 0; i < count && rank == 1; ++i) {
    MPI_Mrecv(in, bytes, MPI_BYTE, &messages[i], &status);
    check(i, 0, &status);
  }
  free(messages);
}

/* Rank 0 sends to rank 1, which receives the last message first. */
static void synchronous(void) {
  if (rank == 0) {
    for (int i = 0; i < count; ++i) {
      fill(i);
      MPI_Issend(out + (size_t)i * bytes, bytes, MPI_BYTE, 1, i % 3, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Send(out, bytes, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
    MPI_Send(out, 0, MPI_BYTE, 1, 8, MPI_COMM_WORLD);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(in, 0, MPI_BYTE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    receive_all(0, "issend");
  }
}

int main(int argc, char **argv) {
  void *buffer;
  int length;
  CHECK(argc > 3);
  count = atoi(argv[1]);
  bytes = atoi(argv[2]);
  MPI_Init(&argc, &argv);
  check_arena_is_small();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  out = malloc((size_t)count * bytes);
  in = malloc((size_t)bytes);
  requests = malloc((size_t)count * sizeof *requests);
  for (int i = 3; i < argc; ++i) {
    const char *way = argv[i];
    if (strcmp(way, "first"))
      MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(way, "bsend")) {
      length = count * (bytes + MPI_BSEND_OVERHEAD);
      MPI_Buffer_attach(malloc((size_t)length), length);
    }
    if (!strcmp(way, "barrier") || !strcmp(way, "first") || !strcmp(way, "test"))
      one_way(way);
    else if (!strcmp(way, "waits"))
      blocking();
    else if (!strcmp(way, "held"))
      held();
    else if (!strcmp(way, "issend"))
      synchronous();
    else
      both_ways(way);
    if (!strcmp(way, "bsend")) {
      MPI_Buffer_detach(&buffer, &length);
      free(buffer);
    }
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// The limit makes arenas of 32 MiB (segment.c). Intel MPI needs larger files itself.
// UNSUPPORTED: intel
// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{run} = sh -c "ulimit -f 160000 && MPISPEC_MODE=lanes %mpirun -n
// DEFINE: %{ways} = barrier test both probed wild self bsend
// RUN: %{run} 2 %t 42000 1000 first %if sanitizer %{ both %} %else %{ %{ways} %}" | FileCheck %s
// RUN: %if !(quick || sanitizer) %{ %{run} 3 %t 450000 4 %{ways}" | FileCheck %s && %{run} 2 %t 4000 20000 %{ways}" | FileCheck %s %}
// RUN: %{run} 3 %t 42000 1000 waits" | FileCheck %s
// RUN: %{run} 2 %t 8000 8000 held issend" | FileCheck %s
// CHECK: passed
