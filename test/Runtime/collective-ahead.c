/* How far a root gets ahead of ranks that have not come yet: fifteen short chunks where ranks
 * outnumber cores, three where they do not. Long ones lie in the same room: they must not be
 * written before the short ones have been read, nor the other way round. */
#define _GNU_SOURCE
#include "check.h"
#include "progress/progress.h"

#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { SHORT = 1000, LONG = 70000, ROUNDS = 200 };
static unsigned char bytes[LONG];
static int rank, size;

static void bcast(int number, int length) {
  if (rank == 0)
    memset(bytes, number, (size_t)length);
  MPI_Bcast(bytes, length, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < length; ++i)
    CHECK(bytes[i] == (unsigned char)number);
}

/* The others come when the root has made so many calls; if it had to wait for them, both would for
 * ever. */
static void get_ahead(int calls, int length) {
  int token = calls;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank)
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < calls; ++i)
    bcast(i, length);
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Send(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
}

/* Readers that dawdle find what was meant for them. */
static void mix(void) {
  for (int i = 0; i < ROUNDS; ++i) {
    if (rank && i % 8 == rank)
      usleep(2000);
    bcast(i, i * 7 % 5 > 2 ? LONG : i % 11 == 3 ? 8 : SHORT);
  }
}

/* Two that show a step ahead of what they read, whose last piece is short. */
static void pairs(void) {
  static double in[2 * LONG], out[2 * LONG];
  MPI_Comm pair;
  int members;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  MPI_Comm_size(pair, &members);
  for (int i = 0; i < ROUNDS; ++i) {
    const int count = 8192 * (i % 4) + i * 97 % 3000 + 1;
    for (int k = 0; k < 2 * count; ++k)
      in[k] = i;
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, pair);
    CHECK(out[0] == members * i && out[count - 1] == members * i);
    MPI_Alltoall(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, pair);
    CHECK(out[0] == i && out[members * count - 1] == i);
    MPI_Bcast(in, count % 1000, MPI_DOUBLE, i % members, pair);
  }
  MPI_Comm_free(&pair);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(mpispec_progress_is_crowded() == (size > sysconf(_SC_NPROCESSORS_ONLN)));
  get_ahead(mpispec_progress_is_crowded() ? 15 : 3, SHORT);
  mix();
  pairs();
  MPI_Finalize();
  return passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 4 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 5 %t | FileCheck %s
// CHECK: passed
