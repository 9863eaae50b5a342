/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs trials (trial.h); discovery.c determines when. */
#include "collective/trial.h"

#include "collective/leaders/leaders.h"
#include "collective/numbers.h"
#include "collective/operations.h"
#include "job/agreement.h"
#include "job/memory.h"
#include "mpispec/machine.h"
#include "progress/helper.h"
#include "progress/lock.h"

#include <stdlib.h>
#include <string.h>

enum {
  DRAWS_TO_CHOOSE_FROM = 64,
  WINDOW = 64,         /* elements that are compared at a time */
  WHOLE_REGION = 2048, /* in regions of at most this many elements, all are compared */
  SMALL_WINDOW = 16,   /* like WINDOW, if one order is expected */
  SMALL_WHOLE_REGION = 64,
  /* The numbers in a vector repeat after this many elements. Therefore each rank draws the numbers
   * of all ranks only once for a vector of any length. */
  PERIOD = 64,
  ENOUGH =
      24 /* elements that an order must fit; an element fits a wrong order with probability 3/4 */
};

/* --- what the library makes of numbers ---------------------------------------------------------*/

static void reduce_scatter(const struct mpispec_trial *trial) {
  const int size = trial->collective->size;
  int *counts = mpispec_check_allocation(malloc((size_t)size * sizeof(int)));
  for (int i = 0; i < size; ++i)
    counts[i] = (int)trial->question->counts[i];
  PMPI_Reduce_scatter(trial->give, trial->got, counts, trial->reduction.datatype,
                      trial->reduction.op, trial->question->communicator);
  free(counts);
}

static void reduce_in_library(const struct mpispec_trial *trial) {
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

/* The elements of the vector that this rank received: `begin` to `end`. */
static void find_share(const struct mpispec_trial *trial, int64_t *begin, int64_t *end) {
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

/* The receiver whose order is tested on this rank. In Allreduce over several nodes it is the leader
 * of this node, because the leader combines for all ranks of its node. */
static int receiver_of(const struct mpispec_trial *trial) {
  const struct mpispec_nodes *nodes = trial->collective->nodes;
  return nodes && trial->question->operation == MPISPEC_ALLREDUCE
             ? nodes->rank_at[nodes->first[nodes->self]]
             : trial->collective->rank;
}

static unsigned char *part_of(const struct mpispec_trial *trial, int rank, int64_t at) {
  return trial->parts + (rank * PERIOD + at % PERIOD) * trial->reduction.extent;
}

/* Draws element `at` of all ranks' parts. */
static void draw_element(const struct mpispec_trial *trial, int draw, int64_t at) {
  for (int rank = 0; rank < trial->collective->size; ++rank)
    mpispec_number_draw(&trial->reduction, draw, at % PERIOD, rank, part_of(trial, rank, at));
}

/* The elements must not go beyond the end of a period. */
static void combine_parts(const struct mpispec_trial *trial, struct mpispec_order *order,
                          int receiver, unsigned char *result, int64_t at, int64_t length) {
  for (int rank = 0; rank < order->size; ++rank)
    order->parts[rank] = part_of(trial, rank, at);
  mpispec_order_combine(order, &trial->reduction, receiver, result, at, length, trial->total);
}

struct mpispec_order *mpispec_trial_order(const struct mpispec_collective *collective, int root,
                                          struct mpispec_order *orders[], int tree) {
  if (!orders[tree])
    orders[tree] = mpispec_check_allocation(
        mpispec_order_make(&mpispec_trees[tree], collective->size, root, collective->nodes));
  return orders[tree];
}

static struct mpispec_order *order_of(struct mpispec_trial *trial, int tree) {
  return mpispec_trial_order(trial->collective, trial->question->root, trial->orders, tree);
}

static int window_fits(const struct mpispec_trial *trial, struct mpispec_order *order, int64_t at,
                       int64_t length, const unsigned char *got) {
  unsigned char result[PERIOD * 64];
  for (int64_t done = 0, now; done < length; done += now) {
    const int64_t room = PERIOD - (at + done) % PERIOD;
    now = length - done < room ? length - done : room;
    combine_parts(trial, order, receiver_of(trial), result, at + done, now);
    if (!mpispec_numbers_equal(&trial->reduction, result, got + done * trial->reduction.extent,
                               now))
      return 0;
  }
  return 1;
}

/* --- which numbers -----------------------------------------------------------------------------*/

/* Chooses an element for one draw, and a rank that receives it. The choice is the same on all
 * ranks. */
static int64_t pick(const struct mpispec_trial *trial, int draw, int *receiver) {
  const struct mpispec_collective *collective = trial->collective;
  const enum mpispec_reducing operation = trial->question->operation;
  const int is_exscan = operation == MPISPEC_EXSCAN;
  int64_t begin = 0;
  *receiver = is_exscan + draw % (collective->size - is_exscan);
  if (!mpispec_is_reduce_scatter(operation)) {
    if (collective->nodes && operation == MPISPEC_ALLREDUCE)
      *receiver =
          collective->nodes->rank_at[collective->nodes->first[draw % collective->nodes->count]];
    return draw % trial->total;
  }
  for (int i = 0; i < *receiver; ++i)
    begin += trial->question->counts ? trial->question->counts[i] : trial->count;
  return begin < trial->total ? begin : 0;
}

/* Combines one element in each order. Sets like[i] to the orders with the same result as order i, a
 * bit each. */
static void sort_orders(struct mpispec_trial *trial, int draw, uint32_t orders, uint32_t like[]) {
  unsigned char results[MPISPEC_MOST_TREES][64];
  int receiver;
  const int64_t at = pick(trial, draw, &receiver);
  draw_element(trial, draw, at);
  for (int tree = 0; tree < MPISPEC_MOST_TREES; ++tree) {
    like[tree] = 0;
    if (!(orders >> tree & 1))
      continue;
    combine_parts(trial, order_of(trial, tree), receiver, results[tree], at, 1);
    for (int other = 0; other <= tree; ++other)
      if (orders >> other & 1 &&
          mpispec_numbers_equal(&trial->reduction, results[tree], results[other], 1)) {
        like[tree] |= UINT32_C(1) << other;
        like[other] |= UINT32_C(1) << tree;
      }
  }
}

/* Chooses the draw that distinguishes most pairs of orders that had equal results so far (`alike`).
 * The choice is the same on all ranks, without communication. */
static int choose_draw(struct mpispec_trial *trial, int first, uint32_t orders, uint32_t alike[]) {
  uint32_t like[MPISPEC_MOST_TREES], best[MPISPEC_MOST_TREES];
  int chosen = first, most = -1;
  for (int draw = first; draw < first + DRAWS_TO_CHOOSE_FROM; ++draw) {
    int apart = 0;
    sort_orders(trial, draw, orders, like);
    for (int tree = 0; tree < MPISPEC_MOST_TREES; ++tree)
      apart += __builtin_popcount(alike[tree] & ~like[tree]);
    if (apart <= most)
      continue;
    most = apart;
    chosen = draw;
    memcpy(best, like, sizeof best);
  }
  for (int tree = 0; tree < MPISPEC_MOST_TREES; ++tree)
    alike[tree] &= best[tree];
  return chosen;
}

/* --- do they fit? ------------------------------------------------------------------------------*/

/* Compares a region. A long region is compared only at its beginning, middle and end. */
static int region_fits(const struct mpispec_trial *trial, struct mpispec_order *order, int64_t at,
                       int64_t end, const unsigned char *got) {
  const int64_t length = end - at, extent = trial->reduction.extent;
  const int64_t window = trial->window;
  const int64_t stride = length <= trial->whole_region ? window : (length - window) / 2;
  for (int64_t offset = 0; offset < length; offset += stride) {
    const int64_t now = length - offset < window ? length - offset : window;
    if (!window_fits(trial, order, at + offset, now, got + offset * extent))
      return 0;
  }
  return 1;
}

static int order_fits(const struct mpispec_trial *trial, struct mpispec_order *order) {
  int64_t begin, end;
  find_share(trial, &begin, &end);
  for (int64_t at = begin; at < end;) {
    mpispec_tree_write(order, receiver_of(trial), at, trial->total);
    const int64_t last = order->program.end < end ? order->program.end : end;
    if (!region_fits(trial, order, at, last, trial->got + (at - begin) * trial->reduction.extent))
      return 0;
    at = last;
  }
  return 1;
}

/* Draws the parts of all ranks, and makes the vector that this rank gives. */
static void draw_parts(const struct mpispec_trial *trial, int draw) {
  const int64_t extent = trial->reduction.extent, total = trial->total;
  const int64_t drawn = total < PERIOD ? total : PERIOD;
  for (int64_t at = 0; at < drawn; ++at)
    draw_element(trial, draw, at);
  for (int64_t at = 0; at < total; at += drawn)
    memcpy(trial->give + at * extent, part_of(trial, trial->collective->rank, 0),
           (size_t)((total - at < drawn ? total - at : drawn) * extent));
}

/* Lets the library reduce one vector. Returns those of `orders` that fit this rank's result. */
static uint32_t try_once(struct mpispec_trial *trial, int draw, uint32_t orders) {
  draw_parts(trial, draw);
  mpispec_library_call_begin();
  reduce_in_library(trial);
  mpispec_library_call_end();
  mpispec_lock();
  for (int tree = 0; tree < MPISPEC_MOST_TREES; ++tree)
    if (orders >> tree & 1 && !order_fits(trial, order_of(trial, tree)))
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

/* --- trials ------------------------------------------------------------------------------------*/

unsigned long mpispec_trial_runs, mpispec_trial_confirmations;

static void begin(struct mpispec_trial *trial, int64_t count, unsigned long *counter) {
  const struct mpispec_collective *collective = trial->collective;
  const size_t extent = (size_t)trial->reduction.extent;
  trial->count = count;
  trial->total =
      trial->question->operation == MPISPEC_REDUCE_SCATTER_BLOCK ? count * collective->size : count;
  trial->give = mpispec_check_allocation(calloc((size_t)trial->total, extent));
  trial->got = mpispec_check_allocation(calloc((size_t)trial->total, extent));
  trial->parts = mpispec_check_allocation(calloc((size_t)collective->size * PERIOD, extent));
  mpispec_lock(); /* trials of several threads may overlap */
  ++*counter;
  mpispec_unlock();
}

static void end(struct mpispec_trial *trial) {
  free(trial->give);
  free(trial->got);
  free(trial->parts);
}

/* Returns the orders that fit on all ranks. */
static uint32_t agree(const struct mpispec_trial *trial, uint32_t mine) {
  struct mpispec_collective *collective = trial->collective;
  struct mpispec_reduction bits;
  uint32_t all = 0;
  if (collective->nodes) {
    mpispec_library_call_begin();
    mpispec_agreement_allreduce(&mine, &all, 1, MPI_UINT32_T, MPI_BAND,
                                trial->question->communicator);
    mpispec_library_call_end();
    return all;
  }
  mpispec_lock();
  if (mpispec_reduction_find(MPI_BAND, MPI_UINT32_T, &bits))
    mpispec_collective_allreduce(collective, &bits, &mine, &all, 1);
  if (collective->error)
    all = 0;
  mpispec_unlock();
  return all;
}

/* The number of draws. It is greater for few elements, because the library's order may round them
 * like another order by chance. */
static int draws_for(int64_t count) { return count < 8 ? 20 : count < 64 ? 6 : 3; }

uint32_t mpispec_trial_run(struct mpispec_trial *trial, int64_t count) {
  const uint32_t orders = candidates(trial->collective, trial->question->operation);
  const struct mpispec_exceptions exceptions = mpispec_exceptions_hold();
  uint32_t mine = orders, alike[MPISPEC_MOST_TREES];
  trial->window = WINDOW;
  trial->whole_region = WHOLE_REGION;
  begin(trial, count, &mpispec_trial_runs);
  memset(alike, -1, sizeof alike);
  for (int i = 0; i < draws_for(count); ++i) {
    mpispec_lock();
    const int draw = choose_draw(trial, i * DRAWS_TO_CHOOSE_FROM, orders, alike);
    mpispec_unlock();
    mine = try_once(trial, draw, mine);
  }
  mine = agree(trial, mine);
  end(trial);
  mpispec_exceptions_restore(&exceptions);
  return mine;
}

uint32_t mpispec_trial_confirm(struct mpispec_trial *trial, int64_t count, uint32_t orders) {
  const struct mpispec_exceptions exceptions = mpispec_exceptions_hold();
  uint32_t mine = orders & candidates(trial->collective, trial->question->operation);
  trial->window = SMALL_WINDOW;
  trial->whole_region = SMALL_WHOLE_REGION;
  begin(trial, count, &mpispec_trial_confirmations);
  for (int64_t elements = 0, draw = 0; elements < ENOUGH; elements += trial->total)
    mine = try_once(trial, (int)draw++, mine);
  mine = agree(trial, mine);
  end(trial);
  mpispec_exceptions_restore(&exceptions);
  return mine;
}
