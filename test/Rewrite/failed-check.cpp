// A call that cannot be checked in its new form stays as it is, alone.
#include <mpi.h>
#include <utility>

template <class... A> static int checked_send(A &&...a) { return MPI_Send(std::forward<A>(a)...); }
template <class... A> static int sent(A... a) { return MPI_Ssend(a...); }

int f(int *x) {
  return checked_send(x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD) + sent(x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}
int g(int *x) {
  for (int i = 0; i < 9; i++)
    MPI_Recv(x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}

// A pack that is one argument of several is one argument in the text as well.
template <class... A> int one(int *x, A... a) { return MPI_Send(x, 1, MPI_INT, 0, (a + ...), MPI_COMM_WORLD); }
int h(int *x) { return one(x, 1, 2); }

// RUN: g++ -std=c++17 -E -I%inputs/mpi-mpich-style %s -o %t.ii
// RUN: rm -rf %t.new.ii %t.yaml
// RUN: %analyze unit --preprocessed=%t.ii --output=%t.new.ii --remarks=%t.yaml -- -std=c++17 -I%inputs/mpi-mpich-style %s
// RUN: FileCheck %s < %t.yaml
// RUN: FileCheck --check-prefix=TEXT %s < %t.new.ii
// RUN: g++ -std=c++17 -fsyntax-only -x c++-cpp-output %t.new.ii

// CHECK: Name: failed-check
// CHECK: Line: 5,
// CHECK: Name: failed-check
// CHECK: Line: 6,
// CHECK-NOT: Name: failed-check

// TEXT: { return MPI_Send(std::forward<A>(a)...); }
// TEXT: { return MPI_Ssend(a...); }
// TEXT: {{^}}    mpispec_site_2(x, 1,
// TEXT: { return mpispec_site_3(x, 1,
