/* Alltoall, whose chunks go to and fro between slots, among operations that some ranks leave early and others are
 * late for. Every byte is checked, also in place and of unequal blocks. */
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { MOST = 600 * 1024, RANKS = 8 };
static const int sizes[] = {1, 8, 48, 49, 1000, 4096, 20000, 65536, 65537, 140000, 300000, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };
static int rank, size;
static unsigned char out[RANKS * MOST], in[RANKS * MOST];
static unsigned number; /* the number of the operation */

/* Equal on all ranks. */
static unsigned draw(void) {
  static unsigned word = 12345;
  word = word * 1664525u + 1013904223u;
  return word >> 8;
}

static unsigned char mark(int from, int to) {
  return (unsigned char)((number * 37 + (unsigned)(from * 8 + to)) % 128);
}

/* Keeps this rank back now and then, each at other times. */
static void dawdle(void) {
  const struct timespec moment = {0, 200 * 1000};
  if ((number * 2654435761u >> (4 * rank + 3)) % 8 == 0)
    nanosleep(&moment, NULL);
}

static int is_all(const unsigned char *bytes, int length, unsigned char value) {
  return !length || (bytes[0] == value && !memcmp(bytes, bytes + 1, (size_t)length - 1));
}

static void alltoall(int length, int in_place) {
  unsigned char *from = in_place ? in : out;
  for (int i = 0; i < size; ++i)
    memset(from + i * length, mark(rank, i), (size_t)length);
  MPI_Alltoall(in_place ? MPI_IN_PLACE : out, length, MPI_BYTE, in, length, MPI_BYTE,
               MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    CHECK(is_all(in + i * length, length, mark(i, rank)));
}

static void alltoallv(int length) {
  int counts[RANKS], places[RANKS], others[RANKS], theirs[RANKS];
  for (int i = 0; i < size; ++i) {
    counts[i] = length / (1 + (rank + i) % 3);
    others[i] = length / (1 + (rank + i) % 3);
    places[i] = theirs[i] = i * length;
    memset(out + places[i], mark(rank, i), (size_t)counts[i]);
  }
  MPI_Alltoallv(out, counts, places, MPI_BYTE, in, others, theirs, MPI_BYTE, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    CHECK(is_all(in + theirs[i], others[i], mark(i, rank)));
}

/* Rank 0 waits for nobody here, and the last rank's part is read by nobody. */
static void scan(int length, int exclusive) {
  unsigned char most = 0;
  memset(out, mark(rank, 0), (size_t)length);
  memset(in, 0, (size_t)length);
  for (int i = 0; i < rank + !exclusive; ++i)
    most = mark(i, 0) > most ? mark(i, 0) : most;
  if (exclusive)
    MPI_Exscan(out, in, length, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
  else
    MPI_Scan(out, in, length, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
  CHECK((exclusive && rank == 0) || is_all(in, length, most));
}

static void bcast(int length, int root) {
  if (rank == root)
    memset(in, mark(root, 1), (size_t)length);
  MPI_Bcast(in, length, MPI_BYTE, root, MPI_COMM_WORLD);
  CHECK(is_all(in, length, mark(root, 1)));
}

static void reduce(int length, int root) {
  unsigned char most = 0;
  memset(out, mark(rank, 2), (size_t)length);
  for (int i = 0; i < size; ++i)
    most = mark(i, 2) > most ? mark(i, 2) : most;
  MPI_Reduce(out, in, length, MPI_UNSIGNED_CHAR, MPI_MAX, root, MPI_COMM_WORLD);
  CHECK(rank != root || is_all(in, length, most));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (number = 0; number < 500; ++number) {
    const int length = sizes[draw() % SIZES], root = (int)(draw() % (unsigned)size);
    const unsigned what = draw() % 12;
    dawdle();
    if (what < 6)
      alltoall(length, what == 5);
    else if (what == 6)
      alltoallv(length);
    else if (what < 10)
      scan(length, what == 9);
    else if (what == 10)
      bcast(length, root);
    else
      reduce(length, root);
  }
  MPI_Finalize();
  if (rank == 0)
    passed();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 5 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=2 %mpirun -n 4 %t | FileCheck %s
// CHECK: passed
