/* A million small messages come before their receiver polls, while it is in a barrier or in a computation. Then come
 * fewer of middle size, and messages from all to all. The memory that they took is given back.
 */
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

static int rank, size;

/* Kilobytes of our segments that are in memory. */
static long resident(void) {
  char line[512];
  long kilobytes, sum = 0;
  int ours = 0;
  FILE *maps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, maps)) {
    if (strstr(line, "-") && strstr(line, "rw-s"))
      ours = strstr(line, "memfd:mpispec") != NULL;
    if (ours && sscanf(line, "Pss: %ld", &kilobytes) == 1)
      sum += kilobytes;
  }
  fclose(maps);
  return sum;
}

static void one_floods(int count) {
  if (rank == 0)
    for (int i = 0; i < count; ++i)
      MPI_Send(&i, 1, MPI_INT, 1, i % 7, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    for (int i = 0; i < count; ++i) {
      int in;
      MPI_Recv(&in, 1, MPI_INT, 0, i % 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(in == i);
    }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void nap(void) {
  const struct timespec time = {0, 2 * 1000 * 1000};
  nanosleep(&time, NULL);
}

static void ping_pong(int rounds) {
  int word = 0;
  for (int i = 0; i < 2 * rounds; ++i)
    if (i % 2 == rank)
      MPI_Send(&word, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD);
    else
      MPI_Recv(&word, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The receiver is told by a file, so it makes no call of MPI until all messages have been sent. */
static void while_computing(int count, int bytes, const char *file) {
  static char out[20000], in[20000];
  int word = 0;
  if (rank == 0) {
    for (int i = 0; i < count; ++i) {
      memcpy(out, &i, sizeof i);
      MPI_Send(out, bytes, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    }
    CHECK(resident() > 15000);
    fclose(fopen(file, "w"));
  } else {
    while (access(file, F_OK))
      nap();
    for (int i = 0; i < count; ++i) {
      MPI_Recv(in, bytes, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      memcpy(&word, in, sizeof word);
      CHECK(word == i);
    }
    remove(file);
  }
  /* The sender only waits from now on, and yet its memory goes back at once. On a machine with other work, the sender
   * may wait long for a core. */
  for (int i = 0; rank == 1 && (i < 100 || (i < 5000 && resident() >= 8000)); ++i)
    nap();
  ping_pong(1);
  CHECK(resident() < 8000);
}

/* Each rank's messages come in their order, whatever comes from the others between them. */
static void all_flood(int count) {
  int next[8] = {0};
  for (int i = 0; i < count; ++i)
    for (int peer = 0; peer < size; ++peer)
      MPI_Send(&i, 1, MPI_INT, peer, 1, MPI_COMM_WORLD);
  for (int i = 0; i < count * size; ++i) {
    int in;
    MPI_Status status;
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    CHECK(in == next[status.MPI_SOURCE]++);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 2) {
    while_computing(1000000, 4, argv[1]);
    while_computing(4000, 10000, argv[1]);
    one_floods(1000000);
    const long full = resident();
    one_floods(3 * 1000); /* the lane comes home again, and looks around there */
    for (int i = 0; i < 100; ++i) {
      nap();
      one_floods(100);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
      printf("resident %s\n", resident() < 8000 && full > 0 ? "again little" : "too much");
  } else {
    all_flood(300);
    if (rank == 0)
      puts("all came");
  }
  MPI_Finalize();
  return 0;
}

// Measures memory, of which a sanitizer takes more.
// LABEL: core
// UNSUPPORTED: sanitizer
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: rm -f %t.file && env MPISPEC_MODE=lanes %mpirun -n 2 %t %t.file | FileCheck %s --check-prefix=ONE
// RUN: env MPISPEC_MODE=lanes %mpirun -n 8 %t | FileCheck %s --check-prefix=ALL
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=2 %mpirun -n 4 %t | FileCheck %s --check-prefix=ALL
// ONE: resident again little
// ALL: all came
