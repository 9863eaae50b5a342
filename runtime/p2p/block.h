/* Messages in blocks of an arena: those too long for cells and too short for a rendezvous. All
 * functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_BLOCK_H
#define MPISPEC_RUNTIME_BLOCK_H

#include "p2p/receiver.h"
#include "p2p/request.h"
#include "progress/tuning.h"
#include "shm/cell.h"

/* Sends the message in a block. Returns 0, with nothing sent, if its size is not one for blocks or
 * no block is free. */
int mpispec_block_send(const struct mpispec_call *call, int peer);

/* The same for bytes that lie side by side, at most MPISPEC_WHOLE_BYTES, to any rank but this one,
 * where a cell is free: the block is filled before the cell is shown. Returns 0, with nothing sent,
 * if no block is free. */
int mpispec_block_put(const void *buffer, int64_t bytes, struct mpispec_writer *writer,
                      uint64_t key, uint64_t header);

/* The length of the message that is next in a lane, and has such a header, if it is in a block that
 * its sender has filled; else 0. */
enum { MPISPEC_BLOCK_IS_WHOLE = 1 }; /* in the second word of its cell */
static inline uint32_t mpispec_block_length(const struct mpispec_cell *cell, uint32_t header) {
  uint64_t word;
  if (header >> mpispec_kind_shift != MPISPEC_BLOCK)
    return 0;
  __builtin_memcpy(&word, cell->payload + 8, sizeof word);
  return word & MPISPEC_BLOCK_IS_WHOLE ? header & ((UINT32_C(1) << mpispec_kind_shift) - 1) : 0;
}

/* Receives it, and leaves the lane behind it. Returns 0, as the MPI functions whose last word it
 * is. */
int mpispec_block_take(struct mpispec_reader *reader, void *buffer, uint32_t bytes);

/* Receives a BLOCK: copies the first `length` of its `sent` bytes to `target`. `words` are those of
 * its cell. */
void mpispec_block_receive(struct mpispec_target *target, int64_t length, int64_t sent,
                           const uint64_t words[2]);

/* To be called when a long message has come in another way: the two ranks take turns. */
void mpispec_block_note_received(void);

/* At Finalize: forgets the kept blocks. */
void mpispec_blocks_close(void);

#endif
