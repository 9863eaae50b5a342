/* An MPI library chooses an algorithm by what all ranks know: operation, datatype, count, root and
 * communicator. So the choice can be learnt, and is the same the next time. A *class* is all of
 * that but the count; counts are taken in octaves, 2^k + 1 to 2^(k+1).
 *
 * The first few operations of an octave are the library's: a program that makes no more of them is
 * not asked to pay for trials. Then both ends of the octave are tried (trial.h). If both ends have
 * the same, it is that of all between; if not, the library changes its algorithm on the way, and
 * counts between are tried one by one, which closes in on the place. Where no known order fits, the
 * library goes on doing the work. What trials have found is kept for other communicators
 * (known_orders.h). */
#include "collective/discovery.h"

#include "collective/known_orders.h"
#include "collective/operations.h"
#include "job/memory.h"
#include "progress/lock.h"

#include <stdlib.h>
#include <string.h>

enum {
  CLASSES = 256,    /* at most; the library does what is beyond */
  BEFORE_TRIAL = 4, /* operations that are left to the library */
  LIBRARY = -1,     /* no order is known */
  MANY_MEMBERS = 8  /* who all read all long parts: the library would be as fast */
};
static const int64_t maximum_bytes = INT64_C(1) << 28; /* that a trial may take */

struct class {
  struct class *next;
  MPI_Op op;
  MPI_Datatype datatype;
  enum mpispec_reducing operation;
  int root;
  uint64_t counts;                                  /* of Reduce_scatter: what they are like */
  struct mpispec_order *orders[MPISPEC_MOST_TREES]; /* made when needed */
  struct mpispec_octave octaves[MPISPEC_OCTAVES];
};

struct mpispec_orders {
  struct class *classes; /* the one used last comes first */
  int count;
  int are_kept;                       /* what trials find goes to known_orders.c, */
  uint64_t hints;                     /* under these hints */
  struct mpispec_known_class *agreed; /* what all members knew when they agreed on a slot */
};

static struct mpispec_orders *orders_of(struct mpispec_collective *collective) {
  if (!collective->orders)
    collective->orders = mpispec_must_have(calloc(1, sizeof *collective->orders));
  return collective->orders;
}

void mpispec_orders_agreed(struct mpispec_collective *collective, uint64_t hints,
                           struct mpispec_known_class *agreed) {
  struct mpispec_orders *orders = orders_of(collective);
  orders->are_kept = 1;
  orders->hints = hints;
  orders->agreed = agreed;
}

/* --- classes -----------------------------------------------------------------------------------*/

static uint64_t describe(const struct mpispec_question *question, int size) {
  uint64_t bits = 0;
  if (question->operation == MPISPEC_REDUCE_SCATTER)
    for (int i = 0; i < size; ++i)
      bits = (bits ^ (uint64_t)question->counts[i]) * UINT64_C(0x100000001b3) + 1;
  return bits;
}

static struct mpispec_known_key key_of(const struct class *class,
                                       const struct mpispec_reduction *reduction) {
  return (struct mpispec_known_key){.counts = class->counts,
                                    .arithmetic = reduction->arithmetic,
                                    .operation = (int)class->operation,
                                    .root = class->root};
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
  const struct mpispec_known_key key = key_of(class, reduction);
  const struct mpispec_octave *known = mpispec_known_orders_find(orders->agreed, &key);
  if (known)
    memcpy(class->octaves, known, sizeof class->octaves);
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

static void try_ends(struct mpispec_trial *trial, struct mpispec_octave *octave, int64_t count) {
  const int number = octave_of(count);
  const int is_one = number < 2 || trial->question->operation == MPISPEC_REDUCE_SCATTER;
  octave->high_count = is_one ? count : INT64_C(1) << number;
  octave->low_count = is_one ? count : (INT64_C(1) << (number - 1)) + 1;
  octave->high = octave->low = mpispec_trial_run(trial, octave->high_count);
  if (!is_one)
    octave->low = mpispec_trial_run(trial, octave->low_count);
  octave->is_known = 1;
}

static void close_in(struct mpispec_trial *trial, struct mpispec_octave *octave, int64_t count) {
  const uint32_t orders = mpispec_trial_run(trial, count);
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
static int look_up(const struct mpispec_octave *octave, int64_t count, int *tree) {
  const uint32_t both = octave->low & octave->high;
  const int is_low = count <= octave->low_count, is_high = count >= octave->high_count;
  *tree = first_of(both ? both : is_low ? octave->low : is_high ? octave->high : 0);
  return octave->is_known &&
         (both || is_low || is_high || octave->is_lost || octave->low == octave->high);
}

static void keep(const struct mpispec_collective *collective, const struct class *class,
                 const struct mpispec_reduction *reduction, int octave) {
  const struct mpispec_orders *orders = collective->orders;
  const struct mpispec_known_key key = key_of(class, reduction);
  if (orders->are_kept)
    mpispec_known_orders_keep(collective->size, orders->hints, &key, octave,
                              &class->octaves[octave]);
}

static int find_tree(struct mpispec_collective *collective, const struct mpispec_question *question,
                     const struct mpispec_reduction *reduction, struct class *class) {
  struct mpispec_octave *octave = &class->octaves[octave_of(question->count)];
  int tree;
  if (look_up(octave, question->count, &tree))
    return tree;
  if (octave->calls++ < BEFORE_TRIAL)
    return LIBRARY;
  mpispec_collective_barrier(collective); /* are all here? Else that is told (mismatch.h) */
  if (collective->error)
    return LIBRARY;
  octave->calls = 0;
  struct mpispec_trial trial = {.collective = collective,
                                .question = question,
                                .reduction = *reduction,
                                .orders = class->orders};
  mpispec_unlock();
  if (!octave->is_known)
    try_ends(&trial, octave, question->count);
  else
    close_in(&trial, octave, question->count);
  mpispec_lock();
  keep(collective, class, reduction, octave_of(question->count));
  return look_up(octave, question->count, &tree) ? tree : LIBRARY;
}

/* Where each rank gets something of its own, all have to read all. */
static int is_too_much(const struct mpispec_collective *collective, const struct mpispec_tree *tree,
                       enum mpispec_reducing operation, int64_t bytes) {
  return tree->differs && !mpispec_is_reduce_scatter(operation) &&
         collective->size > MANY_MEMBERS && bytes > collective->chunk_bytes;
}

int mpispec_order_learn(struct mpispec_collective *collective,
                        const struct mpispec_question *question,
                        struct mpispec_reduction *reduction) {
  const int64_t total = question->operation == MPISPEC_REDUCE_SCATTER_BLOCK
                            ? question->count * collective->size
                            : question->count;
  if (total > maximum_bytes / 2 / reduction->extent)
    return 0;
  orders_of(collective);
  struct class *class = find_class(collective, question, reduction);
  const int tree = class ? find_tree(collective, question, reduction, class) : LIBRARY;
  if (tree == LIBRARY ||
      is_too_much(collective, &mpispec_trees[tree], question->operation, total * reduction->extent))
    return 0;
  reduction->order = mpispec_trial_order(collective, class->root, class->orders, tree);
  reduction->total = total;
  return 1;
}

void mpispec_orders_close(struct mpispec_collective *collective) {
  struct mpispec_orders *orders = collective->orders;
  for (struct class *class = orders ? orders->classes : NULL, *next; class; class = next) {
    next = class->next;
    for (int tree = 0; tree < MPISPEC_MOST_TREES; ++tree)
      mpispec_order_free(class->orders[tree]);
    free(class);
  }
  if (orders)
    mpispec_known_orders_free(orders->agreed);
  free(orders);
  collective->orders = NULL;
}
