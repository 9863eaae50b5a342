/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* step.h - one step of a collective operation, by templates
 *
 *   call_steps  [comm has slots, the step need not be an ordinary call] -> the steps of comm
 *   put_bytes   [this rank's cell is free again] -> the cell shows this rank's part
 *   await_all   -> waits until all other members show their cells
 *
 * A template may decline before it shows its part, because it has changed nothing. Afterwards it
 * must not decline, because other members may have read the part. Therefore it then waits in the
 * runtime, within the same step. Ordinary calls take the same steps, so that one member may be in a
 * template and another one in an ordinary call. */
#ifndef MPISPEC_STEP_H
#define MPISPEC_STEP_H

#include "call.h"
#include "steps.h"

/* Returns null if the call must not take the fast path. */
static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_steps *
mpispec_call_steps(unsigned long comm) {
  const struct mpispec_route *route = &mpispec_state.world;
  struct mpispec_steps *steps;
  if (!mpispec_state.fast_size)
    return 0;
  if (comm != mpispec_comm_world) {
    route = &mpispec_state.routes[mpispec_route_place(comm)];
    if (route->comm != comm)
      return 0;
  }
  steps = route->steps;
  return steps && steps->step % mpispec_step_visits ? steps : 0;
}

/* Declines at run time. Stores the place of the call for the ordinary call, which prints it if
 * ranks are in different operations. Returns 0. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_step_decline(const char *place) {
  if (mpispec_state.fast_size)
    mpispec_state.place = place;
  return 0;
}

/* The bytes that a rank shows if they fit a cell, else 0. `element` is a constant, -1 if
 * unknown. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_step_bytes(long long count, long long element) {
  if (element <= 0 ||
      (unsigned long long)count > mpispec_slot_payload / (unsigned long long)element)
    return 0;
  return (unsigned long long)(count * element);
}

/* Nonzero if all members have left the step that last used this rank's cell. May be 0 although they
 * have left it, because this function does not read their counts of completed steps anew. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_step_has_room(const struct mpispec_steps *steps) {
  return steps->step - steps->completed < mpispec_slot_cells;
}

/* `word` is the result of mpispec_steps_word for this operation. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_step_put_bytes(const struct mpispec_steps *steps, unsigned long long word,
                       const void *bytes, unsigned long long length, long long element) {
  struct mpispec_slot_cell *cell = mpispec_steps_cell(steps, steps->own);
  mpispec_copy(cell->payload, bytes, length, element);
  mpispec_slot_cell_show(cell, word, length);
}

/* Waits in the runtime, which polls as often as a template could. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int
mpispec_step_await_from(const struct mpispec_steps *steps, int member, unsigned long long word,
                        const char *place) {
  for (; member < steps->members; ++member) {
    const struct mpispec_slot_cell *cell = mpispec_steps_cell(steps, steps->slots[member]);
    if (member != steps->self && !mpispec_slot_cell_is_shown(cell, word) &&
        !mpispec_state.await(steps, cell, word, place))
      return 0;
  }
  return 1;
}

/* Waits for the cells of all other members. It is not inlined, and needs no frame unless it waits.
 * Returns 0 if a member is in another operation, or if its process has ended. Then the ordinary
 * call raises the error. For another operation, the error's text contains `place`. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int
mpispec_step_await_all(const struct mpispec_steps *steps, unsigned long long word,
                       const char *place) {
  int i;
  for (i = 0; i < steps->members; ++i)
    if (i != steps->self &&
        !mpispec_slot_cell_is_shown(mpispec_steps_cell(steps, steps->slots[i]), word))
      return mpispec_step_await_from(steps, i, word, place);
  return 1;
}

/* Ends an operation that has one step. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_step_done(struct mpispec_steps *steps, unsigned long long signature) {
  steps->history += signature;
  mpispec_steps_end(steps, 0);
}

/* Like mpispec_step_done, for a rank that has read the words of all members. They have left all
 * earlier steps. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_step_met_all(struct mpispec_steps *steps, unsigned long long signature) {
  steps->completed = steps->step;
  mpispec_step_done(steps, signature);
}

#endif
