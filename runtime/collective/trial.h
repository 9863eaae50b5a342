/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A trial: the MPI library reduces chosen numbers (numbers.h). Each rank compares the result with
 * the result of each tree, and the ranks agree on the trees that fit on all of them. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_TRIAL_H
#define MPISPEC_RUNTIME_COLLECTIVE_TRIAL_H

#include "collective/collective.h"
#include "collective/trees.h"

enum { MPISPEC_MOST_TREES = 32 /* the bits of the word that is a set of trees */ };

/* The values of a reduction that are equal on all ranks. */
struct mpispec_question {
  MPI_Comm communicator;
  enum mpispec_reducing operation;
  int64_t count;         /* in the program's call; for Reduce_scatter, the sum of the counts */
  int root;              /* or 0 */
  const int64_t *counts; /* [size] for Reduce_scatter and Reduce_scatter_block, else null */
};

static inline int mpispec_is_reduce_scatter(enum mpispec_reducing operation) {
  return operation == MPISPEC_REDUCE_SCATTER || operation == MPISPEC_REDUCE_SCATTER_BLOCK;
}

struct mpispec_trial {
  struct mpispec_collective *collective;
  const struct mpispec_question *question; /* a trial does not use its count */
  struct mpispec_reduction reduction;
  struct mpispec_order **orders; /* [MPISPEC_MOST_TREES], of the question's class */
  int64_t count, total;          /* the count argument of the trial; elements of a rank's part */
  unsigned char *give, *got;     /* [total] */
  unsigned char *parts;          /* one period of the elements of each rank */
  int64_t window;                /* elements that are compared at a time */
  int64_t whole_region;          /* regions of more elements are compared in three windows only */
};

/* Returns the order of a tree on this communicator. The first call makes the order. */
struct mpispec_order *mpispec_trial_order(const struct mpispec_collective *collective, int root,
                                          struct mpispec_order *orders[], int tree);

/* Lets the MPI library reduce `count` elements several times. Returns the orders that fit on all
 * ranks, a bit each. Collective, and called without the lock. */
uint32_t mpispec_trial_run(struct mpispec_trial *trial, int64_t count);

/* Like mpispec_trial_run, for `orders` that are expected. The library reduces once, or more often
 * if there are very few elements. Returns those of `orders` that fit on all ranks. */
uint32_t mpispec_trial_confirm(struct mpispec_trial *trial, int64_t count, uint32_t orders);

/* Counts of calls of these two functions, for tests. */
extern unsigned long mpispec_trial_runs, mpispec_trial_confirmations;

#endif
