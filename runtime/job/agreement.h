/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Agreements among ranks through the MPI library. A rank that waits in them yields its processor
 * between two polls, and sleeps if it waits for long. A blocking function of MPICH may spin
 * instead. If ranks are oversubscribed, a rank that spins keeps the awaited ranks from running.
 * Therefore an agreement waits in the library only if the library yields (library_polls.h). All
 * members make the same call. */
#ifndef MPISPEC_RUNTIME_AGREEMENT_H
#define MPISPEC_RUNTIME_AGREEMENT_H

#include "abi/mpi.h"

int mpispec_agreement_allreduce(const void *mine, void *result, int count, MPI_Datatype datatype,
                                MPI_Op operation, MPI_Comm members);

/* If not null, called now and then during a long wait (p2p/room.h). */
extern void (*mpispec_agreement_while_waiting)(void);

/* `bytes` is the length of each member's data. */
int mpispec_agreement_allgather(const void *mine, int bytes, void *all, MPI_Comm members);

/* Receives one number from `source` with this tag. */
int mpispec_agreement_receive(int *number, int source, int tag, MPI_Comm communicator);

#endif
