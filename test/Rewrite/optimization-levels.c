// A program sees the user's optimization level. The analysis reads the same text as gcc, although Clang would
// fortify printf by a macro.
#include <mpi.h>
#include <ctype.h>
#include <stdio.h>

double b[8];

void run(int dest) {
#ifdef __OPTIMIZE__
  dest++;
#endif
#ifdef __OPTIMIZE_SIZE__
  dest++;
#endif
#ifdef __NO_INLINE__
  dest++;
#endif
  printf("%d %d\n", dest, toupper(dest));
  MPI_Send(b, 1, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
}

// RUN: for cc in gcc clang-22; do for level in -O0 -O1 "-O2 -D_FORTIFY_SOURCE=2" -Os "-O2 -fno-inline"; do \
// RUN:   %mpispec --mpispec-verbose mpicc -cc=$cc $level -c %s -o %t.o 2>&1 \
// RUN:     | FileCheck %s || exit 1; done; done
// CHECK: sites=1 rewritten=1
