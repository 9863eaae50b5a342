// The text that is emitted for each operation on messages and requests, in each of its variants: the
// template, and its arguments by their roles.
#include <mpi.h>

double a[1024], b[1024];

#define NINE(NAME, LARGE, SMALL, UNKNOWN, ...)                                                     \
  void all_##NAME(int peer, int n __VA_ARGS__)          {                                \
    int rank;                                                                                      \
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                                          \
    if (peer >= 0 && peer != rank) {                                                                            \
      MPI_##NAME LARGE;                                                                            \
      MPI_##NAME SMALL;                                                                            \
      MPI_##NAME UNKNOWN;                                                                          \
    } else if (peer == rank) {                                                                                       \
      MPI_##NAME LARGE;                                                                            \
      MPI_##NAME SMALL;                                                                            \
      MPI_##NAME UNKNOWN;                                                                          \
    }                                                                                              \
    MPI_##NAME LARGE;                                                                              \
    MPI_##NAME SMALL;                                                                              \
    MPI_##NAME UNKNOWN;                                                                            \
  }
#define C MPI_COMM_WORLD
#define SEND(NAME)                                                                                 \
  NINE(NAME, (b, 1024, MPI_DOUBLE, peer, 7, C), (b, 1, MPI_DOUBLE, peer, 7, C),                    \
       (b, n, MPI_DOUBLE, peer, 7, C))
#define ISEND(NAME)                                                                                \
  NINE(NAME, (b, 1024, MPI_DOUBLE, peer, 7, C, request), (b, 1, MPI_DOUBLE, peer, 7, C, request),  \
       (b, n, MPI_DOUBLE, peer, 7, C, request), , MPI_Request *request)
#define BOTH(COUNT, TYPE) (a, COUNT, TYPE, peer, 7, b, COUNT, TYPE, peer, 7, C, status)
#define REPLACE(COUNT, TYPE) (b, COUNT, TYPE, peer, 7, peer, 7, C, status)

SEND(Send)
SEND(Ssend)
SEND(Rsend)
SEND(Bsend)
ISEND(Isend)
ISEND(Issend)
NINE(Recv, (b, 1024, MPI_DOUBLE, peer, 7, C, status), (b, 1, MPI_DOUBLE, peer, 7, C, status),
     (b, n, MPI_DOUBLE, peer, 7, C, status), , MPI_Status *status)
ISEND(Irecv)
NINE(Sendrecv, BOTH(1024, MPI_DOUBLE), BOTH(1, MPI_DOUBLE), BOTH(n, MPI_DOUBLE), , MPI_Status *status)
NINE(Sendrecv_replace, REPLACE(1024, MPI_DOUBLE), REPLACE(1, MPI_DOUBLE), REPLACE(n, MPI_DOUBLE), ,
     MPI_Status *status)

void completions(int n, MPI_Request *requests, int *flag, MPI_Status *status) {
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  MPI_Wait(requests, status);
  MPI_Test(requests, flag, MPI_STATUS_IGNORE);
  MPI_Test(requests, flag, status);
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  MPI_Waitall(n, requests, status);
}

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s \
// RUN:   | FileCheck %s --check-prefix=REWRITTEN
// REWRITTEN: sites=96 rewritten=96
// RUN: gcc -Wall -Wextra -Werror -pedantic -fsyntax-only %t.new.i
// RUN: sed -n 's/^ *\(return \)*mpispec_\([A-Z].*)\)$/\2/p' %t.new.i > %t.found
// RUN: for name in Send Ssend Rsend Bsend Isend Issend Recv Irecv Sendrecv Sendrecv_replace; do \
// RUN:   for variant in short_remote remote short_local local short generic; \
// RUN:   do echo ${name}_$variant; done; done > %t.expected
// RUN: for name in Wait Test Waitall; do echo ${name}_ignore; echo ${name}_generic; done >> %t.expected
// RUN: sed 's/(.*//' %t.found | diff %t.expected -
// RUN: FileCheck %s --input-file=%t.found

// CHECK:      Send_short_remote(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK-NEXT: Send_remote(buffer, (long long)count, 8, peer, tag, mpispec_comm_world)
// CHECK:      Ssend_short_remote(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK:      Rsend_short_remote(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK:      Bsend_short_remote(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK:      Isend_short_remote(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world, (void *)request)
// CHECK:      Issend_short_remote(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world, (void *)request)
// CHECK:      Recv_short_remote(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world, (void *)status)
// CHECK:      Irecv_short_remote(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world, (void *)request)
// CHECK:      Sendrecv_short_remote(send_buffer, mpispec_send_count, 8, destination, send_tag, receive_buffer, mpispec_receive_count, 8, source, receive_tag, mpispec_comm_world, (void *)status)
// CHECK-NEXT: Sendrecv_remote(send_buffer, (long long)send_count, 8, destination, send_tag, receive_buffer, (long long)receive_count, 8, source, receive_tag, mpispec_comm_world, (void *)status)
// CHECK:      Sendrecv_replace_short_remote(buffer, mpispec_count, 8, destination, send_tag, source, receive_tag, mpispec_comm_world, (void *)status)
// CHECK:      Wait_generic((void *)request, (void *)status)
// CHECK:      Test_generic((void *)request, (void *)flag, (void *)status)
// CHECK:      Waitall_generic((long long)request_count, (void *)requests, (void *)statuses)
