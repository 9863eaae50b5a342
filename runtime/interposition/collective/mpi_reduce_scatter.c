/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Reduce_scatter and MPI_Reduce_scatter_block. */
#include "abi/layout.h"
#include "collective/leaders/leaders.h"
#include "interposition/collective/operands.h"
#include "job/memory.h"
#include "profile/profile.h"
#include "progress/lock.h"

#include <limits.h>
#include <stdlib.h>

/* The counts of at most this number of ranks need no allocated memory. */
enum { FEW = 16 };

/* The number of elements that each rank gets. */
struct shares {
  MPI_Count count; /* for each rank, if both arrays are null */
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

static int carry_out(struct mpispec_collective *collective, struct mpispec_operands *operands,
                     MPI_Comm communicator, enum mpispec_collective_kind kind,
                     const int64_t *counts) {
  if (!operands->count)
    return collective->error;
  const int error = mpispec_operands_begin(operands, collective, communicator, kind, 0, counts);
  if (error)
    return error;
  (collective->nodes ? mpispec_leaders_reduce_scatter : mpispec_collective_reduce_scatter)(
      collective, &operands->reduction, operands->in, operands->out, counts);
  operands->count = counts[collective->rank];
  mpispec_operands_finish(operands, collective);
  return collective->error;
}

static int reduce_scatter(const void *send, void *receive, const struct shares *shares,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm communicator,
                          const void *caller) {
  struct mpispec_operands operands;
  char nothing;
  int64_t few[FEW];
  struct mpispec_collective *collective = mpispec_collective_enter(
      communicator, caller, (struct mpispec_refusable){0, 1, datatype, op});
  if (!collective)
    return MPISPEC_NOT_OURS;
  const int is_block = !shares->counts && !shares->large_counts;
  int64_t *counts = few;
  if (collective->size > FEW)
    counts = mpispec_check_allocation(malloc((size_t)collective->size * sizeof *counts));
  const int64_t total = add_up(shares, counts, collective->size);
  const int may_differ = !receive || (receive == send && !MPISPEC_BUFFERS_ARE_COMPARED);
  if (may_differ && send != MPI_IN_PLACE && total > 0 && !counts[collective->rank])
    receive = &nothing;
  /* Leaders pass the sum of each node's counts to PMPI_Ireduce_scatter_c. The sum must fit an int,
   * because lacking.c converts it to int if the MPI library lacks this function. */
  const int has_room =
      collective->nodes ? total <= INT_MAX : mpispec_collective_has_portions(collective, 1);
  int error = MPISPEC_NOT_OURS;
  if (has_room && total >= 0 &&
      mpispec_operands_read(&operands, collective, send, receive, total, datatype, op, 1))
    error =
        carry_out(collective, &operands, communicator,
                  is_block ? mpispec_is_Reduce_scatter_block : mpispec_is_Reduce_scatter, counts);
  if (counts != few)
    free(counts);
  mpispec_unlock();
  return mpispec_collective_return(communicator, error);
}

#define BLOCK(NAME, COUNT)                                                                         \
  int MPI_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype datatype, MPI_Op op,   \
                 MPI_Comm communicator) {                                                          \
    MPISPEC_PROFILED(NAME, send, receive, count, datatype, op, communicator);                      \
    const struct shares shares = {.count = count};                                                 \
    MPISPEC_OR_LIBRARY(                                                                            \
        reduce_scatter(send, receive, &shares, datatype, op, communicator, MPISPEC_CALLER),        \
        mpispec_next.NAME(send, receive, count, datatype, op, communicator));                      \
  }

#define EACH(NAME, COUNT, MEMBER)                                                                  \
  int MPI_##NAME(const void *send, void *receive, const COUNT counts[], MPI_Datatype datatype,     \
                 MPI_Op op, MPI_Comm communicator) {                                               \
    MPISPEC_PROFILED(NAME, send, receive, counts, datatype, op, communicator);                     \
    const struct shares shares = {.MEMBER = counts};                                               \
    MPISPEC_OR_LIBRARY(                                                                            \
        reduce_scatter(send, receive, &shares, datatype, op, communicator, MPISPEC_CALLER),        \
        mpispec_next.NAME(send, receive, counts, datatype, op, communicator));                     \
  }

BLOCK(Reduce_scatter_block, int)
BLOCK(Reduce_scatter_block_c, MPI_Count)
EACH(Reduce_scatter, int, counts)
EACH(Reduce_scatter_c, MPI_Count, large_counts)
