// constexpr, template arguments, lambdas, members; a fact holds for all instantiations or not at all.
#include <mpi.h>

constexpr int square(int n) { return n * n; }
double buffer[200];

template <class T> constexpr MPI_Datatype datatype() = delete;
template <> MPI_Datatype datatype<double>() { return MPI_DOUBLE; }
template <> MPI_Datatype datatype<int>() { return MPI_INT; }

template <class T, int N> struct Halo {
  T data[N];
  void send(int dest) { MPI_Send(data, N, datatype<T>(), dest, 1, MPI_COMM_WORLD); }
};
template <class T> void one_instantiation(T *data) {
  MPI_Send(data, 8, datatype<T>(), 1, 2, MPI_COMM_WORLD);
}

void run(int rank) {
  constexpr int n = square(6);
  MPI_Send(buffer, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  Halo<double, 4>().send(1);
  Halo<int, 4>().send(1);
  one_instantiation(buffer);
  auto send = [&](int count) { MPI_Send(buffer, count, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD); };
  send(9);
}

// RUN: %facts -std=c++17 %check
// CHECK:      0: {{[^|]*}}| count=4 (template argument) tag=1 (literal) bytes=[16, 32] (template argument) size=short (template argument){{$}}
// CHECK:      1: {{.*}}| count=8 (literal) datatype=MPI_DOUBLE (value of 'datatype<T>()')
// CHECK:      2: {{.*}}| count=36 (constexpr n)
// CHECK:      3: {{.*}}| count=9 (all callers agree on 'count')
