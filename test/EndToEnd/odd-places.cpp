// Calls in odd places do not keep others of the unit from being specialised: in lambdas within the braces of a global
// variable, and by a name in a namespace, which stays as it is.
#include <cstdio>
#include <functional>
#include <map>
#include <mpi.h>
#include <string>

namespace own {
using ::MPI_Send;
}

static double number;

static std::map<std::string, std::function<int(int)>> operations{
    {"send",
     [](int to) {
       int error = MPI_Send(&number, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
       return error;
     }},
    {"typed", [](auto) -> int { return MPI_Barrier(MPI_COMM_WORLD); }},
    {"generic", [](auto from) {
       if (int error = MPI_Recv(&number, 1, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
         return error;
       return 0;
     }}};

static auto synchronous{[](auto to) { return MPI_Ssend(&number, 1, MPI_DOUBLE, to, 2, MPI_COMM_WORLD); }};

template <class T>
constexpr auto to_both = [](const T *x, auto to) { return MPI_Send(x, 1, MPI_DOUBLE, to, 3, MPI_COMM_WORLD); };

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    number = 2.5;
    operations["send"](1);
    synchronous(1);
    to_both<double>(&number, 1);
    operations["generic"](1);
    std::printf("%g came back\n", number);
  } else if (rank == 1) {
    MPI_Recv(&number, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    number *= 2;
    own::MPI_Send(&number, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}

// RUN: rm -rf %t.remarks && %mpispec --mpispec-remarks=%t.remarks mpicxx -O2 %s -o %t && not grep -r fallback %t.remarks && %mpirun -n 2 %t | FileCheck %s
// CHECK: 5 came back
// RUN: %mpispec explain %s -- -O2 | FileCheck %s --check-prefix=REMARK
// REMARK: odd-places.cpp:18:20 MPI_Send Send
// REMARK: odd-places.cpp:21:40 MPI_Barrier Barrier
// REMARK: odd-places.cpp:23:24 MPI_Recv Recv
// REMARK: odd-places.cpp:28:46 MPI_Ssend Ssend
// REMARK: odd-places.cpp:31:59 MPI_Send left as it is
// REMARK: {{\[in-initializer\]}}
// REMARK: odd-places.cpp:45:5 MPI_Recv Recv
// REMARK: odd-places.cpp:49:10 MPI_Send left as it is
// REMARK: {{\[qualified-name\]}}
