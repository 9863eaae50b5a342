/* A program may define MPI's names anew. Each call means what the program's text says where the call is. The
 * type of a handle is what MPI's header calls it. */
#include "expect.h"

static MPI_Comm world(void) { return MPI_COMM_WORLD; }
static const MPI_Comm one = MPI_COMM_SELF;

#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD one
#undef MPI_C_COMPLEX
#define MPI_C_COMPLEX MPI_C_DOUBLE_COMPLEX
#undef MPI_LONG
#define MPI_LONG MPI_UNSIGNED_LONG
#undef MPI_SUM
#define MPI_SUM MPI_MAX
#undef MPI_MIN
#ifdef NOT_CONSTANT
#undef MPI_MAX
#define MPI_MAX largest()
#endif

static MPI_Op made;
static inline MPI_Op largest(void) { return made; }

static void keep_larger(void *in, void *out, int *length, MPI_Datatype *type) {
  unsigned long *a = in, *b = out;
  (void)type;
  for (int i = 0; i < *length; i++)
    b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void to_itself(int rank) {
  int out = 100 + rank, in = -1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
  MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(in == out);
  MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT(out == 100 + rank);
}

static void to_the_other(int rank) {
  double out[4] = {1, 2, 3, rank}, in[4] = {0};
  MPI_Request request;
  MPI_Irecv(in, 2, MPI_C_COMPLEX, 1 - rank, 0, world(), &request);
  MPI_Send(out, 2, MPI_C_COMPLEX, 1 - rank, 0, world());
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(in[2] == 3 && in[3] == 1 - rank);
}

static void together(int rank) {
  unsigned long mine = rank ? 9 : 5, result = 0;
  MPI_Allreduce(&mine, &result, 1, MPI_LONG, MPI_SUM, world());
  EXPECT(result == 9);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Op_create(keep_larger, 1, &made);
  MPI_Comm_rank(world(), &rank);
  for (int i = 0; i < 3; i++) {
    to_itself(rank);
    to_the_other(rank);
    together(rank);
  }
  MPI_Op_free(&made);
  MPI_Finalize();
  return expect_wrong;
}

// RUN: %mpispec mpicc -O2 -I %inputs %s -o %t && %mpirun -n 2 %t
// RUN: %mpispec mpicc -O2 -I %inputs -DNOT_CONSTANT %s -o %t.called && %mpirun -n 2 %t.called
// RUN: mpicc -E -I %inputs %s -o %t.i && %mpispec mpicc -O2 %t.i -o %t.fed && %mpirun -n 2 %t.fed
//
// The printed source names no handle, because a name may have another meaning where it would stand.
// RUN: %mpispec rewrite %s -- -O2 -I %inputs > %t.new.c
// RUN: mpicc -O2 -I %inputs -I %templates %t.new.c -o %t.new && %mpirun -n 2 %t.new
// RUN: grep -q "mpispec_site_1(" %t.new.c && not grep -q "== (unsigned long)MP[I]_" %t.new.c
//
// RUN: %mpispec explain %s -- -O2 -I %inputs -DNOT_CONSTANT | FileCheck %s
// CHECK: redefined-names.c:35:3 MPI_Irecv
// CHECK: MPI_COMM_SELF
// CHECK: redefined-names.c:46:3 MPI_Irecv
// CHECK: MPI_C_DOUBLE_COMPLEX
// CHECK: redefined-names.c:54:3 MPI_Allreduce
// CHECK: MPI_UNSIGNED_LONG
