/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Delivers a message to a receive: copies its bytes, or begins to receive a long message, and
 * stores the values for the status. All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_DELIVERY_H
#define MPISPEC_RUNTIME_DELIVERY_H

#include "p2p/matching.h"
#include "p2p/request.h"
#include "p2p/target.h"
#include "shm/lane.h"

/* A message from a lane or from the unexpected queue, or one that this rank sends to itself. */
struct mpispec_found {
  uint64_t key, header;
  uint64_t word[3];
  int peer;
  const struct mpispec_incoming *lane; /* the lane whose cells contain the inline bytes, or null */
  const unsigned char *bytes;          /* the inline bytes if `lane` is null */
};

/* The message that is next in the lane from `peer`. */
struct mpispec_found mpispec_found_at_head(struct mpispec_incoming *lane, int peer, uint64_t key);

/* Nonzero if all bytes of the message are in cells. */
int mpispec_found_is_inline(const struct mpispec_found *found);

/* The number of cells that the message takes in its lane. */
int mpispec_found_cells(const struct mpispec_found *found);

/* Copies the first `length` bytes of a message in cells or in a block. Returns 0 if its sender has
 * ended before it had written all of them. */
int mpispec_found_copy(const struct mpispec_found *found, struct mpispec_target *target,
                       int64_t length);

/* Returns the memory of a receive whose elements are contiguous or have a typemap. Opens `cursor`
 * if there is a typemap. */
struct mpispec_target mpispec_target_of(const struct mpispec_call *call,
                                        struct mpispec_cursor *cursor);

/* Gives a message to a receive. The receive is complete afterwards unless the message is long or
 * the MPI library carries its bytes. */
void mpispec_deliver(struct mpispec_request *request, const struct mpispec_found *found);

/* Gives a receive a message that was taken off the unexpected queue, and frees the message. */
void mpispec_receive_message(struct mpispec_request *request, struct mpispec_message *message);

/* The rank of the sender in the message's communicator. `peer` is the node rank of the sender. */
int mpispec_receive_source(uint64_t key, uint64_t header, int peer);

#endif
