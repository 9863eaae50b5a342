// Elements of a derived datatype may lie in front of the buffer's address, or on each other. Only those that ascend are
// compared with the size of the buffer.
#include <mpi.h>
#include <stdlib.h>

int MPI_Type_create_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_indexed_block(int, int, const int[], MPI_Datatype, MPI_Datatype *);
double a[24];

static void send_vector(int count, int length, int stride, double *from) {
  MPI_Datatype type;
  MPI_Type_vector(count, length, stride, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Send(from, 1, type, 1, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
}

void descends(void) {
  MPI_Datatype type, twice;
  double *heap = calloc(24, 8);
  MPI_Type_create_hvector(4, 2, -48, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Send(heap + 18, 1, type, 1, 0, MPI_COMM_WORLD);
  MPI_Type_contiguous(2, type, &twice);
  MPI_Type_commit(&twice);
  MPI_Send(a + 22, 1, twice, 1, 0, MPI_COMM_WORLD);
  free(heap);
}
void backwards(void) { send_vector(4, 2, -6, a + 18); }
void repeats(void) { send_vector(4, 24, 0, a); }
void overlaps(void) { send_vector(8, 20, 1, a + 4); }
void displaced(void) {
  int displacements[2] = {-20, -10};
  MPI_Datatype type;
  MPI_Type_create_indexed_block(2, 8, displacements, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Send(a + 20, 1, type, 1, 0, MPI_COMM_WORLD);
}
// CHECK-NOT: {{warning|error}}
void ascends(void) {
  MPI_Datatype row, rows;
  MPI_Type_contiguous(10, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  MPI_Send(a + 16, 1, row, 1, 0, MPI_COMM_WORLD);
  // CHECK: derived.c:[[@LINE-1]]:3: warning: MPI_Send: the call describes 80 bytes, more than the buffer object has
  MPI_Type_create_hvector(2, 1, 80, row, &rows);
  MPI_Type_commit(&rows);
  MPI_Send(a + 12, 1, rows, 1, 0, MPI_COMM_WORLD);
  // CHECK: derived.c:[[@LINE-1]]:3: warning: MPI_Send: the call describes 160 bytes, more than the buffer object has
  MPI_Send(a + 4, 1, rows, 1, 0, MPI_COMM_WORLD);
}
// CHECK-NOT: {{warning|error}}

// RUN: %warnings %check
