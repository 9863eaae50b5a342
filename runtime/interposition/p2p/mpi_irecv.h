#ifndef MPISPEC_RUNTIME_INTERPOSITION_MPI_IRECV_H
#define MPISPEC_RUNTIME_INTERPOSITION_MPI_IRECV_H

#include "interposition/arguments.h"
#include "p2p/receiver.h"
#include "p2p/request.h"

/* Starts a receive of ours: from a lane, from anywhere, or from another node behind a receive from
 * anywhere. Returns null if the call is the library's. */
struct mpispec_request *mpispec_receive_begin(const struct mpispec_call *call,
                                              enum mpispec_path path, enum mpispec_tried tried);

#endif
