// The table of `explain` for people: at 80 columns the details stand below the head, at 132 beside it.
#include <mpi.h>

enum { tag = 7 };
double b[8];

static void shift(int n, int left) {
  MPI_Send(b, n, MPI_DOUBLE, left, tag, MPI_COMM_WORLD);
}

void solve(int n, int left, MPI_Comm comm) {
  int rank;
  double sum;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (left != rank)
    shift(4, left);
  MPI_Allreduce(b, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Recv(b, n, MPI_DOUBLE, left, tag, comm, MPI_STATUS_IGNORE);
  MPI_Send(b, n, MPI_DOUBLE, left, tag, comm);
  MPI_Ssend(b, n, MPI_DOUBLE, left, tag, comm);
  MPI_Irecv(b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, tag, comm, &request);
}

// RUN: cd %S && %analyze explain --width=80 -- -I%inputs/mpi-mpich-style explain.c | FileCheck %s -check-prefixes=BOTH,NARROW
// RUN: cd %S && %analyze explain --width=132 -- -I%inputs/mpi-mpich-style explain.c | FileCheck %s -check-prefixes=BOTH,WIDE
// RUN: cd %S && %analyze explain --width=80 -- -I%inputs/mpi-mpich-style explain.c | awk 'length > 80 { exit 1 }'

// NARROW:      explain.c:8:3 {{ *}}MPI_Send {{ *}}Send
// NARROW-NEXT: {{^}}    in        shift
// NARROW-NEXT: {{^}}    form      inline
// NARROW-NEXT: {{^}}    datatype  MPI_DOUBLE      macro MPI_DOUBLE
// NARROW-NEXT: {{^}}    count     4               all callers agree on 'n'
// NARROW-NEXT: {{^}}    size      short           32 bytes
// NARROW-NEXT: {{^}}    node      remote          peer is never rank(MPI_COMM_WORLD)
// NARROW-NEXT: {{^}}    tag       7               enum constant tag
// NARROW-NEXT: {{^}}    comm      MPI_COMM_WORLD  macro MPI_COMM_WORLD
// NARROW-NEXT: {{^}}    unknown   peer

// WIDE:      explain.c:8:3 {{ *}}MPI_Send {{ *}}Send
// WIDE-SAME: form      inline
// WIDE:      datatype  MPI_DOUBLE      macro MPI_DOUBLE

// BOTH: MPI_Allreduce {{ *}}Allreduce
// BOTH: op        MPI_SUM
// BOTH: MPI_Recv {{ *}}Recv
// BOTH: missed    count 'n' is unknown [size-unknown]
// BOTH: MPI_Irecv {{ *}}ordinary
// BOTH: because   a message from any source
// BOTH: missed    peer is MPI_ANY_SOURCE

// BOTH:      {{^}}6 calls: 5 inline, 1 ordinary, 0 left as they are
// BOTH-NEXT: {{^}}Blocked by: size-unknown (3), wildcard-source; docs/Remarks.md explains each

// The edits by variable: one line for all calls that the edit would make faster.
// BOTH:      {{^}}TO EDIT {{ *}}CALLS  HOW, IF THE PROGRAM ALLOWS IT
// BOTH-NEXT: {{^}}n in solve {{ *}}3  make 'solve' static and pass it one constant everywhere
// BOTH:      {{^}}MPI_ANY_SOURCE {{ *}}1  name the rank
// BOTH:      ARGUMENT                 5 send/recv calls          1 Allreduce call
// BOTH:      datatype                 5  100%       67%         1  100%         -
// BOTH:      count                    2   40%       33%         1  100%         -
// BOTH:      tag                      5  100%       47%               -         -
// BOTH:      comm                     1   20%       39%         0    0%         -
// BOTH:      peer                     1   20%         -               -         -
// BOTH:      datatype and count       2   40%       22%         1  100%       66%
// BOTH:      short or long            2   40%         -         1  100%         -
// BOTH:      remote or local          1   20%         -               -         -
