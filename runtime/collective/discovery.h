/* Which order the MPI library combines in: found out by trying it, once for each class of
 * operations that the program makes often enough. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_DISCOVERY_H
#define MPISPEC_RUNTIME_COLLECTIVE_DISCOVERY_H

#include "collective/collective.h"
#include "collective/trees.h"

/* `in_rank_order`: all operations are combined in the order of ranks (MPISPEC_REDUCTIONS). */
void mpispec_orders_open(int in_rank_order);
extern int mpispec_orders_are_of_ranks;

/* A reduction as all ranks see it. */
struct mpispec_question {
  MPI_Comm communicator;
  enum mpispec_reducing operation;
  int64_t count;         /* that the program gave; of Reduce_scatter: all */
  int root;              /* or 0 */
  const int64_t *counts; /* [size] of Reduce_scatter and its kin, else null */
};

/* The same for what has no order of its own accord. */
int mpispec_order_learn(struct mpispec_collective *collective,
                        const struct mpispec_question *question,
                        struct mpispec_reduction *reduction);

/* Fills in the order of a reduction. Returns 0 if the operation is the library's; all ranks get the
 * same answer. The lock is held, and given up if the library is tried. */
static inline int mpispec_order_find(struct mpispec_collective *collective,
                                     const struct mpispec_question *question,
                                     struct mpispec_reduction *reduction) {
  reduction->order = NULL;
  reduction->total = question->operation == MPISPEC_REDUCE_SCATTER_BLOCK
                         ? question->count * collective->size
                         : question->count;
  if (__builtin_expect(reduction->is_exact || mpispec_orders_are_of_ranks || !question->count ||
                           collective->size < (reduction->is_exact_of_two ? 3 : 2),
                       1))
    return 1;
  return mpispec_order_learn(collective, question, reduction);
}

/* When the communicator is freed. */
void mpispec_orders_close(struct mpispec_collective *collective);

#endif
