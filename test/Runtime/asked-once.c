/* The runtime asks the MPI library once how it computes a reduction, however many others the program uses in turn. It
 * asks once what a datatype contains that is several members of another one. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <mpi.h>

enum { ROUNDS = 100, NESTED = 12, BYTES = 8 << NESTED };
static int combined, opened;

int PMPI_Reduce_local(const void *in, void *out, int count, MPI_Datatype datatype, MPI_Op op) {
  int (*const next)(const void *, void *, int, MPI_Datatype, MPI_Op) = dlsym(RTLD_NEXT, "PMPI_Reduce_local");
  ++combined;
  return next(in, out, count, datatype, op);
}

int PMPI_Type_get_contents(MPI_Datatype datatype, int integers, int addresses, int datatypes, int *integer,
                           MPI_Aint *address, MPI_Datatype *inner) {
  int (*const next)(MPI_Datatype, int, int, int, int *, MPI_Aint *, MPI_Datatype *) =
      dlsym(RTLD_NEXT, "PMPI_Type_get_contents");
  ++opened;
  return next(datatype, integers, addresses, datatypes, integer, address, inner);
}

/* In a table of few entries, the handles of many of these reductions have the same place. */
static void reduce(int rank) {
  static const MPI_Op operations[] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD};
  static const MPI_Datatype numbers[] = {MPI_DOUBLE, MPI_FLOAT, MPI_LONG_DOUBLE, MPI_UINT64_T, MPI_INT};
  long double in = 0, out;
  struct {
    double value;
    int place;
  } here = {rank, rank}, least;
  enum { KINDS = 4 * 5 + 1 };
  for (int i = 0; i < ROUNDS; ++i) {
    for (int k = 0; k < KINDS - 1; ++k)
      MPI_Allreduce(&in, &out, 1, numbers[k / 4], operations[k % 4], MPI_COMM_WORLD);
    MPI_Allreduce(&here, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    CHECK(least.value == 0 && least.place == 0);
  }
  CHECK(combined <= KINDS);
}

static void nest(int rank) {
  static char bytes[BYTES];
  MPI_Datatype made[NESTED], type = MPI_DOUBLE;
  for (int i = 0; i < NESTED; ++i) {
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {0, (MPI_Aint)8 << i};
    const MPI_Datatype halves[] = {type, type};
    MPI_Type_create_struct(2, lengths, places, halves, &made[i]);
    type = made[i];
  }
  MPI_Type_commit(&type);
  for (int i = 0; i < BYTES; ++i)
    bytes[i] = rank ? 0 : (char)i;
  MPI_Sendrecv_replace(bytes, 1, type, !rank, 0, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < BYTES; ++i)
    CHECK(bytes[i] == (rank ? (char)i : 0));
#ifndef OPEN_MPI /* there each question about contents makes another handle for each member */
  CHECK(opened <= 2 * NESTED);
#endif
  for (int i = 0; i < NESTED; ++i)
    MPI_Type_free(&made[i]);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  reduce(rank);
  nest(rank);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc -w %include %s -o %t %runtime -ldl
// RUN: env MPISPEC_MODE=lanes MPISPEC_REDUCTIONS=library %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
