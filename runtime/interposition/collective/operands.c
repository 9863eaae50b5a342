/* Checks the arguments of reductions, and keeps out of gaps between elements. */
#include "interposition/collective/operands.h"

#include "collective/leaders/leaders.h"
#include "job/memory.h"

#include <stdlib.h>

int mpispec_operands_read(struct mpispec_operands *operands,
                          const struct mpispec_collective *collective, const void *send,
                          void *receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                          int wants) {
  struct mpispec_reduction *reduction = &operands->reduction;
  int64_t bytes;
  if (!mpispec_reduction_find(op, datatype, reduction) || count < 0 ||
      __builtin_mul_overflow(count, reduction->extent, &bytes) || bytes > collective->most_bytes ||
      (collective->nodes && !mpispec_nodes_take(collective, reduction, count)))
    return 0;
  if (send == MPI_IN_PLACE && !wants)
    return 0;
  if (count && (!send || (wants && (!receive || receive == MPI_IN_PLACE || receive == send))))
    return 0;
  operands->in = send == MPI_IN_PLACE ? receive : send;
  operands->out = wants ? receive : NULL;
  operands->program_out = receive;
  operands->staging = NULL;
  operands->count = count;
  if (wants && count && reduction->size != reduction->extent)
    operands->out = operands->staging = mpispec_must_have(malloc((size_t)bytes));
  return 1;
}

void mpispec_operands_drop(struct mpispec_operands *operands) {
  free(operands->staging);
  operands->staging = NULL;
}

void mpispec_operands_leave(struct mpispec_operands *operands,
                            struct mpispec_collective *collective) {
  mpispec_operands_drop(operands);
  if (operands->count)
    mpispec_collective_barrier(collective); /* are all here? In the library nobody would know */
}

void mpispec_operands_finish(struct mpispec_operands *operands) {
  if (!operands->staging)
    return;
  mpispec_reduction_copy(&operands->reduction, operands->program_out, operands->staging,
                         operands->count);
  mpispec_operands_drop(operands);
}
