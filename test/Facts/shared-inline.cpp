// The linker keeps one copy of an inline function or instantiation for all units. Facts that only the
// callers in this unit share prove nothing. A class that no other unit can name (anonymous namespace)
// is an exception, and so is a template argument.
#include <mpi.h>

double buffer[200];

inline void shared(int count) { MPI_Send(buffer, count, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD); }

static void helper(int count) { MPI_Send(buffer, count, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD); }
inline void shared_through_helper(int count) { helper(count); }

struct Shared {
  int count;
  void send() { MPI_Send(buffer, count, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD); }
};

namespace {
struct Private {
  int count;
  void send() { MPI_Send(buffer, count, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD); }
};
}

template <int Count> void send_template(int tag) {
  MPI_Send(buffer, Count, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

void run() {
  shared(10);
  shared_through_helper(10);
  Shared{10}.send();
  Private{10}.send();
  send_template<6>(5);
  send_template<6>(5);
}

// RUN: %facts %check
// CHECK:      0: copies=2 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=1 (literal){{$}}
// CHECK:      1: copies={{.*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=2 (literal){{$}}
// CHECK:      2: copies=2 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=3 (literal){{$}}
// CHECK:      3: copies=1 {{.*}} count=10 {{.*}} tag=4
// CHECK:      4: copies=3 {{.*}} count=6 (template argument) datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) bytes=48 (48 bytes)
