/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fast paths of the runtime's sends and receives. The message takes one cell, except in
 * mpispec_recv_longer and mpispec_recv_any_length. A send needs room in the lane, and a receive
 * needs its message to be the next one of the lane.
 *
 *   send   header, bytes, then envelope = lap | key into the next cell
 *   recv   envelope == lap | key: copy the bytes, move the reader to the next message
 *
 * The callers are the functions of runtime/interposition, the functions for templates
 * (decoded_send.h, decoded_recv.h), and the functions for receives (receiver.h, simple_receive.h)
 * and persistent requests (persistent.h). Where an argument is a constant, inlining removes its
 * tests. The functions are called with the lock held, or in a process that uses no lock. */
#ifndef MPISPEC_RUNTIME_FAST_PATH_H
#define MPISPEC_RUNTIME_FAST_PATH_H

#include "datatype/typemap.h"
#include "mpispec/machine.h"
#include "mpispec/message.h"
#include "p2p/block.h"
#include "shm/cell_copy.h"

/* The memory of a message: the destination or the source of its bytes. */
struct mpispec_memory {
  void *buffer;
  int64_t bytes;
  const struct mpispec_typemap *map; /* null if the bytes are contiguous */
  int64_t count;                     /* elements of `map` */
};

/* Sends a message if it fits one cell and the lane has a free cell, otherwise returns 0. `key` is
 * the route's key with the tag. `header` is the route's header.
 *
 * A receiver that polls has the cell's line in its cache. A prefetch for writing moves the line to
 * this core in one transfer. Without the prefetch, a ping-pong of 8 B took 190 or 270 ns instead of
 * 170, depending on addresses of code (EPYC, family 26, far cores, clang 22). */
static inline __attribute__((always_inline)) int mpispec_send_fast(struct mpispec_writer *writer,
                                                                   uint64_t key, uint64_t header,
                                                                   struct mpispec_memory from) {
  struct mpispec_cell *cell = writer->next;
  if ((uint64_t)from.bytes > mpispec_cell_payload || __builtin_expect(cell >= writer->limit, 0))
    return 0;
  mpispec_prefetch(cell);
  cell->header = header | (uint64_t)from.bytes;
  if (from.map)
    mpispec_typemap_copy_few(from.map, from.buffer, from.count, cell->payload, 1);
  else
    mpispec_copy(cell->payload, from.buffer, (uint64_t)from.bytes, 0);
  mpispec_cell_publish(cell, writer->lap | key);
  writer->next = cell + 1;
  return 1;
}

/* Results of mpispec_recv_fast other than a length. */
enum {
  MPISPEC_NOT_RECEIVED = -1, /* no message has come, another one is next, or it does not fit */
  MPISPEC_IS_LONGER = -2     /* the message is next, but is not inline in one cell */
};

/* Receives the next message of a lane if its first cell is before `limit`, its key is `key`, and
 * this cell contains all its bytes. The message must fit `to`. If `to` has a typemap, the message
 * must be exactly as long as `to`. Returns the length in bytes. If it returns another result,
 * nothing has changed. */
static inline __attribute__((always_inline)) int64_t
mpispec_recv_fast(struct mpispec_reader *reader, const struct mpispec_cell *limit, uint64_t key,
                  struct mpispec_memory to) {
  struct mpispec_cell *cell = reader->next;
  if (__builtin_expect(cell >= limit, 0) ||
      __builtin_expect(mpispec_cell_peek(cell) != (key | reader->lap), 0))
    return MPISPEC_NOT_RECEIVED;
  /* The upper bits of `length` are the kind, which is 0 for MPISPEC_INLINE. Therefore `length` is
   * greater than a cell's payload for any other kind. */
  const uint32_t length = (uint32_t)cell->header;
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

/* Called after mpispec_recv_fast has returned MPISPEC_IS_LONGER. Receives this message into
 * contiguous bytes if it is in several cells, or in a block that its sender has filled. Returns its
 * length, or MPISPEC_NOT_RECEIVED. In the latter case some bytes of the buffer may have changed. If
 * `polls` is not 0, polls at most `polls` times for each cell that has not come. In this case all
 * cells must be before the reader's limit. If `polls` is 0, all cells must have come and be before
 * `limit`. */
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

/* Receives a message in one cell, in several cells or in a block that its sender has filled, into
 * contiguous bytes. */
static inline __attribute__((always_inline)) int64_t
mpispec_recv_any_length(struct mpispec_reader *reader, const struct mpispec_cell *limit,
                        uint64_t key, void *buffer, int64_t room) {
  const int64_t length =
      mpispec_recv_fast(reader, limit, key, (struct mpispec_memory){buffer, room, NULL, 0});
  return length == MPISPEC_IS_LONGER ? mpispec_recv_longer(reader, limit, buffer, room, 0) : length;
}

#endif
