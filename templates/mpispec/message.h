/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* message.h - a short message into a lane, and out of it
 *
 *   put   [the lane has room] -> fills cells; each is published by its envelope, written last
 *   take  [nothing is queued before, the message is next in its lane] -> copies it out of the cells
 *
 * If the condition does not hold, they return 0. Then they have changed nothing but the buffer of a
 * receive, which the ordinary call overwrites. The runtime's own MPI_Send and MPI_Recv begin with
 * functions of p2p/fast_path.h, which work on the same cells. */
#ifndef MPISPEC_MESSAGE_H
#define MPISPEC_MESSAGE_H

#include "cells.h"
#include "state.h"
#include "status.h"

/* Copies words of `word` bytes: a constant, 4 or 8. A cell has few words, and a call of memcpy
 * would make the compiler save registers. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_copy_words(void *to, const void *from, unsigned long bytes, unsigned int word) {
  unsigned long i;
  for (i = 0; i < bytes; i += word) {
    __asm__("" : "+r"(i)); /* stays rolled */
    __builtin_memcpy((unsigned char *)to + i, (const unsigned char *)from + i, word);
  }
}

/* Copies at most the payload of a cell, by words of 16, 8 and 4 bytes. The last word ends at the
 * last byte. Only the runtime uses it, because the code is too long for every call. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_copy_line(unsigned char *to, const unsigned char *from, unsigned long long bytes) {
  if (__builtin_expect(bytes == 8, 1)) {
    __builtin_memcpy(to, from, 8);
  } else if (bytes >= 16) {
    if (bytes > 32) {
      __builtin_memcpy(to + 16, from + 16, 16);
      __builtin_memcpy(to + bytes - 32, from + bytes - 32, 16);
    }
    __builtin_memcpy(to, from, 16);
    __builtin_memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else if (bytes >= 8) {
    __builtin_memcpy(to, from, 8);
    __builtin_memcpy(to + bytes - 8, from + bytes - 8, 8);
  } else if (bytes >= 4) {
    __builtin_memcpy(to, from, 4);
    __builtin_memcpy(to + bytes - 4, from + bytes - 4, 4);
  } else if (bytes) {
    to[0] = from[0];
    to[bytes / 2] = from[bytes / 2];
    to[bytes - 1] = from[bytes - 1];
  }
}

/* Copies elements of a constant size. If `bytes` is not constant, it is at most a cell's payload.
 * That bound is hidden from the compiler, which would otherwise expand the copy at every call. The
 * runtime passes size 0 for elements of any size. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_copy(void *to, const void *from, unsigned long long bytes, long long element) {
  if (!__builtin_constant_p(bytes)) {
    if (!element) {
      mpispec_copy_line((unsigned char *)to, (const unsigned char *)from, bytes);
      return;
    }
    if (element % 4 == 0) {
      mpispec_copy_words(to, from, bytes, element % 8 == 0 ? 8 : 4);
      return;
    }
    if (bytes == 8) {
      __builtin_memcpy(to, from, 8);
      return;
    }
    __asm__("" : "+r"(bytes));
  }
  __builtin_memcpy(to, from, bytes);
}

/* Copies the bytes for which a message's first cell has no room into the cells from `cell` on.
 * Returns the cell behind them. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) struct mpispec_cell *
    mpispec_fill_more(struct mpispec_cell *cell, unsigned long long lap, const unsigned char *bytes,
                      unsigned long long length) {
  for (; length >= mpispec_more_payload; length -= mpispec_more_payload) {
    __builtin_memcpy(mpispec_cell_more(cell), bytes, mpispec_more_payload);
    mpispec_cell_publish(cell++, lap);
    bytes += mpispec_more_payload;
  }
  if (length) {
    __builtin_memcpy(mpispec_cell_more(cell), bytes, length);
    mpispec_cell_publish(cell++, lap);
  }
  return cell;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_put_cells(struct mpispec_writer *writer, unsigned long long key, unsigned long long header,
                  const unsigned char *bytes, unsigned long long length) {
  struct mpispec_cell *cell = writer->next;
  if (writer->limit - cell < mpispec_cells(length))
    return 0;
  cell->header = header;
  __builtin_memcpy(cell->payload, bytes, mpispec_cell_payload);
  mpispec_cell_publish(cell, writer->lap | key);
  writer->next = mpispec_fill_more(cell + 1, writer->lap, bytes + mpispec_cell_payload,
                                   length - mpispec_cell_payload);
  return 1;
}

/* Sends to rank `peer` of a route. The length is at most mpispec_short_bytes if it is a constant.
 * Otherwise it is at most the payload of one cell. Code for several cells would lengthen each call,
 * and few calls would use it. The lines of several cells are prefetched here and not in
 * mpispec_put_cells. There, the prefetch slowed the runtime's own calls: a ping-pong between near
 * cores, of 256 B to 1 KiB, took 6 to 8 % longer. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_put(const struct mpispec_route *route, unsigned long comm, const void *bytes,
            unsigned long long length, long long element, int peer, int tag) {
  struct mpispec_writer *writer = route->writers[(unsigned int)peer];
  const unsigned long long key = mpispec_route_key(route, comm) | (unsigned int)tag;
  const unsigned long long header = mpispec_route_header(route, comm) | length;
  struct mpispec_cell *cell = writer->next;
  if (length > mpispec_cell_payload) {
    if (!__builtin_constant_p(length) || writer->limit - cell < mpispec_cells(length))
      return 0;
    mpispec_cells_prefetch(cell + 1, cell + mpispec_cells(length));
    return mpispec_put_cells(writer, key, header, (const unsigned char *)bytes, length);
  }
  if (__builtin_expect(cell >= writer->limit, 0))
    return 0;
  cell->header = header;
  mpispec_copy(cell->payload, bytes, length, element);
  mpispec_cell_publish(cell, writer->lap | key);
  ++writer->next;
  return 1;
}

/* Polls the cell until it has the envelope: once, and then at most `polls` times more. Returns
 * nonzero if the cell has it. Returns 0 at once if the cell has another envelope of this lap. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_await(const struct mpispec_cell *cell, unsigned long long envelope, unsigned int polls) {
  unsigned long long seen;
  while ((seen = mpispec_cell_peek(cell)) != envelope) {
    mpispec_stay_rolled(&polls);
    if (!polls-- || !((seen ^ envelope) >> mpispec_lap_shift))
      return 0;
    mpispec_pause();
  }
  return 1;
}

/* Nonzero if all cells of the message at the head of a lane have arrived and stand before `limit`.
 * The last cell is written last, and therefore only its envelope is compared. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_cells_came(const struct mpispec_reader *reader, const struct mpispec_cell *limit,
                   unsigned long long length) {
  const struct mpispec_cell *cell = reader->next;
  const long cells = mpispec_cells(length);
  return limit - cell >= cells && mpispec_cell_peek(cell + cells - 1) == reader->lap;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_take_cells(struct mpispec_reader *reader, unsigned char *bytes, unsigned long long length,
                   unsigned int polls) {
  struct mpispec_cell *cell = reader->next;
  const unsigned long long lap = reader->lap;
  if (reader->limit - cell < mpispec_cells(length))
    return 0;
  __builtin_memcpy(bytes, cell->payload, mpispec_cell_payload);
  bytes += mpispec_cell_payload;
  for (length -= mpispec_cell_payload; length > mpispec_more_payload;
       length -= mpispec_more_payload) {
    if (!mpispec_await(++cell, lap, polls))
      return 0;
    __builtin_memcpy(bytes, mpispec_cell_more(cell), mpispec_more_payload);
    bytes += mpispec_more_payload;
  }
  if (!mpispec_await(++cell, lap, polls))
    return 0;
  __builtin_memcpy(bytes, mpispec_cell_more(cell), length);
  reader->next = cell + 1;
  return 1;
}

/* Receives a message of at most `room` bytes from rank `peer` of a route. If `room` is not
 * constant, the message must be in one cell. If `room` is a constant and at most a cell's payload,
 * the message must have exactly `room` bytes. If `polls` is null, polls once, otherwise at most
 * `*polls` times more for each cell. Fills in `status` unless it is null. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_take(const struct mpispec_route *route, unsigned long comm, void *bytes, long long room,
             long long element, int peer, int tag, const unsigned int *polls,
             struct mpispec_status *status) {
  struct mpispec_reader *reader = route->readers[(unsigned int)peer];
  struct mpispec_cell *cell = reader->next;
  const unsigned long long envelope =
      mpispec_route_key(route, comm) | (unsigned int)tag | reader->lap;
  unsigned int length;
  if ((__builtin_constant_p(room) && room < 0) || __builtin_expect(cell >= reader->limit, 0))
    return 0;
  if (__builtin_expect(mpispec_cell_peek(cell) != envelope, 0) &&
      (!polls || !mpispec_await(cell, envelope, *polls)))
    return 0;
  length = (unsigned int)cell->header; /* huge for another kind */
  if (__builtin_constant_p(room) && room <= mpispec_cell_payload) {
    if (__builtin_expect(length != (unsigned int)room, 0))
      return 0; /* only this constant length is copied without a call of memcpy */
    __builtin_memcpy(bytes, cell->payload, (unsigned long)room);
    ++reader->next;
  } else if (length <= mpispec_cell_payload) {
    if ((long long)length > room)
      return 0;
    mpispec_copy(bytes, cell->payload, length, element);
    ++reader->next;
  } else if (!__builtin_constant_p(room) || (long long)length > room ||
             length > mpispec_short_bytes ||
             !mpispec_take_cells(reader, (unsigned char *)bytes, length, polls ? *polls : 0)) {
    return 0;
  }
  if (status)
    mpispec_status_fill(status, peer, tag, length);
  return 1;
}

/* Nonzero if `peer` is the calling rank. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_is_self(const struct mpispec_route *route, int peer) {
  return (unsigned long long)(unsigned int)peer << mpispec_source_shift == route->header;
}

/* Copies a message of a rank to itself from buffer to buffer. Returns 0 if another message or
 * receive of the rank with itself must be matched first. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_copy_to_self(const struct mpispec_route *route, const void *from, void *to,
                     unsigned long long length, long long element, int self, int tag,
                     struct mpispec_status *status) {
  const struct mpispec_reader *reader = route->readers[(unsigned int)self];
  if (!reader->limit || !mpispec_lane_is_empty(reader))
    return 0;
  if (from != to)
    mpispec_copy(to, from, length, element);
  if (status)
    mpispec_status_fill(status, self, tag, (unsigned int)length);
  return 1;
}

/* Sends a synchronous message. Its first cell contains the place of the FIN word. A second cell
 * contains the bytes, unless the message is empty. The receiver writes FIN when it matches the
 * message. The word belongs to an Issend of a template until the program has completed it. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_put_synchronous(const struct mpispec_route *route, unsigned long comm, const void *bytes,
                        unsigned long long length, long long element, int peer, int tag) {
  struct mpispec_writer *writer = route->writers[(unsigned int)peer];
  struct mpispec_cell *cell = writer->next;
  if (!mpispec_state.fin || *mpispec_state.fin != mpispec_fin || mpispec_state.awaited->use ||
      length > mpispec_more_payload || writer->limit - cell < 2)
    return 0;
  *mpispec_state.fin = 0;
  cell->header = mpispec_route_header(route, comm) |
                 (unsigned int)mpispec_kind_synchronous << mpispec_kind_shift | length;
  __builtin_memcpy(cell->payload, &mpispec_state.fin_at, 8);
  mpispec_cell_publish(cell, mpispec_route_key(route, comm) | (unsigned int)tag | writer->lap);
  ++cell;
  if (length) {
    mpispec_copy(mpispec_cell_more(cell), bytes, length, element);
    mpispec_cell_publish(cell++, writer->lap);
  }
  writer->next = cell;
  return 1;
}

/* Polls for FIN: once, and then at most `polls` times more (memory order pair H,
 * p2p/rendezvous.c). */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_has_fin(const unsigned int *fin, unsigned int polls) {
  while (__atomic_load_n(fin, mpispec_acquire) != mpispec_fin) {
    mpispec_stay_rolled(&polls);
    if (!polls--)
      return 0;
    mpispec_pause();
  }
  return 1;
}

#endif
