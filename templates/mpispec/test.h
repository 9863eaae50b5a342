/* test.h - MPI_Test
 *
 * Completes one request if its operation is over, and says whether it is (MPI-4.0, section 3.7.3).
 *
 *   Test [the request is null, or was over when it was made] -> the request is null, the flag 1
 *   Test [a plain receive at whose lane nothing has come, and no other work is due] -> the flag 0
 *   Test [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   ignore   the status is MPI_STATUS_IGNORE
 *   generic  nothing
 */
#ifndef MPISPEC_TEST_H
#define MPISPEC_TEST_H

#include "call.h"
#include "receive.h"

/* The one body. `status` is null if it is not wanted. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Test(void *request, void *flag, struct mpispec_status *status) {
  return mpispec_call_has_lanes() && request && flag &&
         mpispec_state.test((int *)request, (int *)flag, status);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Test_ignore(void *request, void *flag, void *status) {
  return mpispec_status_is_ignored(status) && mpispec_Test(request, flag, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Test_generic(void *request, void *flag, void *status) {
  return status && mpispec_Test(request, flag, mpispec_status_wanted(status));
}

#endif
