/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions over several nodes (leaders.h).
 *
 *   short   leaders collect the parts of their nodes, exchange them, and combine those of all ranks
 *           in the reduction's order (order.h), by default the order of ranks
 *   long    each node combines its own parts, and leaders combine the results of the nodes. Only
 *           reductions in which any grouping gives the same bits (is_exact) have this form. A scan
 *           also requires that the ranks of each node are consecutive. */
#include "collective/leaders/leaders.h"
#include "collective/long_parts.h"
#include "collective/order.h"
#include "job/memory.h"

#include <stdlib.h>

static int is_short(const struct mpispec_collective *collective, int64_t bytes) {
  return bytes * collective->size <= MPISPEC_NODES_BYTES;
}

int mpispec_leaders_take(const struct mpispec_collective *collective,
                         const struct mpispec_reduction *reduction, int64_t count) {
  return reduction->is_exact || is_short(collective, count * reduction->extent);
}

int mpispec_leaders_take_scan(const struct mpispec_collective *collective,
                              const struct mpispec_reduction *reduction, int64_t count) {
  return is_short(collective, count * reduction->extent) ||
         (reduction->is_exact && collective->nodes->in_order);
}

/* The parts of all ranks, by place, at the leader; null elsewhere. */
static unsigned char *parts_of_all(struct mpispec_collective *collective, const void *in,
                                   int64_t bytes) {
  unsigned char *here, *parts = mpispec_leaders_room(collective, bytes, &here);
  mpispec_leaders_collect(collective, in, here, bytes);
  if (mpispec_leaders_talk(collective))
    mpispec_leaders_exchange(collective, parts, bytes);
  return parts;
}

/* Combines elements `at` to `at + count` of the parts of all ranks as `receiver` gets them. */
static void combine_in_order(const struct mpispec_collective *collective,
                             const struct mpispec_reduction *reduction, const unsigned char *parts,
                             void *out, int receiver, int64_t at, int64_t count) {
  struct mpispec_order *order = reduction->order;
  const int64_t bytes = reduction->total * reduction->extent;
  for (int rank = 0; rank < collective->size; ++rank)
    order->parts[rank] = parts + collective->nodes->place_of[rank] * bytes + at * reduction->extent;
  mpispec_order_combine(order, reduction, receiver, out, at, count, reduction->total);
}

/* --- Allreduce and Reduce ----------------------------------------------------------------------*/

static void reduce_short(struct mpispec_collective *collective,
                         const struct mpispec_reduction *reduction, const void *in, void *out,
                         int64_t count) {
  const int64_t bytes = count * reduction->extent;
  unsigned char *parts = parts_of_all(collective, in, bytes);
  const void *sum = NULL;
  if (parts && reduction->order) {
    combine_in_order(collective, reduction, parts, out, collective->rank, 0, count);
    mpispec_leaders_free(collective, parts);
    return;
  }
  for (int rank = 0; parts && rank < collective->size; ++rank) {
    const unsigned char *part = parts + collective->nodes->place_of[rank] * bytes;
    if (sum)
      mpispec_reduce(reduction, out, sum, part, count);
    sum = sum ? out : part;
  }
  mpispec_leaders_free(collective, parts);
}

enum { ALL_NODES = -1 };

/* The leader of node `root` gets the result, or each leader. */
static void reduce_long(struct mpispec_collective *collective,
                        const struct mpispec_reduction *reduction, const void *in, void *out,
                        int64_t count, int root) {
  const struct mpispec_nodes *nodes = collective->nodes;
  MPI_Request request;
  mpispec_collective_reduce(collective, reduction, in, out, count, 0);
  if (!mpispec_leaders_talk(collective))
    return;
  if (root == ALL_NODES)
    PMPI_Iallreduce_c(MPI_IN_PLACE, out, count, reduction->datatype, reduction->op, nodes->leaders,
                      &request);
  else
    PMPI_Ireduce_c(root == nodes->self ? MPI_IN_PLACE : out, out, count, reduction->datatype,
                   reduction->op, root, nodes->leaders, &request);
  mpispec_leaders_wait(collective, &request);
}

void mpispec_leaders_allreduce(struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction, const void *in, void *out,
                               int64_t count) {
  const int64_t bytes = count * reduction->extent;
  if (is_short(collective, bytes))
    reduce_short(collective, reduction, in, out, count);
  else
    reduce_long(collective, reduction, in, out, count, ALL_NODES);
  mpispec_collective_bcast(collective, out, bytes, 0);
}

/* On the root's node: the leader sends its `result` of `bytes` bytes to the root. */
static void hand_to_root(struct mpispec_collective *collective, unsigned char *result, void *out,
                         int64_t bytes, int root) {
  const size_t members = (size_t)collective->steps.members;
  int64_t *lengths = mpispec_check_allocation(calloc(members, sizeof(int64_t)));
  const struct mpispec_portions portions = {
      .base = result, .offsets = mpispec_no_offsets, .lengths = lengths};
  lengths[collective->member_of[root]] = bytes;
  mpispec_collective_scatter(collective, &portions, out, root == collective->rank ? bytes : 0, 0,
                             0);
  mpispec_leaders_free(collective, lengths);
}

void mpispec_leaders_reduce(struct mpispec_collective *collective,
                            const struct mpispec_reduction *reduction, const void *in, void *out,
                            int64_t count, int root) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const int64_t bytes = count * reduction->extent;
  const int has_room = root == collective->rank;
  void *result = has_room ? out : NULL;
  if (mpispec_leaders_lead(collective) && !has_room)
    result = mpispec_check_allocation(malloc((size_t)bytes));
  if (is_short(collective, bytes))
    reduce_short(collective, reduction, in, result, count);
  else
    reduce_long(collective, reduction, in, result, count, nodes->node_of[root]);
  if (nodes->self == nodes->node_of[root] && collective->member_of[root])
    hand_to_root(collective, result, out, bytes, root);
  if (!has_room)
    mpispec_leaders_free(collective, result);
}

/* --- Reduce_scatter ----------------------------------------------------------------------------*/

/* Fills in the offsets of the ranks' shares, in elements: `from` in the order of ranks, `to` in the
 * order of places. */
static void lay_out(const struct mpispec_collective *collective, const int64_t *counts,
                    int64_t *from, int64_t *to) {
  int64_t end = 0;
  for (int rank = 0; rank < collective->size; ++rank) {
    from[rank] = end;
    end += counts[rank];
  }
  end = 0;
  for (int place = 0; place < collective->size; ++place) {
    to[collective->nodes->rank_at[place]] = end;
    end += counts[collective->nodes->rank_at[place]];
  }
}

/* Called by leaders. Combines `sum`, the result of this node, with the results of the other nodes.
 * `shares` gets the shares of this node's ranks. */
static void combine_among_leaders(struct mpispec_collective *collective,
                                  const struct mpispec_reduction *reduction,
                                  const unsigned char *sum, unsigned char *shares,
                                  const int64_t *counts, const int64_t *from, const int64_t *to) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const int64_t extent = reduction->extent;
  const int last = nodes->rank_at[collective->size - 1];
  unsigned char *by_place =
      mpispec_check_allocation(malloc((size_t)((to[last] + counts[last]) * extent)));
  MPI_Count *of_nodes = mpispec_check_allocation(calloc((size_t)nodes->count, sizeof(MPI_Count)));
  MPI_Request request;
  for (int rank = 0; rank < collective->size; ++rank) {
    memcpy(by_place + to[rank] * extent, sum + from[rank] * extent,
           (size_t)(counts[rank] * extent));
    of_nodes[nodes->node_of[rank]] += counts[rank];
  }
  PMPI_Ireduce_scatter_c(by_place, shares, of_nodes, reduction->datatype, reduction->op,
                         nodes->leaders, &request);
  mpispec_leaders_wait(collective, &request);
  mpispec_leaders_free(collective, by_place);
  mpispec_leaders_free(collective, of_nodes);
}

/* Copies the leader's `shares` to the members. The first of them is at offset `begin` of all
 * shares. */
static void hand_back_shares(struct mpispec_collective *collective, unsigned char *shares,
                             int64_t extent, void *out, const int64_t *counts,
                             const int64_t *offsets, int64_t begin) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const int members = collective->steps.members;
  int64_t *lengths = mpispec_check_allocation(malloc(2 * (size_t)members * sizeof(int64_t)));
  int64_t *places = lengths + members;
  for (int i = 0; i < members; ++i) {
    const int rank = nodes->rank_at[nodes->first[nodes->self] + i];
    lengths[i] = counts[rank] * extent;
    places[i] = (offsets[rank] - begin) * extent;
  }
  const struct mpispec_portions portions = {.base = shares, .offsets = places, .lengths = lengths};
  mpispec_collective_scatter(collective, &portions, out, counts[collective->rank] * extent, 0, 0);
  mpispec_leaders_free(collective, lengths);
}

/* The leader combines the shares of its node's ranks, each in the order for that rank. */
static void reduce_shares(struct mpispec_collective *collective,
                          const struct mpispec_reduction *reduction, const void *in,
                          unsigned char *sum, const int64_t *counts, const int64_t *from) {
  const int64_t extent = reduction->extent;
  unsigned char *parts = parts_of_all(collective, in, reduction->total * extent);
  for (int rank = 0; parts && rank < collective->size; ++rank)
    if (collective->member_of[rank] >= 0)
      combine_in_order(collective, reduction, parts, sum + from[rank] * extent, rank, from[rank],
                       counts[rank]);
  mpispec_leaders_free(collective, parts);
}

void mpispec_leaders_reduce_scatter(struct mpispec_collective *collective,
                                    const struct mpispec_reduction *reduction, const void *in,
                                    void *out, const int64_t *counts) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const size_t size = (size_t)collective->size;
  int64_t *from = mpispec_check_allocation(malloc(2 * size * sizeof(int64_t))), *to = from + size;
  lay_out(collective, counts, from, to);
  const int64_t count = from[size - 1] + counts[size - 1];
  const int64_t bytes = count * reduction->extent;
  unsigned char *sum = NULL;
  if (mpispec_leaders_lead(collective))
    sum = mpispec_check_allocation(malloc((size_t)(2 * bytes)));
  if (is_short(collective, bytes)) {
    if (reduction->order)
      reduce_shares(collective, reduction, in, sum, counts, from);
    else
      reduce_short(collective, reduction, in, sum, count);
    hand_back_shares(collective, sum, reduction->extent, out, counts, from, 0);
  } else {
    mpispec_collective_reduce(collective, reduction, in, sum, count, 0);
    if (mpispec_leaders_talk(collective))
      combine_among_leaders(collective, reduction, sum, sum + bytes, counts, from, to);
    hand_back_shares(collective, sum ? sum + bytes : NULL, reduction->extent, out, counts, to,
                     to[nodes->rank_at[nodes->first[nodes->self]]]);
  }
  mpispec_leaders_free(collective, sum);
  free(from);
}

/* --- Scan and Exscan ---------------------------------------------------------------------------*/

/* Scatters the leader's `results`, `bytes` bytes for each member. A member without a result passes
 * null. */
static void hand_back_results(struct mpispec_collective *collective, unsigned char *results,
                              void *out, int64_t bytes) {
  const struct mpispec_portions portions = {.base = results, .length = bytes};
  mpispec_collective_scatter(collective, &portions, out, out ? bytes : 0, 0, 0);
}

/* Combines the result of each member of this node from the parts of all ranks. The result contains
 * all parts before the member's own, and with `with_own` also its own. Without it, rank 0's result
 * is undefined. */
static void combine_prefixes(const struct mpispec_collective *collective,
                             const struct mpispec_reduction *reduction, const unsigned char *parts,
                             unsigned char *results, int64_t count, int with_own) {
  const int64_t bytes = count * reduction->extent;
  unsigned char *sum = mpispec_check_allocation(malloc((size_t)bytes));
  for (int rank = 0; reduction->order && rank < collective->size; ++rank)
    if (collective->member_of[rank] >= 0 && (rank || with_own))
      combine_in_order(collective, reduction, parts, results + collective->member_of[rank] * bytes,
                       rank, 0, count);
  for (int rank = 0; !reduction->order && rank < collective->size; ++rank) {
    const unsigned char *part = parts + collective->nodes->place_of[rank] * bytes;
    const int member = collective->member_of[rank];
    if (member >= 0 && !with_own && rank)
      memcpy(results + member * bytes, sum, (size_t)bytes);
    if (rank)
      mpispec_reduce(reduction, sum, sum, part, count);
    else
      memcpy(sum, part, (size_t)bytes);
    if (member >= 0 && with_own)
      memcpy(results + member * bytes, sum, (size_t)bytes);
  }
  mpispec_leaders_free(collective, sum);
}

static void scan_short(struct mpispec_collective *collective,
                       const struct mpispec_reduction *reduction, const void *in, void *out,
                       int64_t count, int with_own) {
  const int64_t bytes = count * reduction->extent;
  unsigned char *parts = parts_of_all(collective, in, bytes), *results = NULL;
  if (parts) {
    results = mpispec_check_allocation(malloc((size_t)(bytes * collective->steps.members)));
    combine_prefixes(collective, reduction, parts, results, count, with_own);
  }
  hand_back_results(collective, results, collective->rank || with_own ? out : NULL, bytes);
  mpispec_leaders_free(collective, results);
  mpispec_leaders_free(collective, parts);
}

/* Combines the parts of all nodes before this one, for each member. The first node gets no
 * result. */
static void scan_nodes(struct mpispec_collective *collective,
                       const struct mpispec_reduction *reduction, const void *in, void *before,
                       int64_t count) {
  MPI_Request request;
  mpispec_collective_reduce(collective, reduction, in, before, count, 0);
  if (mpispec_leaders_talk(collective)) {
    PMPI_Iexscan_c(MPI_IN_PLACE, before, count, reduction->datatype, reduction->op,
                   collective->nodes->leaders, &request);
    mpispec_leaders_wait(collective, &request);
  }
  if (collective->nodes->self)
    mpispec_collective_bcast(collective, before, count * reduction->extent, 0);
}

static void scan_long(struct mpispec_collective *collective,
                      const struct mpispec_reduction *reduction, const void *in, void *out,
                      int64_t count, int with_own) {
  const size_t bytes = (size_t)(count * reduction->extent);
  void *before = mpispec_check_allocation(malloc(bytes));
  scan_nodes(collective, reduction, in, before, count);
  (with_own ? mpispec_collective_scan : mpispec_collective_exscan)(collective, reduction, in, out,
                                                                   count);
  if (collective->nodes->self) {
    if (collective->steps.self || with_own)
      mpispec_reduce(reduction, out, before, out, count);
    else
      memcpy(out, before, bytes);
  }
  mpispec_leaders_free(collective, before);
}

void mpispec_leaders_scan(struct mpispec_collective *collective,
                          const struct mpispec_reduction *reduction, const void *in, void *out,
                          int64_t count) {
  (is_short(collective, count * reduction->extent) ? scan_short : scan_long)(collective, reduction,
                                                                             in, out, count, 1);
}

void mpispec_leaders_exscan(struct mpispec_collective *collective,
                            const struct mpispec_reduction *reduction, const void *in, void *out,
                            int64_t count) {
  (is_short(collective, count * reduction->extent) ? scan_short : scan_long)(collective, reduction,
                                                                             in, out, count, 0);
}
