/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* argument_cache.h - blocking sends and receives through a cache of persistent requests
 *
 * The paper compares partial evaluation with this optimization at run time. It keeps, for the
 * arguments of a call, the request that was set up for them. A call whose arguments were seen
 * before (a hit) only starts that request. Any other call (a miss) makes a persistent request first
 * and keeps it in the place of another.
 *
 * Compile a program with `-include argument_cache.h` and link argument_cache.c. Its calls then go
 * through the cache. Freeing a handle clears it, because MPI may use a handle's value again. */
#ifndef ARGUMENT_CACHE_H
#define ARGUMENT_CACHE_H

#include <mpi.h>

int argument_cache_send(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
                        MPI_Comm comm);
int argument_cache_recv(void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
                        MPI_Comm comm, MPI_Status *status);
int argument_cache_type_free(MPI_Datatype *datatype);
int argument_cache_comm_free(MPI_Comm *comm);
int argument_cache_finalize(void);

#ifndef ARGUMENT_CACHE_ITSELF
#define MPI_Send argument_cache_send
#define MPI_Recv argument_cache_recv
#define MPI_Type_free argument_cache_type_free
#define MPI_Comm_free argument_cache_comm_free
#define MPI_Finalize argument_cache_finalize
#endif

#endif
