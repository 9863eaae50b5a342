/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fast paths of all sends and receives by the runtime. The message takes one cell; there is
 * room for it in its lane, or it is next there.
 *
 *   send   header, bytes, then envelope = lap | key into the next cell
 *   recv   envelope == lap | key: copy the bytes, move the reader to the next message
 *
 * interposition, posted receives and the calls of templates (decoded_send.h, decoded_recv.h) call
 * them with constants for what they know. With the lock held, or where there is none. */
#ifndef MPISPEC_RUNTIME_FAST_PATH_H
#define MPISPEC_RUNTIME_FAST_PATH_H

#include "datatype/typemap.h"
#include "mpispec/message.h"
#include "p2p/block.h"
#include "shm/cell_copy.h"

/* Memory that a message goes to, or comes from. */
struct mpispec_memory {
  void *buffer;
  int64_t bytes;
  const struct mpispec_typemap *map; /* null if the bytes are contiguous */
  int64_t count;                     /* elements of `map` */
};

/* Sends a message that fits one cell, if there is room. Returns 0 if not. `key` and `header` are
 * those of the route, with the tag. */
static inline __attribute__((always_inline)) int mpispec_send_fast(struct mpispec_writer *writer,
                                                                   uint64_t key, uint64_t header,
                                                                   struct mpispec_memory from) {
  struct mpispec_cell *cell = writer->next;
  if ((uint64_t)from.bytes > mpispec_cell_payload || __builtin_expect(cell >= writer->limit, 0))
    return 0;
  cell->header = header | (uint64_t)from.bytes;
  if (from.map)
    mpispec_typemap_copy_few(from.map, from.buffer, from.count, cell->payload, 1);
  else
    mpispec_copy(cell->payload, from.buffer, (uint64_t)from.bytes, 0);
  mpispec_cell_publish(cell, writer->lap | key);
  writer->next = cell + 1;
  return 1;
}

/* Results of mpispec_recv_fast that are no lengths. */
enum {
  MPISPEC_NOT_RECEIVED = -1, /* another message is next, or none, or it does not fit */
  MPISPEC_IS_LONGER = -2     /* the message is next, and takes more than one cell */
};

/* Receives the next message of a lane if it stands before `limit`, its key is `key`, and it takes
 * one cell. The message must fit `to`; with a typemap, it must be as long. Returns its length in
 * bytes, or has changed nothing. */
static inline __attribute__((always_inline)) int64_t
mpispec_recv_fast(struct mpispec_reader *reader, const struct mpispec_cell *limit, uint64_t key,
                  struct mpispec_memory to) {
  struct mpispec_cell *cell = reader->next;
  if (__builtin_expect(cell >= limit, 0) ||
      __builtin_expect(mpispec_cell_peek(cell) != (key | reader->lap), 0))
    return MPISPEC_NOT_RECEIVED;
  const uint32_t length =
      (uint32_t)cell->header; /* a message of another kind: more than any cell has */
  if (__builtin_expect(length > mpispec_cell_payload, 0))
    return MPISPEC_IS_LONGER;
  if (to.map ? length != to.bytes : length > to.bytes)
    return MPISPEC_NOT_RECEIVED;
  if (to.map)
    mpispec_typemap_copy_few(to.map, to.buffer, to.count, cell->payload, 0);
  else
    mpispec_copy(to.buffer, cell->payload, length, 0);
  reader->next = cell + 1;
  return length;
}

/* The same for a message that is longer, into contiguous bytes: one in a block that its sender has
 * filled, or in cells. Waits so many polls for each cell that has not come, up to the reader's
 * limit; 0 requires that all have come, before `limit`. */
static inline int64_t mpispec_recv_longer(struct mpispec_reader *reader,
                                          const struct mpispec_cell *limit, void *buffer,
                                          int64_t room, unsigned polls) {
  const uint32_t header = (uint32_t)reader->next->header;
  const uint32_t block = mpispec_block_length(reader->next, header);
  if (block) {
    if (block > room)
      return MPISPEC_NOT_RECEIVED;
    mpispec_block_take(reader, buffer, block);
    return block;
  }
  if (header > room || header > mpispec_short_bytes)
    return MPISPEC_NOT_RECEIVED;
  if (polls && !mpispec_take_cells(reader, buffer, header, polls))
    return MPISPEC_NOT_RECEIVED;
  if (!polls && !mpispec_cells_came(reader, limit, header))
    return MPISPEC_NOT_RECEIVED;
  if (!polls)
    mpispec_cell_copy.take(reader, buffer, header);
  return header;
}

/* A message of any length, into contiguous bytes. */
static inline __attribute__((always_inline)) int64_t
mpispec_recv_any_length(struct mpispec_reader *reader, const struct mpispec_cell *limit,
                        uint64_t key, void *buffer, int64_t room) {
  const int64_t length =
      mpispec_recv_fast(reader, limit, key, (struct mpispec_memory){buffer, room, NULL, 0});
  return length == MPISPEC_IS_LONGER ? mpispec_recv_longer(reader, limit, buffer, room, 0) : length;
}

#endif
