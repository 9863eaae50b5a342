// A remark names the text that Clang cannot parse, or the flag that it does not support, with place and message.
#include <mpi.h>
int nested(int n) {
  int inner(int m) { return m + n; }
  return inner(MPI_Barrier(MPI_COMM_WORLD));
}

// RUN: not %analyze explain -- -I%inputs/mpi-mpich-style %s 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: mpispec: error: fallback-parse-error: {{.*}}errors.c:4: function definition is not allowed here

// A missing bracket is reported at the end of the source.
// RUN: printf '#include <mpi.h>\nint main(void) {\n  MPI_Barrier(MPI_COMM_WORLD);\n\n' > %t.open.c
// RUN: not %analyze explain -- -I%inputs/mpi-mpich-style %t.open.c 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: fallback-parse-error: {{.*}}open.c:3: what mpispec appends to the source does not compile, because a bracket is missing

// RUN: not %analyze explain -- -I%inputs/mpi-mpich-style -mcmodel=wide %s 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: mpispec: error: fallback-unknown-flag: unsupported argument 'wide' to option '-mcmodel='{{.*}}

// RUN: not %analyze explain -- -I%inputs/mpi-mpich-style -qno-such-flag %s 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: mpispec: error: fallback-unknown-flag: unknown argument: '-qno-such-flag'

// RUN: not %analyze explain -- -I%inputs/mpi-mpich-style %t.absent.c 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: mpispec: error: {{.*}}absent.c
