/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The operands of a reduction: the checked arguments of a call. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_OPERANDS_H
#define MPISPEC_RUNTIME_INTERPOSITION_OPERANDS_H

#include "collective/discovery.h"
#include "interposition/collective/collective_call.h"

struct mpispec_operands {
  struct mpispec_reduction reduction;
  const void *in;
  void *out; /* the program's, or `staging` if its elements have gaps, which are not ours */
  void *program_out;
  void *staging;
  int64_t count;         /* elements of the result, */
  int64_t bytes;         /* and what a rank gives */
  int has_device_memory; /* a buffer may be an accelerator's */
};

/* Fills in operands; 0 if something is not as it should be, or too much. `wants` says that this
 * rank gets a result, of up to `count` elements. */
int mpispec_operands_read(struct mpispec_operands *operands,
                          const struct mpispec_collective *collective, const void *send,
                          void *receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                          int wants);

/* The order in which the operands are combined, where that matters: MPI_SUCCESS, or an error, or
 * MPISPEC_NOT_OURS if it is not known. `counts` are those of Reduce_scatter and its kin. */
int mpispec_operands_order(struct mpispec_operands *operands, struct mpispec_collective *collective,
                           MPI_Comm communicator, enum mpispec_collective_kind kind, int root,
                           const int64_t *counts);

/* The signature of a call with such operands; without a root, that is 0. */
static inline uint64_t mpispec_operands_signature(const struct mpispec_operands *operands,
                                                  enum mpispec_collective_kind kind, int root) {
  return mpispec_signature(kind, operands->reduction.arithmetic |
                                     (mpispec_signature_length((uint64_t)operands->bytes) ^
                                      mpispec_signature_root(root)));
}

/* Puts an end to a call without a result. */
void mpispec_operands_drop(struct mpispec_operands *operands);

/* Begins the operation. Other than MPI_SUCCESS it is not to be carried out: an error, or
 * MPISPEC_NOT_OURS if nobody knows the order. That all are in the same operation is to be known
 * before the library is asked for its order, so that comes second. */
static inline int mpispec_operands_begin(struct mpispec_operands *operands,
                                         struct mpispec_collective *collective,
                                         MPI_Comm communicator, enum mpispec_collective_kind kind,
                                         int root, const int64_t *counts) {
  mpispec_collective_begin(collective, mpispec_operands_signature(operands, kind, root),
                           operands->bytes, kind == mpispec_is_Reduce ? root : -1);
  const int decision = mpispec_collective_is_ours(collective, operands->has_device_memory);
  if (decision) {
    mpispec_operands_drop(operands);
    return decision;
  }
  if (__builtin_expect(collective->size < operands->reduction.ordered_from, 1))
    return MPI_SUCCESS;
  return mpispec_operands_order(operands, collective, communicator, kind, root, counts);
}

/* The result is there. */
void mpispec_operands_finish(struct mpispec_operands *operands);

#endif
