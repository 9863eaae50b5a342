// MPICH's C++ binding, the namespace MPI in mpicxx.h, is read where the program names it. Names that the header
// declares outside of the namespace, such as SEEK_SET, exist in any case.
#include <mpi.h>

int where[SEEK_SET + 1];
#ifdef NAMES_BINDING
namespace binding = MPI ;
int rank() { return binding::COMM_WORLD.Get_rank(); }
#elif defined(USES_BINDING)
int rank(const MPI::Comm &comm) { return comm.Get_rank(); }
#else
const char *text = "MPI is only mentioned";
int rank() { return 1; }
#endif
void send() { MPI_Send(where, SEEK_END, MPI_INT, 1, SEEK_CUR, MPI_COMM_WORLD); }

// REQUIRES: mpich
// RUN: for cxx in g++ clang++-22; do for names in NONE NAMES_BINDING USES_BINDING; do \
// RUN:   %mpispec --mpispec-verbose mpicxx -cxx=$cxx -D$names -c %s -o %t.o 2>&1 | FileCheck %s || exit 1; done; done
// CHECK-NOT: not specialised
// CHECK: sites=1 rewritten=1
