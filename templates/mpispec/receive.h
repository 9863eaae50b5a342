/* receive.h - a receive from its posting to its completion (contract.h, struct mpispec_receive)
 *
 *   post   [no message of the lane is kept elsewhere] -> the last of those that wait for the lane
 *   next   [the first that waits is plain, and its message is next in the lane] -> it is over
 *   end    -> its handle is null, its status told, and it is a free one again
 *
 * A null request, and that of a send that was over when its call returned, end likewise. All
 * others, also that of an Issend, are left to the ordinary call. */
#ifndef MPISPEC_RECEIVE_H
#define MPISPEC_RECEIVE_H

#include "message.h"

/* Posts a plain receive. Returns 0 if only the runtime may. To be called only while no receive from
 * any source waits. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_receive_post(struct mpispec_reader *reader, unsigned long long key, void *buffer, int bytes,
                     int source, int *handle) {
  struct mpispec_receive *receive = mpispec_state.receives;
  if (__builtin_expect(!receive || reader->kept, 0))
    return 0;
  mpispec_state.receives = receive->next;
  receive->next = 0;
  receive->key = key;
  receive->buffer = buffer;
  receive->reader = reader;
  receive->bytes = bytes;
  receive->source = source;
  *reader->last = receive;
  reader->last = &receive->next;
  reader->limit = 0;
  ++mpispec_state.posted;
  *handle = receive->handle;
  return 1;
}

/* Takes the first that waits for a lane off its list. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_receive_take_off(struct mpispec_reader *reader, struct mpispec_receive *first) {
  first->reader = 0;
  reader->first = first->next;
  --mpispec_state.posted;
  if (!first->next) {
    reader->last = &reader->first;
    reader->limit = reader->end;
  }
}

/* A few bytes, by words. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_receive_copy(unsigned char *to, const unsigned char *from, unsigned int bytes) {
  if (__builtin_expect(bytes == 8, 1)) {
    __builtin_memcpy(to, from, 8);
    return;
  }
  for (; bytes >= 8; bytes -= 8, to += 8, from += 8) {
    mpispec_stay_rolled(&bytes);
    __builtin_memcpy(to, from, 8);
  }
  if (bytes & 4) {
    __builtin_memcpy(to, from, 4);
    to += 4, from += 4;
  }
  for (bytes &= 3; bytes; --bytes) {
    mpispec_stay_rolled(&bytes);
    *to++ = *from++;
  }
}

enum mpispec_receive_look {
  mpispec_receive_nothing, /* has come */
  mpispec_receive_other,   /* than what this can do has come */
  mpispec_receive_done
};

/* Gives the next message of a lane, if it is of one cell, to the first that waits, if that is plain
 * and this its message. To be called only while no receive from any source waits. */
static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) enum mpispec_receive_look
mpispec_receive_next(struct mpispec_reader *reader) {
  struct mpispec_receive *first = reader->first;
  const struct mpispec_cell *cell = reader->next;
  const unsigned long long seen = mpispec_cell_look(cell);
  const unsigned int length = (unsigned int)cell->header; /* of another kind: far too long */
  if (seen != (first->key | reader->lap))
    return (seen ^ reader->lap) >> mpispec_lap_shift ? mpispec_receive_nothing
                                                     : mpispec_receive_other;
  if (!first->reader || cell >= reader->end || length > mpispec_cell_payload ||
      length > (unsigned int)first->bytes)
    return mpispec_receive_other;
  mpispec_receive_copy((unsigned char *)first->buffer, cell->payload, length);
  ++reader->next;
  first->bytes = (int)length;
  first->tag = (int)(unsigned int)seen;
  first->use = mpispec_receive_over;
  mpispec_receive_take_off(reader, first);
  return mpispec_receive_done;
}

/* Makes one that is over a free one. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_receive_free_again(struct mpispec_receive *receive) {
  receive->use = mpispec_receive_free;
  receive->next = mpispec_state.receives;
  mpispec_state.receives = receive;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_receive_tell(const struct mpispec_receive *receive, struct mpispec_status *status) {
  mpispec_status_fill(status, receive->source, receive->tag, (unsigned int)receive->bytes);
}

/* The receive behind a handle, or null if that is of another kind, or not among those known. */
static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_receive *
mpispec_receive_find(int handle) {
  const unsigned int place = (unsigned int)handle - mpispec_request_first;
  return place < mpispec_state_receives ? mpispec_state.known[place] : 0;
}

/* Is it over, after a look at its lane? */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_receive_is_over(struct mpispec_receive *receive) {
  while (receive->reader) {
    if (!mpispec_state.receive_size ||
        mpispec_receive_next(receive->reader) != mpispec_receive_done)
      return 0;
  }
  return receive->use == mpispec_receive_over;
}

/* Is the request null, or that of a send that was over? */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_handle_is_sent(int handle) {
  return handle == mpispec_request_over || handle == mpispec_request_null;
}

/* Makes the handle null, its receive a free one, and fills in `status` unless it is null; 0 if the
 * request is not over. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_handle_end_one(int *handle, struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
  if (!mpispec_handle_is_sent(*handle) && (!receive || !mpispec_receive_is_over(receive)))
    return 0;
  *handle = mpispec_request_null;
  if (status && receive)
    mpispec_receive_tell(receive, status);
  else if (status)
    mpispec_status_fill(status, mpispec_any_source, mpispec_any_tag, 0);
  if (receive)
    mpispec_receive_free_again(receive);
  return 1;
}

/* Out of line: at a call, the end of a send is enough. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int
mpispec_handle_end_any(int *handle, struct mpispec_status *status) {
  return mpispec_handle_end_one(handle, status);
}

/* The same, inline if no status is wanted and it is the end of a send. That none is wanted is
 * hidden from the compiler, or it would make a second function for that. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_handle_end(int *handle, struct mpispec_status *status) {
  if (status || !mpispec_handle_is_sent(*handle)) {
    __asm__("" : "+r"(status));
    return mpispec_handle_end_any(handle, status);
  }
  *handle = mpispec_request_null;
  return 1;
}

/* Ends plain receives of an array from the front on, for as long as they are the first that wait
 * for one lane, and the next messages there are theirs, each of one cell and as long as there is
 * room for. Returns how many. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_handles_end_row(unsigned int count, int *handles, struct mpispec_status *statuses) {
  struct mpispec_receive *receive = mpispec_receive_find(*handles), *first, *last = 0;
  struct mpispec_reader *reader = receive ? receive->reader : 0;
  struct mpispec_cell *cell, *end;
  int *const begin = handles, *const behind = handles + count;
  unsigned int ended;
  if (!reader)
    return 0;
  cell = reader->next;
  end = reader->end;
  first = reader->first;
  while (handles != behind) {
    receive = mpispec_receive_find(*handles);
    if (!receive || receive != first || receive->reader != reader || cell >= end ||
        mpispec_cell_look(cell) != (receive->key | reader->lap) ||
        (unsigned int)cell->header != (unsigned int)receive->bytes)
      break;
    if (receive->bytes == 8)
      __builtin_memcpy(receive->buffer, cell->payload, 8);
    else if (receive->bytes <= mpispec_cell_payload)
      mpispec_receive_copy((unsigned char *)receive->buffer, cell->payload,
                           (unsigned int)receive->bytes);
    else
      break;
    if (statuses) {
      mpispec_status_fill(statuses++, receive->source, (int)(unsigned int)receive->key,
                          (unsigned int)receive->bytes);
    }
    receive->reader = 0;
    *handles++ = mpispec_request_null;
    last = receive; /* they stay linked, and become free ones so */
    first = receive->next;
    ++cell;
  }
  ended = (unsigned int)(handles - begin);
  if (!ended)
    return 0;
  last->next = mpispec_state.receives;
  mpispec_state.receives = reader->first;
  mpispec_state.posted -= ended;
  reader->next = cell;
  reader->first = first;
  if (!first) {
    reader->last = &reader->first;
    reader->limit = reader->end;
  }
  return ended;
}

/* Ends requests of an array from the front on, for as long as they are null, or sends or receives
 * that are over. Returns how many. `statuses` is null if they are not wanted. To be called only
 * while no receive from any source waits. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_handles_end(unsigned int count, int *handles, struct mpispec_status *statuses) {
  unsigned int i = 0, row;
  while (i < count) {
    struct mpispec_status *const status = statuses ? &statuses[i] : 0;
    mpispec_stay_rolled(&i);
    row = mpispec_handles_end_row(count - i, handles + i, status);
    i += row;
    if (!row && !mpispec_handle_end_one(handles + i, status))
      break;
    i += !row;
  }
  return i;
}

#endif
