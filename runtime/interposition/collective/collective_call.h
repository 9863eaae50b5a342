/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The common part of the collective functions: the choice between runtime and library.
 *
 * The runtime carries out a call only if its communicator has a slot (collective/slots.c) and its
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

/* The arguments of a collective function that determine whether the MPI library refuses the call on
 * this rank. It refuses a root out of range, a negative count, a null datatype and a null
 * operation. `root` is 0 in functions without a root, and `op` is MPI_SUM in functions without an
 * operation. */
struct mpispec_refusable {
  int root;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Op op;
};

/* Called in a communicator's first collective operation. Returns the communicator's state for such
 * operations, or null if the library executes them or refuses the call. Waits for all members
 * unless the arguments show that the library refuses it. Called with the lock held. Releases the
 * lock if the result is null. */
__attribute__((cold)) struct mpispec_collective *
mpispec_collective_open_first(struct mpispec_communicator *communicator,
                              struct mpispec_refusable arguments);

/* Makes progress in every 16th call, and once in each step whose number is a multiple of
 * mpispec_step_visits. Otherwise operations that never wait would keep this rank from all other
 * progress. Templates do not execute the steps with these numbers, so that their calls reach this
 * function (mpispec/step.h). Calls that move no bytes stay in their step. */
static inline void mpispec_collective_make_progress(struct mpispec_collective *collective) {
  static unsigned passes;
  const uint64_t step = collective->steps.step;
  if (++passes % 16 && (step % mpispec_step_visits || step == collective->visited_step))
    return;
  collective->visited_step = step;
  mpispec_progress_opportunistic();
}

/* Returns the state of a communicator's collective operations, with the lock held. If the MPI
 * library executes these operations, returns null, without the lock. Every collective function
 * calls this function before any test whose result may differ among the ranks, because the first
 * call waits for all members. Only one such test comes before this wait:
 * mpispec_collective_open_first tests whether the library refuses the call. `caller` is the return
 * address of the program's call. A rewritten call has also stored its place in the source
 * ("file:line") in mpispec_state.place. */
static inline __attribute__((always_inline)) struct mpispec_collective *
mpispec_collective_enter(MPI_Comm communicator, const void *caller,
                         struct mpispec_refusable arguments) {
  mpispec_lock();
  const char *place = mpispec_state.place;
  if (place)
    mpispec_state.place = NULL;
  struct mpispec_communicator *known = mpispec_communicator_find(communicator);
  struct mpispec_collective *collective = known ? known->collective : NULL;
  if (__builtin_expect(collective != NULL, 1))
    mpispec_collective_make_progress(collective);
  else if (known && !known->collective_known)
    collective = mpispec_collective_open_first(known, arguments);
  else
    mpispec_unlock();
  if (collective) {
    collective->call.caller = caller;
    collective->call.place = place;
  }
  return collective;
}

/* Returned by functions that leave a call to the library. The program's buffers are unchanged. */
enum { MPISPEC_NOT_OURS = -1 };

/* All members agree whether the runtime or the MPI library executes an operation that has begun.
 * If no rank of the job queries its buffers, the runtime executes it without an agreement.
 * Otherwise the library executes it if any member has a nonzero `has_device_memory`, or if the
 * members are on several nodes. Returns MPI_SUCCESS, an error, or MPISPEC_NOT_OURS. */
__attribute__((cold)) int mpispec_collective_vote(struct mpispec_collective *collective,
                                                  int has_device_memory);
static inline int mpispec_collective_is_ours(struct mpispec_collective *collective,
                                             int has_device_memory) {
  return __builtin_expect(mpispec_node.queries_memory, 0)
             ? mpispec_collective_vote(collective, has_device_memory)
             : MPI_SUCCESS;
}

/* Ends a collective function. Calls the error handler of the communicator if there is an error.
 * Called without the lock. */
static inline int mpispec_collective_return(MPI_Comm communicator, int error) {
  return error && error != MPISPEC_NOT_OURS ? mpispec_raise(communicator, error) : error;
}

#define MPISPEC_CALLER __builtin_return_address(0)

static inline int mpispec_is_rank(const struct mpispec_collective *collective, int rank) {
  return rank >= 0 && rank < collective->size;
}

/* Nonzero if the runtime may execute an operation that has a portion of the data for each rank. On
 * one node, a chunk must have at least 64 bytes for each rank. The result is the same on all ranks.
 * If the counts are not `equal`, a rank cannot compute the total number of bytes. Then the
 * communicator must have a slot with large chunks (collective/slot.h). Over several nodes, the
 * counts must be equal, because leaders need the total number of bytes. */
static inline int mpispec_collective_has_portions(const struct mpispec_collective *collective,
                                                  int equal) {
  if (collective->nodes)
    return equal;
  return collective->chunk_bytes >= INT64_C(64) * collective->size &&
         (equal || collective->most_bytes == INT64_MAX);
}

/* Nonzero if one portion of `length` bytes for each rank has at most `most` bytes in all. This
 * multiplies, because a division takes longer than the rest of a call that moves no bytes. */
static inline int mpispec_collective_accepts(const struct mpispec_collective *collective,
                                             int64_t length, int64_t most) {
  int64_t total;
  return !__builtin_mul_overflow(length, collective->size, &total) && total <= most;
}

/* Ends a function: returns the result of TRY. If TRY has left the call to the library, evaluates
 * and returns CALL instead, a call of the library's function. */
#define MPISPEC_OR_LIBRARY(TRY, CALL)                                                              \
  do {                                                                                             \
    const int own_error = TRY;                                                                     \
    if (own_error != MPISPEC_NOT_OURS)                                                             \
      return own_error;                                                                            \
    return MPISPEC_IN_LIBRARY(CALL);                                                               \
  } while (0)

#endif
