/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The candidate orders: one tree for each algorithm by which an MPI library may combine parts. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_TREES_H
#define MPISPEC_RUNTIME_COLLECTIVE_TREES_H

#include "collective/order.h"

/* Operations whose orders are found separately. */
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
  unsigned operations; /* a bit for each operation in which libraries use the tree */
  int for_nodes;       /* only for communicators over several nodes */
  int differs;         /* receivers get different orders, or even different parts */
  void (*emit)(struct mpispec_emission *emission);
};

/* All trees, at most MPISPEC_MOST_TREES. An entry without a name follows the last tree. */
extern const struct mpispec_tree mpispec_trees[];

/* Sets order->program to the program for element `at` of `total`, as `receiver` gets it. */
void mpispec_tree_write(struct mpispec_order *order, int receiver, int64_t at, int64_t total);

#endif
