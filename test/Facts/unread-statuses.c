// A status that nobody reads is as good as none: its variable is only ever what MPI hands it out by.
#include <mpi.h>

double b[8];

void once(MPI_Request *r) {
  MPI_Status status, many[4], table[2][4], unused __attribute__((unused));
  int flag, index, i;
  MPI_Wait(r, &status);
  MPI_Waitall(4, r, many);
  for (i = 0; i < 4; ++i)
    MPI_Test(r + i, &flag, &many[i]);
  MPI_Waitany(4, r, &index, many + i);
  MPI_Waitall(4, r, table[i]);
  MPI_Wait(r, (&(table[1][i])));
  MPI_Wait(r, &unused);
}

void messages(int source, MPI_Comm comm) {
  MPI_Status status = {0};
  MPI_Probe(source, 3, comm, &status);
  MPI_Recv(b, 1, MPI_DOUBLE, source, 3, comm, &status);
  MPI_Sendrecv(b, 1, MPI_DOUBLE, source, 3, b + 1, 1, MPI_DOUBLE, source, 3, comm, &status);
}

void in_arrays_of_run_time(int n, MPI_Request *r) {
  MPI_Status statuses[n];
  MPI_Waitall(n, r, statuses);
}

// RUN: %facts %check
// CHECK:      0: copies=1 status-unread{{$}}
// CHECK-NEXT: 1: copies=1 status-unread{{$}}
// CHECK-NEXT: 2: copies=1 repeated status-unread{{$}}
// CHECK-NEXT: 3: copies=1 status-unread{{$}}
// CHECK-NEXT: 4: copies=1 status-unread{{$}}
// CHECK-NEXT: 5: copies=1 status-unread{{$}}
// CHECK-NEXT: 6: copies=1 status-unread{{$}}
// CHECK-NEXT: 7: copies=1 status-unread |
// CHECK-NEXT: 8: copies=1 status-unread |
// CHECK-NEXT: 9: copies=1 status-unread |
// CHECK-NEXT: 10: copies=1 status-unread{{$}}

// The argument that the template gets. The ordinary call gets the program's own.
// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s
// RUN: gcc -Wall -Wextra -Werror -fsyntax-only %t.new.i
// RUN: FileCheck %s --input-file=%t.new.i --check-prefix=TEXT
// TEXT:       status unread
// TEXT:       return mpispec_Wait((void *)request, mpispec_status_unread(status), mpispec_status_ignored)
// TEXT:         : MPI_Wait(request, status);
// TEXT:       mpispec_Waitall((long long)request_count, (void *)requests, mpispec_status_unread(statuses), mpispec_status_ignored)
// TEXT:       MPI_Waitall(request_count, requests, statuses);
// TEXT:       mpispec_Recv(buffer, mpispec_count, 8, peer, tag, (unsigned long)comm, mpispec_status_unread(status))
