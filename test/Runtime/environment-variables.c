/* The switches of the environment: known ones are taken, unknown ones reported once in a job, and empty ones are as if
 * they were not set. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    puts("ran");
  return MPI_Finalize();
}

// RUN: %mpicc %s -o %t %runtime
// RUN: env MPISPEC_FLAGS=-x MPISPEC_ROOT=/opt MPISPEC_DIR=/opt MPISPEC_HOME=/opt MPISPEC_LIB=/opt/lib MPISPEC_VERSION=1 %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env MPISPEC_MOOD=good %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: env MPISPEC_MODE=fast %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: env MPISPEC_LONG_MESSAGES=fast %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=WAY
// RUN: for way in measured pipe shared; do \
// RUN:   env MPISPEC_LONG_MESSAGES=$way %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=QUIET || exit 1; done
// RUN: env MPISPEC_MODE= MPISPEC_VERBOSE= MPISPEC_REDUCTIONS= MPISPEC_LONG_MESSAGES= MPISPEC_COST_MODEL= MPISPEC_YIELD= \
// RUN:   MPISPEC_PTRACER= MPISPEC_EVERYWHERE= MPISPEC_BUFFERS= MPISPEC_PROFILE= MPISPEC_PROFILE_FRAMES= %mpirun -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --check-prefix=QUIET
// RUN: env MPISPEC_MODE= MPISPEC_VERBOSE=1 %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: env MPISPEC_VERBOSE=1 MPISPEC_MODE=off %mpirun -n 2 %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefix=OFF <%t.out

// QUIET-NOT: mpispec
// QUIET: ran
// QUIET-NOT: mpispec

// UNKNOWN: mpispec: unknown variable MPISPEC_MOOD
// UNKNOWN-NOT: MPISPEC_MOOD

// VALUE: mpispec: MPISPEC_MODE=fast is not understood; using off

// WAY: mpispec: MPISPEC_LONG_MESSAGES=fast is not understood; using measured
// WAY-NOT: MPISPEC_LONG_MESSAGES

// OPEN: mpispec: lanes are open

// OFF: mpispec: all calls go to MPI
