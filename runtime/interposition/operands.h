/* What a reduction works on: the arguments of a call, checked. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_OPERANDS_H
#define MPISPEC_RUNTIME_INTERPOSITION_OPERANDS_H

#include "collective/discovery.h"
#include "interposition/collective.h"

#include <stdlib.h>

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

/* Finds the order in which the operands are combined. Returns 0 if that is not known: then the call
 * is the library's, and the operands are no more. */
static inline int mpispec_operands_order(struct mpispec_operands *operands,
                                         struct mpispec_collective *collective,
                                         const struct mpispec_question *question) {
  if (mpispec_order_find(collective, question, &operands->reduction))
    return 1;
  free(operands->staging);
  return 0;
}

/* The result is there. */
void mpispec_operands_finish(struct mpispec_operands *operands);

#endif
