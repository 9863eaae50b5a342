// Calls in templates, members, lambdas, initializers and user headers; one text is one site.
#include <mpi.h>
#include "user-header.h"

double b[8];

template <class T> void send(T *data, int n) {
  MPI_Send(data, n, sizeof(T) == 4 ? MPI_INT : MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}
namespace solver {
struct Grid {
  int code = MPI_Barrier(MPI_COMM_WORLD);
  template <int N> void exchange() { ::MPI_Send(b, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }
};
} // namespace solver
int with_default(int code = MPI_Barrier(MPI_COMM_SELF)) { return code; }
int at_start = MPI_Barrier(MPI_COMM_WORLD);

void run() {
  int n[2];
  send(b, 1);
  send(n, 2);
  solver::Grid grid;
  grid.exchange<1>();
  grid.exchange<2>();
  auto barrier = [](auto comm) { return MPI_Barrier(comm); };
  barrier(MPI_COMM_WORLD);
  with_default();
  from_header(b);
}

//--- the same text in another namespace calls another function
namespace other {
int MPI_Barrier(int);
int no_site() { return MPI_Barrier(3); }
} // namespace other

// RUN: %analyze explain --print=sites -- -I%inputs/mpi-mpich-style -I%S/Inputs %s | FileCheck %s
// CHECK:      0: {{.*}}user-header.h:2:{{[0-9]+}} MPI_Send(data, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD) in from_header{{$}}
// CHECK-NEXT: 1: {{.*}}:8:3 MPI_Send({{.*}}) in send{{$}}
// CHECK-NEXT: 2: {{.*}}:12:14 MPI_Barrier(MPI_COMM_WORLD){{.*}}, obstacle in-initializer
// CHECK-NEXT: 3: {{.*}}:13:{{[0-9]+}} MPI_Send(b, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD) in solver::Grid::exchange{{$}}
// CHECK-NEXT: 4: {{.*}}:16:{{[0-9]+}} MPI_Barrier(MPI_COMM_SELF){{.*}}, obstacle in-initializer
// CHECK-NEXT: 5: {{.*}}:17:{{[0-9]+}} MPI_Barrier(MPI_COMM_WORLD) in <file scope>{{$}}
// CHECK-NEXT: 6: {{.*}}:26:{{[0-9]+}} MPI_Barrier(comm) in run{{$}}
// CHECK-NOT:  {{^[0-9]}}
