// No false alarm: all of these calls are in correct programs.
#include <mpi.h>
#include <stdlib.h>

struct cell { double x, y, z; int id; } cells[4];
double b[8], matrix[4][8];
double _Complex c[4];
char text[100];
float f[60];
extern double elsewhere[];
extern struct { int n; double tail[1]; } *message;

/* A negative tag may be MPI_ANY_TAG. */
void receive(int tag) {
  if (tag < 0)
    MPI_Recv(b, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(int count) {
  if (count > 0)
    MPI_Send(b, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}

void run(int rank, void *storage, MPI_Datatype column) {
  send(-1);
  MPI_Send(b, 8, MPI_DOUBLE, 1, 100000, MPI_COMM_WORLD); /* MPI_TAG_UB may be larger */
  MPI_Send(b, 0, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Send(&matrix[0][0], 32, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(matrix, 32, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(b, 8 * sizeof(double), MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(b, 8 * sizeof(double), MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  MPI_Send(cells, sizeof cells, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(&cells[1].x, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(c, 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send((int *)b, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Send(elsewhere, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(message->tail, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(storage, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(MPI_BOTTOM, 1, column, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(text, 100, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(f, 3, MPI_DOUBLE_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, b, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(b, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  double *heap = malloc(10 * sizeof *heap);
  MPI_Send(heap, 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(heap + 5, 5, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  free(heap);
}

/* MPI reads only the root's side of these arguments, and nothing where the peer is MPI_PROC_NULL. */
void insignificant(void) {
  float other;
  MPI_Gather(b, 8, MPI_DOUBLE, &other, 8, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  MPI_Scatter(&other, 8, MPI_DOUBLE, b, 8, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, b, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Send(&other, 8, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

/* Legal roots, operations and handles: of intercommunicators, of every class of types, of nobody. */
void legal(MPI_Comm inter, MPI_Comm maybe, MPI_Request *requests, int *n, int count) {
  MPI_Bcast(b, 8, MPI_DOUBLE, MPI_ROOT, inter);
  MPI_Bcast(b, 8, MPI_DOUBLE, MPI_PROC_NULL, inter);
  MPI_Bcast(b, 8, MPI_DOUBLE, 0, MPI_COMM_SELF);
  MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, b, 8, MPI_BYTE, MPI_BAND, MPI_COMM_WORLD);
  MPI_Waitall(0, 0, MPI_STATUSES_IGNORE);
  MPI_Waitall(count, 0, MPI_STATUSES_IGNORE);
  if (maybe != MPI_COMM_NULL)
    MPI_Barrier(maybe);
  MPI_Recv(b, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A process without neighbours, and the ends of a chain, where one side of the call has no peer. */
void nobody(MPI_Comm graph, int up, int down, int rank) {
  int one, other;
  MPI_Neighbor_alltoall(&one, 8, MPI_INT, &other, 8, MPI_INT, graph);
  MPI_Neighbor_alltoall(0, 8, MPI_INT, 0, 8, MPI_INT, graph);
  MPI_Sendrecv(b, 4, MPI_DOUBLE, 1, 0, b, 4, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(b, 4, MPI_DOUBLE, MPI_PROC_NULL, 0, b, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(b, 4, MPI_DOUBLE, up, 0, b, 4, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(b, 4, MPI_DOUBLE, rank == 0 ? 1 : MPI_PROC_NULL, 0, b, 4, MPI_DOUBLE, rank == 1 ? 0 : MPI_PROC_NULL, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* MPI has no integer of this size. */
void wide(__int128 *w) { MPI_Bcast(w, 2, MPI_LONG, 0, MPI_COMM_WORLD); }

/* Tested first: on the path where it is negative nothing is sent. */
void tested(int peer, int tag) {
  if (peer >= 0 && tag >= 0)
    MPI_Send(b, 1, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
}

/* A message without elements, such as one that ends the others' work. */
void stop(double d) {
  MPI_Send(&d, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(&d, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// RUN: %facts %check
// CHECK-NOT: warning
// CHECK:     43: copies=1
// CHECK-NOT: warning
