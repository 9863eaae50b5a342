/* A glance at the heads of lanes: what a receive with wildcards or a probe does first. It changes
 * nothing; where it is not sure, the queues of unexpected messages have to be asked. With the lock
 * held, or where there is none. */
#ifndef MPISPEC_RUNTIME_GLANCE_H
#define MPISPEC_RUNTIME_GLANCE_H

#include "comm/communicator.h"
#include "mpispec/contract.h"

#include <mpi.h>
#include <stdint.h>

/* What it shows, where that is not a peer whose next message fits. */
enum { MPISPEC_NOTHING_NEW = -1, MPISPEC_UNSURE = -2 };

/* A key, and the bits of it that count. */
struct mpispec_wanted {
  uint64_t key, mask;
};

static inline struct mpispec_wanted
mpispec_wanted_on(const struct mpispec_communicator *communicator, int tag) {
  if (tag == MPI_ANY_TAG)
    return (struct mpispec_wanted){communicator->route.key, ~(uint64_t)UINT32_MAX};
  return (struct mpispec_wanted){communicator->route.key | (unsigned)tag, ~UINT64_C(0)};
}

/* Both look for a message that is wanted at the head of the lane of `peer`; or, for
 * MPISPEC_ANY_PEER, of any that has ever carried one, beginning behind the lane where the last was
 * found. */

/* Receives it, if it is of one cell and there is room for it. Returns 0 if not. `status` is null if
 * it is not wanted. */
int mpispec_glance_receive(int peer, struct mpispec_wanted wanted, void *buffer, int64_t room,
                           struct mpispec_status *status);

/* Tells of it. Returns its peer, or one of the above. */
int mpispec_glance_probe(int peer, struct mpispec_wanted wanted, MPI_Status *status);

#endif
