/* MPI_Allreduce and MPI_Reduce. */
#include "collective/nodes.h"
#include "interposition/collective.h"
#include "transfer.h"

#include <stdlib.h>

/* What a reduction works on. */
struct operands {
  const struct mpispec_reduction *reduction;
  const void *in;
  void *out; /* the program's, or `staging` if its elements have gaps, which are not ours */
  void *program_out;
  void *staging;
  int64_t count;
};

/* Fills in operands; 0 if something is not as it should be. `wants` says that this rank gets a
 * result. */
static int read_operands(struct operands *operands, const struct mpispec_collective *collective,
                         const void *send, void *receive, MPI_Count count, MPI_Datatype datatype,
                         MPI_Op op, int wants) {
  const struct mpispec_reduction *reduction = mpispec_reduction_find(op, datatype);
  int64_t bytes;
  if (!reduction || count < 0 || __builtin_mul_overflow(count, reduction->extent, &bytes) ||
      bytes > collective->most_bytes ||
      (collective->nodes && !mpispec_nodes_take(collective, reduction, count)))
    return 0;
  if (send == MPI_IN_PLACE && !wants)
    return 0;
  if (count && (!send || (wants && (!receive || receive == MPI_IN_PLACE || receive == send))))
    return 0;
  *operands = (struct operands){
      .reduction = reduction,
      .in = send == MPI_IN_PLACE ? receive : send,
      .out = wants ? receive : NULL,
      .program_out = receive,
      .count = count,
  };
  if (wants && count && reduction->size != reduction->extent)
    operands->out = operands->staging = mpispec_must_have(malloc((size_t)bytes));
  return 1;
}

static void finish(struct operands *operands) {
  if (!operands->staging)
    return;
  mpispec_reduction_copy(operands->reduction, operands->program_out, operands->staging,
                         operands->count);
  free(operands->staging);
}

/* These return 0 if the call is the library's, having changed nothing. */

static int allreduce(const void *send, void *receive, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm communicator) {
  struct operands operands;
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    return 0;
  const int is_ours = read_operands(&operands, collective, send, receive, count, datatype, op, 1);
  if (is_ours && count) {
    (collective->nodes ? mpispec_nodes_allreduce : mpispec_collective_allreduce)(
        collective, operands.reduction, operands.in, operands.out, count);
    finish(&operands);
  }
  mpispec_unlock();
  return is_ours;
}

static int reduce(const void *send, void *receive, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, int root, MPI_Comm communicator) {
  struct operands operands;
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    return 0;
  const int is_ours = mpispec_is_rank(collective, root) &&
                      read_operands(&operands, collective, send, receive, count, datatype, op,
                                    root == collective->rank);
  if (is_ours && count) {
    (collective->nodes ? mpispec_nodes_reduce : mpispec_collective_reduce)(
        collective, operands.reduction, operands.in, operands.out, count, root);
    finish(&operands);
  }
  mpispec_unlock();
  return is_ours;
}

#define ALLREDUCE(NAME, COUNT)                                                                     \
  int MPI_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype datatype, MPI_Op op,   \
                 MPI_Comm communicator) {                                                          \
    if (allreduce(send, receive, count, datatype, op, communicator))                               \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_IN_LIBRARY(mpispec_next.NAME(send, receive, count, datatype, op, communicator));       \
  }

#define REDUCE(NAME, COUNT)                                                                        \
  int MPI_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype datatype, MPI_Op op,   \
                 int root, MPI_Comm communicator) {                                                \
    if (reduce(send, receive, count, datatype, op, root, communicator))                            \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_IN_LIBRARY(mpispec_next.NAME(send, receive, count, datatype, op, root, communicator)); \
  }

ALLREDUCE(Allreduce, int)
ALLREDUCE(Allreduce_c, MPI_Count)
REDUCE(Reduce, int)
REDUCE(Reduce_c, MPI_Count)
