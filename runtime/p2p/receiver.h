/* Receives: posting, draining lanes, delivering. With the lock held. */
#ifndef MPISPEC_RUNTIME_RECEIVER_H
#define MPISPEC_RUNTIME_RECEIVER_H

#include "p2p/matching.h"
#include "p2p/request.h"

/* Where received bytes go: side by side, or where a typemap says. */
struct mpispec_target {
  unsigned char *bytes;
  struct mpispec_cursor *cursor; /* or null */
};

/* The next `length` bytes. */
void mpispec_target_put(struct mpispec_target *target, const void *bytes, int64_t length);

/* Starts request->call, a receive from a rank of this node or from any source. */
void mpispec_receive_start(struct mpispec_request *request);

/* Receives without a request, if the message is next in its lane after so many looks, at least 1,
 * and needs nothing but to be copied. Returns 0 if not, having changed nothing. */
int mpispec_receive_now(const struct mpispec_call *call, unsigned looks,
                        struct mpispec_result *result);

/* Gives a message that was taken off the unexpected queue to a receive; the message is freed. */
void mpispec_receive_message(struct mpispec_request *request, struct mpispec_message *message);

/* Moves what has come from `peer` to receives that fit. With `all`, the rest goes to the unexpected
 * queue; else it stays in the lane as soon as nobody listens. */
void mpispec_receive_drain(int peer, int all);

/* The sender's rank in the communicator of a message that came from `peer`. */
int mpispec_receive_source(uint64_t key, uint64_t header, int peer);

/* The pattern of a receive or probe on an adopted communicator. */
struct mpispec_posted mpispec_receive_pattern(const struct mpispec_communicator *communicator,
                                              int peer, int tag);

/* Drains all lanes that somebody listens to. */
void mpispec_receive_progress(void);

#endif
