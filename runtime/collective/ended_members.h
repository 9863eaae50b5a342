/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Members of a communicator whose process has ended (shm/liveness.h). The current collective
 * operation of the other members fails with MPI_ERR_PROC_ABORTED. All later ones on this
 * communicator fail, too. Called with the lock held. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_ENDED_MEMBERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_ENDED_MEMBERS_H

#include "shm/liveness.h"

struct mpispec_collective;

/* Sets the error, and shows it to members that do not wait for the ended one themselves. */
void mpispec_members_fail(struct mpispec_collective *collective);

/* Called in few rounds of a wait for a word in the slot of a member. Returns nonzero, with the
 * error set, if that member has ended. */
int mpispec_members_check(struct mpispec_collective *collective, const void *word,
                          struct mpispec_vigil *vigil);

/* Called when another member has found an error. Returns nonzero, with the error set, if any member
 * has ended. */
int mpispec_members_have_ended(struct mpispec_collective *collective);

#endif
