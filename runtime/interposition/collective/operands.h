/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The operands of a reduction: the checked arguments of a call. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_OPERANDS_H
#define MPISPEC_RUNTIME_INTERPOSITION_OPERANDS_H

#include "collective/discovery.h"
#include "interposition/collective/collective_call.h"

struct mpispec_operands {
  struct mpispec_reduction reduction;
  const void *in;
  void *out; /* the program's buffer, or `staging` if elements have gaps */
  void *program_out;
  void *staging; /* or null; gaps in the program's buffer must not be written */
  /* Elements that a rank contributes. In mpispec_operands_finish, elements of its result. */
  int64_t count;
  int64_t bytes;         /* bytes that a rank contributes */
  int has_device_memory; /* a buffer may be in an accelerator's memory */
};

/* Fills in operands. Returns 0 if the arguments look invalid, the data are too long, or the runtime
 * cannot execute this reduction. `has_result` is nonzero if this rank gets a result, of up to
 * `count` elements. */
int mpispec_operands_read(struct mpispec_operands *operands,
                          const struct mpispec_collective *collective, const void *send,
                          void *receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                          int has_result);

/* Finds the order in which the library combines the operands. Returns MPI_SUCCESS, an error, or
 * MPISPEC_NOT_OURS if the order is not known. `counts` are those of MPI_Reduce_scatter and
 * MPI_Reduce_scatter_block. */
int mpispec_operands_order(struct mpispec_operands *operands, struct mpispec_collective *collective,
                           MPI_Comm communicator, enum mpispec_collective_kind kind, int root,
                           const int64_t *counts);

/* The signature (mpispec/signature.h) of a call with these operands. `root` is 0 in operations
 * without a root. */
static inline uint64_t mpispec_operands_signature(const struct mpispec_operands *operands,
                                                  enum mpispec_collective_kind kind, int root) {
  return mpispec_signature(kind, operands->reduction.arithmetic |
                                     (mpispec_signature_length((uint64_t)operands->bytes) ^
                                      mpispec_signature_root(root)));
}

/* Frees the staging memory of an operation whose result the runtime does not store. */
void mpispec_operands_drop(struct mpispec_operands *operands);

/* Begins the operation. Returns MPI_SUCCESS if the runtime must execute the operation. Otherwise
 * frees the staging memory. In this case the result is an error, or MPISPEC_NOT_OURS if the order
 * is not known or a buffer may be in an accelerator's memory. The search for the order may call the
 * library. Therefore a barrier in the search first tests that all ranks are in the same operation
 * (discovery.c). */
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
  const int most_parts = collective->size - (kind == mpispec_is_Exscan); /* in one result */
  if (__builtin_expect(most_parts < operands->reduction.ordered_from, 1))
    return MPI_SUCCESS;
  return mpispec_operands_order(operands, collective, communicator, kind, root, counts);
}

/* Called when the result is complete. Copies it from `staging` to the program's buffer. */
void mpispec_operands_finish(struct mpispec_operands *operands,
                             const struct mpispec_collective *collective);

#endif
