/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order in which the parts of ranks are combined. It changes bits in floating-point reductions.
 *
 *   order.c      combines parts by a program of pairwise operations
 *   algorithms.c the algorithms of MPI libraries, as such programs
 *   trees.c      the candidate orders: these algorithms, over all ranks and over nodes
 *   discovery.c  which candidate the MPI library in use follows, found by trials
 *
 * A program is in postfix notation: a rank's number pushes its part on a stack, and COMBINE pops
 * two parts and pushes the result. Recursive doubling over four ranks, for receiver 0:
 *
 *   0 1 COMBINE 2 3 COMBINE COMBINE            (x1 op x0), (x3 op x2), then the second op the first
 *
 * MPI_Reduce_local distinguishes its operands, `in` op `inout`, and therefore an order does, too.
 * MAX and MIN of two zeros, or of a NaN, return one operand by its position. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_ORDER_H
#define MPISPEC_RUNTIME_COLLECTIVE_ORDER_H

#include "collective/reduction.h"

#include <stdint.h>

struct mpispec_nodes;
struct mpispec_tree;

enum {
  MPISPEC_ORDER_COMBINE = 0xffff,      /* `in` is the part pushed last */
  MPISPEC_ORDER_COMBINE_OVER = 0xfffe, /* `inout` is the part pushed last */
  MPISPEC_ORDER_DEPTH = 32             /* entries of the stack that 256 ranks need at most */
};

/* The program for elements `begin` to `end` of `total` elements, as `receiver` gets them. */
struct mpispec_program {
  int receiver;
  int64_t begin, end, total;
  int in_portions; /* else the program is valid for every element of every total */
  int length;
  uint16_t *words; /* [4 * ranks] */
};

/* The order in which one communicator's parts are combined in one kind of operation. */
struct mpispec_order {
  const struct mpispec_tree *tree;
  int size, root;
  const struct mpispec_nodes *nodes; /* null if all ranks are on one node */
  struct mpispec_program program;    /* the program used last */
  const unsigned char **parts;       /* [size], filled in by callers of mpispec_order_combine */
};

/* Returns null if there is no memory. */
struct mpispec_order *mpispec_order_make(const struct mpispec_tree *tree, int size, int root,
                                         const struct mpispec_nodes *nodes);
void mpispec_order_free(struct mpispec_order *order);

/* Combines `count` elements of all ranks' parts into `out`, as the MPI library does for `receiver`.
 * The elements begin at element `at` of `total`. order->parts are the addresses of these elements
 * in each rank's part. `out` may be one of these addresses. Called with the lock held. */
void mpispec_order_combine(struct mpispec_order *order, const struct mpispec_reduction *reduction,
                           int receiver, void *out, int64_t at, int64_t count, int64_t total);

#endif
