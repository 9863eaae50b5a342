/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The algorithms by which MPI libraries reduce, as programs (order.h). An algorithm emits the
 * program that combines one element for one receiver. Algorithms that split a vector into portions
 * may combine each portion in another order.
 *
 * An algorithm runs over a group: all ranks, the ranks of a node, or the nodes. A member of a group
 * of nodes stands for the combined parts of its node's ranks. Members are numbered from 0 in each
 * group.
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
 * Operations in MPICH" (2005), for most algorithms. Algorithms that begin at the last rank or run
 * along a chain are from Open MPI's coll_base_reduce.c. A rank combines a part that it receives
 * (`in`) into the part that it has (`inout`). */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_ALGORITHMS_H
#define MPISPEC_RUNTIME_COLLECTIVE_ALGORITHMS_H

#include "collective/order.h"

struct mpispec_emission {
  struct mpispec_order *order;
  int64_t at;       /* the element for which the program is emitted */
  int size;         /* members of the group */
  int self, root;   /* the receiver and the root, as members of the group */
  const int *ranks; /* [size]: the rank of each member; null if members are ranks */
  void (*leaf)(struct mpispec_emission *emission, int member);
  void (*of_node)(struct mpispec_emission *emission); /* combines the parts of one node's ranks */
};

/* The first function appends one word to the program. The second one appends the word of a member
 * that is a rank. */
void mpispec_emit(struct mpispec_emission *emission, int word);
void mpispec_emit_rank_leaf(struct mpispec_emission *emission, int member);

/* Recursive doubling, and recursive halving. */
void mpispec_emit_recursive_doubling(struct mpispec_emission *emission);
void mpispec_emit_recursive_halving(struct mpispec_emission *emission);

/* Rabenseifner's algorithms for Allreduce (`to_odd`) and for Reduce (`to_even`). In the forms
 * `with_rest`, the last portion is longer if the vector cannot be divided evenly. */
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
