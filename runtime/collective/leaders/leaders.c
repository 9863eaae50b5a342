/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Leaders, their Barrier and Bcast, and functions for all operations among leaders (leaders.h).
 * They use the nonblocking functions of the MPI library, and make progress in the lanes while they
 * wait. */
#include "collective/leaders/leaders.h"

#include "collective/leaders/leaders_mismatch.h"
#include "comm/communicator.h"
#include "job/agreement.h"
#include "job/memory.h"
#include "progress/progress.h"

#include <stdlib.h>

/* --- who leads ---------------------------------------------------------------------------------*/

static int first_rank_here(const struct mpispec_collective *collective) {
  int rank = 0;
  while (collective->member_of[rank] != 0)
    ++rank;
  return rank;
}

/* Nodes are numbered in the order of their leaders. */
static void number_nodes(struct mpispec_nodes *nodes, const int *leader_of, int size) {
  for (int rank = 0; rank < size; ++rank) {
    nodes->node_of[rank] =
        leader_of[rank] == rank ? nodes->count++ : nodes->node_of[leader_of[rank]];
    ++nodes->members[nodes->node_of[rank]];
  }
}

static void find_places(struct mpispec_nodes *nodes, int size) {
  int place = 0;
  nodes->in_order = 1;
  for (int node = 0; node < nodes->count; ++node) {
    nodes->first[node] = place;
    for (int rank = 0; rank < size; ++rank) {
      if (nodes->node_of[rank] != node)
        continue;
      nodes->in_order &= rank == place;
      nodes->rank_at[place] = rank;
      nodes->place_of[rank] = place++;
    }
  }
}

static struct mpispec_nodes *allocate(size_t size) {
  struct mpispec_nodes *nodes = mpispec_check_allocation(calloc(1, sizeof *nodes));
  int *numbers = mpispec_check_allocation(calloc(5 * size, sizeof(int)));
  nodes->node_of = numbers;
  nodes->place_of = numbers + size;
  nodes->rank_at = numbers + 2 * size;
  nodes->members = numbers + 3 * size;
  nodes->first = numbers + 4 * size;
  return nodes;
}

static void destroy(struct mpispec_nodes *nodes) {
  free(nodes->node_of); /* and all behind it */
  free(nodes);
}

int mpispec_leaders_open(const struct mpispec_communicator *communicator,
                         struct mpispec_collective *collective) {
  const size_t size = (size_t)communicator->size;
  int *leader_of = mpispec_check_allocation(malloc(size * sizeof(int)));
  struct mpispec_nodes *nodes = allocate(size);
  const int leader = first_rank_here(collective);
  const int error =
      mpispec_agreement_allgather(&leader, sizeof leader, leader_of, communicator->handle);
  if (!error) {
    number_nodes(nodes, leader_of, communicator->size);
    find_places(nodes, communicator->size);
    nodes->self = nodes->node_of[communicator->rank];
  }
  free(leader_of);
  if (error || nodes->count == communicator->size) {
    destroy(nodes);
    return 0;
  }
  collective->nodes = nodes;
  PMPI_Comm_split(communicator->handle, mpispec_leaders_lead(collective) ? 0 : MPI_UNDEFINED,
                  communicator->rank, &nodes->leaders);
  if (mpispec_leaders_lead(collective))
    nodes->watch = mpispec_leaders_watch_open(collective);
  return 1;
}

void mpispec_leaders_close(struct mpispec_collective *collective) {
  struct mpispec_nodes *nodes = collective->nodes;
  if (!nodes)
    return;
  /* If members were in different operations, the MPI library may still use this communicator. */
  if (nodes->watch && !collective->error) {
    mpispec_leaders_watch_close(nodes->watch);
    PMPI_Comm_free(&nodes->leaders);
  }
  destroy(nodes);
  collective->nodes = NULL;
}

/* Waits for an operation among leaders. Returns 0 if nodes are in different operations, so that it
 * would never end. */
static int wait_for(struct mpispec_collective *collective, MPI_Request *request) {
  int done = 0, error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
  double look = 0;
  for (unsigned round = 0; !done && !error; ++round) {
    mpispec_progress();
    mpispec_wait_backoff_awake(round); /* rounds are the time until logs are compared */
    error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (done || error || round % MPISPEC_LEADERS_ROUNDS)
      continue;
    const double now = PMPI_Wtime();
    if (look && now > look && mpispec_leaders_watch_poll(collective))
      return 0;
    if (!look || now > look)
      look = now + MPISPEC_LEADERS_LOG_INTERVAL * 1e-9;
  }
  return 1;
}

/* Compares the histories of all leaders. If nodes are in different operations, the MPI library may
 * still write into `common` later. */
static void compare_histories(struct mpispec_collective *collective) {
  const unsigned long long history = collective->steps.history;
  unsigned long long *common = mpispec_check_allocation(malloc(2 * sizeof *common));
  MPI_Request request = MPI_REQUEST_NULL;
  common[0] = history;
  common[1] = ~history;
  PMPI_Iallreduce(MPI_IN_PLACE, common, 2, MPI_UNSIGNED_LONG_LONG, MPI_BAND,
                  collective->nodes->leaders, &request);
  if (wait_for(collective, &request)) {
    if (common[0] == history && common[1] == ~history)
      mpispec_leaders_watch_compared(collective);
    else
      mpispec_leaders_watch_await_mismatch(collective);
  }
  mpispec_leaders_free(collective, common);
}

void mpispec_leaders_wait(struct mpispec_collective *collective, MPI_Request *request) {
  const int compares = mpispec_leaders_watch_begin(collective);
  if (wait_for(collective, request) && compares)
    compare_histories(collective);
}

void mpispec_leaders_free(const struct mpispec_collective *collective, void *memory) {
  if (!collective->nodes || !collective->error)
    free(memory);
}

/* --- barrier and bcast -------------------------------------------------------------------------*/

static void barrier_of_leaders(struct mpispec_collective *collective) {
  MPI_Request request;
  const int compares = mpispec_leaders_watch_begin(collective);
  if (!compares && mpispec_leaders_watch_has_compared(collective)) {
    PMPI_Ibarrier(collective->nodes->leaders, &request);
    wait_for(collective, &request);
  } else {
    compare_histories(collective);
  }
}

void mpispec_leaders_barrier(struct mpispec_collective *collective) {
  mpispec_collective_barrier(collective);
  if (mpispec_leaders_talk(collective))
    barrier_of_leaders(collective);
  char nothing = 0;
  mpispec_collective_bcast(collective, &nothing, 1, 0);
}

static void begin_bcast(struct mpispec_collective *collective, void *buffer, int64_t length,
                        int root, MPI_Request *request) {
  const struct mpispec_nodes *nodes = collective->nodes;
  if (mpispec_leaders_talk(collective))
    PMPI_Ibcast_c(buffer, length, MPI_BYTE, nodes->node_of[root], nodes->leaders, request);
}

/* A root that leads its node sends to the other nodes first. They need not wait for a rank of its
 * own node that is late. */
int64_t mpispec_leaders_bcast(struct mpispec_collective *collective, void *buffer, int64_t length,
                              int root) {
  const struct mpispec_nodes *nodes = collective->nodes;
  const int is_roots_node = nodes->self == nodes->node_of[root];
  const int root_leads = !collective->member_of[root]; /* -1 on other nodes */
  MPI_Request request = MPI_REQUEST_NULL;
  int64_t sent = length;
  if (root_leads)
    begin_bcast(collective, buffer, length, root, &request);
  if (is_roots_node)
    sent = mpispec_collective_bcast(collective, buffer, length, collective->member_of[root]);
  if (!root_leads)
    begin_bcast(collective, buffer, length, root, &request);
  if (request != MPI_REQUEST_NULL && !collective->error)
    mpispec_leaders_wait(collective, &request);
  if (!is_roots_node)
    sent = mpispec_collective_bcast(collective, buffer, length, 0);
  return sent;
}

/* --- parts of equal length ---------------------------------------------------------------------*/

unsigned char *mpispec_leaders_room(const struct mpispec_collective *collective, int64_t bytes,
                                    unsigned char **here) {
  const struct mpispec_nodes *nodes = collective->nodes;
  *here = NULL;
  if (!mpispec_leaders_lead(collective))
    return NULL;
  unsigned char *parts = mpispec_check_allocation(malloc((size_t)(bytes * collective->size) + 1));
  *here = parts + nodes->first[nodes->self] * bytes;
  return parts;
}

void mpispec_leaders_measure(const struct mpispec_nodes *nodes, int64_t bytes, int *lengths,
                             int *offsets) {
  for (int i = 0; i < nodes->count; ++i) {
    lengths[i] = nodes->members[i] * (int)bytes;
    offsets[i] = nodes->first[i] * (int)bytes;
  }
}

void mpispec_leaders_collect(struct mpispec_collective *collective, const void *own,
                             unsigned char *parts, int64_t bytes) {
  if (mpispec_leaders_lead(collective)) {
    memcpy(parts, own, (size_t)bytes);
    for (int i = 1; i < collective->steps.members; ++i)
      memcpy(parts + i * bytes, mpispec_step_get(collective, i, bytes), (size_t)bytes);
  } else {
    memcpy(mpispec_step_put(collective, bytes), own, (size_t)bytes);
    mpispec_step_show(collective, bytes);
  }
  mpispec_step_end(collective, bytes);
}

void mpispec_leaders_exchange(struct mpispec_collective *collective, unsigned char *parts,
                              int64_t bytes) {
  const struct mpispec_nodes *nodes = collective->nodes;
  int *lengths = mpispec_check_allocation(malloc(2 * (size_t)nodes->count * sizeof(int)));
  int *offsets = lengths + nodes->count;
  MPI_Request request;
  mpispec_leaders_measure(nodes, bytes, lengths, offsets);
  PMPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, parts, lengths, offsets, MPI_BYTE, nodes->leaders,
                   &request);
  mpispec_leaders_wait(collective, &request);
  mpispec_leaders_free(collective, lengths);
}
