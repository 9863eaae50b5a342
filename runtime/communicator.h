/* Adopted communicators: those whose members all agreed that messages between members on one node
 * go through lanes. All others belong to the MPI library alone.
 *
 * The agreement is one small PMPI_Allreduce on the new communicator, right after it was made, and
 * only if its parent is adopted: so all that take part have the runtime. It yields the context id.
 */
#ifndef MPISPEC_RUNTIME_COMMUNICATOR_H
#define MPISPEC_RUNTIME_COMMUNICATOR_H

#include "mpispec/state.h"

#include <mpi.h>
#include <stdint.h>

struct mpispec_communicator {
  MPI_Comm handle;
  uint32_t context; /* of envelopes; 1 to 2^24 - 1 */
  int rank, size;
  int *peer_of;               /* [size] node rank of a member, or -1 if it is on another node */
  struct mpispec_route route; /* the same for templates */
  int remote;                 /* some members are on other nodes */
  int uses;                   /* requests under way, plus 1 until freed */
};

/* Adopts MPI_COMM_WORLD and MPI_COMM_SELF. Returns nonzero if there was memory on every rank. */
int mpispec_communicators_open(void);
void mpispec_communicators_close(void);

/* The one that was found last, until a handle comes or goes; null at first. */
extern struct mpispec_communicator *mpispec_communicator_last;

struct mpispec_communicator *mpispec_communicator_search(MPI_Comm handle);

/* The adopted communicator with this handle, or null. */
static inline struct mpispec_communicator *mpispec_communicator_find(MPI_Comm handle) {
  struct mpispec_communicator *last = mpispec_communicator_last;
  return last && last->handle == handle ? last : mpispec_communicator_search(handle);
}

/* After a constructor: adopts `made` if `parent` is adopted and all members agree. Collective over
 * `made`; does nothing for MPI_COMM_NULL and intercommunicators. */
void mpispec_communicator_adopt(MPI_Comm parent, MPI_Comm made);

static inline void mpispec_communicator_use(struct mpispec_communicator *communicator) {
  ++communicator->uses;
}
void mpispec_communicator_drop(struct mpispec_communicator *communicator);

#endif
