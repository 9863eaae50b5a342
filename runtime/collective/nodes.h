/* Communicators whose members sit on several nodes. The lowest rank of each node is its leader: the
 * members of a node show their parts to it, leaders talk through the MPI library, on a communicator
 * of their own, and the leader shows the result.
 *
 *   node 0   rank 0   rank 2   rank 5          node 1   rank 1   rank 3   rank 4
 *              ^-- slots --+------+                       ^-- slots --+------+
 *              +------------------------ MPI -------------+
 *
 * Barrier, Bcast, Reduce and Allreduce go that way; the other operations are the MPI library's, and
 * so are long reductions whose bits depend on how parts are grouped. Of short ones leaders exchange
 * the parts of all ranks and combine them in the order of ranks: which rank sits on which node
 * makes no difference. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_NODES_H
#define MPISPEC_RUNTIME_COLLECTIVE_NODES_H

#include "collective/operations.h"

struct mpispec_nodes {
  MPI_Comm leaders; /* MPI_COMM_NULL if this rank is none */
  int count, self;  /* nodes, and which is ours: ranks among the leaders */
  int *node_of;     /* [size] of a rank */
  int *members;     /* [count] how many members each node has */
};

/* Collective, after the members agreed on a slot; made without the lock. */
void mpispec_nodes_open(const struct mpispec_communicator *communicator,
                        struct mpispec_collective *collective);
void mpispec_nodes_close(struct mpispec_collective *collective);

/* May this reduction go by leaders? The same answer on all ranks. */
int mpispec_nodes_take(const struct mpispec_collective *collective,
                       const struct mpispec_reduction *reduction, int64_t count);

/* As those of one node (operations.h), but that ranks are those of the communicator. */
void mpispec_nodes_barrier(struct mpispec_collective *collective);
int64_t mpispec_nodes_bcast(struct mpispec_collective *collective, void *buffer, int64_t length,
                            int root);
void mpispec_nodes_allreduce(struct mpispec_collective *collective,
                             const struct mpispec_reduction *reduction, const void *in, void *out,
                             int64_t count);
void mpispec_nodes_reduce(struct mpispec_collective *collective,
                          const struct mpispec_reduction *reduction, const void *in, void *out,
                          int64_t count, int root);

#endif
