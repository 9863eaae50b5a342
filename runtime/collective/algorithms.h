/* The algorithms by which MPI libraries reduce, as programs (order.h). Each is described by how it
 * combines the elements of one receiver, or of one portion where portions go different ways.
 *
 * A group is what an algorithm runs over: all ranks, the ranks of a node, or the nodes, where a
 * member stands for what its node has combined. Members are numbered from 0 in each group.
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
 * Operations in MPICH" (2005) for the algorithms; Open MPI's coll_base_reduce.c for those that go
 * from the last rank or along a chain; which side is `inout` is the rank's own, as a rank combines
 * what it receives into what it has. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_ALGORITHMS_H
#define MPISPEC_RUNTIME_COLLECTIVE_ALGORITHMS_H

#include "collective/order.h"

struct mpispec_emission {
  struct mpispec_order *order;
  int64_t at;       /* the element */
  int size;         /* of the group */
  int self, root;   /* receiver and root within it */
  const int *ranks; /* [size] or null: member i is rank i */
  void (*leaf)(struct mpispec_emission *emission, int member);
  void (*of_node)(struct mpispec_emission *emission); /* how the ranks of a node combine */
};

/* One word more of the program; and that for a member that is a rank. */
void mpispec_emit(struct mpispec_emission *emission, int word);
void mpispec_emit_rank_leaf(struct mpispec_emission *emission, int member);

/* Recursive doubling, and halving. */
void mpispec_emit_recursive_doubling(struct mpispec_emission *emission);
void mpispec_emit_recursive_halving(struct mpispec_emission *emission);

/* Rabenseifner's, of Allreduce and of Reduce; `with_rest`: the last portion takes what is left. */
void mpispec_emit_halves_to_odd(struct mpispec_emission *emission);
void mpispec_emit_halves_to_even(struct mpispec_emission *emission);
void mpispec_emit_halves_to_odd_with_rest(struct mpispec_emission *emission);
void mpispec_emit_halves_to_even_with_rest(struct mpispec_emission *emission);

void mpispec_emit_binomial(struct mpispec_emission *emission);
void mpispec_emit_one_after_the_other(struct mpispec_emission *emission);
void mpispec_emit_from_the_last(struct mpispec_emission *emission);
void mpispec_emit_chain_to_root(struct mpispec_emission *emission);
void mpispec_emit_ring(struct mpispec_emission *emission);
void mpispec_emit_pairwise(struct mpispec_emission *emission);
void mpispec_emit_chain_to_receiver(struct mpispec_emission *emission);
void mpispec_emit_chain_before_receiver(struct mpispec_emission *emission);
void mpispec_emit_scan_doubling(struct mpispec_emission *emission);
void mpispec_emit_exscan_doubling(struct mpispec_emission *emission);

#endif
