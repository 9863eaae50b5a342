// C++: lambdas are text of the function around them; of instantiations branches may be missing.
#include <mpi.h>

void captured(MPI_Request *r) {
  MPI_Status status;
  auto wait = [&] { MPI_Wait(r, &status); };
  wait();
}

int captured_and_read(MPI_Request *r) {
  MPI_Status status;
  auto wait = [&](auto) { MPI_Wait(r, &status); };
  wait(1);
  return [&status] { return status.MPI_TAG; }();
}

int referred_to(MPI_Request *r) {
  MPI_Status status;
  const MPI_Status &same = status;
  MPI_Wait(r, &status);
  return same.MPI_TAG;
}

template <typename T> int instantiated(MPI_Request *r) {
  MPI_Status status;
  MPI_Wait(r, &status);
  if constexpr (sizeof(T) > 4)
    return status.MPI_TAG;
  return 0;
}

struct Holder {
  void inside(MPI_Request *r) {
    MPI_Status status;
    MPI_Wait(r, &status);
  }
};

void all(MPI_Request *r) {
  instantiated<int>(r);
  instantiated<char>(r);
  Holder().inside(r);
}

// RUN: %analyze explain --inline-all --print=facts -- -std=c++17 -I%inputs/mpi-mpich-style %s | FileCheck %s
// CHECK:      0: {{.*}}status-unread
// CHECK-NEXT: 1: copies={{[0-9]+( once| repeated)?}}{{$}}
// CHECK-NEXT: 2: copies=1{{$}}
// CHECK-NEXT: 3: copies={{[0-9]+}}{{$}}
// CHECK-NEXT: 4: {{.*}}status-unread
