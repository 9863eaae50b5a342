/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the results of trials that all members of a communicator have kept (known_orders.h). The
 * search is a part of the agreement on a slot (slots.h), and takes no message of its own. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_KNOWLEDGE_H
#define MPISPEC_RUNTIME_COLLECTIVE_KNOWLEDGE_H

#include "collective/collective.h"
#include "collective/known_orders.h"

/* Combined bit by bit with AND. A digest and its complement both keep all their bits exactly if all
 * members have the same digest. */
struct mpispec_knowledge_digests {
  uint64_t table, no_table; /* number of the library's table (library_orders.h), and complement */
  uint64_t digest[MPISPEC_KNOWN_BUCKETS], complement[MPISPEC_KNOWN_BUCKETS];
};

struct mpispec_knowledge {
  int size; /* the communicator's; 0 if results for it are not kept */
  uint64_t hints;
  struct mpispec_known_class *classes; /* a copy, as it was when it was proposed */
};

/* Called without the lock. */
struct mpispec_knowledge mpispec_knowledge_open(const struct mpispec_communicator *communicator);

/* Writes this rank's digests. May be called again for a further proposal. Called with the lock
 * held. */
void mpispec_knowledge_propose(struct mpispec_knowledge *knowledge,
                               struct mpispec_knowledge_digests *mine);

/* Combines one member's digests with `all`. */
void mpispec_knowledge_combine(struct mpispec_knowledge_digests *all,
                               const struct mpispec_knowledge_digests *one);

/* Passes the results that all members have to the communicator. */
void mpispec_knowledge_take(struct mpispec_knowledge *knowledge,
                            struct mpispec_collective *collective,
                            const struct mpispec_knowledge_digests *mine,
                            const struct mpispec_knowledge_digests *all);

void mpispec_knowledge_close(struct mpispec_knowledge *knowledge);

#endif
