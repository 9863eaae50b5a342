/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The end of the job after an error that no MPI call can return. */
#ifndef MPISPEC_RUNTIME_FATAL_H
#define MPISPEC_RUNTIME_FATAL_H

/* Prints a line with the reason, and ends the job by the function that mpispec_fatal_ends_by has
 * set. If none is set, only this process ends. */
_Noreturn void mpispec_fatal(const char *reason);

/* Sets the function that ends the job, or null. MPI_Init and MPI_Finalize call it. */
void mpispec_fatal_ends_by(void (*end_job)(void));

#endif
