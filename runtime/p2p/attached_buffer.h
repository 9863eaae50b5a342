/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The attached buffer of MPI_Bsend, as far as it decides whether the MPI library would refuse a
 * send. Lanes have memory of their own for buffered sends. With the lock held. */
#ifndef MPISPEC_RUNTIME_ATTACHED_BUFFER_H
#define MPISPEC_RUNTIME_ATTACHED_BUFFER_H

#include <stdint.h>

/* Nonzero if a message of `bytes` bytes could ever go into the attached buffer. */
int mpispec_buffer_has_room(int64_t bytes);

/* The program's buffer has `bytes` bytes from now on; 0 if none is attached. */
void mpispec_buffer_attach(int64_t bytes);

/* A communicator or a session has a buffer of its own: from now on any message has room. */
void mpispec_buffer_attach_other(void);

#endif
