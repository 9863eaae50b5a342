/* Communicators whose members sit on several nodes. The lowest rank of each node is its leader: the
 * members of a node show their parts to it, leaders talk through the MPI library, on a communicator
 * of their own, and the leader shows the result.
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
 * Of short reductions leaders exchange the parts of all ranks and combine them in the order of
 * ranks: which rank sits on which node makes no difference. Long ones go this way only if the bits
 * do not depend on how parts are grouped; what else there is goes to the MPI library, and so does
 * data of which a leader would copy more than it saves messages. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_LEADERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_LEADERS_H

#include "collective/operations.h"

/* Parts of all ranks lie node by node, those of a node in the order of ranks: so a part has a
 * place. */
struct mpispec_nodes {
  MPI_Comm leaders;                    /* MPI_COMM_NULL if this rank is none */
  int count, self;                     /* nodes, and which is ours: ranks among the leaders */
  int *node_of;                        /* [size] of a rank */
  int *place_of;                       /* [size] of a rank */
  int *rank_at;                        /* [size] of a place */
  int *members;                        /* [count] how many members each node has */
  int *first;                          /* [count] the place of each node's first */
  int in_order;                        /* each rank is its own place */
  struct mpispec_leaders_watch *watch; /* of a leader (leaders_mismatch.h), else null */
};

/* What parts of all ranks take at most that leaders exchange: then one chunk shows them all. */
enum { MPISPEC_NODES_BYTES = MPISPEC_LARGE_CHUNK };

/* Collective, after the members agreed on a slot; made without the lock. Returns 0 where leaders
 * are of no use: no node has two members. */
int mpispec_leaders_open(const struct mpispec_communicator *communicator,
                         struct mpispec_collective *collective);
void mpispec_leaders_close(struct mpispec_collective *collective);

static inline int mpispec_leaders_lead(const struct mpispec_collective *collective) {
  return collective->steps.self == 0;
}

/* Does this rank talk to other leaders? Not if it has no say, or nothing to say because its own
 * node is in different operations. */
static inline int mpispec_leaders_talk(const struct mpispec_collective *collective) {
  return mpispec_leaders_lead(collective) && !collective->error;
}

/* Waits for an operation among leaders; what is under way elsewhere goes on. Where nodes turn out
 * to be in different operations it returns before that one ends, with collective->error set. */
void mpispec_leaders_wait(struct mpispec_collective *collective, MPI_Request *request);

/* Frees what such an operation has used, if it has ended. */
void mpispec_leaders_free(const struct mpispec_collective *collective, void *memory);

/* At the leader room for parts of `bytes` bytes of all ranks, by place, for the caller to free, and
 * in `*here` where this node's begin; null elsewhere. */
unsigned char *mpispec_leaders_room(const struct mpispec_collective *collective, int64_t bytes,
                                    unsigned char **here);

/* For operations among leaders: how long and where the parts of each node are. `lengths` and
 * `offsets` have room for all nodes. */
void mpispec_leaders_measure(const struct mpispec_nodes *nodes, int64_t bytes, int *lengths,
                             int *offsets);

/* The members' parts, each of `bytes` bytes, come to `parts` at the leader. One step. */
void mpispec_leaders_collect(struct mpispec_collective *collective, const void *own,
                             unsigned char *parts, int64_t bytes);

/* Among leaders: `parts` has those of this node at its first one's place; then those of all. */
void mpispec_leaders_exchange(struct mpispec_collective *collective, unsigned char *parts,
                              int64_t bytes);

/* --- the operations; the same answers on all ranks ---------------------------------------------*/

/* May this reduction go by leaders? And this scan? */
int mpispec_leaders_take(const struct mpispec_collective *collective,
                         const struct mpispec_reduction *reduction, int64_t count);
int mpispec_leaders_take_scan(const struct mpispec_collective *collective,
                              const struct mpispec_reduction *reduction, int64_t count);

/* As those of one node (operations.h), but that ranks are those of the communicator. */
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

/* All lengths are equal, but for Allgather; nobody is told of a length that was not expected. */
void mpispec_leaders_gather(struct mpispec_collective *collective, const void *own, int64_t length,
                            const struct mpispec_portions *portions, int root);
void mpispec_leaders_scatter(struct mpispec_collective *collective,
                             const struct mpispec_portions *portions, void *own, int64_t length,
                             int root);
void mpispec_leaders_allgather(struct mpispec_collective *collective, const void *own,
                               int64_t length, const struct mpispec_portions *portions);
void mpispec_leaders_alltoall(struct mpispec_collective *collective,
                              const struct mpispec_portions *send,
                              const struct mpispec_portions *receive);

#endif
