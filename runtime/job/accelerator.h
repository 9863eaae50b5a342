/* Device pointers: a program may hand memory of an accelerator to an MPI library
 * that can take it. */
#ifndef MPISPEC_RUNTIME_ACCELERATOR_H
#define MPISPEC_RUNTIME_ACCELERATOR_H

/* Could a buffer be memory that the processor must not copy? Returns what to tell the user, or
 * null. Asked after PMPI_Init. */
const char *mpispec_accelerator(void);

#endif
