/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test.h - MPI_Test
 *
 * Completes one request if its operation is complete, and returns a flag (MPI-4.0, section 3.7.3).
 *
 *   Test [a posted receive whose lane is empty] -> the flag 0; progress, if other work is due
 *   Test [the request is null, or complete: a receive that the runtime can complete at once, or a
 *         send that was complete when it was made] -> the request is null, the flag 1
 *   Test [otherwise] -> the ordinary call
 *
 * Most calls in a polling loop find nothing. One function in each unit has the code for this case,
 * for simple receives while no other work is due. All else is done by a function of the runtime,
 * whose address is in the state. */
#ifndef MPISPEC_TEST_H
#define MPISPEC_TEST_H

#include "call.h"
#include "receive.h"

/* The compiler inlines this function in a unit that calls it once. */
static __attribute__((__unused__, __no_instrument_function__)) int
mpispec_test_handle(mpispec_handle *handle, int *flag, struct mpispec_status *status) {
  if (!mpispec_call_may_use_lanes())
    return 0;
  if (mpispec_receive_is_waiting(*handle)) {
    if ((int)--mpispec_state.empty_poll_budget >= 0) { /* a subtraction and a jump */
      *flag = 0;
      return 1;
    }
    mpispec_state.empty_poll_budget = 0;
  }
  return mpispec_state.test(handle, flag, status);
}

/* `known` is a constant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Test(void *request, void *flag, void *status, enum mpispec_status_known known) {
  return request && flag && mpispec_status_fits(status, known) &&
         mpispec_test_handle((mpispec_handle *)request, (int *)flag,
                             mpispec_status_used(status, known));
}

#endif
