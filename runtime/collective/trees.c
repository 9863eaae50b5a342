/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of trees: algorithms (algorithms.h) over all ranks, or over the ranks of each node and
 * then over the nodes. */
#include "collective/trees.h"

#include "collective/algorithms.h"
#include "collective/leaders/leaders.h"

/* --- nodes -------------------------------------------------------------------------------------*/

static struct mpispec_emission on_node(const struct mpispec_emission *emission, int node) {
  const struct mpispec_nodes *nodes = emission->order->nodes;
  struct mpispec_emission inner = *emission;
  inner.size = nodes->members[node];
  inner.ranks = nodes->rank_at + nodes->first[node];
  inner.root = inner.self = 0;
  inner.leaf = mpispec_emit_rank_leaf;
  return inner;
}

static void node_leaf(struct mpispec_emission *emission, int node) {
  struct mpispec_emission inner = on_node(emission, node);
  inner.of_node(&inner);
}

/* Returns an emission over the nodes, whose result is for the node `node`. */
static struct mpispec_emission of_nodes(const struct mpispec_emission *emission, int node) {
  struct mpispec_emission outer = *emission;
  outer.size = emission->order->nodes->count;
  outer.self = emission->order->nodes->node_of[emission->self];
  outer.root = node;
  outer.leaf = node_leaf;
  return outer;
}

/* Each node combines its parts at its first rank. Then the first ranks combine their results. */
static void by_nodes(struct mpispec_emission *emission, void (*of_node)(struct mpispec_emission *),
                     void (*among)(struct mpispec_emission *)) {
  struct mpispec_emission outer = of_nodes(emission, 0);
  outer.of_node = of_node;
  among(&outer);
}

#define BY_NODES(NAME, OF_NODE, AMONG)                                                             \
  static void NAME(struct mpispec_emission *emission) { by_nodes(emission, OF_NODE, AMONG); }
BY_NODES(binomial_then_doubling, mpispec_emit_binomial, mpispec_emit_recursive_doubling)
BY_NODES(binomial_then_halves, mpispec_emit_binomial, mpispec_emit_halves_to_odd)
BY_NODES(binomial_then_binomial, mpispec_emit_binomial, mpispec_emit_binomial)
BY_NODES(halves_then_halves, mpispec_emit_halves_to_even, mpispec_emit_halves_to_odd)
BY_NODES(binomial_then_halves_to_root, mpispec_emit_binomial, mpispec_emit_halves_to_even)
BY_NODES(halves_then_halves_to_root, mpispec_emit_halves_to_even, mpispec_emit_halves_to_even)
BY_NODES(halves_then_doubling, mpispec_emit_halves_to_even, mpispec_emit_recursive_doubling)
BY_NODES(halves_then_binomial, mpispec_emit_halves_to_even, mpispec_emit_binomial)

/* The leaf of the root's node is the part of its first rank. The leaf of another node is its
 * combined part. */
static void first_of_root_leaf(struct mpispec_emission *emission, int node) {
  if (node == emission->root)
    mpispec_emit(emission, emission->order->nodes->rank_at[emission->order->nodes->first[node]]);
  else
    node_leaf(emission, node);
}

static int node_of_root(const struct mpispec_emission *emission) {
  return emission->order->nodes->node_of[emission->order->root];
}

/* The leaf of the first rank of the root's node also contains the parts of all other nodes. */
static void others_leaf(struct mpispec_emission *emission, int member) {
  if (member) {
    mpispec_emit_rank_leaf(emission, member);
    return;
  }
  struct mpispec_emission outer = *emission;
  outer.size = emission->order->nodes->count;
  outer.root = node_of_root(emission);
  outer.of_node = mpispec_emit_binomial;
  outer.leaf = first_of_root_leaf;
  mpispec_emit_binomial(&outer);
}

/* Each node but the root's combines its parts. The first rank of the root's node receives their
 * results, and then the root's node combines. */
static void root_node_last(struct mpispec_emission *emission) {
  const struct mpispec_nodes *nodes = emission->order->nodes;
  const int node = node_of_root(emission);
  struct mpispec_emission inner = on_node(emission, node);
  inner.root = nodes->place_of[emission->order->root] - nodes->first[node];
  inner.leaf = others_leaf;
  mpispec_emit_binomial(&inner);
}

/* --- the table ---------------------------------------------------------------------------------*/

enum {
  ALL = 1 << MPISPEC_ALLREDUCE,
  ROOT = 1 << MPISPEC_REDUCE,
  SCAN = 1 << MPISPEC_SCAN,
  BEFORE = 1 << MPISPEC_EXSCAN,
  SCATTER = 1 << MPISPEC_REDUCE_SCATTER | 1 << MPISPEC_REDUCE_SCATTER_BLOCK
};

/* Orders that are the same for all receivers come first, because ranks can divide the work among
 * them. */
const struct mpispec_tree mpispec_trees[] = {
    {"halves", ALL, 0, 0, mpispec_emit_halves_to_odd},
    {"halves with rest", ALL, 0, 0, mpispec_emit_halves_to_odd_with_rest},
    {"halves to root", ROOT, 0, 0, mpispec_emit_halves_to_even},
    {"halves with rest to root", ROOT, 0, 0, mpispec_emit_halves_to_even_with_rest},
    {"binomial", ALL | ROOT, 0, 0, mpispec_emit_binomial},
    {"ring", ALL, 0, 0, mpispec_emit_ring},
    {"order of ranks", ALL | ROOT | SCATTER, 0, 0, mpispec_emit_one_after_the_other},
    {"from the last rank", ALL | ROOT, 0, 0, mpispec_emit_from_the_last},
    {"chain to the root", ALL | ROOT, 0, 0, mpispec_emit_chain_to_root},
    {"binomial by nodes, then halves", ALL, 1, 0, binomial_then_halves},
    {"binomial by nodes, then halves to root", ROOT, 1, 0, binomial_then_halves_to_root},
    {"binomial by nodes, then binomial", ALL | ROOT, 1, 0, binomial_then_binomial},
    {"halves by nodes, then halves", ALL, 1, 0, halves_then_halves},
    {"halves by nodes, then halves to root", ROOT, 1, 0, halves_then_halves_to_root},
    {"halves by nodes, then binomial", ALL | ROOT, 1, 0, halves_then_binomial},
    {"root's node last", ROOT, 1, 0, root_node_last},
    {"recursive doubling", ALL, 0, 1, mpispec_emit_recursive_doubling},
    {"binomial by nodes, then doubling", ALL, 1, 1, binomial_then_doubling},
    {"halves by nodes, then doubling", ALL, 1, 1, halves_then_doubling},
    {"recursive halving", SCATTER, 0, 1, mpispec_emit_recursive_halving},
    {"pairwise", SCATTER, 0, 1, mpispec_emit_pairwise},
    {"scan by doubling", SCAN, 0, 1, mpispec_emit_scan_doubling},
    {"chain of a scan", SCAN, 0, 1, mpispec_emit_chain_to_receiver},
    {"exscan by doubling", BEFORE, 0, 1, mpispec_emit_exscan_doubling},
    {"chain of an exscan", BEFORE, 0, 1, mpispec_emit_chain_before_receiver},
    {0},
};

void mpispec_tree_write(struct mpispec_order *order, int receiver, int64_t at, int64_t total) {
  struct mpispec_program *program = &order->program;
  const int serves_receiver = program->receiver == receiver || !order->tree->differs;
  const int serves_element = !program->in_portions ||
                             (total == program->total && at >= program->begin && at < program->end);
  if (program->length && serves_receiver && serves_element)
    return;
  *program = (struct mpispec_program){
      .receiver = receiver, .end = INT64_MAX, .total = total, .words = program->words};
  struct mpispec_emission emission = {.order = order,
                                      .at = at,
                                      .size = order->size,
                                      .self = receiver,
                                      .root = order->root,
                                      .leaf = mpispec_emit_rank_leaf};
  order->tree->emit(&emission);
}
