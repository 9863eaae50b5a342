/* The algorithms by which MPI libraries reduce, as programs (order.h). Each is described by how it
 * combines the elements of one receiver, or of one block where blocks go different ways.
 *
 * A group is what an algorithm runs over: all ranks, the ranks of a node, or the nodes, where a
 * member stands for what its node has combined. Members are numbered from 0 in each group.
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
 * Operations in MPICH" (2005) for the algorithms; which side is `inout` is the rank's own, as a
 * rank combines what it receives into what it has. */
#include "collective/trees.h"

#include "collective/leaders/leaders.h"

struct mpispec_emission {
  struct mpispec_order *order;
  int64_t at;       /* the element */
  int size;         /* of the group */
  int self, root;   /* receiver and root within it */
  const int *ranks; /* [size] or null: member i is rank i */
  void (*leaf)(struct mpispec_emission *emission, int member);
  void (*of_node)(struct mpispec_emission *emission); /* how the ranks of a node combine */
};

static void put(struct mpispec_emission *emission, int word) {
  struct mpispec_program *program = &emission->order->program;
  program->words[program->length++] = (uint16_t)word;
}

static void combine(struct mpispec_emission *emission) { put(emission, MPISPEC_ORDER_COMBINE); }

static void leaf(struct mpispec_emission *emission, int member) {
  emission->leaf(emission, member);
}

static void rank_leaf(struct mpispec_emission *emission, int member) {
  put(emission, emission->ranks ? emission->ranks[member] : member);
}

/* --- blocks ------------------------------------------------------------------------------------*/

/* The program holds for no more than elements `begin` to `end`. */
static void restrict_to(struct mpispec_emission *emission, int64_t begin, int64_t end) {
  struct mpispec_program *program = &emission->order->program;
  program->in_blocks = 1;
  program->begin = program->begin > begin ? program->begin : begin;
  program->end = program->end < end ? program->end : end;
}

/* Which of `blocks` parts of the vector the element is in, where the first ones have one element
 * more if it cannot be divided evenly. */
static int block_of(struct mpispec_emission *emission, int blocks) {
  const int64_t total = emission->order->program.total;
  const int64_t least = total / blocks, more = total % blocks, border = more * (least + 1);
  const int64_t block =
      emission->at < border ? emission->at / (least + 1) : more + (emission->at - border) / least;
  const int64_t begin = block * least + (block < more ? block : more);
  restrict_to(emission, begin, begin + least + (block < more));
  return (int)block;
}

/* The same where the last one takes what is left. */
static int block_with_rest(struct mpispec_emission *emission, int blocks) {
  const int64_t total = emission->order->program.total, length = total / blocks;
  const int64_t block =
      length && emission->at / length < blocks ? emission->at / length : blocks - 1;
  restrict_to(emission, block * length, block == blocks - 1 ? total : (block + 1) * length);
  return (int)block;
}

/* The same where all but the last are as long as it takes. */
static int block_rounded_up(struct mpispec_emission *emission, int blocks) {
  const int64_t length = (emission->order->program.total + blocks - 1) / blocks;
  const int64_t block = emission->at / length;
  restrict_to(emission, block * length, (block + 1) * length);
  return (int)block;
}

/* --- powers of two -----------------------------------------------------------------------------*/

static int lower_power(int size) { return 1 << (31 - __builtin_clz((unsigned)size)); }

/* Where the size is no power of two, as many pairs as there are ranks too many become one each. */
enum fold { TO_ODD, TO_EVEN };

static int excess(const struct mpispec_emission *emission) {
  return emission->size - lower_power(emission->size);
}

static void folded(struct mpispec_emission *emission, int place, enum fold fold) {
  if (place >= excess(emission)) {
    leaf(emission, place + excess(emission));
    return;
  }
  leaf(emission, 2 * place + (fold == TO_ODD));
  leaf(emission, 2 * place + (fold == TO_EVEN));
  combine(emission);
}

static int place_of(const struct mpispec_emission *emission, int member) {
  return member < 2 * excess(emission) ? member / 2 : member - excess(emission);
}

/* Partners at distance 1, 2, ... up to below `distance`. */
static void near_first(struct mpispec_emission *emission, int place, int distance, enum fold fold) {
  const int half = distance / 2;
  if (!half) {
    folded(emission, place, fold);
    return;
  }
  near_first(emission, place, half, fold);
  near_first(emission, place ^ half, half, fold);
  combine(emission);
}

/* Partners at half the group's size, a fourth, ... down to `distance`. */
static void far_first(struct mpispec_emission *emission, int place, int distance) {
  if (distance == lower_power(emission->size)) {
    folded(emission, place, TO_ODD);
    return;
  }
  far_first(emission, place, 2 * distance);
  far_first(emission, place ^ distance, 2 * distance);
  combine(emission);
}

static void recursive_doubling(struct mpispec_emission *emission) {
  near_first(emission, place_of(emission, emission->self), lower_power(emission->size), TO_ODD);
}

/* Halves are dealt out by the lowest bit of a place, halves of them by the next: so the place that
 * ends up with a block has its number's bits in reverse. */
static int place_with(int block, int places) {
  int place = 0;
  for (int bit = 1; bit < places; bit *= 2, block /= 2)
    place = 2 * place + block % 2;
  return place;
}

static void halves(struct mpispec_emission *emission, int block, enum fold fold) {
  const int places = lower_power(emission->size);
  near_first(emission, place_with(block, places), places, fold);
}

/* Rabenseifner's, of Allreduce and of Reduce. */
static void halves_to_odd(struct mpispec_emission *emission) {
  halves(emission, block_of(emission, lower_power(emission->size)), TO_ODD);
}
static void halves_to_even(struct mpispec_emission *emission) {
  halves(emission, block_of(emission, lower_power(emission->size)), TO_EVEN);
}
static void halves_to_odd_with_rest(struct mpispec_emission *emission) {
  halves(emission, block_with_rest(emission, lower_power(emission->size)), TO_ODD);
}
static void halves_to_even_with_rest(struct mpispec_emission *emission) {
  halves(emission, block_with_rest(emission, lower_power(emission->size)), TO_EVEN);
}

static void recursive_halving(struct mpispec_emission *emission) {
  far_first(emission, place_of(emission, emission->self), 1);
}

/* --- others ------------------------------------------------------------------------------------*/

/* `place` counts from the root on, and has combined its children nearer than `distance`. */
static void subtree(struct mpispec_emission *emission, int place, int distance) {
  const int half = distance / 2;
  if (!half) {
    leaf(emission, (place + emission->root) % emission->size);
    return;
  }
  subtree(emission, place, half);
  if (!(place & half) && (place | half) < emission->size) {
    subtree(emission, place | half, half);
    combine(emission);
  }
}

static void binomial(struct mpispec_emission *emission) {
  subtree(emission, 0, 2 * lower_power(emission->size));
}

/* The order of ranks, as if one rank received them all, up to the receiver in a scan. */
static void one_after_the_other(struct mpispec_emission *emission) {
  leaf(emission, 0);
  for (int member = 1; member < emission->size; ++member) {
    leaf(emission, member);
    combine(emission);
  }
}

static void chain(struct mpispec_emission *emission, int first, int length) {
  leaf(emission, first);
  for (int i = 1; i < length; ++i) {
    leaf(emission, (first + i) % emission->size);
    put(emission, MPISPEC_ORDER_COMBINE_OVER);
  }
}

static void chain_to_receiver(struct mpispec_emission *emission) {
  chain(emission, 0, emission->self + 1);
}
static void chain_before_receiver(struct mpispec_emission *emission) {
  chain(emission, 0, emission->self);
}
/* A block begins behind its rank and ends with it. */
static void ring(struct mpispec_emission *emission) {
  const int block = block_rounded_up(emission, emission->size);
  chain(emission, (block + 1) % emission->size, emission->size);
}

/* A rank receives from the one before it, from the one before that, and so on. */
static void pairwise(struct mpispec_emission *emission) {
  leaf(emission, emission->self);
  for (int i = 1; i < emission->size; ++i) {
    leaf(emission, (emission->self - i + emission->size) % emission->size);
    combine(emission);
  }
}

/* What a member of a scan by recursive doubling has combined of its neighbours up to `distance`. */
static void neighbourhood(struct mpispec_emission *emission, int member, int distance) {
  const int half = distance / 2;
  if (!half) {
    leaf(emission, member);
    return;
  }
  neighbourhood(emission, member, half);
  if ((member ^ half) < emission->size) {
    neighbourhood(emission, member ^ half, half);
    combine(emission);
  }
}

static void neighbourhoods_below(struct mpispec_emission *emission, int has_own) {
  for (int distance = 1; distance <= emission->self; distance *= 2) {
    if (!(emission->self & distance))
      continue;
    neighbourhood(emission, emission->self ^ distance, distance);
    if (has_own)
      combine(emission);
    has_own = 1;
  }
}

static void scan_doubling(struct mpispec_emission *emission) {
  leaf(emission, emission->self);
  neighbourhoods_below(emission, 1);
}
static void exscan_doubling(struct mpispec_emission *emission) {
  neighbourhoods_below(emission, 0);
}

/* --- nodes -------------------------------------------------------------------------------------*/

static struct mpispec_emission on_node(const struct mpispec_emission *emission, int node) {
  const struct mpispec_nodes *nodes = emission->order->nodes;
  struct mpispec_emission inner = *emission;
  inner.size = nodes->members[node];
  inner.ranks = nodes->rank_at + nodes->first[node];
  inner.root = inner.self = 0;
  inner.leaf = rank_leaf;
  return inner;
}

static void node_leaf(struct mpispec_emission *emission, int node) {
  struct mpispec_emission inner = on_node(emission, node);
  inner.of_node(&inner);
}

/* `node` of the group is where the result is wanted. */
static struct mpispec_emission of_nodes(const struct mpispec_emission *emission, int node) {
  struct mpispec_emission outer = *emission;
  outer.size = emission->order->nodes->count;
  outer.self = emission->order->nodes->node_of[emission->self];
  outer.root = node;
  outer.leaf = node_leaf;
  return outer;
}

/* Each node combines its own at its first rank, then these combine what they have. */
static void by_nodes(struct mpispec_emission *emission, void (*of_node)(struct mpispec_emission *),
                     void (*among)(struct mpispec_emission *)) {
  struct mpispec_emission outer = of_nodes(emission, 0);
  outer.of_node = of_node;
  among(&outer);
}

#define BY_NODES(NAME, OF_NODE, AMONG)                                                             \
  static void NAME(struct mpispec_emission *emission) { by_nodes(emission, OF_NODE, AMONG); }
BY_NODES(binomial_then_doubling, binomial, recursive_doubling)
BY_NODES(binomial_then_halves, binomial, halves_to_odd)
BY_NODES(binomial_then_binomial, binomial, binomial)
BY_NODES(halves_then_halves, halves_to_even, halves_to_odd)
BY_NODES(binomial_then_halves_to_root, binomial, halves_to_even)
BY_NODES(halves_then_halves_to_root, halves_to_even, halves_to_even)
BY_NODES(halves_then_doubling, halves_to_even, recursive_doubling)
BY_NODES(halves_then_binomial, halves_to_even, binomial)

/* Of the root's node the first rank's part, of others what they have combined. */
static void first_of_root_leaf(struct mpispec_emission *emission, int node) {
  if (node == emission->root)
    put(emission, emission->order->nodes->rank_at[emission->order->nodes->first[node]]);
  else
    node_leaf(emission, node);
}

static int node_of_root(const struct mpispec_emission *emission) {
  return emission->order->nodes->node_of[emission->order->root];
}

/* The first rank of the root's node stands for all other nodes. */
static void others_leaf(struct mpispec_emission *emission, int member) {
  if (member) {
    rank_leaf(emission, member);
    return;
  }
  struct mpispec_emission outer = *emission;
  outer.size = emission->order->nodes->count;
  outer.root = node_of_root(emission);
  outer.of_node = binomial;
  outer.leaf = first_of_root_leaf;
  binomial(&outer);
}

/* Nodes combine their own but for the root's, the first rank of that one takes what they have, and
 * then its node combines. */
static void root_node_last(struct mpispec_emission *emission) {
  const struct mpispec_nodes *nodes = emission->order->nodes;
  const int node = node_of_root(emission);
  struct mpispec_emission inner = on_node(emission, node);
  inner.root = nodes->place_of[emission->order->root] - nodes->first[node];
  inner.leaf = others_leaf;
  binomial(&inner);
}

/* --- the table ---------------------------------------------------------------------------------*/

enum {
  ALL = 1 << MPISPEC_ALLREDUCE,
  ROOT = 1 << MPISPEC_REDUCE,
  SCAN = 1 << MPISPEC_SCAN,
  BEFORE = 1 << MPISPEC_EXSCAN,
  SCATTER = 1 << MPISPEC_REDUCE_SCATTER | 1 << MPISPEC_REDUCE_SCATTER_BLOCK
};

/* Those that are the same for all receivers come first: they may be shared out. */
const struct mpispec_tree mpispec_trees[] = {
    {"halves", ALL, 0, 0, halves_to_odd},
    {"halves with rest", ALL, 0, 0, halves_to_odd_with_rest},
    {"halves to root", ROOT, 0, 0, halves_to_even},
    {"halves with rest to root", ROOT, 0, 0, halves_to_even_with_rest},
    {"binomial", ALL | ROOT, 0, 0, binomial},
    {"ring", ALL, 0, 0, ring},
    {"order of ranks", ALL | ROOT | SCATTER, 0, 0, one_after_the_other},
    {"binomial by nodes, then halves", ALL, 1, 0, binomial_then_halves},
    {"binomial by nodes, then halves to root", ROOT, 1, 0, binomial_then_halves_to_root},
    {"binomial by nodes, then binomial", ALL | ROOT, 1, 0, binomial_then_binomial},
    {"halves by nodes, then halves", ALL, 1, 0, halves_then_halves},
    {"halves by nodes, then halves to root", ROOT, 1, 0, halves_then_halves_to_root},
    {"halves by nodes, then binomial", ALL | ROOT, 1, 0, halves_then_binomial},
    {"root's node last", ROOT, 1, 0, root_node_last},
    {"recursive doubling", ALL, 0, 1, recursive_doubling},
    {"binomial by nodes, then doubling", ALL, 1, 1, binomial_then_doubling},
    {"halves by nodes, then doubling", ALL, 1, 1, halves_then_doubling},
    {"recursive halving", SCATTER, 0, 1, recursive_halving},
    {"pairwise", SCATTER, 0, 1, pairwise},
    {"scan by doubling", SCAN, 0, 1, scan_doubling},
    {"chain of a scan", SCAN, 0, 1, chain_to_receiver},
    {"exscan by doubling", BEFORE, 0, 1, exscan_doubling},
    {"chain of an exscan", BEFORE, 0, 1, chain_before_receiver},
    {0},
};

void mpispec_tree_write(struct mpispec_order *order, int receiver, int64_t at, int64_t total) {
  struct mpispec_program *program = &order->program;
  const int serves_receiver = program->receiver == receiver || !order->tree->differs;
  const int serves_element =
      !program->in_blocks || (total == program->total && at >= program->begin && at < program->end);
  if (program->length && serves_receiver && serves_element)
    return;
  *program = (struct mpispec_program){
      .receiver = receiver, .end = INT64_MAX, .total = total, .words = program->words};
  struct mpispec_emission emission = {.order = order,
                                      .at = at,
                                      .size = order->size,
                                      .self = receiver,
                                      .root = order->root,
                                      .leaf = rank_leaf};
  order->tree->emit(&emission);
}
