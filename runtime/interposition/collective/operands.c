/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks the arguments of reductions, and leaves gaps between elements unchanged. See
 * operands.h. */
#include "interposition/collective/operands.h"

#include "collective/leaders/leaders.h"
#include "job/memory.h"

#include <stdlib.h>

int mpispec_operands_read(struct mpispec_operands *operands,
                          const struct mpispec_collective *collective, const void *send,
                          void *receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                          int has_result) {
  struct mpispec_reduction *reduction = &operands->reduction;
  if (!mpispec_reduction_find(op, datatype, reduction) || count < 0 ||
      __builtin_mul_overflow(count, reduction->extent, &operands->bytes) ||
      operands->bytes > collective->most_bytes ||
      (collective->nodes && !mpispec_leaders_take(collective, reduction, count)))
    return 0;
  if (send == MPI_IN_PLACE && !has_result)
    return 0;
  if (count && (!send || (has_result && (!receive || receive == MPI_IN_PLACE || receive == send))))
    return 0;
  operands->in = send == MPI_IN_PLACE ? receive : send;
  operands->out = has_result ? receive : NULL;
  operands->program_out = receive;
  operands->staging = NULL;
  operands->count = count;
  operands->has_device_memory = mpispec_accelerator_is_queried && count &&
                                !(mpispec_accelerator_is_host(operands->in) &&
                                  (!operands->out || mpispec_accelerator_is_host(operands->out)));
  if (has_result && count && reduction->size != reduction->extent)
    operands->out = operands->staging = mpispec_check_allocation(malloc((size_t)operands->bytes));
  return 1;
}

void mpispec_operands_drop(struct mpispec_operands *operands) {
  free(operands->staging);
  operands->staging = NULL;
}

int mpispec_operands_order(struct mpispec_operands *operands, struct mpispec_collective *collective,
                           MPI_Comm communicator, enum mpispec_collective_kind kind, int root,
                           const int64_t *counts) {
  static const enum mpispec_reducing reducing[] = {
      [mpispec_is_Reduce] = MPISPEC_REDUCE,
      [mpispec_is_Allreduce] = MPISPEC_ALLREDUCE,
      [mpispec_is_Scan] = MPISPEC_SCAN,
      [mpispec_is_Exscan] = MPISPEC_EXSCAN,
      [mpispec_is_Reduce_scatter] = MPISPEC_REDUCE_SCATTER,
      [mpispec_is_Reduce_scatter_block] = MPISPEC_REDUCE_SCATTER_BLOCK,
  };
  const struct mpispec_question question = {
      .communicator = communicator,
      .operation = reducing[kind],
      .count = kind == mpispec_is_Reduce_scatter_block ? counts[0] : operands->count,
      .root = root,
      .counts = counts};
  if (mpispec_order_find(collective, &question, &operands->reduction))
    return MPI_SUCCESS;
  mpispec_operands_drop(operands);
  /* The barrier detects a member that has ended or is in another operation. The library would not
   * detect such a member. */
  mpispec_collective_barrier(collective);
  return collective->error ? collective->error : MPISPEC_NOT_OURS;
}

void mpispec_operands_finish(struct mpispec_operands *operands,
                             const struct mpispec_collective *collective) {
  if (!operands->staging)
    return;
  mpispec_reduction_copy(&operands->reduction, operands->program_out, operands->staging,
                         operands->count);
  mpispec_leaders_free(collective, operands->staging);
  operands->staging = NULL;
}
