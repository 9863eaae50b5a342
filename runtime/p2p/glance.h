/* A glance at the heads of lanes (mpispec/heads.h): what a receive with wildcards or a probe does
 * first. It changes nothing; where it is not sure, the queues of unexpected messages have to be
 * asked. With the lock held, or where there is none. */
#ifndef MPISPEC_RUNTIME_GLANCE_H
#define MPISPEC_RUNTIME_GLANCE_H

#include "abi/mpi.h"
#include "mpispec/heads.h"
#include "p2p/queues.h"

/* At the lanes of more peers than the state shows the heads of. Begins with another 64 of them each
 * time. */
int mpispec_glance_at_many(struct mpispec_wanted wanted, struct mpispec_reader **found);

/* Looks for a message that is wanted at the head of the lane of `peer`; or, for MPISPEC_ANY_PEER,
 * of any that has ever carried one. Returns its peer, with the lane's reading end in `*found`; or
 * mpispec_head_empty or _unsure. */
static inline __attribute__((always_inline)) int
mpispec_glance(int peer, struct mpispec_wanted wanted, struct mpispec_reader **found) {
  if (peer == MPISPEC_ANY_PEER)
    return mpispec_state.heads.open ? mpispec_heads_look(wanted, mpispec_to_see, found)
                                    : mpispec_glance_at_many(wanted, found);
  *found = mpispec_queues.readers[peer];
  if (mpispec_matching_awaits_any(&mpispec_queues) || (*found)->kept)
    return mpispec_head_unsure;
  const int seen = mpispec_head_look(*found, wanted, mpispec_to_see);
  return seen ? seen : peer;
}

/* Has nothing come to any lane? */
int mpispec_glance_shows_nothing(void);

/* Tells a probe of the message that was found. */
void mpispec_glance_tell(int peer, struct mpispec_wanted wanted, MPI_Status *status);

#endif
