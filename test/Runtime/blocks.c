/* Messages of middle size, whose blocks go to and fro between ranks. Every byte of every message is checked, whatever
 * the next one's size, mode, partner and time. Some answers come before the receiver has copied all of the
 * block.
 */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { MOST = 1100 * 1024, GUARD = 64 };
static const int sizes[] = {1025,  2048,  5000,   16384,  16385, 40000,
                            65536, 65537, 262144, 262145, 1024 * 1024, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };
static int rank, size;
static unsigned char out[MOST], in[MOST + GUARD];

/* Bytes that the messages before and after it do not have at the same places. */
static const unsigned char *content(unsigned seed) {
  static unsigned char table[MOST + 4096];
  for (unsigned i = 0, word = 1; !table[0] && i < sizeof table; ++i) {
    word = word * 1664525u + 1013904223u;
    table[sizeof table - 1 - i] = (unsigned char)(word >> 24 | 1);
  }
  return table + seed * 1009 % 4096;
}

static void draw(unsigned char *bytes, int length, unsigned seed) { memcpy(bytes, content(seed), (size_t)length); }

static void check(int length, unsigned seed) {
  CHECK(!memcmp(in, content(seed), (size_t)length));
  for (int i = length; i < length + GUARD; ++i)
    CHECK(in[i] == 0xee);
}

static void send_to(int peer, int length, unsigned seed) {
  draw(out, length, seed);
  MPI_Send(out, length, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
  memset(out, 0xdd, (size_t)length); /* the send is over */
}

static void receive_from(int peer, int length, unsigned seed) {
  MPI_Status status;
  int count;
  memset(in, 0xee, (size_t)length + GUARD);
  MPI_Recv(in, length, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK(count == length);
  check(length, seed);
}

/* Answers longer and shorter than what they answer. */
static void answers(void) {
  for (unsigned i = 0; i < SIZES * SIZES; ++i) {
    if (rank == 0) {
      send_to(1, sizes[i % SIZES], 2 * i);
      receive_from(1, sizes[i / SIZES], 2 * i + 1);
    } else if (rank == 1) {
      receive_from(0, sizes[i % SIZES], 2 * i);
      send_to(0, sizes[i / SIZES], 2 * i + 1);
    }
  }
}

/* Bytes that were received from the left go on to the right, in blocks of third ranks' arenas as well. */
static void ring(void) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (unsigned i = 0; i < 4 * SIZES; ++i) {
    const int length = sizes[i % SIZES];
    if (rank == 0)
      send_to(right, length, i);
    receive_from(left, length, i + (unsigned)(rank ? rank - 1 : size - 1));
    if (rank)
      send_to(right, length, i + (unsigned)rank);
  }
}

/* Several at a time both ways, received later and in another order. */
static void crossing(void) {
  static unsigned char outs[SIZES][MOST], ins[SIZES][MOST + GUARD];
  const int peer = rank ^ 1;
  if (peer >= size)
    return;
  for (unsigned round = 0; round < 6; ++round) {
    MPI_Request sends[SIZES];
    for (int k = 0; k < SIZES; ++k) {
      draw(outs[k], sizes[k], round + (unsigned)(100 * k + rank));
      MPI_Isend(outs[k], sizes[k], MPI_BYTE, peer, k, MPI_COMM_WORLD, &sends[k]);
    }
    for (int k = SIZES - 1; k >= 0; --k)
      MPI_Recv(ins[k], sizes[k], MPI_BYTE, peer, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(SIZES, sends, MPI_STATUSES_IGNORE);
    for (int k = 0; k < SIZES; ++k) {
      memset(in + sizes[k], 0xee, GUARD);
      memcpy(in, ins[k], (size_t)sizes[k]);
      check(sizes[k], round + (unsigned)(100 * k + peer));
    }
  }
}

/* The receive has room for less than was sent; the answer comes at once, in the same block. */
static void truncated(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (unsigned i = 0; i < 3 * SIZES; ++i) {
    const int length = sizes[i % SIZES], room = 1000;
    if (rank == 0) {
      send_to(1, length, i);
      receive_from(1, length, i + 7);
    } else if (rank == 1) {
      memset(in, 0xee, (size_t)room + GUARD);
      const int error = MPI_Recv(in, room, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      int class;
      MPI_Error_class(error, &class);
      CHECK(class == MPI_ERR_TRUNCATE);
#ifndef OPEN_MPI /* which writes behind the room */
      for (int k = room; k < room + GUARD; ++k)
        CHECK(in[k] == 0xee);
#endif
      send_to(0, length, i + 7);
    }
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 3); ++i) {
    answers();
    ring();
    crossing();
    truncated();
  }
  MPI_Finalize();
  if (rank == 0)
    passed();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t %if quick && sanitizer %{ 1 %} | FileCheck %s
// RUN: %if !quick || !sanitizer %{ env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s %}
// RUN: %if !quick || !sanitizer %{ env MPISPEC_MODE=lanes %mpirun -n 4 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=2 %mpirun -n %if quick && sanitizer %{ 3 %} %else %{ 4 %} %t %if quick && sanitizer %{ 1 %} | FileCheck %s
// CHECK: passed
