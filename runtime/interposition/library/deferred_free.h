/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Communicators that the program has freed while its pending requests still needed them
 * (mpi_comm.c). */
#ifndef MPISPEC_RUNTIME_DEFERRED_FREE_H
#define MPISPEC_RUNTIME_DEFERRED_FREE_H

/* Frees those that no request needs any more, which calls the deletion callbacks of the program's
 * attributes. Called in MPI_Comm_free and MPI_Finalize, without the lock. */
void mpispec_deferred_free(void);

#endif
