// Headers of other packages may be in mpi.h's directory. Only prototypes of MPI's own functions are left out of the
// text that the compiler gets: the virtual function keeps its place, and the object its constructor.
#include <mpi.h>
#include <solver.h>

void step(Solver &s, double *b) {
  MPI_Send(b, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
  s.solve();
}

// RUN: rm -rf %t && mkdir -p %t/mpi && cp %inputs/mpi-mpich-style/*.h %t/mpi && cp %inputs/*.h %t && echo 'int MPI_Own(int count);' >> %t/mpi/mpi.h
// RUN: printf 'class Solver {\npublic:\nvirtual ~Solver();\nvirtual void setupMPI(int);\nvirtual void solve();\n};\n' > %t/mpi/solver.h
// RUN: printf 'struct Registrar { Registrar(int); };\nstatic Registrar registerMPI(1);\n' >> %t/mpi/solver.h
// RUN: g++ -E -I%t/mpi %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%t/mpi %s
// RUN: FileCheck %s --input-file=%t.new.i --implicit-check-not='MPI_Own('
// CHECK: virtual void setupMPI(int);
// CHECK: static Registrar registerMPI(1);
