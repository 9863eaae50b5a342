// One text of a template means MPI's function in one instantiation, and a function of the program in
// another: an overload of the same name, found in the global namespace or by the arguments' types.
#include <cstdio>
#include <functional>
#include <mpi.h>

namespace geometry {
struct Vector {
  double x[3];
  operator const void *() const { return x; }
};
static int sent;
int MPI_Send(const Vector &v, int count, MPI_Datatype, int to, int tag, MPI_Comm comm) {
  const double tenfold[3] = {10 * v.x[0], 10 * v.x[1], 10 * v.x[2]};
  ++sent;
  return ::MPI_Send(tenfold, 3 * count, MPI_DOUBLE, to, tag, comm);
}
} // namespace geometry

static int nowhere;
namespace geometry {
int MPI_Send(const Vector *, int, MPI_Datatype, int, int, MPI_Comm) {
  ++nowhere;
  return MPI_SUCCESS;
}
} // namespace geometry

static int doubles;
int MPI_Send(const double *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++doubles;
  return MPI_Send(static_cast<const void *>(buffer), count, type, to, tag, comm);
}

template <class T> static void put(const T &value, MPI_Datatype type) {
  MPI_Send(value, 1, type, 1, 3, MPI_COMM_WORLD);
}

static void get(void *to, int count, MPI_Datatype type) {
  MPI_Recv(to, count, type, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// The last line makes the lambda's instance for a vector only to learn whether it can be called.
static void put_by_lambda(const int &number, const geometry::Vector &v) {
  auto put = [](const auto &value) {
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
  };
  put(number);
  std::function<void(const geometry::Vector &)> put_vector = put;
  put_vector(v);
}

int main(int argc, char **argv) {
  int rank, number = 7;
  double real = 0.5;
  geometry::Vector v{{1, 2, 3}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    put(&number, MPI_INT); // the order of instantiation is the order of these three
    put(&real, MPI_DOUBLE);
    put(v, MPI_DOUBLE);
    put_by_lambda(number, v);
    std::printf("overloads: %d, %d and %d\n", doubles, geometry::sent, nowhere);
  } else if (rank == 1) {
    number = 0, real = 0, v = {};
    get(&number, 1, MPI_INT);
    get(&real, 1, MPI_DOUBLE);
    get(v.x, 3, MPI_DOUBLE);
    std::printf("received %d, %g, %g\n", number, real, v.x[2]);
  }
  MPI_Finalize();
}

// RUN: %mpispec mpicxx -O2 %s -o %t && %mpirun -n 2 %t | sort | FileCheck %s
// CHECK: overloads: 1, 1 and 1
// CHECK-NEXT: received 7, 0.5, 30
// RUN: mpicxx -O2 %s -o %t.plain && %mpirun -n 2 %t.plain | sort | FileCheck %s
// RUN: %mpispec explain %s -- -O2 | FileCheck %s --check-prefix=REMARK
// REMARK: overloads.cpp:35:3 MPI_Send left as it is
// REMARK: {{\[other-function\]}}
// REMARK: overloads.cpp:45:5 MPI_Send left as it is
// REMARK: {{\[other-function\]}}
