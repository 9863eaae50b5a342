/* Messages in blocks: too long for cells, but soon copied. With the lock held. */
#ifndef MPISPEC_RUNTIME_BLOCK_H
#define MPISPEC_RUNTIME_BLOCK_H

#include "p2p/receiver.h"
#include "p2p/request.h"
#include "progress/tuning.h"

/* Returns 0 if the message is not for a block, or there is none to spare. */
int mpispec_block_send(const struct mpispec_call *call, int peer);

/* Copies `length` bytes of the `sent` ones of a BLOCK from `peer`, `words` of its first cell. */
void mpispec_block_receive(struct mpispec_target *target, int64_t length, int64_t sent, int peer,
                           const uint64_t words[2]);

/* A message too long for cells has come in another way. */
void mpispec_block_note_received(void);

/* At Finalize. */
void mpispec_blocks_close(void);

#endif
