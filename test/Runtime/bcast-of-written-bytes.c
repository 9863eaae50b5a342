/* Bcast between two ranks of more bytes than a chunk. The root chooses chunks or a message, by whether it has led the
 * Bcast before, and how long ago. The reader must follow each choice: roots and communicators change, either rank is
 * late, lengths go beyond each limit, and other operations come in between. */
// LABEL: core
#include "check.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LENGTHS = 7, LONGEST = 1 << 20, ROUNDS = 40 };
static const int lengths[LENGTHS] = {65536, 65537, 100000, 131072, 262144, 262145, LONGEST};
static unsigned char *bytes;
static int rank, calls;

static unsigned char byte_at(int call, int i) { return (unsigned char)(call * 37 + i + (i >> 8)); }

/* Room behind the bytes must stay as it is. */
static void broadcast(MPI_Comm communicator, int root, int length) {
  int self;
  MPI_Comm_rank(communicator, &self);
  ++calls;
  memset(bytes, 0xee, LONGEST + 64);
  for (int i = 0; self == root && i < length; ++i)
    bytes[i] = byte_at(calls, i);
  MPI_Bcast(bytes, length, MPI_BYTE, root, communicator);
  int wrong = 0;
  for (int i = 0; i < length; ++i)
    wrong += bytes[i] != byte_at(calls, i);
  for (int i = length; i < LONGEST + 64; ++i)
    wrong += bytes[i] != 0xee;
  CHECK(!wrong);
}

/* The same bytes at once again: nobody has written them. */
static void again(MPI_Comm communicator, int root, int length) {
  for (int i = 0; i < 3; ++i)
    MPI_Bcast(bytes, length, MPI_BYTE, root, communicator);
  int wrong = 0;
  for (int i = 0; i < length; ++i)
    wrong += bytes[i] != byte_at(calls, i);
  CHECK(!wrong);
}

static void rounds(MPI_Comm first, MPI_Comm second) {
  for (int round = 0; round < ROUNDS; ++round) {
    const int length = lengths[rand() % LENGTHS], root = rand() % 2;
    const MPI_Comm communicator = rand() % 3 ? first : second;
    const int late = rand() % 6;
    if (late == rank)
      usleep(300);
    for (int i = rand() % 4; i >= 0; --i)
      broadcast(communicator, root, length);
    if (rand() % 2)
      again(communicator, root, length);
    if (rand() % 3 == 0) {
      int sum, one = 1;
      MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, communicator);
      CHECK(sum == 2);
    }
  }
}

/* A reader with less room. Its error ends the operations of the communicator. */
static void too_little_room(MPI_Comm communicator) {
  int class = MPI_SUCCESS;
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i)
    broadcast(communicator, 0, 131072);
  memset(bytes, 0xee, LONGEST + 64);
  const int error = MPI_Bcast(bytes, rank ? 70000 : 131072, MPI_BYTE, 0, communicator);
  MPI_Error_class(error, &class);
  CHECK(rank == 0 || class == MPI_ERR_TRUNCATE);
  CHECK(rank == 0 || bytes[70000] == 0xee);
}

int main(int argc, char **argv) {
  MPI_Comm second, third;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bytes = malloc(LONGEST + 64);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  MPI_Comm_dup(MPI_COMM_WORLD, &third);
  srand(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
  rounds(MPI_COMM_WORLD, second);
  if (argc > 2)
    too_little_room(third);
  MPI_Comm_free(&second);
  MPI_Comm_free(&third);
  free(bytes);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: for seed in 1 2 3; do %both -n 2 %t $seed | FileCheck %s || exit 1; done
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t 4 truncated | FileCheck %s
// CHECK: passed
