/* The order in which the ranks' parts are combined, where that changes bits: floating-point
 * reductions.
 *
 *   order.c      combines parts by a program of pairwise operations
 *   algorithms.c the algorithms of MPI libraries, as such programs
 *   trees.c      the orders that are known: these algorithms, over all ranks and over nodes
 *   discovery.c  which of them the library at hand uses, by trying it
 *
 * The programs are read like a calculator's with a stack: a rank's number pushes its part, COMBINE
 * takes two off and pushes the result. Recursive doubling over four ranks, as rank 0 sees it:
 *
 *   0 1 COMBINE 2 3 COMBINE COMBINE            (x1 op x0), (x3 op x2), then the second op the first
 *
 * MPI_Reduce_local tells its operands apart, and so does an order: `in` op `inout`. Of two zeros,
 * or if one is no number, MAX and MIN give one of them by that. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_ORDER_H
#define MPISPEC_RUNTIME_COLLECTIVE_ORDER_H

#include "collective/reduction.h"

#include <stdint.h>

struct mpispec_nodes;
struct mpispec_tree;

enum {
  MPISPEC_ORDER_COMBINE = 0xffff,      /* in: the one pushed last */
  MPISPEC_ORDER_COMBINE_OVER = 0xfffe, /* inout: the one pushed last */
  MPISPEC_ORDER_DEPTH = 32             /* of the stack, at most, up to 256 ranks */
};

/* For elements `begin` to `end` of `total`, as `receiver` gets them. */
struct mpispec_program {
  int receiver;
  int64_t begin, end, total;
  int in_portions; /* else it holds for every element of every total */
  int length;
  uint16_t *words; /* [4 * ranks] */
};

/* How one communicator's parts are combined in one kind of operation. */
struct mpispec_order {
  const struct mpispec_tree *tree;
  int size, root;
  const struct mpispec_nodes *nodes; /* null if all ranks are on one node */
  struct mpispec_program program;    /* the last one used */
  const unsigned char **parts;       /* [size] for callers of mpispec_order_combine to fill */
};

/* Null if there is no memory. */
struct mpispec_order *mpispec_order_make(const struct mpispec_tree *tree, int size, int root,
                                         const struct mpispec_nodes *nodes);
void mpispec_order_free(struct mpispec_order *order);

/* Combines `count` elements of the parts of all ranks, from `at` of `total` on, into `out`, as the
 * library does for `receiver`. order->parts say where these elements of each rank's part are; `out`
 * may be one of them. With the lock held. */
void mpispec_order_combine(struct mpispec_order *order, const struct mpispec_reduction *reduction,
                           int receiver, void *out, int64_t at, int64_t count, int64_t total);

#endif
