/* Members of collective operations that share a processor with many others sleep until the last
 * member arrives (the runtime is told of more than there are); with few others they yield first. No sleep ends by itself here, therefore a lost
 * wake is a hang, and so is a wait for a member that shows nothing. The argument is "many" or "few", or "group": many in one
 * scheduling group, whose members yield first. Whether the launcher has put the ranks into one does not count. */
#include "check.h"
#include "progress/doorbell.h"
#include "progress/progress.h"
#include "progress/tuning.h"

#include <mpi.h>
#include <string.h>

enum { ROUNDS = 200, LONG = 40000 };
static int rank, size;

/* All members await all. */
static void meet(int round) {
  int sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * round);
}

/* Some members show nothing, or await nobody. */
static void pass(int round) {
  static int all[256], own[256];
  const int root = round % size;
  int word = rank == root ? round : -1, sum = 0;
  MPI_Bcast(&word, 1, MPI_INT, root, MPI_COMM_WORLD);
  CHECK(word == round);
  MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  CHECK(rank != root || sum == size * round);
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
  CHECK(rank != root || all[size - 1] == size - 1);
  MPI_Scatter(all, 1, MPI_INT, own, 1, MPI_INT, root, MPI_COMM_WORLD);
  CHECK(own[0] == rank);
  MPI_Scan(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == (rank + 1) * round);
}

static void meet_with_much(int round) {
  static int in[LONG], out[LONG];
  in[0] = in[LONG - 1] = round;
  MPI_Allreduce(in, out, LONG, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(out[0] == size * round && out[LONG - 1] == size * round);
}

/* The numbers of rounds before a sleep, for these ranks on one processor. */
static void check_rounds(int ranks, int in_one_group, unsigned yields) {
  mpispec_progress_shares(ranks, 1, in_one_group);
  CHECK(mpispec_awake_rounds == MPISPEC_SPINS_OVERSUBSCRIBED + yields * MPISPEC_POLLS_PER_YIELD);
}

static void check_all_rounds(void) {
  for (int group = 0; group < 2; ++group)
    check_rounds(2, group, MPISPEC_YIELDS_OF_TWO);
  check_rounds(3, 0, MPISPEC_YIELDS_BEFORE_SLEEP);
  check_rounds(MPISPEC_FEW_RANKS, 0, MPISPEC_YIELDS_BEFORE_SLEEP);
  check_rounds(MPISPEC_FEW_RANKS + 1, 0, MPISPEC_YIELDS_OF_MANY);
  check_rounds(MPISPEC_YIELDING_RANKS, 0, MPISPEC_YIELDS_OF_MANY);
  check_rounds(MPISPEC_YIELDING_RANKS + 1, 0, 0);
  check_rounds(3, 1, MPISPEC_YIELDS_BEFORE_SLEEP);
  check_rounds(MPISPEC_FEW_IN_GROUP, 1, MPISPEC_YIELDS_BEFORE_SLEEP);
  check_rounds(MPISPEC_FEW_IN_GROUP + 1, 1, MPISPEC_YIELDS_IN_GROUP);
  check_rounds(MPISPEC_YIELDING_IN_GROUP, 1, MPISPEC_YIELDS_IN_GROUP);
  check_rounds(MPISPEC_YIELDING_IN_GROUP + 1, 1, 0);
}

/* Sleeps are longer if many ranks share a processor, until the program makes a window. */
static void check_longest_sleeps(void) {
  static const struct {
    int ranks, processors, times;
  } shares[] = {{1, 1, 1}, {3, 1, 1}, {4, 1, 2}, {8, 2, 2}, {16, 2, 4}, {64, 2, 4}, {16, 16, 1}};
  for (unsigned i = 0; i < sizeof shares / sizeof shares[0]; ++i) {
    mpispec_progress_shares(shares[i].ranks, shares[i].processors, 0);
    CHECK(mpispec_longest_sleep == shares[i].times * MPISPEC_SLEEP);
  }
  mpispec_progress_shares(64, 2, 0);
  MPI_Win window;
  void *memory;
  MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  CHECK(mpispec_longest_sleep == MPISPEC_SLEEP);
  MPI_Win_free(&window);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  const int are_many = !strcmp(argv[1], "many");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  meet(0);
  CHECK(mpispec_doorbells_used);
  check_all_rounds();
  check_longest_sleeps();
  const int processors = are_many ? size / 10 : 1;
  mpispec_progress_shares(are_many ? processors * (MPISPEC_YIELDING_RANKS + 1) : size, processors,
                          !strcmp(argv[1], "group"));
  mpispec_longest_sleep = 0;
  const uint64_t before = mpispec_doorbell_counts.sleeps;
  for (int round = 0; round < ROUNDS; ++round)
    meet(round);
  uint64_t sleeps = mpispec_doorbell_counts.sleeps - before;
  for (int round = 0; round < ROUNDS; ++round) {
    pass(round);
    if (round % 20 == 0)
      meet_with_much(round);
  }
  mpispec_longest_sleep = 1000 * 1000;
  /* A member that arrives last does not sleep, and one may be the last each time. */
  MPI_Allreduce(MPI_IN_PLACE, &sleeps, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sleeps > ROUNDS / 2 || !are_many);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: taskset -c 0 %mpirun -n 10 %t many | FileCheck %s
// RUN: taskset -c 0,1 %mpirun -n 20 %t many | FileCheck %s
// RUN: taskset -c 0 %mpirun -n 4 %t few | FileCheck %s
// RUN: taskset -c 0 %mpirun -n 10 %t group | FileCheck %s
// CHECK: passed
