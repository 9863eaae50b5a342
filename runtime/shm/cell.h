/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cell: one cache line, the unit in which lanes carry messages. The numbers in the drawing
 * count bits.
 *
 *   first cell of a message                     a further cell of the same message
 *   +--------------------------------------+    +--------------------------------------+
 *   | envelope  lap:8 context:23 1 tag:32  |    | envelope  lap:8  0:23  1  0:32       |
 *   | header    source:32 kind:4 length:28 |    |                                      |
 *   | payload                     48 bytes |    | payload                     56 bytes |
 *   +--------------------------------------+    +--------------------------------------+
 *
 * The writer stores the envelope last, with release. A reader that loads the envelope with acquire
 * therefore sees the rest of the line.
 *
 * The lap changes each time the writer returns to the ring's first cell. One comparison of the
 * envelope with lap and key therefore finds two things: a new message is there, and it matches. Lap
 * 0 is never valid, because fresh memory is zero.
 *
 * The bit between context and tag (MPISPEC_OF_MESSAGE) is 1 in every cell of a message. It is 0 in
 * links and in skipped cells (lane.h), so that no receive matches them. The context of
 * MPI_COMM_WORLD is stored as 0, and the others relative to it.
 *
 * Templates write and read cells, too. Therefore mpispec/cells.h defines the struct. */
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

/* Where the bytes of a message are, and what the payload of its first cell holds. */
enum mpispec_kind {
  MPISPEC_INLINE = mpispec_kind_inline, /* bytes in all cells of the message */
  MPISPEC_INLINE_SYNCHRONOUS =
      mpispec_kind_synchronous, /* the first cell has an RTS descriptor's offset */
  MPISPEC_BLOCK,                /* first cell: offset and flags of a block (block.c) */
  MPISPEC_BLOCK_SYNCHRONOUS,    /* the same, and an RTS descriptor's offset */
  MPISPEC_RTS,       /* first cell: offset of an RTS descriptor, address in the sender, length */
  MPISPEC_BY_LIBRARY /* first cell: number of a message of the MPI library, 0, length */
};

/* The bit of the envelope that is 1 in every cell of a message, and 0 in links and skipped cells.
 * The `lap` of both ends of a lane contains this bit. Therefore a writer's `lap | key` sets it, and
 * a reader's `envelope ^ lap` clears it. */
#define MPISPEC_OF_MESSAGE (UINT64_C(1) << 32)

#define MPISPEC_KEY_MASK ((UINT64_C(1) << mpispec_lap_shift) - 1)

/* A key that no message has. */
#define MPISPEC_NO_KEY UINT64_MAX

/* The key: the envelope without the lap. Receives are matched by it. */
static inline uint64_t mpispec_key(uint32_t context, int tag) {
  return (uint64_t)(context - mpispec_world_context) << mpispec_context_shift | (uint32_t)tag;
}
static inline uint32_t mpispec_key_context(uint64_t key) {
  return (uint32_t)(key >> mpispec_context_shift) + mpispec_world_context;
}
static inline int mpispec_key_tag(uint64_t key) { return (int)(uint32_t)key; }

/* Whether the length of the message stands in the payload of its first cell, because it may be too
 * large for the header. */
static inline int mpispec_kind_has_long_length(enum mpispec_kind kind) {
  return kind == MPISPEC_RTS || kind == MPISPEC_BY_LIBRARY;
}

/* The header of a first cell. */
static inline uint64_t mpispec_header(enum mpispec_kind kind, int source, int64_t length) {
  return (uint64_t)(uint32_t)source << mpispec_source_shift | (uint32_t)kind << mpispec_kind_shift |
         (uint32_t)length;
}
static inline enum mpispec_kind mpispec_header_kind(uint64_t header) {
  return (enum mpispec_kind)(header >> mpispec_kind_shift & 0xf);
}
/* Whether the bytes of the message are in a block of an arena, and its first words describe it. */
static inline int mpispec_header_has_block(uint64_t header) {
  return mpispec_header_kind(header) == MPISPEC_BLOCK ||
         mpispec_header_kind(header) == MPISPEC_BLOCK_SYNCHRONOUS;
}
static inline int mpispec_header_source(uint64_t header) {
  return (int)(header >> mpispec_source_shift);
}
static inline int64_t mpispec_header_length(uint64_t header) {
  return (int64_t)(header & ((UINT64_C(1) << mpispec_kind_shift) - 1));
}

/* The length of a message of any kind, in bytes. `words` are the first words of the payload. */
static inline int64_t mpispec_message_length(uint64_t header, const uint64_t words[3]) {
  return mpispec_kind_has_long_length(mpispec_header_kind(header)) ? (int64_t)words[2]
                                                                   : mpispec_header_length(header);
}

/* The number of cells of a message whose bytes begin in the second cell. */
static inline int mpispec_cells_beside(int64_t bytes) {
  return (int)mpispec_cells(mpispec_cell_payload + (uint64_t)bytes);
}

#endif
