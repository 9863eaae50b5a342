/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An MPI library chooses an algorithm by values that are equal on all ranks: operation, datatype,
 * count, root and communicator. Therefore its choice can be found, and is the same the next time. A
 * *class* is all these values but the count. An *octave* is the range of counts from 2^k + 1 to
 * 2^(k+1).
 *
 * For some libraries, an order is expected (library_orders.h). Then the library reduces chosen
 * numbers once, before the first operation of an octave. If the result fits the expected order, the
 * runtime executes the operations of this octave from then on. Without an expected order, the
 * library executes the first BEFORE_TRIAL operations of an octave. A program that makes no more of
 * them would not gain by a trial.
 *
 * Then both ends of the octave are tried (trial.h). If they have the same order, all counts between
 * have it, too. Otherwise the library changes its algorithm somewhere between. Each further
 * operation tries its own count, which narrows the range of the change. If no tree fits, the
 * library continues to execute the operations. Results are kept for other communicators
 * (known_orders.h). */
#include "collective/discovery.h"

#include "collective/known_orders.h"
#include "collective/library_orders.h"
#include "collective/long_parts.h"
#include "collective/operations.h"
#include "job/memory.h"
#include "progress/lock.h"

#include <stdlib.h>
#include <string.h>

enum {
  CLASSES = 256,     /* at most; the library executes operations of further classes */
  FEW_OCTAVES = 7,   /* octaves with few elements: 64 at most */
  BEFORE_TRIAL = 10, /* operations that are left to the library where no order is expected */
  LIBRARY = -1,      /* no order is known */
  MANY_MEMBERS = 8   /* members that each read all long parts; with more, the library is as fast */
};
static const int64_t maximum_bytes = INT64_C(1) << 28; /* upper bound of the data of a trial */

struct class {
  struct class *next;
  uint32_t arithmetic; /* that of the signature: members may name a type in different ways */
  int size;            /* of an element, in bytes */
  enum mpispec_reducing operation;
  int root;
  uint64_t counts;                                  /* a hash of them, for Reduce_scatter */
  struct mpispec_order *orders[MPISPEC_MOST_TREES]; /* made when needed */
  struct mpispec_octave octaves[MPISPEC_OCTAVES];
};

struct mpispec_orders {
  struct class *classes; /* the one used last comes first */
  int count;
  int has_table;                      /* library_orders.h has expected orders */
  int are_kept;                       /* results of trials are stored in known_orders.c, */
  uint64_t hints;                     /* under these hints */
  struct mpispec_known_class *agreed; /* results that all members had */
};

static struct mpispec_orders *orders_of(struct mpispec_collective *collective) {
  if (!collective->orders)
    collective->orders = mpispec_check_allocation(calloc(1, sizeof *collective->orders));
  return collective->orders;
}

void mpispec_orders_agreed(struct mpispec_collective *collective, uint64_t hints, int has_table,
                           struct mpispec_known_class *agreed) {
  struct mpispec_orders *orders = orders_of(collective);
  orders->has_table = has_table;
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

static struct mpispec_known_key key_of(const struct class *class) {
  return (struct mpispec_known_key){.counts = class->counts,
                                    .arithmetic = class->arithmetic,
                                    .element = class->size,
                                    .operation = (int)class->operation,
                                    .root = class->root};
}

static struct class *add_class(struct mpispec_orders *orders, int size,
                               const struct mpispec_question *question,
                               const struct mpispec_reduction *reduction, uint64_t counts) {
  if (orders->count == CLASSES)
    return NULL;
  ++orders->count;
  struct class *class = mpispec_check_allocation(calloc(1, sizeof *class));
  *class = (struct class){.arithmetic = reduction->arithmetic,
                          .size = (int)reduction->size,
                          .operation = question->operation,
                          .root = question->root,
                          .counts = counts};
  const struct mpispec_known_key key = key_of(class);
  const struct mpispec_octave *known = mpispec_known_orders_find(orders->agreed, &key);
  if (known)
    memcpy(class->octaves, known, sizeof class->octaves);
  if (orders->has_table)
    mpispec_library_orders_expect(size, &key, class->octaves);
  return class;
}

/* Returns null if there are too many classes. */
static struct class *find_class(struct mpispec_collective *collective,
                                const struct mpispec_question *question,
                                const struct mpispec_reduction *reduction) {
  struct mpispec_orders *orders = collective->orders;
  const uint64_t counts = describe(question, collective->size);
  struct class **at = &orders->classes, *class;
  while ((class = *at) &&
         (class->operation != question->operation || class->arithmetic != reduction->arithmetic ||
          class->size != (int)reduction->size || class->root != question->root ||
          class->counts != counts))
    at = &class->next;
  if (class)
    *at = class->next;
  else if (!(class = add_class(orders, collective->size, question, reduction, counts)))
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

/* Sets `*tree` to the octave's tree for this count. Returns 0 if a trial is necessary. */
static int look_up(const struct mpispec_octave *octave, int64_t count, int *tree) {
  const uint32_t both = octave->low & octave->high;
  const int is_low = count <= octave->low_count, is_high = count >= octave->high_count;
  *tree = first_of(both ? both : is_low ? octave->low : is_high ? octave->high : 0);
  return octave->is_known &&
         (both || is_low || is_high || octave->is_lost || octave->low == octave->high);
}

static void keep(const struct mpispec_collective *collective, const struct class *class,
                 int octave) {
  const struct mpispec_orders *orders = collective->orders;
  const struct mpispec_known_key key = key_of(class);
  if (orders->are_kept)
    mpispec_known_orders_keep(collective->size, orders->hints, &key, octave,
                              &class->octaves[octave]);
}

/* --- what is expected --------------------------------------------------------------------------*/

/* Nonzero if the same order is expected for all counts of both octaves. */
static int are_expected_alike(const struct mpispec_octave *one,
                              const struct mpispec_octave *other) {
  return one->expectation == MPISPEC_FROM_TABLE && other->expectation == MPISPEC_FROM_TABLE &&
         one->low == one->high && other->low == one->low && other->high == one->low;
}

/* A trial with few elements excludes few orders. Therefore one trial of the longest count is made
 * for several neighbouring octaves with the same expected order. Sets `*first` to the first of
 * these octaves, and `*count` to the count of the trial. Returns the number of octaves. */
static int extend(const struct mpispec_trial *trial, const struct class *class, int *first,
                  int64_t *count) {
  const struct mpispec_octave *octaves = class->octaves;
  int last = *first;
  if (trial->question->operation == MPISPEC_REDUCE_SCATTER || last >= FEW_OCTAVES)
    return 1;
  while (last + 1 < FEW_OCTAVES && are_expected_alike(&octaves[*first], &octaves[last + 1]))
    ++last;
  if (last > *first)
    *count = mpispec_octave_last(last);
  while (*first && are_expected_alike(&octaves[last], &octaves[*first - 1]))
    --*first;
  return last - *first + 1;
}

/* Finds out which expected orders fit, a bit each. Both ends of the octave are tried, with two
 * exceptions. The table has one order for the whole octave, or the operation is Reduce_scatter,
 * whose class has a single count. */
static void find_fitting(struct mpispec_trial *trial, const struct mpispec_octave *expected,
                         int64_t count, uint32_t *low, uint32_t *high) {
  if (trial->question->operation == MPISPEC_REDUCE_SCATTER) {
    *low = *high = mpispec_trial_confirm(
        trial, count, count <= expected->low_count ? expected->low : expected->high);
  } else if (expected->expectation == MPISPEC_FROM_TABLE && expected->low == expected->high) {
    *low = *high = mpispec_trial_confirm(trial, count, expected->low);
  } else {
    *low = mpispec_trial_confirm(trial, expected->low_count, expected->low);
    *high = mpispec_trial_confirm(trial, expected->high_count, expected->high);
  }
}

/* Tries the expected orders of the octave `*first` and of its neighbours (extend). Sets `*first` to
 * the first of them, and returns their number. Afterwards their orders are known, or the octaves
 * have no expected order any more. */
static int confirm(struct mpispec_trial *trial, struct class *class, int *first, int64_t count) {
  const struct mpispec_octave expected = class->octaves[*first];
  const int length = extend(trial, class, first, &count);
  uint32_t low, high;
  find_fitting(trial, &expected, count, &low, &high);
  for (int i = 0; i < length; ++i) {
    struct mpispec_octave *octave = &class->octaves[*first + i];
    octave->expectation = MPISPEC_NOT_EXPECTED;
    octave->is_known = low && high;
    octave->low = low;
    octave->high = high;
    if (!octave->is_known)
      *octave = (struct mpispec_octave){0};
  }
  return length;
}

/* Tries the octave `*first`. Sets `*first` to the first octave that the trial decided, and returns
 * their number. */
static int try_octave(struct mpispec_trial *trial, struct class *class, int *first) {
  const int64_t count = trial->question->count;
  struct mpispec_octave *octave = &class->octaves[*first];
  octave->calls = 0;
  if (octave->expectation)
    return confirm(trial, class, first, count);
  if (!octave->is_known)
    try_ends(trial, octave, count);
  else
    close_in(trial, octave, count);
  return 1;
}

static int find_tree(struct mpispec_collective *collective, const struct mpispec_question *question,
                     const struct mpispec_reduction *reduction, struct class *class) {
  const int number = octave_of(question->count);
  struct mpispec_octave *octave = &class->octaves[number];
  int tree;
  if (look_up(octave, question->count, &tree))
    return tree;
  if (!octave->expectation && octave->calls++ < BEFORE_TRIAL)
    return LIBRARY;
  mpispec_collective_barrier(collective); /* detects members in other operations (mismatch.h) */
  if (collective->error)
    return LIBRARY;
  struct mpispec_trial trial = {.collective = collective,
                                .question = question,
                                .reduction = *reduction,
                                .orders = class->orders};
  mpispec_unlock();
  int first = number;
  const int length = try_octave(&trial, class, &first);
  mpispec_lock();
  for (int i = 0; i < length && !collective->error; ++i)
    keep(collective, class, first + i);
  return look_up(octave, question->count, &tree) ? tree : LIBRARY;
}

/* Nonzero if the MPI library is to execute the operation, because it would be as fast. If ranks get
 * different results, each rank must read all parts. */
static int is_too_much(const struct mpispec_collective *collective, const struct mpispec_tree *tree,
                       enum mpispec_reducing operation, int64_t bytes) {
  return tree->differs && !mpispec_is_reduce_scatter(operation) &&
         collective->size > MANY_MEMBERS && bytes > mpispec_portions_room(collective);
}

int mpispec_order_find(struct mpispec_collective *collective,
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
