/* Long portions of collective operations go as messages between two members, whose first words are
 * in the sending member's step instead of a lane (p2p/block.h, p2p/rendezvous.h). So the number of
 * steps does not depend on lengths.
 *
 *   owner                                       reader
 *   cell: longest portion | MPISPEC_IN_PARTS
 *   chunk: a part for each other member    ---> copies the bytes that lie there, or
 *   fills blocks                                copies a block as it is filled, or
 *   copies its share of what goes by RTS        receives what goes by RTS
 *   leaves when all that goes by RTS is copied
 *
 * The owner chooses. By RTS each byte is copied once where the system permits that, and the cost
 * model of long messages has the way; but the owner has to wait for the reader. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_LONG_PARTS_H
#define MPISPEC_RUNTIME_COLLECTIVE_LONG_PARTS_H

#include "collective/collective.h"
#include "collective/operations.h"

/* In the length of a cell. */
#define MPISPEC_IN_PARTS (UINT64_C(1) << 63)

static inline int mpispec_is_in_parts(const struct mpispec_slot_cell *cell) {
  return (cell->length & MPISPEC_IN_PARTS) != 0;
}

/* The longest portion that a member shows, whichever way. */
static inline int64_t mpispec_shown_length(const struct mpispec_slot_cell *cell) {
  return (int64_t)(cell->length & ~MPISPEC_IN_PARTS);
}

/* A portion that is the same for all. */
extern const int64_t mpispec_no_offsets[MPISPEC_MOST_MEMBERS];
static inline struct mpispec_portions mpispec_same_portion(const void *bytes, int64_t length) {
  return (struct mpispec_portions){(unsigned char *)(uintptr_t)bytes, length, mpispec_no_offsets,
                                   NULL};
}

/* Bcast and Allgather: does a portion go in parts, or in steps through chunks? */
static inline int mpispec_goes_in_parts(const struct mpispec_collective *collective,
                                        int64_t length) {
  return length > MPISPEC_PARTS_IN_BLOCKS && collective->steps.members == 2;
}

/* Do other members have to be there before portions go by RTS? Where all wait for all, no. */
enum mpispec_readers { MPISPEC_READERS_COME, MPISPEC_READERS_MAY_BE_LATE };

/* Reader of portions that may be late, of at most `room` bytes: says in its own cell of this step
 * that it has come, where the owner may look for that. */
void mpispec_long_parts_come(struct mpispec_collective *collective, int64_t room);

/* Owner: shows the step, with a portion for each other member, or for `only` if that is not -1;
 * copies, and waits until this rank's buffers are its own again. */
void mpispec_long_parts_show(struct mpispec_collective *collective,
                             const struct mpispec_portions *portions, int64_t longest, int only,
                             enum mpispec_readers readers);

/* The same without waiting. */
void mpispec_long_parts_begin(struct mpispec_collective *collective,
                              const struct mpispec_portions *portions, int64_t longest, int only,
                              enum mpispec_readers readers);

/* Reader: copies or begins to receive at most `room` bytes from a member whose step is in parts.
 * Returns how many bytes that has for this rank. */
int64_t mpispec_long_parts_read(struct mpispec_collective *collective, int member, void *to,
                                int64_t room);

/* Waits until all that this rank has begun in this operation is complete. */
void mpispec_long_parts_finish(struct mpispec_collective *collective);

#endif
