/* expect.h - functions that the programs of EndToEnd share: check a condition, and print the result at
 * the end. */
#ifndef EXPECT_H
#define EXPECT_H

#include <mpi.h>
#include <stdio.h>

static int expect_checks, expect_wrong;

/* Counts a check; a wrong one is printed with its place. */
#define EXPECT(CONDITION)                                                                          \
  do {                                                                                             \
    expect_checks++;                                                                               \
    if (!(CONDITION)) {                                                                            \
      expect_wrong++;                                                                              \
      printf("%s:%d: wrong: %s\n", __FILE__, __LINE__, #CONDITION);                                \
    }                                                                                              \
  } while (0)

/* Prints the totals of all ranks on rank 0, and finalizes. Returns main's exit status. */
static inline int expect_finish(void) {
  int mine[2], all[2] = {0, 1}, rank;
  mine[0] = expect_checks;
  mine[1] = expect_wrong;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d checks, %s\n", all[0], all[1] == 0 && all[0] > 0 ? "all right" : "some WRONG");
  MPI_Finalize();
  return all[1] != 0;
}

#endif
