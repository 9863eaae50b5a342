/* Exchanges: a send and a receive of one call, whose arguments are decoded and valid. MPI_Sendrecv
 * and, through the state, templates call them (mpispec/contract.h). No lock is held. */
#ifndef MPISPEC_RUNTIME_EXCHANGE_H
#define MPISPEC_RUNTIME_EXCHANGE_H

#include "abi/mpi.h"
#include "mpispec/contract.h"

enum mpispec_exchanged {
  MPISPEC_NOT_EXCHANGED,  /* nothing has changed */
  MPISPEC_HALF_EXCHANGED, /* the send has begun, and the receive is left */
  MPISPEC_EXCHANGED
};

/* Sends, and receives a message that has come. `*sending` is the request of a send that has begun.
 * Where both buffers are one, the send begins only if that buffer is free again at once. */
enum mpispec_exchanged mpispec_exchange_start(const struct mpispec_exchange *exchange,
                                              MPI_Request *sending);

/* The same for templates. Returns 0 when the call is over. Else 1, with mpispec_state.half_done set
 * if the send has begun: the ordinary call then only receives. */
int mpispec_exchange_now(const struct mpispec_exchange *exchange);

/* In the ordinary call: returns nonzero if a template has begun its send, whose request becomes
 * `*sending`. */
int mpispec_exchange_was_begun(MPI_Request *sending);

#endif
