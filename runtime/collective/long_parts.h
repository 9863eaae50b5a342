/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Long portions of collective operations go as messages between two members. The first words of
 * such a message are in the sending member's chunk instead of a lane (p2p/block.h,
 * p2p/rendezvous.h). Therefore the number of steps does not depend on lengths. The exception is a
 * Bcast whose root prefers a sequence of chunks (bcast.c): its first cell tells the readers how
 * many bytes, and therefore steps, there are.
 *
 *   owner                                       reader
 *   cell: longest portion | MPISPEC_IN_PARTS
 *   chunk: a part for each other member    ---> copies the bytes out of the chunk, or
 *   fills blocks                                copies a block while it is filled, or
 *   copies its share of RTS parts               receives an RTS part
 *   leaves when all RTS parts are copied
 *
 * The owner chooses between blocks and RTS (ready to send). By RTS, each byte is copied only once
 * if the system permits it, and the cost model of long messages chooses the way. On the other hand,
 * the owner must wait for the reader. If a reader from which it expects no bytes does not come
 * soon, the owner copies up to MPISPEC_LATE_BYTES into the slots of the pipe (p2p/rendezvous.c),
 * and leaves. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_LONG_PARTS_H
#define MPISPEC_RUNTIME_COLLECTIVE_LONG_PARTS_H

#include "collective/collective.h"
#include "collective/operations.h"

/* A flag in the length of a cell: the chunk contains parts. */
#define MPISPEC_IN_PARTS (UINT64_C(1) << 63)

static inline int mpispec_is_in_parts(const struct mpispec_slot_cell *cell) {
  return (cell->length & MPISPEC_IN_PARTS) != 0;
}

/* The length of the longest portion that a member shows, with parts or without. */
static inline int64_t mpispec_shown_length(const struct mpispec_slot_cell *cell) {
  return (int64_t)(cell->length & ~MPISPEC_IN_PARTS);
}

/* Portions that are the same bytes for all members. */
extern const int64_t mpispec_no_offsets[MPISPEC_MOST_MEMBERS];
static inline struct mpispec_portions mpispec_same_portion(const void *bytes, int64_t length) {
  return (struct mpispec_portions){(unsigned char *)(uintptr_t)bytes, length, mpispec_no_offsets,
                                   NULL};
}

/* The bytes of a chunk for portions that one member reads. A longer chunk would be slower: each
 * portion goes through it a second time, and the last reader waits until the owner has copied
 * all of them. */
static inline int64_t mpispec_portions_room(const struct mpispec_collective *collective) {
  return collective->chunk_bytes < MPISPEC_LARGE_CHUNK ? collective->chunk_bytes
                                                       : MPISPEC_LARGE_CHUNK;
}

/* For Bcast and Allgather: whether a portion goes in parts, unless the root of a Bcast prefers
 * chunks. Other portions go through chunks. */
static inline int mpispec_goes_in_parts(const struct mpispec_collective *collective,
                                        int64_t length) {
  return length > mpispec_portions_room(collective) && collective->steps.members == 2;
}

/* Owner: shows the step with a portion for each other member, or for the member `only` if that is
 * not -1. Returns when all portions are copied, so that the program may reuse its buffer. */
void mpispec_long_parts_show(struct mpispec_collective *collective,
                             const struct mpispec_portions *portions, int64_t longest, int only);

/* Owner: like mpispec_long_parts_show, without waiting for RTS parts. `awaited` are the portions
 * that this rank reads in the same operation, or null. It waits for their owners in any case, and
 * only for these as long as they are away. */
void mpispec_long_parts_begin(struct mpispec_collective *collective,
                              const struct mpispec_portions *portions, int64_t longest, int only,
                              const struct mpispec_portions *awaited);

/* Reader: copies or begins to receive at most `room` bytes from a member whose step is in parts.
 * Returns the length of that member's portion for this rank. */
int64_t mpispec_long_parts_read(struct mpispec_collective *collective, int member, void *to,
                                int64_t room);

/* Waits until all RTS parts that this rank has begun in this operation are complete. */
void mpispec_long_parts_finish(struct mpispec_collective *collective);

/* The first function is called when a rank leaves a long Scatter, or a long Bcast that it has led.
 * The second one returns nonzero if the program has had the time to write `bytes` bytes since then.
 */
void mpispec_long_parts_left(void);
int mpispec_long_parts_may_be_written(int64_t bytes);

#endif
