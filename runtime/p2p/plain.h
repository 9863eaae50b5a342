/* Plain receives (mpispec/contract.h): the short ways to give them their messages and to end them,
 * for the runtime's functions and, through the state, for templates. With the lock held, or where
 * there is none. */
#ifndef MPISPEC_RUNTIME_PLAIN_H
#define MPISPEC_RUNTIME_PLAIN_H

#include "abi/mpi.h"
#include "mpispec/receive.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "progress/lock.h"

/* Opens a lane for which no receive waits any more, unless messages of it are kept: those come
 * first. */
static inline void mpispec_receive_open_lane(struct mpispec_reader *reader) {
  if (__builtin_expect(!reader->kept, 1))
    reader->limit = reader->end;
}

/* Takes the first that waits for a lane off its list. */
static inline void mpispec_receive_take_off(struct mpispec_reader *reader,
                                            struct mpispec_receive *first) {
  first->reader = 0;
  reader->first = first->next;
  --mpispec_state.posted;
  if (!first->next) {
    reader->last = &reader->first;
    mpispec_receive_open_lane(reader);
  }
}

/* A few bytes, by words. */
static inline void mpispec_receive_copy(unsigned char *to, const unsigned char *from,
                                        unsigned int bytes) {
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
static inline enum mpispec_receive_look mpispec_receive_next(struct mpispec_reader *reader) {
  struct mpispec_receive *first = reader->first;
  const struct mpispec_cell *cell = reader->next;
  const unsigned long long seen = mpispec_cell_look(cell);
  unsigned int length;
  if (seen != (first->key | reader->lap))
    return (seen ^ reader->lap) >> mpispec_lap_shift ? mpispec_receive_nothing
                                                     : mpispec_receive_other;
  length = (unsigned int)cell->header; /* of another kind: far too long */
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
static inline void mpispec_receive_free_again(struct mpispec_receive *receive) {
  receive->use = mpispec_receive_free;
  receive->next = mpispec_state.receives;
  mpispec_state.receives = receive;
}

static inline void mpispec_receive_tell(const struct mpispec_receive *receive,
                                        struct mpispec_status *status) {
  mpispec_status_fill(status, receive->source, receive->tag, (unsigned int)receive->bytes);
}

/* The receive behind a handle, or null if that is of another kind, or not among those known. */
static inline struct mpispec_receive *mpispec_receive_find(mpispec_handle handle) {
  const unsigned long place = mpispec_request_place(handle);
  if (place >= mpispec_state_receives)
    return 0;
  if (!mpispec_state.known[place])
    __builtin_unreachable();
  return mpispec_state.known[place];
}

/* Is a plain receive over, after a look at its lane? If not, it may be plain no more. */
static inline __attribute__((always_inline)) int
mpispec_receive_poll(struct mpispec_receive *receive) {
  while (receive->reader) {
    enum mpispec_receive_look look = mpispec_receive_other;
    if (!mpispec_matching_awaits_any(&mpispec_queues))
      look = mpispec_receive_next(receive->reader);
    if (look == mpispec_receive_nothing ||
        (look == mpispec_receive_other && !mpispec_receive_tend(receive->reader)))
      return 0;
  }
  return receive->use == mpispec_receive_over;
}

/* Ends a plain receive that is over. */
static inline void mpispec_receive_end(struct mpispec_receive *receive, MPI_Status *status) {
  if (status != MPI_STATUS_IGNORE)
    mpispec_receive_tell(receive, (struct mpispec_status *)status);
  mpispec_receive_free_again(receive);
}

/* Is the message in a cell the one that a receive waits for, and as long as that has room? */
static inline __attribute__((always_inline)) int
mpispec_plain_is_for(const struct mpispec_receive *receive, const struct mpispec_cell *cell,
                     unsigned long long lap) {
  return mpispec_cell_look(cell) == (receive->key | lap) &&
         (unsigned int)cell->header == (unsigned int)receive->bytes; /* of another kind: too long */
}

/* Takes the first receives of a lane, up to `last`, off its list, and the cells before `next` out
 * of the lane. The receives stay linked, and become free ones so. */
static inline __attribute__((always_inline)) void
mpispec_plain_take_row(struct mpispec_reader *reader, struct mpispec_receive *last,
                       struct mpispec_cell *next) {
  struct mpispec_receive *const rest = last->next;
  last->next = mpispec_state.receives;
  mpispec_state.receives = reader->first;
  reader->next = next;
  reader->first = rest;
  if (!rest) {
    reader->last = &reader->first;
    mpispec_receive_open_lane(reader);
  }
}

/* Fills in what the program sees of a receive that ends with as many bytes as it has room for. */
static inline __attribute__((always_inline)) void
mpispec_plain_tell(struct mpispec_receive *receive, mpispec_handle *handle,
                   struct mpispec_status *status) {
  if (status)
    mpispec_status_fill(status, receive->source, (int)(unsigned int)receive->key,
                        (unsigned int)receive->bytes);
  receive->reader = 0;
  *handle = mpispec_request_null();
}

/* Ends a plain receive of 8 bytes that is the first of its lane, if its message is next there and
 * no receive from any source waits: the shortest way. Returns 0 if not. */
static inline __attribute__((always_inline)) int
mpispec_plain_end_word(mpispec_handle *handle, struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
  struct mpispec_reader *const reader = receive ? receive->reader : 0;
  struct mpispec_cell *cell;
  if (!reader || receive != reader->first || receive->bytes != 8 ||
      mpispec_matching_awaits_any(&mpispec_queues))
    return 0;
  cell = reader->next;
  if (cell >= reader->end || !mpispec_plain_is_for(receive, cell, reader->lap))
    return 0;
  __builtin_memcpy(receive->buffer, cell->payload, 8);
  mpispec_plain_tell(receive, handle, status);
  --mpispec_state.posted;
  mpispec_plain_take_row(reader, receive, cell + 1);
  return 1;
}

/* May calls end plain receives now, without a lock? */
static inline int mpispec_plain_is_open(void) {
  return !mpispec_short_ways_shut && mpispec_state.known;
}

/* Is this a posted receive that is not plain (with wildcards, of a typemap, of the network too),
 * and has nothing come to its lane, or, if it is from any source, to any? What else may end it is
 * an engine's work, which a glance looks after. */
int mpispec_posted_is_waiting(MPI_Request handle);

/* Is this a receive, plain or not, whose message has not come? */
static inline __attribute__((always_inline)) int mpispec_has_nothing_come(MPI_Request handle) {
  return mpispec_receive_is_waiting((mpispec_handle)handle) || mpispec_posted_is_waiting(handle);
}

/* Are the requests of an array null, or plain receives at whose lanes nothing has come, and at
 * least one of them such a receive? */
static inline __attribute__((always_inline)) int
mpispec_plain_are_waiting(int count, const MPI_Request requests[]) {
  const MPI_Request *const end = requests + count;
  while (requests < end && *requests == MPI_REQUEST_NULL)
    ++requests;
  if (requests >= end)
    return 0;
  do {
    if (!mpispec_receive_is_waiting((mpispec_handle)*requests) && *requests != MPI_REQUEST_NULL)
      return 0;
  } while (++requests < end);
  return 1;
}

/* Makes the handle null, its receive a free one, and fills in `status` unless it is null; 0 if the
 * request is not over, or none that the state knows. */
int mpispec_plain_end(mpispec_handle *handle, struct mpispec_status *status);

/* The same, and sets the flag; or sets it to 0 where the message of a receive has not come.
 * Returns 0 if it can tell neither. */
int mpispec_plain_test(mpispec_handle *handle, int *flag, struct mpispec_status *status);

/* For as long as they are the first that wait for one lane, and the next messages there are theirs,
 * ends plain receives of an array, which is not empty, from the front on. Returns how many. */
unsigned mpispec_plain_end_row(unsigned count, mpispec_handle *handles,
                               struct mpispec_status *statuses);

/* Ends requests of an array so from the front on. Returns how many. */
unsigned mpispec_plain_end_all(unsigned count, mpispec_handle *handles,
                               struct mpispec_status *statuses);

#endif
