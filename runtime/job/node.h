/* The node: which ranks are on this one, and whether all of the job take part.
 *
 * mpispec_node_announce   before PMPI_Init: tells the neighbours that this rank would take part
 * mpispec_node_find       after PMPI_Init: is everybody willing, and who is here?
 * mpispec_node_agree      whether what was tried since has worked on all ranks
 * mpispec_node_leave      before PMPI_Finalize, or when it has not
 *
 * A rank that does not announce itself (MPISPEC_MODE=off, or a program without the runtime) makes
 * everyone step aside without a message: nobody waits for it. */
#ifndef MPISPEC_RUNTIME_NODE_H
#define MPISPEC_RUNTIME_NODE_H

#include "abi/mpi.h"
#include "job/environment.h"

struct mpispec_node {
  int rank, size; /* among the ranks of this node; no size: no lanes */
  int world_rank, world_size;
  int *world_ranks; /* [size] of node ranks */
};

extern struct mpispec_node mpispec_node __attribute__((visibility("hidden")));

/* Says that this rank is willing. A no-op without a launcher that names the ranks. */
void mpispec_node_announce(void);

/* What mpispec_node_find says of a job in which each rank is a world of its own. */
extern const char mpispec_node_alone[] __attribute__((visibility("hidden")));

/* Collective over the willing. Returns null and fills in all of mpispec_node and `members`, the
 * communicator of the ranks here, if all are willing; else why not. */
const char *mpispec_node_find(const struct mpispec_environment *environment, MPI_Comm *members);

/* Every rank hands in its trouble, or null. Returns null if none has any and all were told the same
 * settings; else why not, as this rank knows it. Frees `members`. */
const char *mpispec_node_agree(const char *trouble, const struct mpispec_environment *environment,
                               MPI_Comm *members);

void mpispec_node_leave(void);

#endif
