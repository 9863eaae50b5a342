/* MPI_Reduce_scatter and MPI_Reduce_scatter_block. */
#include "collective/nodes.h"
#include "interposition/operands.h"
#include "transfer.h"

#include <stdlib.h>

/* How many elements each rank gets. */
struct shares {
  MPI_Count count; /* each, or: */
  const int *counts;
  const MPI_Count *large_counts;
};

static int64_t share_of(const struct shares *shares, int rank) {
  return shares->counts         ? shares->counts[rank]
         : shares->large_counts ? shares->large_counts[rank]
                                : shares->count;
}

/* Fills in `counts`. Returns the sum, or -1 if one is not valid. */
static int64_t add_up(const struct shares *shares, int64_t *counts, int ranks) {
  int64_t sum = 0;
  for (int i = 0; i < ranks; ++i) {
    counts[i] = share_of(shares, i);
    if (counts[i] < 0 || __builtin_add_overflow(sum, counts[i], &sum))
      return -1;
  }
  return sum;
}

/* Returns 0 if the call is the library's, having changed nothing. */
static int reduce_scatter(const void *send, void *receive, const struct shares *shares,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm communicator) {
  const int is_block = !shares->counts && !shares->large_counts;
  struct mpispec_operands operands;
  char nothing;
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    return 0;
  int64_t *counts = mpispec_must_have(malloc((size_t)collective->size * sizeof *counts));
  const int64_t total = add_up(shares, counts, collective->size);
  if (!receive && total > 0 && !counts[collective->rank])
    receive = &nothing;
  const struct mpispec_question question = {.communicator = communicator,
                                            .operation = is_block ? MPISPEC_REDUCE_SCATTER_BLOCK
                                                                  : MPISPEC_REDUCE_SCATTER,
                                            .count = is_block ? shares->count : total,
                                            .counts = counts};
  const int is_ours =
      (collective->nodes || mpispec_collective_has_blocks(collective, 1)) && total >= 0 &&
      mpispec_operands_read(&operands, collective, send, receive, total, datatype, op, 1) &&
      mpispec_operands_order(&operands, collective, &question);
  if (is_ours && total) {
    (collective->nodes ? mpispec_nodes_reduce_scatter : mpispec_collective_reduce_scatter)(
        collective, &operands.reduction, operands.in, operands.out, counts);
    operands.count = counts[collective->rank];
    mpispec_operands_finish(&operands);
  }
  free(counts);
  mpispec_unlock();
  return is_ours;
}

#define BLOCK(NAME, COUNT)                                                                         \
  int MPI_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype datatype, MPI_Op op,   \
                 MPI_Comm communicator) {                                                          \
    const struct shares shares = {.count = count};                                                 \
    if (reduce_scatter(send, receive, &shares, datatype, op, communicator))                        \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_IN_LIBRARY(mpispec_next.NAME(send, receive, count, datatype, op, communicator));       \
  }

#define EACH(NAME, COUNT, MEMBER)                                                                  \
  int MPI_##NAME(const void *send, void *receive, const COUNT counts[], MPI_Datatype datatype,     \
                 MPI_Op op, MPI_Comm communicator) {                                               \
    const struct shares shares = {.MEMBER = counts};                                               \
    if (reduce_scatter(send, receive, &shares, datatype, op, communicator))                        \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_IN_LIBRARY(mpispec_next.NAME(send, receive, counts, datatype, op, communicator));      \
  }

BLOCK(Reduce_scatter_block, int)
BLOCK(Reduce_scatter_block_c, MPI_Count)
EACH(Reduce_scatter, int, counts)
EACH(Reduce_scatter_c, MPI_Count, large_counts)
