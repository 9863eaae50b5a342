/* The orders that are known: how MPI libraries combine, by algorithm. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_TREES_H
#define MPISPEC_RUNTIME_COLLECTIVE_TREES_H

#include "collective/order.h"

/* Operations with orders of their own. */
enum mpispec_reducing {
  MPISPEC_ALLREDUCE,
  MPISPEC_REDUCE,
  MPISPEC_SCAN,
  MPISPEC_EXSCAN,
  MPISPEC_REDUCE_SCATTER,
  MPISPEC_REDUCE_SCATTER_BLOCK
};

struct mpispec_emission;

struct mpispec_tree {
  const char *name;
  unsigned operations; /* a bit for each that it may be of */
  int for_nodes;       /* it is of use only where there are several nodes */
  int differs;         /* by receiver: `in` and `inout`, or even which parts there are */
  void (*emit)(struct mpispec_emission *emission);
};

/* All that may be, ending with one without a name: no more than 32. */
extern const struct mpispec_tree mpispec_trees[];

/* Makes order->program that of element `at` of `total`, as `receiver` gets it. */
void mpispec_tree_write(struct mpispec_order *order, int receiver, int64_t at, int64_t total);

#endif
