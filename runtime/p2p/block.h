/* Messages in blocks of an arena: those too long for cells and too short for a rendezvous. All
 * functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_BLOCK_H
#define MPISPEC_RUNTIME_BLOCK_H

#include "p2p/receiver.h"
#include "p2p/request.h"
#include "progress/tuning.h"

/* Sends the message in a block. Returns 0, with nothing sent, if its size is not one for blocks or
 * no block is free. */
int mpispec_block_send(const struct mpispec_call *call, int peer);

/* Receives a BLOCK from `peer`: copies the first `length` of its `sent` bytes to `target`. `words`
 * are those of its cell. */
void mpispec_block_receive(struct mpispec_target *target, int64_t length, int64_t sent, int peer,
                           const uint64_t words[2]);

/* To be called when a long message has come in another way: the two ranks take turns. */
void mpispec_block_note_received(void);

/* At Finalize: forgets the kept block. */
void mpispec_blocks_close(void);

#endif
