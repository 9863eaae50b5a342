/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Short portions over several nodes (leaders.h). Each pair of nodes exchanges one message instead
 * of one for each pair of ranks. Leaders do not execute long operations, because a leader copies
 * all data of its node. They do not execute Gatherv, Scatterv and Alltoallv either, because in
 * these operations a rank has only some of the lengths. */
#include "collective/leaders/leaders.h"
#include "collective/long_parts.h"
#include "job/memory.h"

#include <stdlib.h>

static unsigned char *room_for(int64_t bytes) {
  return mpispec_check_allocation(malloc((size_t)bytes + 1));
}

/* Copies the portion of a rank, of which `most` bytes are at `from`. */
static void fill_portion(const struct mpispec_portions *portions, int rank,
                         const unsigned char *from, int64_t most) {
  const int64_t length = mpispec_portion_length(portions, rank);
  memcpy(mpispec_portion_at(portions, rank), from, (size_t)mpispec_smaller(length, most));
}

/* --- Gather and Scatter ------------------------------------------------------------------------*/

/* Passes the portions of all ranks, by place, each of `length` bytes, from the leader of the root's
 * node to the root. */
static void hand_to_root(struct mpispec_collective *collective, const unsigned char *parts,
                         int64_t length, const struct mpispec_portions *portions, int root) {
  const int64_t bytes = collective->size * length;
  const unsigned char *shown = parts;
  if (collective->member_of[root] > 0 && parts) {
    memcpy(mpispec_step_put(collective, bytes), parts, (size_t)bytes);
    mpispec_step_show(collective, bytes);
  }
  if (root == collective->rank) {
    if (!parts)
      shown = mpispec_step_get(collective, 0, bytes);
    for (int rank = 0; rank < collective->size; ++rank)
      fill_portion(portions, rank, shown + collective->nodes->place_of[rank] * length, length);
  }
  if (collective->member_of[root] > 0)
    mpispec_step_end(collective, bytes);
}

int mpispec_leaders_gather(struct mpispec_collective *collective, const void *own, int64_t sent,
                           const struct mpispec_portions *portions, int root) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const int64_t length = root == collective->rank ? mpispec_smaller(sent, portions->length) : sent;
  unsigned char *here, *parts = mpispec_leaders_room(collective, length, &here);
  mpispec_leaders_collect(collective, own ? own : mpispec_portion_at(portions, root), here, length);
  if (mpispec_leaders_talk(collective)) {
    int *lengths = mpispec_check_allocation(malloc(2 * (size_t)nodes->count * sizeof(int)));
    const int is_root = nodes->self == nodes->node_of[root];
    MPI_Request request;
    mpispec_leaders_measure(nodes, length, lengths, lengths + nodes->count);
    PMPI_Igatherv(is_root ? MPI_IN_PLACE : here, lengths[nodes->self], MPI_BYTE, parts, lengths,
                  lengths + nodes->count, MPI_BYTE, nodes->node_of[root], nodes->leaders, &request);
    mpispec_leaders_wait(collective, &request);
    mpispec_leaders_free(collective, lengths);
  }
  if (nodes->self == nodes->node_of[root])
    hand_to_root(collective, parts, length, portions, root);
  mpispec_leaders_free(collective, parts);
  return sent == length;
}

/* Passes all portions, by place, from the root to `parts` on the leader of its node. */
static void take_from_root(struct mpispec_collective *collective, unsigned char *parts,
                           const struct mpispec_portions *portions, int64_t length, int root) {
  const int64_t bytes = collective->size * length;
  if (root == collective->rank) {
    unsigned char *shown = parts ? parts : mpispec_step_put(collective, bytes);
    for (int rank = 0; rank < collective->size; ++rank)
      memcpy(shown + collective->nodes->place_of[rank] * length, mpispec_portion_at(portions, rank),
             (size_t)length);
    if (!parts)
      mpispec_step_show(collective, bytes);
  } else if (parts) {
    memcpy(parts, mpispec_step_get(collective, collective->member_of[root], bytes), (size_t)bytes);
  }
  if (collective->member_of[root] > 0)
    mpispec_step_end(collective, bytes);
}

int mpispec_leaders_scatter(struct mpispec_collective *collective,
                            const struct mpispec_portions *portions, void *own, int64_t room,
                            int64_t length, int root) {
  const struct mpispec_nodes *nodes = collective->nodes;
  unsigned char *here, *parts = mpispec_leaders_room(collective, length, &here);
  if (nodes->self == nodes->node_of[root])
    take_from_root(collective, parts, portions, length, root);
  if (mpispec_leaders_talk(collective)) {
    int *lengths = mpispec_check_allocation(malloc(2 * (size_t)nodes->count * sizeof(int)));
    const int is_root = nodes->self == nodes->node_of[root];
    MPI_Request request;
    mpispec_leaders_measure(nodes, length, lengths, lengths + nodes->count);
    PMPI_Iscatterv(parts, lengths, lengths + nodes->count, MPI_BYTE, is_root ? MPI_IN_PLACE : here,
                   lengths[nodes->self], MPI_BYTE, nodes->node_of[root], nodes->leaders, &request);
    mpispec_leaders_wait(collective, &request);
    mpispec_leaders_free(collective, lengths);
  }
  const struct mpispec_portions members = {.base = here, .length = length};
  mpispec_collective_scatter(collective, &members, own, room, 0, 0);
  mpispec_leaders_free(collective, parts);
  return !own || length <= room;
}

/* --- Allgather ---------------------------------------------------------------------------------*/

/* Fills in the offset of each portion, by place. Returns the sum of their lengths. */
static int64_t lay_out(const struct mpispec_collective *collective,
                       const struct mpispec_portions *portions, int64_t *places) {
  int64_t end = 0;
  for (int place = 0; place < collective->size; ++place) {
    places[place] = end;
    end += mpispec_portion_length(portions, collective->nodes->rank_at[place]);
  }
  return end;
}

/* Copies the members' portions to `parts` on the leader, each to its place. */
static void collect_portions(struct mpispec_collective *collective, const void *own, int64_t length,
                             unsigned char *parts, const int64_t *places,
                             const struct mpispec_portions *portions) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const int first = nodes->first[nodes->self];
  if (!parts) {
    mpispec_step_copy(mpispec_step_put(collective, length), own, length);
    mpispec_step_show(collective, length);
  }
  for (int i = 0; parts && i < collective->steps.members; ++i) {
    const int64_t most = mpispec_portion_length(portions, nodes->rank_at[first + i]);
    const int64_t sent = i ? mpispec_shown_length(mpispec_step_await(collective, i)) : length;
    const void *from = i ? mpispec_step_get(collective, i, sent) : own;
    memcpy(parts + places[first + i], from, (size_t)mpispec_smaller(sent, most));
  }
  mpispec_step_end(collective, MPISPEC_NODES_BYTES);
}

static void exchange_portions(struct mpispec_collective *collective, unsigned char *parts,
                              const int64_t *places, int64_t bytes) {
  const struct mpispec_nodes *nodes = collective->nodes;
  int *lengths = mpispec_check_allocation(malloc(2 * (size_t)nodes->count * sizeof(int)));
  int *offsets = lengths + nodes->count;
  MPI_Request request;
  for (int i = 0; i < nodes->count; ++i) {
    const int64_t end = i + 1 < nodes->count ? places[nodes->first[i + 1]] : bytes;
    offsets[i] = (int)places[nodes->first[i]];
    lengths[i] = (int)end - offsets[i];
  }
  PMPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, parts, lengths, offsets, MPI_BYTE, nodes->leaders,
                   &request);
  mpispec_leaders_wait(collective, &request);
  mpispec_leaders_free(collective, lengths);
}

int mpispec_leaders_allgather(struct mpispec_collective *collective, const void *own, int64_t sent,
                              const struct mpispec_portions *portions) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const int64_t length = mpispec_smaller(sent, mpispec_portion_length(portions, collective->rank));
  int64_t *places = mpispec_check_allocation(malloc((size_t)collective->size * sizeof *places));
  const int64_t bytes = lay_out(collective, portions, places);
  const int leads = mpispec_leaders_lead(collective);
  unsigned char *parts = leads ? room_for(bytes) : NULL;
  collect_portions(collective, own ? own : mpispec_portion_at(portions, collective->rank), length,
                   parts, places, portions);
  const unsigned char *shown = parts;
  if (mpispec_leaders_talk(collective))
    exchange_portions(collective, parts, places, bytes);
  if (leads) {
    memcpy(mpispec_step_put(collective, bytes), parts, (size_t)bytes);
    mpispec_step_show(collective, bytes);
  } else {
    shown = mpispec_step_get(collective, 0, bytes);
  }
  for (int rank = 0; rank < collective->size; ++rank)
    fill_portion(portions, rank, shown + places[nodes->place_of[rank]],
                 mpispec_portion_length(portions, rank));
  mpispec_step_end(collective, bytes);
  mpispec_leaders_free(collective, parts);
  free(places);
  return sent == length;
}

/* --- Alltoall ----------------------------------------------------------------------------------*/

/* Copies all portions of all members, `length` bytes of each, to `parts` on the leader. `parts` has
 * a region for each node. The region contains the portions for that node's ranks, member after
 * member. */
static void collect_rows(struct mpispec_collective *collective, const struct mpispec_portions *send,
                         int64_t length, unsigned char *parts) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const int64_t bytes = collective->size * length;
  const int members = collective->steps.members;
  unsigned char *shown = mpispec_step_put(collective, bytes);
  for (int rank = 0; rank < collective->size; ++rank)
    memcpy(shown + nodes->place_of[rank] * length, mpispec_portion_at(send, rank), (size_t)length);
  if (!parts)
    mpispec_step_show(collective, bytes);
  for (int i = 0; parts && i < members; ++i) {
    const unsigned char *row = i ? mpispec_step_get(collective, i, bytes) : shown;
    for (int node = 0; node < nodes->count; ++node)
      memcpy(parts + (nodes->first[node] * members + i * nodes->members[node]) * length,
             row + nodes->first[node] * length, (size_t)(nodes->members[node] * length));
  }
  mpispec_step_end(collective, bytes);
}

static void exchange_rows(struct mpispec_collective *collective, const unsigned char *sent,
                          unsigned char *received, int64_t length) {
  const struct mpispec_nodes *nodes = collective->nodes;
  int *lengths = mpispec_check_allocation(malloc(2 * (size_t)nodes->count * sizeof(int)));
  int *offsets = lengths + nodes->count;
  MPI_Request request;
  mpispec_leaders_measure(nodes, collective->steps.members * length, lengths, offsets);
  PMPI_Ialltoallv(sent, lengths, offsets, MPI_BYTE, received, lengths, offsets, MPI_BYTE,
                  nodes->leaders, &request);
  mpispec_leaders_wait(collective, &request);
  mpispec_leaders_free(collective, lengths);
}

int mpispec_leaders_alltoall(struct mpispec_collective *collective,
                             const struct mpispec_portions *send,
                             const struct mpispec_portions *receive) {
  const int members = collective->steps.members;
  const int64_t length = mpispec_smaller(send->length, receive->length),
                bytes = collective->size * members * length;
  unsigned char *sent = mpispec_leaders_lead(collective) ? room_for(bytes) : NULL;
  collect_rows(collective, send, length, sent);
  const unsigned char *received;
  if (sent) {
    unsigned char *shown = mpispec_step_put(collective, bytes);
    if (mpispec_leaders_talk(collective))
      exchange_rows(collective, sent, shown, length);
    mpispec_step_show(collective, bytes);
    received = shown;
  } else {
    received = mpispec_step_get(collective, 0, bytes);
  }
  /* Each rank's portions for the members of this node, by its place. */
  for (int rank = 0; rank < collective->size; ++rank)
    fill_portion(receive, rank,
                 received + (collective->nodes->place_of[rank] * members + collective->steps.self) *
                                length,
                 length);
  mpispec_step_end(collective, bytes);
  mpispec_leaders_free(collective, sent);
  return send->length <= receive->length;
}
