// Predictions that are right, wrong, and one of several give what plain calls give, on any number of ranks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  MPI_Datatype type;
} params_t;

/* Predicted MPI_INT or MPI_LONG by what this file stores; MPI_CHAR comes from the command line. */
static void pass(params_t *p, void *out, void *in, int n, int to, int from) {
  MPI_Request request;
  MPI_Irecv(in, n, p->type, from, 1, MPI_COMM_WORLD, &request);
  MPI_Send(out, n, p->type, to, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static MPI_Datatype named(const char *name) {
  MPI_Datatype type;
  MPI_Type_contiguous(1, MPI_CHAR, &type);
  MPI_Type_commit(&type);
  return name[0] == 'x' ? type : MPI_CHAR;
}

int main(int argc, char **argv) {
  params_t p = {MPI_INT};
  long out[40], in[40] = {0}, sum = 0;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 40; i++)
    out[i] = rank * 1000 + i;
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int kind = 0; kind < 4; kind++) {
    for (int n = 1; n <= 40; n *= 3) {
      if (kind == 0)
        p.type = MPI_INT;
      else if (kind == 1)
        p.type = MPI_LONG;
      else
        p.type = named(kind == 2 ? "x" : "c");
      pass(&p, out, in, n, to, from);
      /* One of two counts of several cells, or another one. */
      int count = n <= 3 ? 16 : n == 9 ? 20 : argc > 1 ? atoi(argv[1]) : 16;
      MPI_Sendrecv(out, count, MPI_LONG, to, 2, in + 0, 40, MPI_LONG, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < 40; i++)
        sum = sum * 31 + in[i];
    }
  }
  for (int r = 0; r < size; r++) {
    if (r == rank)
      printf("%d: %ld\n", rank, sum), fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

// RUN: mkdir -p %t && mpicc -O2 %s -o %t/plain && %mpispec --mpispec-inline-all mpicc -O2 %s -o %t/special && %mpispec --mpispec-inline-all --mpispec-check-facts mpicc -O2 %s -o %t/checked
// RUN: for n in 1 2 3; do for count in "" 18; do %mpirun -n $n %t/plain $count > %t/plain.all && %mpirun -n $n %t/special $count > %t/special.all && grep -q . %t/plain.all && sort %t/plain.all > %t/plain.out && sort %t/special.all | diff %t/plain.out - || exit 1; done; done
// RUN: %mpirun -n 2 %t/checked 2>&1 | FileCheck %s
// CHECK: MPI_Send: argument 3 is predicted to be MPI_{{INT|LONG}} ({{[0-9]+}} %), and was in {{[0-9]+}} of 16 calls
