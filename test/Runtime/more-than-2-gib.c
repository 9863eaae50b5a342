/* Messages of more than 2 GiB, whose counts of elements are ints. The runtime counts their bytes. */
#define _GNU_SOURCE
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DOUBLES = 280 * 1000 * 1000, BLOCK = 16 << 20 };

static int rank;

/* Returns memory for `bytes`, which is one block mapped many times, so that it takes little of the machine's. Each
 * double of it is its place in its block, plus `more`. */
static double *map(size_t bytes, double more) {
  const int file = memfd_create("block", 0);
  CHECK(file >= 0 && !ftruncate(file, BLOCK));
  char *memory = mmap(NULL, bytes + BLOCK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(memory != MAP_FAILED);
  for (size_t at = 0; at < bytes; at += BLOCK)
    CHECK(mmap(memory + at, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED);
  close(file);
  for (int i = 0; i < BLOCK / (int)sizeof(double); ++i)
    ((double *)memory)[i] = i + more;
  return (double *)memory;
}

static void check_block(const double *block, double more) {
  for (int i = 0; i < BLOCK / (int)sizeof(double); ++i)
    CHECK(block[i] == i + more);
}

static void check_length(const MPI_Status *status, MPI_Datatype datatype, MPI_Count expected) {
  MPI_Count elements = 0;
  MPI_Get_elements_x(status, datatype, &elements);
  CHECK(elements == expected);
}

/* A short message of this type before makes the type known, but not MPI_BYTE. */
static void receive(void) {
  MPI_Status status;
  double word = 0, *doubles = map(DOUBLES * sizeof(double), rank * 0.5);
  if (rank == 0) {
    MPI_Send(&word, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    MPI_Send(doubles, DOUBLES, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&word, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(doubles, DOUBLES, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &status);
    check_length(&status, MPI_DOUBLE, DOUBLES);
    check_block(doubles, 0);
  }
  munmap(doubles, DOUBLES * sizeof(double));
}

/* A shift whose last rank sends to nobody, and whose first receives from nobody. */
static void replace(void) {
  const int to = rank ? 0 : MPI_PROC_NULL, from = rank ? MPI_PROC_NULL : 1;
  MPI_Status status;
  double *doubles = map(DOUBLES * sizeof(double), rank * 0.5);
  MPI_Sendrecv_replace(doubles, DOUBLES, MPI_DOUBLE, to, 3, from, 3, MPI_COMM_WORLD, &status);
  check_length(&status, MPI_DOUBLE, rank ? 0 : DOUBLES);
  check_block(doubles, 0.5);
  munmap(doubles, DOUBLES * sizeof(double));
}

/* One element of many blocks, which overlap where they are sent from. The library packs it. */
static void one_element(void) {
  enum { BLOCKS = 1500, EACH = 360000 };
  static int lengths[BLOCKS], places[BLOCKS], source[EACH + 400];
  MPI_Count ints = 0;
  MPI_Datatype type;
  MPI_Status status;
  for (int i = 0; i < BLOCKS; ++i) {
    lengths[i] = EACH + i * 7 % 13;
    places[i] = i * 37 % 101;
    ints += lengths[i];
  }
  for (int i = 0; i < EACH + 400; ++i)
    source[i] = i * 3;
  MPI_Type_indexed(BLOCKS, lengths, places, MPI_INT, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    MPI_Send(source, 1, type, 1, 4, MPI_COMM_WORLD);
  } else {
    int *all = mmap(NULL, (size_t)ints * sizeof(int), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(all != MAP_FAILED);
    MPI_Recv(all, (int)ints, MPI_INT, 0, 4, MPI_COMM_WORLD, &status);
    check_length(&status, MPI_INT, ints);
    for (MPI_Count i = 0, at = 0; i < BLOCKS; at += lengths[i++])
      for (int k = 0; k < lengths[i]; k += 1000)
        CHECK(all[at + k] == (places[i] + k) * 3);
    munmap(all, (size_t)ints * sizeof(int));
  }
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  receive();
  if (argc > 1) { /* the copies that these need take gigabytes */
    replace();
    one_element();
  }
  MPI_Finalize();
  if (rank == 0)
    tell("whole");
  return 0;
}

// A sanitizer would need memory for its own records of all addresses.
// UNSUPPORTED: sanitizer
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t %if !quick %{ all %} | FileCheck %s
// CHECK: whole
