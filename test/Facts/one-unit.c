// Facts of one unit alone: static variables and fields that only ever get one handle, tables of constants,
// derived datatypes whose size is a constant.
#include <mpi.h>
#include <stdlib.h>

double b[256];
static MPI_Datatype only;
static struct {
  MPI_Datatype type;
  int count;
} fields;
static MPI_Comm comm;
static const int counts[] = {4, 8, 6};
static const struct {
  int first, second;
} pairs[] = {{1, 2}, {3, 4}};
static int never_written[3] = {2, 30, 4};
void opaque(void);

void begin(void) {
  only = MPI_DOUBLE;
  fields.type = MPI_DOUBLE;
  fields.count = 4;
  comm = MPI_COMM_WORLD;
  opaque();
}
void variable(int n) { MPI_Send(b, n, only, 1, 0, MPI_COMM_WORLD); }
void field(void) { MPI_Send(b, fields.count, fields.type, 1, 1, MPI_COMM_WORLD); }
void communicator(void) { MPI_Send(b, 1, MPI_DOUBLE, 1, 2, comm); }
void sendrecv(void) { MPI_Sendrecv(b, 1, only, 1, 3, b + 4, 1, only, 1, 3, comm, MPI_STATUS_IGNORE); }
void table(int k) { MPI_Send(b, counts[k], MPI_DOUBLE, 1, 4, MPI_COMM_WORLD); }
void next_in_table(int k) { MPI_Send(b, counts[k + 1], MPI_DOUBLE, 1, 5, MPI_COMM_WORLD); }
void static_table(int k) { MPI_Send(b, never_written[k], MPI_DOUBLE, 1, 6, MPI_COMM_WORLD); }

void contiguous(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(4, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Send(b, 2, type, 1, 7, MPI_COMM_WORLD);
  MPI_Type_free(&type);
}
void vector(void) {
  MPI_Datatype type;
  MPI_Type_vector(16, 3, 8, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Send(b, 1, type, 1, 8, MPI_COMM_WORLD);
  MPI_Type_free(&type);
}
int checked(void) {
  MPI_Datatype type[2];
  int error = MPI_SUCCESS;
  error = MPI_Type_vector(2, 1, 8, MPI_DOUBLE, &type[1]);
  if (error == MPI_SUCCESS)
    error = MPI_Type_commit(&type[1]);
  if (error == MPI_SUCCESS)
    error = MPI_Send(b, 1, type[1], 1, 9, MPI_COMM_WORLD);
  return error;
}
void of_another(void) {
  MPI_Datatype row, rows;
  MPI_Type_contiguous(4, MPI_DOUBLE, &row);
  MPI_Type_vector(2, 2, 4, row, &rows);
  MPI_Type_commit(&rows);
  MPI_Send(b, 1, rows, 1, 10, MPI_COMM_WORLD);
}
void of_any_size(int n) {
  MPI_Datatype type;
  if (n > 8)
    return;
  MPI_Type_contiguous(n, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Send(b, 1, type, 1, 11, MPI_COMM_WORLD);
}

/* Structures that are handed on by address: each field has one value wherever it may be. */
struct halo {
  MPI_Datatype type;
  int count;
  MPI_Comm comm;
};
__attribute__((noinline)) static void send_halo(const struct halo *h) {
  MPI_Send(b, h->count, h->type, 1, 12, h->comm);
  opaque();
  MPI_Send(b, h->count, h->type, 1, 13, h->comm);
}
__attribute__((noinline)) static void step(struct halo *h, int n) {
  for (int i = 0; i < n; i++)
    send_halo(h);
  send_halo(h);
}
void of_one_function(int n) {
  struct halo h = {MPI_DOUBLE, 4, MPI_COMM_WORLD};
  step(&h, n);
}
void of_another_function(void) {
  struct halo h[2];
  h[1].type = MPI_DOUBLE;
  h[1].count = 4;
  h[1].comm = MPI_COMM_WORLD;
  send_halo(&h[1]);
}
int of_the_heap(void) {
  struct halo *h = malloc(sizeof *h);
  if (h == NULL)
    return 1;
  h->type = MPI_DOUBLE;
  h->count = 4;
  h->comm = MPI_COMM_WORLD;
  step(h, 3);
  free(h);
  return 0;
}
static struct halo kept, kept_too;
__attribute__((noinline)) static void send_kept(const struct halo *h) {
  MPI_Send(b, h->count, h->type, 1, 14, h->comm);
}
void keep(void) {
  kept.type = kept_too.type = MPI_DOUBLE;
  kept.count = kept_too.count = 4;
  kept.comm = kept_too.comm = MPI_COMM_WORLD;
}
void of_a_variable(void) {
  send_kept(&kept);
  send_kept(&kept_too);
}

// RUN: %facts %check
// CHECK:      0: {{.*}} datatype=MPI_DOUBLE (static 'only' never has another value here) {{.*}}tag=0
// CHECK-NEXT: 1: {{.*}} datatype=MPI_DOUBLE {{.*}} tag=1 {{.*}} size=short
// CHECK-NEXT: 2: {{.*}} comm=MPI_COMM_WORLD {{.*}} tag=2
// CHECK-NEXT: 3: {{.*}} comm=MPI_COMM_WORLD {{.*}} bytes=8 {{.*}} | {{.*}} bytes=8
// CHECK-NEXT: 4: {{.*}} count=[4, 8] {{.*}} tag=4 {{.*}} size=short
// CHECK-NEXT: 5: {{.*}} count=[4, 8] {{.*}} tag=5 {{.*}} size=short
// CHECK-NEXT: 6: {{.*}} count=[2, 30] {{.*}} tag=6 {{.*}} size=short
// CHECK-NEXT: 7: {{.*}} datatype=derived (every value of 'type') {{.*}} bytes=64 {{.*}} size=short (64 bytes)
// CHECK-NEXT: 8: {{.*}} datatype=derived {{.*}} bytes=384 {{.*}} size=long (384 bytes)
// CHECK-NEXT: 9: {{.*}} datatype=derived {{.*}} bytes=16 {{.*}} size=short
// CHECK-NEXT: 10: {{.*}} datatype=derived {{.*}} bytes=128 {{.*}} size=short
// CHECK-NEXT: 11: {{.*}} datatype=derived {{.*}} size=short
// CHECK-NEXT: 12: {{.*}} comm=MPI_COMM_WORLD {{.*}} count=4 {{.*}} datatype=MPI_DOUBLE {{.*}} tag=12 {{.*}} size=short
// CHECK-NEXT: 13: {{.*}} comm=MPI_COMM_WORLD {{.*}} count=4 {{.*}} datatype=MPI_DOUBLE {{.*}} tag=13 {{.*}} size=short
// CHECK-NEXT: 14: {{.*}} comm=MPI_COMM_WORLD {{.*}} count=[0, 4] {{.*}} datatype=MPI_DOUBLE {{.*}} tag=14 {{.*}} size=short
