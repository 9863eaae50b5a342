// __PRETTY_FUNCTION__ in gcc: "void tell(T) [with T = int]", in Clang: "void tell(T) [T = int]".
#include <assert.h>
#include <mpi.h>
#include <string.h>

void log(const char *where);
static void send_text(const char *text) {
  MPI_Send(text, (int)strlen(text), MPI_CHAR, 1, 0, MPI_COMM_WORLD);
}
template <class T> void tell(T n) {
  assert(n > 0);
  log(__PRETTY_FUNCTION__);
  send_text(__PRETTY_FUNCTION__);
#ifdef AT_COMPILE_TIME
  MPI_Send(&n, AT_COMPILE_TIME, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
#endif
  MPI_Send(&n, 3, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
}
void run() { tell(5); }

// RUN: %facts %check
// CHECK:      0: copies={{[0-9]}} {{[^|]*}}| datatype=MPI_CHAR (macro MPI_CHAR) peer=1 (literal) tag=0 (literal){{$}}
// CHECK-NEXT: 1: {{.*}} count=3

// Values that are computed from that text are compared with the call's real ones.
// RUN: g++ -E -I%inputs/mpi-mpich-style '-DAT_COMPILE_TIME=sizeof(__PRETTY_FUNCTION__)' %s -o %t.ii
// RUN: %analyze unit --preprocessed=%t.ii --output=%t.new.ii -- -I%inputs/mpi-mpich-style '-DAT_COMPILE_TIME=sizeof(__PRETTY_FUNCTION__)' %s | FileCheck --check-prefix=ANSWER %s
// RUN: FileCheck --check-prefix=DIFFERS --input-file=%t.new.ii %s
// ANSWER: sites=3 rewritten=3
// DIFFERS: const long long mpispec_count = [[#N:]];
// DIFFERS-NEXT: count == mpispec_count
