/* Leaders: nodes.h draws them. They use the nonblocking forms of the MPI library's operations, so
 * that what is under way in the lanes goes on while they wait. */
#include "collective/nodes.h"

#include "completion.h"
#include "patience.h"
#include "transfer.h"

#include <stdlib.h>

/* Up to here, all ranks' parts together travel between leaders. */
enum { GATHERED_BYTES = 64 * 1024 };

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

void mpispec_nodes_open(const struct mpispec_communicator *communicator,
                        struct mpispec_collective *collective) {
  const size_t size = (size_t)communicator->size;
  int *leader_of = mpispec_must_have(malloc(size * sizeof(int)));
  struct mpispec_nodes *nodes = mpispec_must_have(calloc(1, sizeof *nodes));
  nodes->node_of = mpispec_must_have(malloc(size * sizeof(int)));
  nodes->members = mpispec_must_have(calloc(size, sizeof(int)));
  const int leader = first_rank_here(collective);
  mpispec_patient_allgather(&leader, sizeof leader, leader_of, communicator->handle);
  number_nodes(nodes, leader_of, communicator->size);
  nodes->self = nodes->node_of[communicator->rank];
  free(leader_of);
  PMPI_Comm_split(communicator->handle, collective->steps.self == 0 ? 0 : MPI_UNDEFINED,
                  communicator->rank, &nodes->leaders);
  collective->nodes = nodes;
}

void mpispec_nodes_close(struct mpispec_collective *collective) {
  struct mpispec_nodes *nodes = collective->nodes;
  if (!nodes)
    return;
  if (nodes->leaders != MPI_COMM_NULL)
    PMPI_Comm_free(&nodes->leaders);
  free(nodes->node_of);
  free(nodes->members);
  free(nodes);
  collective->nodes = NULL;
}

static int leads(const struct mpispec_collective *collective) {
  return collective->steps.self == 0;
}

/* --- barrier and bcast -------------------------------------------------------------------------*/

static void among_leaders(MPI_Request *request) {
  mpispec_foreign_wait(request, MPI_STATUS_IGNORE);
}

void mpispec_nodes_barrier(struct mpispec_collective *collective) {
  MPI_Request request;
  mpispec_collective_barrier(collective);
  if (leads(collective)) {
    PMPI_Ibarrier(collective->nodes->leaders, &request);
    among_leaders(&request);
  }
  char nothing = 0;
  mpispec_collective_bcast(collective, &nothing, 1, 0);
}

int64_t mpispec_nodes_bcast(struct mpispec_collective *collective, void *buffer, int64_t length,
                            int root) {
  const struct mpispec_nodes *nodes = collective->nodes;
  MPI_Request request;
  int64_t sent = length;
  if (nodes->self == nodes->node_of[root])
    sent = mpispec_collective_bcast(collective, buffer, length, collective->member_of[root]);
  if (leads(collective)) {
    PMPI_Ibcast_c(buffer, length, MPI_BYTE, nodes->node_of[root], nodes->leaders, &request);
    among_leaders(&request);
  }
  if (nodes->self != nodes->node_of[root])
    sent = mpispec_collective_bcast(collective, buffer, length, 0);
  return sent;
}

/* --- reductions --------------------------------------------------------------------------------*/

static int is_gathered(const struct mpispec_collective *collective, int64_t bytes) {
  return bytes * collective->size <= GATHERED_BYTES;
}

int mpispec_nodes_take(const struct mpispec_collective *collective,
                       const struct mpispec_reduction *reduction, int64_t count) {
  return reduction->is_exact || is_gathered(collective, count * reduction->extent);
}

/* The parts of this node's members, one after the other, in the leader's `parts`. */
static void gather_here(struct mpispec_collective *collective, const void *in, unsigned char *parts,
                        int64_t bytes) {
  if (leads(collective)) {
    memcpy(parts, in, (size_t)bytes);
    for (int i = 1; i < collective->steps.members; ++i)
      memcpy(parts + i * bytes, mpispec_step_get(collective, i, bytes), (size_t)bytes);
  } else {
    memcpy(mpispec_step_put(collective, bytes), in, (size_t)bytes);
    mpispec_step_show(collective, bytes);
  }
  mpispec_step_end(collective, bytes);
}

/* Exchanges the parts of all nodes. `offsets[i]` becomes where those of node i begin. */
static void gather_everywhere(const struct mpispec_nodes *nodes, unsigned char *parts,
                              int64_t bytes, int *offsets) {
  int *lengths = mpispec_must_have(malloc((size_t)nodes->count * sizeof(int)));
  MPI_Request request;
  int end = 0;
  for (int i = 0; i < nodes->count; ++i) {
    offsets[i] = end;
    end += lengths[i] = nodes->members[i] * (int)bytes;
  }
  memmove(parts + offsets[nodes->self], parts, (size_t)lengths[nodes->self]);
  PMPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, parts, lengths, offsets, MPI_BYTE, nodes->leaders,
                   &request);
  among_leaders(&request);
  free(lengths);
}

/* In the order of ranks; those of a node follow each other in `parts`. */
static void combine_everything(const struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction,
                               const unsigned char *parts, int *offsets, void *out, int64_t count) {
  const int64_t bytes = count * reduction->extent;
  const void *sum = NULL;
  for (int rank = 0; rank < collective->size; ++rank) {
    int *offset = &offsets[collective->nodes->node_of[rank]];
    const unsigned char *part = parts + *offset;
    *offset += (int)bytes;
    if (sum)
      mpispec_reduce(reduction, out, sum, part, count);
    sum = sum ? out : part;
  }
}

static void reduce_gathered(struct mpispec_collective *collective,
                            const struct mpispec_reduction *reduction, const void *in, void *out,
                            int64_t count) {
  const int64_t bytes = count * reduction->extent;
  unsigned char *parts = NULL;
  if (leads(collective))
    parts = mpispec_must_have(malloc((size_t)(bytes * collective->size)));
  gather_here(collective, in, parts, bytes);
  if (!leads(collective))
    return;
  int *offsets = mpispec_must_have(malloc((size_t)collective->nodes->count * sizeof(int)));
  gather_everywhere(collective->nodes, parts, bytes, offsets);
  combine_everything(collective, reduction, parts, offsets, out, count);
  free(offsets);
  free(parts);
}

static void reduce_node_by_node(struct mpispec_collective *collective,
                                const struct mpispec_reduction *reduction, const void *in,
                                void *out, int64_t count) {
  MPI_Request request;
  mpispec_collective_reduce(collective, reduction, in, out, count, 0);
  if (!leads(collective))
    return;
  PMPI_Iallreduce_c(MPI_IN_PLACE, out, count, reduction->datatype, reduction->op,
                    collective->nodes->leaders, &request);
  among_leaders(&request);
}

void mpispec_nodes_allreduce(struct mpispec_collective *collective,
                             const struct mpispec_reduction *reduction, const void *in, void *out,
                             int64_t count) {
  const int64_t bytes = count * reduction->extent;
  (is_gathered(collective, bytes) ? reduce_gathered : reduce_node_by_node)(collective, reduction,
                                                                           in, out, count);
  mpispec_collective_bcast(collective, out, bytes, 0);
}

/* Only the root keeps the result. */
void mpispec_nodes_reduce(struct mpispec_collective *collective,
                          const struct mpispec_reduction *reduction, const void *in, void *out,
                          int64_t count, int root) {
  void *result = out;
  if (root != collective->rank)
    result = mpispec_must_have(malloc((size_t)(count * reduction->extent)));
  mpispec_nodes_allreduce(collective, reduction, in, result, count);
  if (root != collective->rank)
    free(result);
}
