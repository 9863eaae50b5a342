/* The result of a trial serves later communicators of the same size, if all members have the same result. Where
 * members have different results, they try again, and no rank hangs. The bits stay those of the library
 * throughout. */
#include "check.h"
#include "collective/trial.h"
#include "sums.h"

#include <mpi.h>
#include <string.h>

static int rank;

/* Trials during some reductions on a new communicator of these ranks, on this rank. */
static unsigned long trials_of(int color, int key, int times, int count, MPI_Datatype type) {
  MPI_Comm part;
  const unsigned long before = mpispec_trial_runs;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
  sums_compare(part, rank, times, count, type);
  MPI_Comm_free(&part);
  return mpispec_trial_runs - before;
}

/* The same for pairs of a value and its position. */
static unsigned long trials_of_pairs(int times, MPI_Datatype type) {
  static double in[2], out[2];
  MPI_Comm comm;
  const unsigned long before = mpispec_trial_runs;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < times; ++i)
    MPI_Allreduce(in, out, 1, type, MPI_MAXLOC, comm);
  MPI_Comm_free(&comm);
  return mpispec_trial_runs - before;
}

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size == 6);
  const unsigned long first = trials_of(0, 0, 14, 1, MPI_DOUBLE);
  const int keeps = argc < 2;
  CHECK(first > 0);
  for (int i = 0; i < 3; ++i)
    CHECK(!trials_of(0, rank ^ i, 14, 1, MPI_DOUBLE) == keeps);
  CHECK(trials_of(0, 0, 14, 2, MPI_DOUBLE) > 0); /* another octave */
  /* An alias of the datatype is the same arithmetic. */
  CHECK(!trials_of(0, 0, 14, 1, MPI_REAL8) == keeps);
  /* Ranks 0 to 2 learn something, 3 to 5 do not; then each that knows is with one that does not. */
  CHECK(!trials_of(rank / 3, 0, rank / 3 ? 1 : 14, 8, MPI_DOUBLE) == (rank >= 3));
  CHECK(trials_of(rank % 2, 0, 14, 8, MPI_DOUBLE) > 0);
  CHECK(!trials_of(rank % 2, 0, 14, 8, MPI_DOUBLE) == keeps); /* and now all know the same */
  CHECK(!trials_of(rank / 3, rank, 14, 8, MPI_DOUBLE) == keeps);
  /* Both pairs take 16 bytes in an array, one of them with a gap. The library chooses by the bytes without it. */
  CHECK(trials_of_pairs(14, MPI_DOUBLE_INT) > 0);
  CHECK(!trials_of_pairs(14, MPI_DOUBLE_INT) == keeps);
  CHECK(trials_of_pairs(14, MPI_2DOUBLE_PRECISION) > 0);
  CHECK(!trials_of_pairs(14, MPI_2DOUBLE_PRECISION) == keeps);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc -w %include -I%S %s -o %t %runtime
// REQUIRES: mpich4
// A setting without effect, because of which the table of library_orders.c is not used.
// DEFINE: %{set} = env MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=2048
// RUN: %{set} %mpirun -n 6 %t | FileCheck %s
// RUN: %{set} MPISPEC_MODE=lanes %mpirun -n 6 %t | FileCheck %s
// RUN: env MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=auto %mpirun -n 6 %t nothing-is-kept | FileCheck %s
// CHECK: passed
// CHECK: passed
// CHECK: passed
// CHECK: passed
