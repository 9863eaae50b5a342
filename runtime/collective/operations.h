/* The operations themselves, on bytes and elements: interposition/collective*.c turns a program's
 * arguments into these. Ranks are members of the node (struct mpispec_collective), buffers hold
 * data without gaps; in reductions `in` may be `out`. All are called with the lock held. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_OPERATIONS_H
#define MPISPEC_RUNTIME_COLLECTIVE_OPERATIONS_H

#include "collective/collective.h"
#include "collective/reduction.h"

void mpispec_collective_barrier(struct mpispec_collective *collective);

/* Returns how many bytes the root has sent: another number than `length` if the program erred. */
int64_t mpispec_collective_bcast(struct mpispec_collective *collective, void *buffer,
                                 int64_t length, int root);

void mpispec_collective_allreduce(struct mpispec_collective *collective,
                                  const struct mpispec_reduction *reduction, const void *in,
                                  void *out, int64_t count);

/* `out` matters at the root only. */
void mpispec_collective_reduce(struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction, const void *in, void *out,
                               int64_t count, int root);

#endif
