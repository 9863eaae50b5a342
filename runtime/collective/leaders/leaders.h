/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Communicators with members on several nodes. The lowest rank of each node is its leader. The
 * members of a node show their parts to their leader. Leaders exchange parts through the MPI
 * library, on a communicator of their own. Each leader shows the result to its node.
 *
 *   node 0   rank 0   rank 2   rank 5          node 1   rank 1   rank 3   rank 4
 *              ^-- slots --+------+                       ^-- slots --+------+
 *              +------------------------ MPI -------------+
 *
 *   leaders.c             who leads; Barrier and Bcast
 *   leaders_reductions.c  Allreduce, Reduce, Reduce_scatter, Scan, Exscan
 *   leaders_portions.c    Gather, Scatter, Allgather[v], Alltoall of short portions
 *   leaders_mismatch.c    leaders that are in different operations
 *
 * In short reductions, leaders exchange the parts of all ranks and combine them in the reduction's
 * order (order.h), on whichever nodes the ranks are. Long reductions use leaders only if every
 * grouping of parts gives the same bits. The MPI library executes all other operations, and also
 * those in which a leader would copy much to save few messages. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_LEADERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_LEADERS_H

#include "collective/operations.h"

/* Parts of all ranks are stored node by node, and those of a node in the order of ranks. The index
 * of a rank's part is its place. */
struct mpispec_nodes {
  MPI_Comm leaders;                    /* MPI_COMM_NULL if this rank is not a leader */
  int count, self;                     /* nodes, and this node's number: its rank in `leaders` */
  int *node_of;                        /* [size] by rank */
  int *place_of;                       /* [size] by rank */
  int *rank_at;                        /* [size] by place */
  int *members;                        /* [count] members on each node */
  int *first;                          /* [count] lowest place of each node */
  int in_order;                        /* each rank equals its place */
  struct mpispec_leaders_watch *watch; /* on leaders (leaders_mismatch.h), else null */
};

/* The upper bound of all ranks' parts that leaders exchange, in bytes: one chunk can show them. */
enum { MPISPEC_NODES_BYTES = MPISPEC_LARGE_CHUNK };

/* Called after the members have agreed on a slot. Collective, without the lock. Returns 0 if no
 * node has two members, because leaders are useless then. */
int mpispec_leaders_open(const struct mpispec_communicator *communicator,
                         struct mpispec_collective *collective);
void mpispec_leaders_close(struct mpispec_collective *collective);

static inline int mpispec_leaders_lead(const struct mpispec_collective *collective) {
  return collective->steps.self == 0;
}

/* Whether this rank takes part in operations among leaders. A leader takes no part if members of
 * its own node are in different operations. */
static inline int mpispec_leaders_talk(const struct mpispec_collective *collective) {
  return mpispec_leaders_lead(collective) && !collective->error;
}

/* Waits for an operation among leaders, and makes progress meanwhile. If nodes are in different
 * operations, the function sets collective->error and returns before the operation ends. */
void mpispec_leaders_wait(struct mpispec_collective *collective, MPI_Request *request);

/* Frees memory of an operation, which may be one among leaders. After an error among leaders, the
 * memory is kept, because the MPI library may still access it. */
void mpispec_leaders_free(const struct mpispec_collective *collective, void *memory);

/* On leaders: allocates room for the parts of all ranks, by place, each of `bytes` bytes. Sets
 * `*here` to the first part of this node. The caller frees the room. On other ranks: null. */
unsigned char *mpispec_leaders_room(const struct mpispec_collective *collective, int64_t bytes,
                                    unsigned char **here);

/* Fills in the length and the offset of each node's parts in such room. Both arrays have an element
 * for each node. */
void mpispec_leaders_measure(const struct mpispec_nodes *nodes, int64_t bytes, int *lengths,
                             int *offsets);

/* Copies the parts of this node's members, each of `bytes` bytes, to `parts` on the leader. One
 * step. */
void mpispec_leaders_collect(struct mpispec_collective *collective, const void *own,
                             unsigned char *parts, int64_t bytes);

/* Among leaders: exchanges parts. `parts` contains this node's parts at their places before the
 * call, and the parts of all ranks afterwards. */
void mpispec_leaders_exchange(struct mpispec_collective *collective, unsigned char *parts,
                              int64_t bytes);

/* --- the operations; each function returns the same on all ranks -------------------------------*/

/* Whether leaders execute this reduction, and whether they execute this scan. */
int mpispec_leaders_take(const struct mpispec_collective *collective,
                         const struct mpispec_reduction *reduction, int64_t count);
int mpispec_leaders_take_scan(const struct mpispec_collective *collective,
                              const struct mpispec_reduction *reduction, int64_t count);

/* Like the operations of one node (operations.h), but ranks are those of the communicator. */
void mpispec_leaders_barrier(struct mpispec_collective *collective);
int64_t mpispec_leaders_bcast(struct mpispec_collective *collective, void *buffer, int64_t length,
                              int root);
void mpispec_leaders_allreduce(struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction, const void *in, void *out,
                               int64_t count);
void mpispec_leaders_reduce(struct mpispec_collective *collective,
                            const struct mpispec_reduction *reduction, const void *in, void *out,
                            int64_t count, int root);
void mpispec_leaders_reduce_scatter(struct mpispec_collective *collective,
                                    const struct mpispec_reduction *reduction, const void *in,
                                    void *out, const int64_t *counts);
void mpispec_leaders_scan(struct mpispec_collective *collective,
                          const struct mpispec_reduction *reduction, const void *in, void *out,
                          int64_t count);
void mpispec_leaders_exscan(struct mpispec_collective *collective,
                            const struct mpispec_reduction *reduction, const void *in, void *out,
                            int64_t count);

/* All lengths are equal, except in Allgather. The functions return 0 if the portion that this rank
 * sends itself is longer than the room that it has for that portion. None reports that the length
 * of another rank differs from the expected one. */
int mpispec_leaders_gather(struct mpispec_collective *collective, const void *own, int64_t sent,
                           const struct mpispec_portions *portions, int root);
/* `own` has room for `room` bytes of a portion of `length` bytes. */
int mpispec_leaders_scatter(struct mpispec_collective *collective,
                            const struct mpispec_portions *portions, void *own, int64_t room,
                            int64_t length, int root);
int mpispec_leaders_allgather(struct mpispec_collective *collective, const void *own, int64_t sent,
                              const struct mpispec_portions *portions);
int mpispec_leaders_alltoall(struct mpispec_collective *collective,
                             const struct mpispec_portions *send,
                             const struct mpispec_portions *receive);

#endif
