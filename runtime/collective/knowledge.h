/* Agreement of a communicator's members on what all of them know of the MPI library's reductions
 * (known_orders.h). It is a part of the agreement on a slot, and takes no message of its own. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_KNOWLEDGE_H
#define MPISPEC_RUNTIME_COLLECTIVE_KNOWLEDGE_H

#include "collective/collective.h"
#include "collective/known_orders.h"

/* Combined with MPI_BAND: no bit of either is lost if all members have the same digest. */
struct mpispec_knowledge_digests {
  uint64_t table, no_table; /* of the library's orders (library_orders.h), and its complement */
  uint64_t digest[MPISPEC_KNOWN_BUCKETS], complement[MPISPEC_KNOWN_BUCKETS];
};

struct mpispec_knowledge {
  int size; /* of the communicator; 0: nothing is kept for it */
  uint64_t hints;
  struct mpispec_known_class *classes; /* as they were when they were proposed */
};

/* Called without the lock. */
struct mpispec_knowledge mpispec_knowledge_open(const struct mpispec_communicator *communicator);

/* Writes this rank's digests. May be called again for a further proposal. With the lock held. */
void mpispec_knowledge_propose(struct mpispec_knowledge *knowledge,
                               struct mpispec_knowledge_digests *mine);

/* Gives the communicator what all members know. */
void mpispec_knowledge_take(struct mpispec_knowledge *knowledge,
                            struct mpispec_collective *collective,
                            const struct mpispec_knowledge_digests *mine,
                            const struct mpispec_knowledge_digests *all);

void mpispec_knowledge_close(struct mpispec_knowledge *knowledge);

#endif
