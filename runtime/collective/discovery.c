/* An MPI library chooses an algorithm by what all ranks know: operation, datatype, count, root and
 * communicator. So the choice can be learnt, and is the same the next time. A *class* is all of
 * that but the count; counts are taken in octaves, 2^k + 1 to 2^(k+1).
 *
 * The first few operations of an octave are the library's: a program that makes no more of them is
 * not asked to pay for trials. Then the library reduces numbers (numbers.h) at both ends of the
 * octave, each rank compares what it got with what each known order gives, and the ranks agree on
 * the orders that fit everywhere. If both ends have the same, it is that of all between; if not,
 * the library changes its algorithm on the way, and counts between are tried one by one, which
 * closes in on the place. Where no known order fits, the library goes on doing the work. */
#include "collective/discovery.h"

#include "collective/leaders/leaders.h"
#include "collective/numbers.h"
#include "job/agreement.h"
#include "job/memory.h"
#include "mpispec/machine.h"
#include "progress/helper.h"
#include "progress/lock.h"

#include <stdlib.h>
#include <string.h>

enum {
  OCTAVES = 40,
  CLASSES = 256,    /* at most; the library does what is beyond */
  BEFORE_TRIAL = 4, /* operations that are left to the library */
  LIBRARY = -1,     /* no order is known */
  DRAWS_TO_CHOOSE_FROM = 64,
  MAXIMUM_TREES = 32,
  WINDOW = 64,         /* elements that are compared at a time, */
  WHOLE_REGION = 2048, /* and of how many all are */
  MANY_MEMBERS = 8     /* who all read all long parts: the library would be as fast */
};
static const int64_t maximum_bytes = INT64_C(1) << 28; /* that a trial may take */

/* Up to `low_count` the octave has one order, from `high_count` on another, or the same: a bit for
 * each tree that it may be, since two may be one for so many ranks. */
struct octave {
  int calls, is_known, is_lost;
  uint32_t low, high;
  int64_t low_count, high_count;
};

struct class {
  struct class *next;
  MPI_Op op;
  MPI_Datatype datatype;
  enum mpispec_reducing operation;
  int root;
  uint64_t counts;                             /* of Reduce_scatter: what they are like */
  struct mpispec_order *orders[MAXIMUM_TREES]; /* made when needed */
  struct octave octaves[OCTAVES];
};

struct mpispec_orders {
  struct class *classes; /* the one used last comes first */
  int count;
};

/* --- trials ------------------------------------------------------------------------------------*/

struct trial {
  struct mpispec_collective *collective;
  struct class *class;
  const struct mpispec_question *question; /* its count is not the trial's */
  struct mpispec_reduction reduction;
  int64_t count, total;      /* as MPI's function wants it; elements that a rank gives */
  unsigned char *give, *got; /* [total] */
  unsigned char *parts;      /* [size][WINDOW] */
};

static int is_scatter(enum mpispec_reducing operation) {
  return operation == MPISPEC_REDUCE_SCATTER || operation == MPISPEC_REDUCE_SCATTER_BLOCK;
}

static void reduce_scatter(const struct trial *trial) {
  const int size = trial->collective->size;
  int *counts = mpispec_must_have(malloc((size_t)size * sizeof(int)));
  for (int i = 0; i < size; ++i)
    counts[i] = (int)trial->question->counts[i];
  PMPI_Reduce_scatter(trial->give, trial->got, counts, trial->reduction.datatype,
                      trial->reduction.op, trial->question->communicator);
  free(counts);
}

static void ask_library(const struct trial *trial) {
  const MPI_Datatype datatype = trial->reduction.datatype;
  const MPI_Op op = trial->reduction.op;
  const MPI_Comm communicator = trial->question->communicator;
  const int count = (int)trial->count;
  switch (trial->question->operation) {
  case MPISPEC_ALLREDUCE:
    PMPI_Allreduce(trial->give, trial->got, count, datatype, op, communicator);
    break;
  case MPISPEC_REDUCE:
    PMPI_Reduce(trial->give, trial->got, count, datatype, op, trial->question->root, communicator);
    break;
  case MPISPEC_SCAN:
    PMPI_Scan(trial->give, trial->got, count, datatype, op, communicator);
    break;
  case MPISPEC_EXSCAN:
    PMPI_Exscan(trial->give, trial->got, count, datatype, op, communicator);
    break;
  case MPISPEC_REDUCE_SCATTER_BLOCK:
    PMPI_Reduce_scatter_block(trial->give, trial->got, count, datatype, op, communicator);
    break;
  case MPISPEC_REDUCE_SCATTER:
    reduce_scatter(trial);
    break;
  }
}

/* What of the vector this rank got: from `begin` to `end`. */
static void find_share(const struct trial *trial, int64_t *begin, int64_t *end) {
  const enum mpispec_reducing operation = trial->question->operation;
  const int rank = trial->collective->rank;
  *begin = 0;
  *end = trial->total;
  if ((operation == MPISPEC_REDUCE && rank != trial->question->root) ||
      (operation == MPISPEC_EXSCAN && !rank))
    *end = 0;
  if (operation == MPISPEC_REDUCE_SCATTER_BLOCK) {
    *begin = trial->count * rank;
    *end = *begin + trial->count;
  }
  if (operation == MPISPEC_REDUCE_SCATTER) {
    for (int i = 0; i < rank; ++i)
      *begin += trial->question->counts[i];
    *end = *begin + trial->question->counts[rank];
  }
}

/* Over several nodes a leader combines for all ranks of its node what these get alike. */
static int receiver_of(const struct trial *trial) {
  const struct mpispec_nodes *nodes = trial->collective->nodes;
  return nodes && trial->question->operation == MPISPEC_ALLREDUCE
             ? nodes->rank_at[nodes->first[nodes->self]]
             : trial->collective->rank;
}

/* All ranks' elements from `at` on, no more than WINDOW. */
static void draw_parts(struct trial *trial, int draw, int64_t at, int64_t length) {
  const int64_t extent = trial->reduction.extent;
  for (int rank = 0; rank < trial->collective->size; ++rank)
    for (int64_t i = 0; i < length; ++i)
      mpispec_number_draw(&trial->reduction, draw, at + i, rank,
                          trial->parts + (rank * WINDOW + i) * extent);
}

static void combine_parts(const struct trial *trial, struct mpispec_order *order, int receiver,
                          unsigned char *result, int64_t at, int64_t length) {
  for (int rank = 0; rank < order->size; ++rank)
    order->parts[rank] = trial->parts + rank * WINDOW * trial->reduction.extent;
  mpispec_order_combine(order, &trial->reduction, receiver, result, at, length, trial->total);
}

static struct mpispec_order *order_of(const struct mpispec_collective *collective,
                                      struct class *class, int tree) {
  if (!class->orders[tree])
    class->orders[tree] = mpispec_must_have(
        mpispec_order_make(&mpispec_trees[tree], collective->size, class->root, collective->nodes));
  return class->orders[tree];
}

static int window_fits(struct trial *trial, struct mpispec_order *order, int draw, int64_t at,
                       int64_t length, const unsigned char *got) {
  unsigned char result[WINDOW * 64];
  draw_parts(trial, draw, at, length);
  combine_parts(trial, order, receiver_of(trial), result, at, length);
  return mpispec_numbers_equal(&trial->reduction, result, got, length);
}

/* --- which numbers -----------------------------------------------------------------------------*/

/* A place in the vector and somebody who gets it, for one draw. The same on all ranks. */
static int64_t pick(const struct trial *trial, int draw, int *receiver) {
  const struct mpispec_collective *collective = trial->collective;
  const enum mpispec_reducing operation = trial->question->operation;
  const int is_exscan = operation == MPISPEC_EXSCAN;
  int64_t begin = 0;
  *receiver = is_exscan + draw % (collective->size - is_exscan);
  if (!is_scatter(operation)) {
    if (collective->nodes && operation == MPISPEC_ALLREDUCE)
      *receiver =
          collective->nodes->rank_at[collective->nodes->first[draw % collective->nodes->count]];
    return draw % trial->total;
  }
  for (int i = 0; i < *receiver; ++i)
    begin += trial->question->counts ? trial->question->counts[i] : trial->count;
  return begin < trial->total ? begin : 0;
}

/* Gives each order a class by what it makes of one element. */
static void sort_orders(struct trial *trial, int draw, uint32_t orders, uint32_t like[]) {
  unsigned char results[MAXIMUM_TREES][64];
  int receiver;
  const int64_t at = pick(trial, draw, &receiver);
  draw_parts(trial, draw, at, 1);
  for (int tree = 0; tree < MAXIMUM_TREES; ++tree) {
    like[tree] = 0;
    if (!(orders >> tree & 1))
      continue;
    combine_parts(trial, order_of(trial->collective, trial->class, tree), receiver, results[tree],
                  at, 1);
    for (int other = 0; other <= tree; ++other)
      if (orders >> other & 1 &&
          mpispec_numbers_equal(&trial->reduction, results[tree], results[other], 1)) {
        like[tree] |= UINT32_C(1) << other;
        like[other] |= UINT32_C(1) << tree;
      }
  }
}

/* Chooses the numbers that tell most of those orders apart that were alike so far (`alike`). Local,
 * and the same on all ranks. */
static int choose_draw(struct trial *trial, int first, uint32_t orders, uint32_t alike[]) {
  uint32_t like[MAXIMUM_TREES], best[MAXIMUM_TREES];
  int chosen = first, most = -1;
  for (int draw = first; draw < first + DRAWS_TO_CHOOSE_FROM; ++draw) {
    int apart = 0;
    sort_orders(trial, draw, orders, like);
    for (int tree = 0; tree < MAXIMUM_TREES; ++tree)
      apart += __builtin_popcount(alike[tree] & ~like[tree]);
    if (apart <= most)
      continue;
    most = apart;
    chosen = draw;
    memcpy(best, like, sizeof best);
  }
  for (int tree = 0; tree < MAXIMUM_TREES; ++tree)
    alike[tree] &= best[tree];
  return chosen;
}

/* --- do they fit? ------------------------------------------------------------------------------*/

/* Of a long region the begin, the middle and the end. */
static int region_fits(struct trial *trial, struct mpispec_order *order, int draw, int64_t at,
                       int64_t end, const unsigned char *got) {
  const int64_t length = end - at, extent = trial->reduction.extent;
  const int64_t stride = length <= WHOLE_REGION ? WINDOW : (length - WINDOW) / 2;
  for (int64_t offset = 0; offset < length; offset += stride) {
    const int64_t now = length - offset < WINDOW ? length - offset : WINDOW;
    if (!window_fits(trial, order, draw, at + offset, now, got + offset * extent))
      return 0;
  }
  return 1;
}

static int order_fits(struct trial *trial, struct mpispec_order *order, int draw) {
  int64_t begin, end;
  find_share(trial, &begin, &end);
  for (int64_t at = begin; at < end;) {
    mpispec_tree_write(order, receiver_of(trial), at, trial->total);
    const int64_t last = order->program.end < end ? order->program.end : end;
    if (!region_fits(trial, order, draw, at, last,
                     trial->got + (at - begin) * trial->reduction.extent))
      return 0;
    at = last;
  }
  return 1;
}

/* One vector. Returns which of the orders fit what this rank got. */
static uint32_t try_once(struct trial *trial, int draw, uint32_t orders) {
  const int64_t extent = trial->reduction.extent;
  for (int64_t i = 0; i < trial->total; ++i)
    mpispec_number_draw(&trial->reduction, draw, i, trial->collective->rank,
                        trial->give + i * extent);
  mpispec_away();
  ask_library(trial);
  mpispec_back();
  mpispec_lock();
  for (int tree = 0; tree < MAXIMUM_TREES; ++tree)
    if (orders >> tree & 1 &&
        !order_fits(trial, order_of(trial->collective, trial->class, tree), draw))
      orders &= ~(UINT32_C(1) << tree);
  mpispec_unlock();
  return orders;
}

static uint32_t candidates(const struct mpispec_collective *collective,
                           enum mpispec_reducing operation) {
  uint32_t orders = 0;
  for (int tree = 0; mpispec_trees[tree].name; ++tree)
    if (mpispec_trees[tree].operations >> operation & 1 &&
        (!mpispec_trees[tree].for_nodes || collective->nodes))
      orders |= UINT32_C(1) << tree;
  return orders;
}

/* An order that is not known may round an element like one that is, by chance. */
static int draws_for(int64_t count) { return count < 8 ? 12 : count < 64 ? 6 : 3; }

/* Without the lock. Returns the orders that fit on all ranks. */
static uint32_t try_count(struct trial *trial, int64_t count) {
  const size_t extent = (size_t)trial->reduction.extent;
  struct mpispec_collective *collective = trial->collective;
  const enum mpispec_reducing operation = trial->question->operation;
  trial->count = count;
  trial->total = operation == MPISPEC_REDUCE_SCATTER_BLOCK ? count * collective->size : count;
  trial->give = mpispec_must_have(calloc((size_t)trial->total, extent));
  trial->got = mpispec_must_have(calloc((size_t)trial->total, extent));
  trial->parts = mpispec_must_have(calloc((size_t)collective->size * WINDOW, extent));
  uint32_t mine = candidates(collective, operation), all = 0;
  const struct mpispec_exceptions exceptions = mpispec_exceptions_hold();
  const uint32_t orders = mine;
  uint32_t alike[MAXIMUM_TREES];
  memset(alike, -1, sizeof alike);
  for (int i = 0; i < draws_for(count); ++i) {
    mpispec_lock();
    const int draw = choose_draw(trial, i * DRAWS_TO_CHOOSE_FROM, orders, alike);
    mpispec_unlock();
    mine = try_once(trial, draw, mine);
  }
  mpispec_away();
  mpispec_agreement_allreduce(&mine, &all, 1, MPI_UINT32_T, MPI_BAND,
                              trial->question->communicator);
  mpispec_back();
  mpispec_exceptions_restore(&exceptions);
  free(trial->give);
  free(trial->got);
  free(trial->parts);
  return all;
}

/* --- classes -----------------------------------------------------------------------------------*/

static uint64_t describe(const struct mpispec_question *question, int size) {
  uint64_t bits = 0;
  if (question->operation == MPISPEC_REDUCE_SCATTER)
    for (int i = 0; i < size; ++i)
      bits = (bits ^ (uint64_t)question->counts[i]) * UINT64_C(0x100000001b3) + 1;
  return bits;
}

static struct class *add_class(struct mpispec_orders *orders,
                               const struct mpispec_question *question,
                               const struct mpispec_reduction *reduction, uint64_t counts) {
  if (orders->count == CLASSES)
    return NULL;
  ++orders->count;
  struct class *class = mpispec_must_have(calloc(1, sizeof *class));
  *class = (struct class){.op = reduction->op,
                          .datatype = reduction->datatype,
                          .operation = question->operation,
                          .root = question->root,
                          .counts = counts};
  return class;
}

/* Null if there are too many. */
static struct class *find_class(struct mpispec_collective *collective,
                                const struct mpispec_question *question,
                                const struct mpispec_reduction *reduction) {
  struct mpispec_orders *orders = collective->orders;
  const uint64_t counts = describe(question, collective->size);
  struct class **at = &orders->classes, *class;
  while ((class = *at) && (class->operation != question->operation || class->op != reduction->op ||
                           class->datatype != reduction->datatype ||
                           class->root != question->root || class->counts != counts))
    at = &class->next;
  if (class)
    *at = class->next;
  else if (!(class = add_class(orders, question, reduction, counts)))
    return NULL;
  class->next = orders->classes;
  orders->classes = class;
  return class;
}

static int octave_of(int64_t count) {
  return count == 1 ? 0 : 64 - __builtin_clzll((unsigned long long)count - 1);
}

static void try_ends(struct trial *trial, struct octave *octave, int64_t count) {
  const int number = octave_of(count);
  const int is_one = number < 2 || trial->question->operation == MPISPEC_REDUCE_SCATTER;
  octave->high_count = is_one ? count : INT64_C(1) << number;
  octave->low_count = is_one ? count : (INT64_C(1) << (number - 1)) + 1;
  octave->high = octave->low = try_count(trial, octave->high_count);
  if (!is_one)
    octave->low = try_count(trial, octave->low_count);
  octave->is_known = 1;
}

static void close_in(struct trial *trial, struct octave *octave, int64_t count) {
  const uint32_t orders = try_count(trial, count);
  if (orders == octave->low || orders & octave->low) {
    octave->low &= orders;
    octave->low_count = count;
  } else if (orders == octave->high || orders & octave->high) {
    octave->high &= orders;
    octave->high_count = count;
  } else {
    octave->is_lost = 1;
  }
}

static int first_of(uint32_t orders) { return orders ? __builtin_ctz(orders) : LIBRARY; }

/* The octave's tree for this count. Returns 0 if it has to be tried. */
static int look_up(const struct octave *octave, int64_t count, int *tree) {
  const uint32_t both = octave->low & octave->high;
  const int is_low = count <= octave->low_count, is_high = count >= octave->high_count;
  *tree = first_of(both ? both : is_low ? octave->low : is_high ? octave->high : 0);
  return octave->is_known &&
         (both || is_low || is_high || octave->is_lost || octave->low == octave->high);
}

static int find_tree(struct mpispec_collective *collective, const struct mpispec_question *question,
                     const struct mpispec_reduction *reduction, struct class *class) {
  struct octave *octave = &class->octaves[octave_of(question->count)];
  int tree;
  if (look_up(octave, question->count, &tree))
    return tree;
  if (octave->calls++ < BEFORE_TRIAL)
    return LIBRARY;
  mpispec_collective_barrier(collective); /* are all here? Else that is told (mismatch.h) */
  if (collective->error)
    return LIBRARY;
  octave->calls = 0;
  struct trial trial = {
      .collective = collective, .class = class, .question = question, .reduction = *reduction};
  mpispec_unlock();
  if (!octave->is_known)
    try_ends(&trial, octave, question->count);
  else
    close_in(&trial, octave, question->count);
  mpispec_lock();
  return look_up(octave, question->count, &tree) ? tree : LIBRARY;
}

/* Where each rank gets something of its own, all have to read all. */
static int is_too_much(const struct mpispec_collective *collective, const struct mpispec_tree *tree,
                       enum mpispec_reducing operation, int64_t bytes) {
  return tree->differs && !is_scatter(operation) && collective->size > MANY_MEMBERS &&
         bytes > collective->chunk_bytes;
}

int mpispec_order_learn(struct mpispec_collective *collective,
                        const struct mpispec_question *question,
                        struct mpispec_reduction *reduction) {
  const int64_t total = question->operation == MPISPEC_REDUCE_SCATTER_BLOCK
                            ? question->count * collective->size
                            : question->count;
  if (total > maximum_bytes / 2 / reduction->extent)
    return 0;
  if (!collective->orders)
    collective->orders = mpispec_must_have(calloc(1, sizeof *collective->orders));
  struct class *class = find_class(collective, question, reduction);
  const int tree = class ? find_tree(collective, question, reduction, class) : LIBRARY;
  if (tree == LIBRARY ||
      is_too_much(collective, &mpispec_trees[tree], question->operation, total * reduction->extent))
    return 0;
  reduction->order = order_of(collective, class, tree);
  reduction->total = total;
  return 1;
}

void mpispec_orders_close(struct mpispec_collective *collective) {
  struct mpispec_orders *orders = collective->orders;
  for (struct class *class = orders ? orders->classes : NULL, *next; class; class = next) {
    next = class->next;
    for (int tree = 0; tree < MAXIMUM_TREES; ++tree)
      mpispec_order_free(class->orders[tree]);
    free(class);
  }
  free(orders);
  collective->orders = NULL;
}
