/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The size of the attached buffer of MPI_Bsend. The runtime tests whether the MPI library would
 * refuse a buffered send, but stores no message in this buffer. All functions are called with the
 * lock held. */
#ifndef MPISPEC_RUNTIME_ATTACHED_BUFFER_H
#define MPISPEC_RUNTIME_ATTACHED_BUFFER_H

#include <stdint.h>

/* Nonzero if a buffered send of `bytes` bytes fits the attached buffer when this buffer is empty.
 * Also nonzero if the MPI library sends so few bytes without a buffer. */
int mpispec_buffer_has_room(int64_t bytes);

/* Sets the size of the program's buffer; 0 if none is attached. */
void mpispec_buffer_attach(int64_t bytes);

/* Called when a communicator or a session gets a buffer of its own. From then on,
 * mpispec_buffer_has_room returns nonzero for all messages. */
void mpispec_buffer_attach_other(void);

#endif
