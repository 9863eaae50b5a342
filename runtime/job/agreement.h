/* Agreements among ranks by way of the MPI library, between whose polls the core is free.
 *
 * A rank that waits in a blocking collective of MPICH spins. Where ranks outnumber cores it keeps
 * those from running that it waits for: sixty-four ranks on two cores took 12 s to agree at Init,
 * where plain MPI_Init takes 2.5 s. All members make the same call. */
#ifndef MPISPEC_RUNTIME_AGREEMENT_H
#define MPISPEC_RUNTIME_AGREEMENT_H

#include "abi/mpi.h"

int mpispec_agreement_allreduce(const void *mine, void *result, int count, MPI_Datatype datatype,
                                MPI_Op operation, MPI_Comm members);

/* `bytes` of each member. */
int mpispec_agreement_allgather(const void *mine, int bytes, void *all, MPI_Comm members);

/* One number from `source`, sent with this tag. */
int mpispec_agreement_receive(int *number, int source, int tag, MPI_Comm communicator);

#endif
