/* A trial: the MPI library reduces numbers (numbers.h), each rank compares what it got with what
 * each known order gives, and the ranks agree on the orders that fit everywhere. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_TRIAL_H
#define MPISPEC_RUNTIME_COLLECTIVE_TRIAL_H

#include "collective/collective.h"
#include "collective/trees.h"

enum { MPISPEC_MOST_TREES = 32 /* a bit each of a word */ };

/* A reduction as all ranks see it. */
struct mpispec_question {
  MPI_Comm communicator;
  enum mpispec_reducing operation;
  int64_t count;         /* that the program gave; of Reduce_scatter: all */
  int root;              /* or 0 */
  const int64_t *counts; /* [size] of Reduce_scatter and its kin, else null */
};

static inline int mpispec_is_reduce_scatter(enum mpispec_reducing operation) {
  return operation == MPISPEC_REDUCE_SCATTER || operation == MPISPEC_REDUCE_SCATTER_BLOCK;
}

struct mpispec_trial {
  struct mpispec_collective *collective;
  const struct mpispec_question *question; /* its count is not the trial's */
  struct mpispec_reduction reduction;
  struct mpispec_order **orders; /* [MPISPEC_MOST_TREES], of the question's class */
  int64_t count, total;          /* as MPI's function wants it; elements that a rank gives */
  unsigned char *give, *got;     /* [total] */
  unsigned char *parts;          /* all ranks' elements of a window */
  int64_t window;                /* elements that are compared at a time, */
  int64_t whole_region;          /* and of how many all are */
};

/* The order that a tree makes here; made when first asked for. */
struct mpispec_order *mpispec_trial_order(const struct mpispec_collective *collective, int root,
                                          struct mpispec_order *orders[], int tree);

/* Has the library reduce so many elements, several times. Returns the orders that fit on all ranks,
 * a bit each. Collective, and without the lock. */
uint32_t mpispec_trial_run(struct mpispec_trial *trial, int64_t count);

/* The same for orders that are expected: once, unless there are very few elements. Returns those
 * that fit on all ranks. */
uint32_t mpispec_trial_confirm(struct mpispec_trial *trial, int64_t count, uint32_t orders);

/* Calls of these two so far, for tests. */
extern unsigned long mpispec_trial_runs, mpispec_trial_confirmations;

#endif
