/* What a reduction works on: the arguments of a call, checked. */
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
  int64_t count; /* elements of the result */
};

/* Fills in operands; 0 if something is not as it should be, or too much. `wants` says that this
 * rank gets a result, of up to `count` elements. */
int mpispec_operands_read(struct mpispec_operands *operands,
                          const struct mpispec_collective *collective, const void *send,
                          void *receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                          int wants);

/* Hands the call to the library: the operands are no more. */
void mpispec_operands_leave(struct mpispec_operands *operands,
                            struct mpispec_collective *collective);

/* Finds the order in which the operands are combined. Returns 0 if that is not known: then the call
 * is the library's, and the operands are no more. */
static inline int mpispec_operands_order(struct mpispec_operands *operands,
                                         struct mpispec_collective *collective,
                                         const struct mpispec_question *question) {
  if (mpispec_order_find(collective, question, &operands->reduction))
    return 1;
  mpispec_operands_leave(operands, collective);
  return 0;
}

/* The signature of a call with such operands; without a root, that is 0. */
static inline uint64_t mpispec_operands_signature(const struct mpispec_operands *operands, int kind,
                                                  int root) {
  const struct mpispec_reduction *reduction = &operands->reduction;
  const uint64_t bytes = (uint64_t)(operands->count * reduction->extent);
  return mpispec_signature(kind, reduction->arithmetic | (mpispec_signature_length(bytes) ^
                                                          mpispec_signature_root(root)));
}

static inline int64_t mpispec_operands_bytes(const struct mpispec_operands *operands) {
  return operands->count * operands->reduction.extent;
}

/* Puts an end to a call without a result. */
void mpispec_operands_drop(struct mpispec_operands *operands);

/* The result is there. */
void mpispec_operands_finish(struct mpispec_operands *operands);

#endif
