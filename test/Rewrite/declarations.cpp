// Before which text a site's function is put: the outermost declaration with all its template
// parameters, braces among them or not.
#include <mpi.h>

double b[8];

template <class T>
  requires requires(T t) { t + 1; }
void constrained(T n) {
  MPI_Send(b, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}

template <class T, T N = [] { return 3; }()> void defaulted() {
  MPI_Send(b, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}

template <class T>
  requires requires(T t) { t + 1; }
struct Halo {
  void send() { MPI_Send(b, sizeof(T), MPI_BYTE, 1, 0, MPI_COMM_WORLD); }
};

template <int N, int M = [] { return 2; }()>
int sent = MPI_Send(b, N * M, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);

namespace a::b {
extern "C" [[gnu::noinline]] void in_namespace() {
  ::MPI_Send(::b, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}
}

struct Guarded {
  Guarded() try {
    MPI_Send(b, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  } catch (...) {
    (MPI_Send)(b, 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  }
};

int run() {
  constrained(1);
  defaulted<int>();
  Halo<int>().send();
  Guarded guarded;
  return sent<2>;
}

// RUN: for cxx in g++ clang++-22; do \
// RUN:   %mpispec --mpispec-verbose mpicxx -cxx=$cxx -std=c++20 -c %s -o %t.o 2>&1 \
// RUN:     | FileCheck %s || exit 1; done
// CHECK-NOT: not specialised
// CHECK:     sites=7 rewritten=7
// CHECK-NOT: not specialised
