/* Leaving the core to others: yielding, and agreements by way of the MPI library between whose
 * looks the core is free.
 *
 * A rank that waits in a blocking collective of MPICH spins. Where ranks outnumber cores it keeps
 * those from running that it waits for: sixty-four ranks on two cores took 12 s to agree at Init,
 * where plain MPI_Init takes 2.5 s. All members make the same call. */
#ifndef MPISPEC_RUNTIME_PATIENCE_H
#define MPISPEC_RUNTIME_PATIENCE_H

#include <mpi.h>

/* Gives the core to others. Whoever yields forfeits the rest of its slice of time (Linux 6.6 and
 * later), and a slice is some 3 ms, where a rank has worked a microsecond: beside a program that
 * computes, ranks that wait for each other in turn would hardly run. So a thread that yields asks
 * for the shortest slices first; its share of the time stays what it was. */
void mpispec_patient_yield(void);

int mpispec_patient_allreduce(const void *mine, void *result, int count, MPI_Datatype datatype,
                              MPI_Op operation, MPI_Comm members);

/* `bytes` of each member. */
int mpispec_patient_allgather(const void *mine, int bytes, void *all, MPI_Comm members);

/* One number from `source`, sent with this tag. */
int mpispec_patient_receive(int *number, int source, int tag, MPI_Comm communicator);

#endif
