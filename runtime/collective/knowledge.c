/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Computes and compares the digests of knowledge.h. */
#include "collective/knowledge.h"

#include "collective/discovery.h"
#include "collective/library_orders.h"

/* The choice of a library with a table does not depend on hints (library_orders.h). Therefore hints
 * are read only if there is no table. MPICH copies all hints when they are read. A copy takes as
 * long as several short collective operations. */
static uint64_t read_hints(const struct mpispec_communicator *communicator) {
  return mpispec_library_orders_table() ? 0 : mpispec_known_orders_hints(communicator->handle);
}

/* Over several nodes, a library's choice depends on which rank is on which node. Members determine
 * the nodes only after they have a slot. Therefore nothing is kept for these communicators. */
struct mpispec_knowledge mpispec_knowledge_open(const struct mpispec_communicator *communicator) {
  if (communicator->spans_nodes || !mpispec_known_orders_are_kept())
    return (struct mpispec_knowledge){0, 0, NULL};
  return (struct mpispec_knowledge){communicator->size, read_hints(communicator), NULL};
}

void mpispec_knowledge_propose(struct mpispec_knowledge *knowledge,
                               struct mpispec_knowledge_digests *mine) {
  mpispec_knowledge_close(knowledge);
  if (knowledge->size)
    knowledge->classes = mpispec_known_orders_copy(knowledge->size, knowledge->hints);
  mine->table = knowledge->size ? mpispec_library_orders_table() : 0;
  mine->no_table = ~mine->table;
  mpispec_known_orders_digest(knowledge->classes, mine->digest);
  for (int i = 0; i < MPISPEC_KNOWN_BUCKETS; ++i)
    mine->complement[i] = ~mine->digest[i];
}

void mpispec_knowledge_combine(struct mpispec_knowledge_digests *all,
                               const struct mpispec_knowledge_digests *one) {
  all->table &= one->table;
  all->no_table &= one->no_table;
  for (int i = 0; i < MPISPEC_KNOWN_BUCKETS; ++i) {
    all->digest[i] &= one->digest[i];
    all->complement[i] &= one->complement[i];
  }
}

/* A bit for each bucket whose digest all members have. The result is the same on all members. */
static unsigned compare(const struct mpispec_knowledge_digests *mine,
                        const struct mpispec_knowledge_digests *all) {
  unsigned agreed = 0;
  for (int i = 0; i < MPISPEC_KNOWN_BUCKETS; ++i)
    if (all->digest[i] == mine->digest[i] && all->complement[i] == mine->complement[i])
      agreed |= 1U << i;
  return agreed;
}

void mpispec_knowledge_take(struct mpispec_knowledge *knowledge,
                            struct mpispec_collective *collective,
                            const struct mpispec_knowledge_digests *mine,
                            const struct mpispec_knowledge_digests *all) {
  if (!knowledge->size)
    return;
  mpispec_orders_agreed(collective, knowledge->hints,
                        mine->table && all->table == mine->table && all->no_table == mine->no_table,
                        mpispec_known_orders_filter(knowledge->classes, compare(mine, all)));
  knowledge->classes = NULL;
}

void mpispec_knowledge_close(struct mpispec_knowledge *knowledge) {
  mpispec_known_orders_free(knowledge->classes);
  knowledge->classes = NULL;
}
