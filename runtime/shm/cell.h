/* The cell: one cache line, the unit in which lanes carry messages.
 *
 *   first cell of a message                     a further cell of the same message
 *   +--------------------------------------+    +--------------------------------------+
 *   | envelope  lap:8 context:23 1 tag:32  |    | envelope  lap:8  0:23  1  0:32       |
 *   | header    source:32 kind:4 length:28 |    |                                      |
 *   | payload                     48 bytes |    | payload                     56 bytes |
 *   +--------------------------------------+    +--------------------------------------+
 *
 * The envelope is written last, with release; a reader that loads it with acquire sees the rest of
 * the line. The lap changes each time the writer comes round, so one comparison of the envelope
 * says both "there is a new message" and "it is the one I want". Lap 0 is never valid: fresh memory
 * is zero. The bit between context and tag (MPISPEC_OF_MESSAGE) is set in every cell of a message.
 * The lane's own cells, links and those left out, have 0 there, so that no receive matches them.
 * The context counts from that of MPI_COMM_WORLD.
 *
 * Templates write and read cells too: the struct is theirs (mpispec/cells.h). */
#ifndef MPISPEC_RUNTIME_CELL_H
#define MPISPEC_RUNTIME_CELL_H

#include "mpispec/cells.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

enum { MPISPEC_CELL_BYTES = 64 };
static_assert(sizeof(struct mpispec_cell) == MPISPEC_CELL_BYTES, "a cell is one cache line");

static_assert(offsetof(struct mpispec_cell, header) == sizeof(uint64_t),
              "the payload of a further cell begins where the header of a first one stands");

/* How the bytes of a message travel. */
enum mpispec_kind {
  MPISPEC_INLINE = mpispec_kind_inline, /* in the cells */
  MPISPEC_INLINE_SYNCHRONOUS =
      mpispec_kind_synchronous, /* first cell: offset of a handshake; the bytes in further cells */
  MPISPEC_BLOCK,                /* first cell: a block's offset, and block.c's marks */
  MPISPEC_RTS /* first cell: a handshake's offset, address in the sender, length */
};

/* Set in the envelope of a message's every cell; the lap of a lane's ends has it. Not in a link,
 * nor in a cell that is left out. */
#define MPISPEC_OF_MESSAGE (UINT64_C(1) << 32)

#define MPISPEC_KEY_MASK ((UINT64_C(1) << mpispec_lap_shift) - 1)

/* No message's. */
#define MPISPEC_NO_KEY UINT64_MAX

/* The envelope without its lap: what a receive is matched by. */
static inline uint64_t mpispec_key(uint32_t context, int tag) {
  return (uint64_t)(context - mpispec_world_context) << mpispec_context_shift | (uint32_t)tag;
}
static inline uint32_t mpispec_key_context(uint64_t key) {
  return (uint32_t)(key >> mpispec_context_shift) + mpispec_world_context;
}
static inline int mpispec_key_tag(uint64_t key) { return (int)(uint32_t)key; }

/* The length of a LONG message does not fit there: it is in the payload. */
static inline uint64_t mpispec_header(enum mpispec_kind kind, int source, int64_t length) {
  return (uint64_t)(uint32_t)source << mpispec_source_shift | (uint32_t)kind << mpispec_kind_shift |
         (uint32_t)length;
}
static inline enum mpispec_kind mpispec_header_kind(uint64_t header) {
  return (enum mpispec_kind)(header >> mpispec_kind_shift & 0xf);
}
static inline int mpispec_header_source(uint64_t header) {
  return (int)(header >> mpispec_source_shift);
}
static inline int64_t mpispec_header_length(uint64_t header) {
  return (int64_t)(header & ((UINT64_C(1) << mpispec_kind_shift) - 1));
}

/* Of any message, whose payload begins with these words. */
static inline int64_t mpispec_message_length(uint64_t header, const uint64_t words[3]) {
  return mpispec_header_kind(header) == MPISPEC_RTS ? (int64_t)words[2]
                                                    : mpispec_header_length(header);
}

/* Cells that a message takes whose first cell has other things than bytes in its payload. */
static inline int mpispec_cells_beside(int64_t bytes) {
  return (int)mpispec_cells(mpispec_cell_payload + (uint64_t)bytes);
}

#endif
