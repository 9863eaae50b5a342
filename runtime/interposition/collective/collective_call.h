/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The common part of the collective functions: the choice between runtime and library.
 *
 * The runtime carries out a call if its communicator has a slot (collective/slots.c) and its
 * arguments look valid. The MPI library carries out all other calls, while the helper makes
 * progress (helper.h). */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_COLLECTIVE_CALL_H
#define MPISPEC_RUNTIME_INTERPOSITION_COLLECTIVE_CALL_H

#include "collective/operations.h"
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "p2p/completion.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/progress.h"

/* Settles a communicator's first collective operation. The lock is held on entry, and on return if
 * that is not null. */
struct mpispec_collective *mpispec_collective_settle(struct mpispec_communicator *communicator);

/* Operations that never wait must not keep this rank from all else for ever. Templates leave out
 * the first steps of this kind so that the call comes here (mpispec/step.h). */
static inline void mpispec_collective_pass(const struct mpispec_collective *collective) {
  static unsigned passes;
  if (++passes % 16 == 0 || collective->steps.step % mpispec_step_visits == 0)
    mpispec_progress_opportunistic();
}

/* The state of a communicator's collective operations, with the lock held; or null without. All
 * ranks come here in every collective function, before anything that may differ among them.
 * `caller` is what the program's call returns to; a rewritten one has also left its place. */
static inline struct mpispec_collective *mpispec_collective_enter(MPI_Comm communicator,
                                                                  const void *caller) {
  mpispec_lock();
  const char *place = mpispec_state.place;
  if (place)
    mpispec_state.place = NULL;
  struct mpispec_communicator *known = mpispec_communicator_find(communicator);
  struct mpispec_collective *collective = known ? known->collective : NULL;
  if (__builtin_expect(collective != NULL, 1))
    mpispec_collective_pass(collective);
  else if (known && !known->collective_known)
    collective = mpispec_collective_settle(known);
  else
    mpispec_unlock();
  if (collective) {
    collective->call.caller = caller;
    collective->call.place = place;
  }
  return collective;
}

/* Returned by functions that leave a call to the library, having changed nothing. */
enum { MPISPEC_NOT_OURS = -1 };

/* The members decide who carries out an operation that has begun. The MPI library does if a member
 * has a buffer that may be an accelerator's (`has_device_memory`). Without a rank that asks about
 * buffers, there is nothing to decide. Returns MPI_SUCCESS, an error, or MPISPEC_NOT_OURS. */
__attribute__((cold)) int mpispec_collective_vote(struct mpispec_collective *collective,
                                                  int has_device_memory);
static inline int mpispec_collective_is_ours(struct mpispec_collective *collective,
                                             int has_device_memory) {
  return __builtin_expect(mpispec_node.queries_memory, 0)
             ? mpispec_collective_vote(collective, has_device_memory)
             : MPI_SUCCESS;
}

/* The end of a collective function, without the lock: its error is told on the communicator. */
static inline int mpispec_collective_return(MPI_Comm communicator, int error) {
  return error && error != MPISPEC_NOT_OURS ? mpispec_raise(communicator, error) : error;
}

#define MPISPEC_CALLER __builtin_return_address(0)

static inline int mpispec_is_rank(const struct mpispec_collective *collective, int rank) {
  return rank >= 0 && rank < collective->size;
}

/* May operations with portions for all ranks be ours? The same answer on all ranks. Without `equal`
 * counts nobody knows how many bytes there are: small chunks might be far too small, and leaders
 * have to know. */
static inline int mpispec_collective_has_portions(const struct mpispec_collective *collective,
                                                  int equal) {
  if (collective->nodes)
    return equal;
  return collective->chunk_bytes / collective->size >= 64 &&
         (equal || collective->most_bytes == INT64_MAX);
}

/* Ends a function: the result of TRY, or the call as if we were not there. */
#define MPISPEC_OR_LIBRARY(TRY, CALL)                                                              \
  do {                                                                                             \
    const int own_error = TRY;                                                                     \
    if (own_error != MPISPEC_NOT_OURS)                                                             \
      return own_error;                                                                            \
    return MPISPEC_IN_LIBRARY(CALL);                                                               \
  } while (0)

#endif
