/* A profile names the true obstacle of calls without the fast path: of first calls, of datatypes with gaps, of reductions. */
#include <mpi.h>

static int rank, size;

static void first_calls(void) {
  long value = 1;
  for (int i = 0; i < 5; ++i)
    MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD); /* first-Bcast */
  for (int i = 0; i < 5; ++i)
    if (rank == 1)
      MPI_Recv(&value, 1, MPI_UNSIGNED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 0)
      MPI_Send(&value, 1, MPI_UNSIGNED, 1, 0, MPI_COMM_WORLD); /* first-Send */
}

static void gaps(void) {
  int cells[4] = {0};
  MPI_Datatype columns;
  MPI_Type_vector(2, 1, 2, MPI_INT, &columns);
  MPI_Type_commit(&columns);
  for (int i = 0; i < 5; ++i)
    MPI_Bcast(cells, 1, columns, 0, MPI_COMM_WORLD); /* gaps */
  MPI_Type_free(&columns);
}

static void take_first(void *in, void *inout, int *count, MPI_Datatype *type) { (void)in, (void)inout, (void)count, (void)type; }

static void reductions(MPI_Comm two) {
  double part = 1, whole[100], parts[100] = {0};
  int number = rank, numbers;
  struct { double value; int place; } best = {0, 0}, own = {1, 1};
  MPI_Op mine;
  MPI_Op_create(take_first, 1, &mine);
  for (int i = 0; i < 5; ++i) {
    MPI_Allreduce(&part, whole, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* sum-of-three */
    MPI_Reduce(&number, &numbers, 1, MPI_INT, MPI_BAND, 0, MPI_COMM_WORLD); /* integers */
    MPI_Allreduce(&own, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD); /* pairs */
    MPI_Allreduce(&part, whole, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* maximum */
    MPI_Allreduce(&number, &numbers, 1, MPI_INT, mine, MPI_COMM_WORLD); /* own-operation */
    if (two == MPI_COMM_NULL)
      continue;
    MPI_Allreduce(&part, whole, 1, MPI_DOUBLE, MPI_SUM, two); /* sum-of-two */
    MPI_Allreduce(parts, whole, 100, MPI_DOUBLE, MPI_SUM, two); /* long-sum */
  }
  MPI_Op_free(&mine);
}

/* Ranks 0 and 1. A communicator of this function gets its slot at its first operation (collective/child_slot.h). */
static MPI_Comm make_two(void) {
  const int members[] = {0, 1};
  MPI_Group all, some;
  MPI_Comm two = MPI_COMM_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, members, &some);
  if (rank < 2)
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 0, &two);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return two;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm two = make_two();
  first_calls();
  gaps();
  reductions(two);
  if (two != MPI_COMM_NULL)
    MPI_Comm_free(&two);
  MPI_Finalize();
}

// REQUIRES: compiler
// UNSUPPORTED: sanitizer
// RUN: rm -rf %t && mkdir %t && mpicc -O2 -g %s -o %t/program %runtime
// RUN: env MPISPEC_PROFILE=%t/profile %mpirun -n 3 %t/program && %mpispec profile --format=json %t/profile > %t/profile.json
// RUN: python3 %S/Inputs/profile_obstacles.py %s %t/profile.json | FileCheck %s
// CHECK:      first-Bcast fast 12 no-slots 3
// CHECK-NEXT: first-Send fast 4 new-datatype 1
// CHECK-NEXT: gaps datatype 12 new-datatype 3
// CHECK-NEXT: sum-of-three order 15
// CHECK-NEXT: integers fast 15
// CHECK-NEXT: pairs operation 15
// CHECK-NEXT: maximum operation 15
// CHECK-NEXT: own-operation operation 15
// CHECK-NEXT: sum-of-two fast 8 no-slots 2
// CHECK-NEXT: long-sum size 10
