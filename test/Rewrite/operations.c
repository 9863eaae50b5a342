// The emitted text for each operation on messages and requests, in each cell of its table that has a
// template. The text has the template's function, and the arguments by their roles.
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

#define EXCHANGE(NAME, FORM)                                                                       \
  NINE(NAME, FORM(1024, MPI_DOUBLE), FORM(1, MPI_DOUBLE), FORM(n, MPI_DOUBLE), , MPI_Status *status)
#define RECV                                                                                       \
  NINE(Recv, (b, 1024, MPI_DOUBLE, peer, 7, C, status), (b, 1, MPI_DOUBLE, peer, 7, C, status),    \
       (b, n, MPI_DOUBLE, peer, 7, C, status), , MPI_Status *status)

CALLS /* one operation at a time: of many calls that are alike most would share their template */

void completions(int n, MPI_Request *requests, int *flag, MPI_Status *status) {
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  MPI_Wait(requests, status);
  MPI_Test(requests, flag, MPI_STATUS_IGNORE);
  MPI_Test(requests, flag, status);
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  MPI_Waitall(n, requests, status);
}

void probes(int peer, int tag, int *flag, MPI_Status *status) {
  while (!*flag) {
    MPI_Probe(MPI_ANY_SOURCE, tag, C, status);
    MPI_Iprobe(peer, MPI_ANY_TAG, C, flag, status);
  }
}

// RUN: rm -f %t.found && for calls in 'SEND(Send)' 'SEND(Ssend)' 'SEND(Rsend)' 'SEND(Bsend)' \
// RUN:   'ISEND(Isend)' 'ISEND(Issend)' RECV 'ISEND(Irecv)' 'EXCHANGE(Sendrecv, BOTH)' \
// RUN:   'EXCHANGE(Sendrecv_replace, REPLACE)'; do \
// RUN:   gcc -E "-DCALLS=$calls" -I%inputs/mpi-mpich-style %s -o %t.i && \
// RUN:   %analyze unit --preprocessed=%t.i --output=%t.new.i -- "-DCALLS=$calls" \
// RUN:     -I%inputs/mpi-mpich-style %s | FileCheck %s --check-prefix=REWRITTEN && \
// RUN:   gcc -Wall -Wextra -Werror -pedantic -fsyntax-only %t.new.i && \
// RUN:   sed -n -e 's/^ *\(return \)*mpispec_\([A-Z].*)\)$/\2/p' \
// RUN:     -e 's/^ *return mpispec_\([A-Z][a-z_]*_long(mpispec_.*)\);$/\1/p' %t.new.i >> %t.found || exit 1; done
// REWRITTEN: sites=17 rewritten=17 inline={{14|17}} ordinary={{3|0}}
// RUN: for name in Send Ssend Rsend Bsend Isend Issend Recv Irecv Sendrecv Sendrecv_replace; do \
// RUN:   case $name in Sendrecv*) nodes="remote local dynamic";; *) nodes=". . .";; esac; \
// RUN:   in_each=; case $name in Irecv) in_each="echo Irecv ."; long=;; Recv | Sendrecv*) long="${name}_long .";; \
// RUN:     Bsend) long="Send_long buffered";; Ssend) long="Send_long synchronous";; \
// RUN:     Issend) long="Isend_long synchronous";; Isend) long="Isend_long standard";; \
// RUN:     *) long="Send_long standard";; esac; \
// RUN:   echo $long | sed "/^$/d"; for node in $nodes; do $in_each; for size in short dynamic; do echo $name $node; done; done; \
// RUN:   for end in Wait Test Waitall; do echo $end ignored; echo $end dynamic; done; \
// RUN:   echo Probe .; echo Iprobe .; \
// RUN: done > %t.expected
// RUN: sed -e 's/(.*mpispec_\(locality\|status\)_\([a-z]*\))$/ \2/' -e 's/(.*mpispec_\(standard\|buffered\|synchronous\))$/ \1/' -e 's/(.*/ ./' %t.found | diff %t.expected -
// RUN: FileCheck %s --input-file=%t.found

// CHECK:      Send(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK-NEXT: Send(buffer, (long long)count, 8, peer, tag, mpispec_comm_world)
// CHECK:      Ssend(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK:      Rsend(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK:      Bsend(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK:      Isend(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world, (void *)request)
// CHECK:      Issend(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world, (void *)request)
// CHECK:      Recv(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world, (void *)status)
// CHECK:      Irecv(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world, (void *)request)
// CHECK:      Sendrecv(send_buffer, mpispec_send_count, 8, destination, send_tag, receive_buffer, mpispec_receive_count, 8, source, receive_tag, mpispec_comm_world, (void *)status, mpispec_locality_remote)
// CHECK-NEXT: Sendrecv(send_buffer, (long long)send_count, 8, destination, send_tag, receive_buffer, (long long)receive_count, 8, source, receive_tag, mpispec_comm_world, (void *)status, mpispec_locality_remote)
// CHECK:      Sendrecv_replace(buffer, mpispec_count, 8, destination, send_tag, source, receive_tag, mpispec_comm_world, (void *)status, mpispec_locality_remote)
// CHECK:      Wait((void *)request, (void *)status, mpispec_status_ignored)
// CHECK:      Test((void *)request, (void *)flag, (void *)status, mpispec_status_dynamic)
// CHECK:      Waitall((long long)request_count, (void *)requests, (void *)statuses, mpispec_status_dynamic)
// CHECK:      Probe(mpispec_any_source, tag, mpispec_comm_world, (void *)status)
// CHECK:      Iprobe(peer, mpispec_any_tag, mpispec_comm_world, (void *)flag, (void *)status)
