/* An exchange whose arguments are decoded, for templates through the state (mpispec/contract.h). */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_DECODED_H
#define MPISPEC_RUNTIME_INTERPOSITION_DECODED_H

#include "mpispec/contract.h"

/* Returns 0 when the call is over; else 1, having changed nothing, but that an exchange that has
 * only sent says so (mpispec_state.half_done). No lock is held. */
int mpispec_exchange_now(const struct mpispec_exchange *exchange);

#endif
