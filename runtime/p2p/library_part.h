/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages from memory that only the MPI library may copy, because the memory may be an
 * accelerator's. The lane carries the envelope, and a message of the MPI library carries the bytes:
 *
 *   sender                                   receiver
 *   PMPI_Isend, tag n        ----------->    (the MPI library)
 *   cell: tag n              --- lane --->   matched in the order of the lane
 *                                            PMPI_Irecv, tag n, into the buffer of its receive
 *
 * Therefore this message keeps its order among the other messages of the lane. The kind in the
 * cell's header (MPISPEC_BY_LIBRARY) shows that the MPI library carries the bytes. The receiver
 * need not know this before it reads the cell. The library's messages travel on a communicator of
 * their own. Callers hold the lock. */
#ifndef MPISPEC_RUNTIME_LIBRARY_PART_H
#define MPISPEC_RUNTIME_LIBRARY_PART_H

#include "p2p/request.h"

/* Make and free the communicator for the library's messages. Collective over all ranks, in MPI_Init
 * and MPI_Finalize. */
void mpispec_library_parts_open(void);
void mpispec_library_parts_close(void);

/* Nonzero if the MPI library carries the bytes of a send. A buffered send is packed by the MPI
 * library instead, because its buffer must be free when the call returns. */
static inline int mpispec_call_has_library_part(const struct mpispec_call *call) {
  return call->device && call->mode != mpispec_buffered;
}

/* Starts a send to a rank of this node. */
void mpispec_library_part_send(struct mpispec_request *request, int peer);

/* Lists a receive whose message has come. `number` is the tag of the library's message, from the
 * cell. The library's receive begins in the next round of progress, because the caller may be a
 * thread that must not call the library. */
void mpispec_library_part_receive(struct mpispec_request *request, int peer, uint64_t number);

/* The number of listed receives, and the step of progress that begins them. */
extern size_t mpispec_library_parts_due;
void mpispec_library_parts_progress(void);

#endif
