/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the ranks of this node, and agrees with all ranks of the job whether lanes are used.
 *
 *   mpispec_announce        before PMPI_Init: announces this rank to the others (announcement.h)
 *   mpispec_node_find       after PMPI_Init: have all ranks announced themselves? Which are here?
 *   mpispec_node_agree      has every step since then succeeded on all ranks?
 *   mpispec_node_leave      during PMPI_Finalize (finalize in init.c), or if lanes are not used
 *
 * A rank that does not announce itself (MPISPEC_MODE=off, or a program without the runtime) makes
 * all ranks use the MPI library only. No rank sends it a message or waits for it. */
#ifndef MPISPEC_RUNTIME_NODE_H
#define MPISPEC_RUNTIME_NODE_H

#include "abi/mpi.h"
#include "job/environment.h"

struct mpispec_node {
  int rank, size; /* among the ranks of this node; size 0: no lanes */
  int world_rank, world_size;
  int *world_ranks;   /* [size] the rank in MPI_COMM_WORLD of each node rank */
  int queries_memory; /* some rank of the job queries where its buffers are (accelerator.h) */
};

extern struct mpispec_node mpispec_node __attribute__((visibility("hidden")));

/* The reason that mpispec_node_find returns if the launcher started several ranks but each is alone
 * in its MPI_COMM_WORLD. */
extern const char mpispec_node_alone[] __attribute__((visibility("hidden")));

/* The reason that it returns if a launcher's variables are set but there is no launcher. */
extern const char mpispec_node_unlaunched[] __attribute__((visibility("hidden")));

/* Collective over the ranks that have announced themselves. If all have, the function returns null
 * and fills in mpispec_node and `members`, the communicator of this node's ranks. Otherwise it
 * returns the reason. MPISPEC_EVERYWHERE counts as the announcement of all unseen ranks. */
const char *mpispec_node_find(const struct mpispec_environment *environment, MPI_Comm *members);

/* Each rank passes its own reason not to use lanes, or null. Returns null if no rank has a reason
 * and all have the same build, MPISPEC_MODE and MPISPEC_REDUCTIONS; else this rank's reason. If any
 * rank queries accelerators, two threads must be allowed in every rank's MPI library
 * (`library_is_threaded`). Sets `queries_memory`. Frees `members`. */
const char *mpispec_node_agree(const char *reason, const struct mpispec_environment *environment,
                               int library_is_threaded, MPI_Comm *members);

void mpispec_node_leave(void);

#endif
