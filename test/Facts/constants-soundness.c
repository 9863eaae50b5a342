// A value that may change is no constant.
#include <mpi.h>

int set_elsewhere = 12;
static int changed_here = 12;
static int address_escapes = 12;
static int set_by_bcast = 12;
double buffer[200];
void opaque(int *);
void nothing(void);

void change(int n) { changed_here = n; }

void send(void) {
  int local = 5;
  opaque(&address_escapes);
  MPI_Bcast(&set_by_bcast, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Send(buffer, set_elsewhere, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  MPI_Send(buffer, changed_here, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  MPI_Send(buffer, address_escapes, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  MPI_Send(buffer, set_by_bcast, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
  opaque(&local);
  local = 5;
  nothing(); /* may change what it was given the address of before */
  MPI_Send(buffer, local, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
}

/* A receive that is not complete may still write the variable. */
void pending(MPI_Request *request) {
  int n = 4;
  MPI_Irecv(&n, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, request);
  MPI_Wait(request, MPI_STATUS_IGNORE);
  MPI_Send(buffer, n, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
}

/* A completed receive wrote it. */
void received(void) {
  int n = 4;
  MPI_Recv(&n, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(buffer, n, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK:      1: copies=1 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=1 (literal){{$}}
// CHECK-NEXT: 2: copies=1 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=2 (literal){{$}}
// CHECK-NEXT: 3: copies=1 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=3 (literal){{$}}
// CHECK-NEXT: 4: copies=1 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=4 (literal){{$}}
// CHECK-NEXT: 5: copies=1 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=5 (literal){{$}}
// CHECK:      8: copies=1 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=6 (literal){{$}}
// CHECK:      10: copies=1 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=7 (literal){{$}}
