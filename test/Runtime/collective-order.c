/* Sums of floating-point numbers in the order of ranks, by MPISPEC_REDUCTIONS=ranks. All ranks get the same bits, by
 * every operation, at all sizes and in every run. In any order, the sums are within the bound for n summands: (n - 1)
 * * 2^-53 times the sum of their magnitudes. */
#include "check.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

enum { MOST = 20000, SEEDS = 3 };
static int rank, size;
static double mine[MOST], sum[MOST], again[MOST], in_order[MOST], magnitudes[MOST], all[MOST];

static double summand(int i, int of, int seed) {
  const double x = sin(i * 12.9898 + of * 78.233 + seed) * 43758.5453;
  return (x - floor(x) - 0.5) * pow(10, (i + of) % 30 - 15);
}

static void prepare(int count, int seed) {
  for (int i = 0; i < count; ++i) {
    mine[i] = summand(i, rank, seed);
    in_order[i] = summand(i, 0, seed);
    magnitudes[i] = fabs(in_order[i]);
    for (int of = 1; of < size; ++of) {
      const double next = summand(i, of, seed);
      in_order[i] += next;
      magnitudes[i] += fabs(next);
    }
  }
}

static void check_bound(int count) {
  for (int i = 0; i < count; ++i)
    CHECK(fabs(sum[i] - in_order[i]) <= 2 * (size - 1) * ldexp(magnitudes[i], -53));
}

static void check_same_on_all(int count) {
  for (int root = 0; root < size; ++root) {
    memcpy(all, sum, (size_t)count * sizeof(double));
    MPI_Bcast(all, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
    CHECK(!memcmp(all, sum, (size_t)count * sizeof(double)));
  }
}

static void check_same(const double *a, int count) {
  CHECK(!memcmp(a, sum, (size_t)count * sizeof(double)));
}

/* Each element of a long vector has the same result as it would have alone. */
static void check_alone(int count, int strict) {
  for (int i = 0; strict && i < count; i += 1 + count / 7) {
    MPI_Allreduce(&mine[i], again, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(!memcmp(again, &sum[i], sizeof(double)));
  }
}

int main(int argc, char **argv) {
  static const int counts[] = {1, 6, 7, 100, 1500, MOST};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int strict = !strcmp(argv[1], "strict");
  for (int seed = 0; seed < SEEDS; ++seed)
    for (unsigned c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
      const int count = counts[c];
      prepare(count, seed);
      MPI_Allreduce(mine, sum, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      check_bound(count);
      check_same_on_all(count);
      if (strict)
        CHECK(!memcmp(sum, in_order, (size_t)count * sizeof(double)));
      memcpy(again, mine, (size_t)count * sizeof(double));
      MPI_Allreduce(MPI_IN_PLACE, again, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      check_same(again, count);
      MPI_Reduce(mine, again, count, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
      if (strict && rank == size - 1)
        check_same(again, count);
      MPI_Scan(mine, again, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      if (strict && rank == size - 1)
        check_same(again, count);
      check_alone(count, strict);
    }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// On one node every operation adds in the order of ranks. Over several nodes, only operations whose leaders have all
// parts do. There only the bound, and the same bits on all ranks, hold for long vectors.
// LABEL: core
// RUN: %mpicc -w %include %s -I%S -o %t %runtime -lm
// RUN: env MPISPEC_MODE=lanes MPISPEC_REDUCTIONS=ranks %mpirun -n 1 %t strict | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPISPEC_REDUCTIONS=ranks %mpirun -n 2 %t strict | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPISPEC_REDUCTIONS=ranks %mpirun -n 5 %t strict | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPISPEC_REDUCTIONS=ranks %mpirun -n 8 %t strict | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t any | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 5 %t any | FileCheck %s
// CHECK: passed
