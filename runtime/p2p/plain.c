/* How plain receives end. See plain.h. */
#include "p2p/plain.h"

#include "mpispec/machine.h"
#include "progress/progress.h"

/* Is the message in a cell the one that a receive waits for, and as long as that has room? */
static inline int is_for(const struct mpispec_receive *receive, const struct mpispec_cell *cell,
                         unsigned long long lap) {
  return mpispec_cell_look(cell) == (receive->key | lap) &&
         (unsigned int)cell->header == (unsigned int)receive->bytes; /* of another kind: too long */
}

/* Takes the first receives of a lane, up to `last`, off its list, and the cells before `next` out
 * of the lane. The receives stay linked, and become free ones so. */
static inline __attribute__((always_inline)) void
take_row(struct mpispec_reader *reader, struct mpispec_receive *last, struct mpispec_cell *next) {
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
static inline __attribute__((always_inline)) void end(struct mpispec_receive *receive, int *handle,
                                                      struct mpispec_status *status) {
  if (status)
    mpispec_status_fill(status, receive->source, (int)(unsigned int)receive->key,
                        (unsigned int)receive->bytes);
  receive->reader = 0;
  *handle = mpispec_request_null;
}

/* Ends plain receives of an array from the front on, for as long as they are the first that wait
 * for one lane, and the next messages there are theirs, each of one cell and as long as there is
 * room for; while no receive from any source waits. Returns how many. */
static inline __attribute__((always_inline)) unsigned int end_row(unsigned int count, int *handles,
                                                                  struct mpispec_status *statuses) {
  struct mpispec_receive *receive = mpispec_receive_find(*handles), *last = 0;
  struct mpispec_reader *const reader = receive ? receive->reader : 0;
  int *const begin = handles, *const behind = handles + count;
  struct mpispec_cell *cell, *limit;
  unsigned long long lap;
  unsigned int ended;
  if (!reader || receive != reader->first)
    return 0;
  cell = reader->next;
  limit = reader->end;
  lap = reader->lap;
  do {
    if (cell >= limit || !is_for(receive, cell, lap))
      break;
    if (receive->bytes == 8)
      __builtin_memcpy(receive->buffer, cell->payload, 8);
    else if ((unsigned int)receive->bytes <= mpispec_cell_payload)
      mpispec_receive_copy((unsigned char *)receive->buffer, cell->payload,
                           (unsigned int)receive->bytes);
    else
      break;
    end(receive, handles++, statuses);
    if (statuses)
      ++statuses;
    last = receive;
    receive = receive->next;
    ++cell;
  } while (handles != behind && receive && *handles == receive->handle &&
           receive->reader == reader);
  ended = (unsigned int)(handles - begin);
  if (ended) {
    mpispec_state.posted -= ended;
    take_row(reader, last, cell);
  }
  return ended;
}

/* A row of one with 8 bytes, which is the shortest way. */
static inline __attribute__((always_inline)) int end_word(int *handle,
                                                          struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
  struct mpispec_reader *const reader = receive ? receive->reader : 0;
  struct mpispec_cell *cell;
  if (!reader || receive != reader->first || receive->bytes != 8)
    return 0;
  cell = reader->next;
  if (cell >= reader->end || !is_for(receive, cell, reader->lap))
    return 0;
  __builtin_memcpy(receive->buffer, cell->payload, 8);
  end(receive, handle, status);
  --mpispec_state.posted;
  take_row(reader, receive, cell + 1);
  return 1;
}

/* After all that there is to do at its lane; `receive` is that of the handle, or null. */
static inline __attribute__((always_inline)) int
end_polled(struct mpispec_receive *receive, int *handle, struct mpispec_status *status) {
  if (!mpispec_handle_is_sent(*handle) && (!receive || !mpispec_receive_poll(receive)))
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

static __attribute__((noinline)) int end_slowly(int *handle, struct mpispec_status *status) {
  return end_polled(mpispec_receive_find(*handle), handle, status);
}

/* One of another length, if that fits a cell; or what takes more. */
static __attribute__((noinline)) int end_other(int *handle, struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
  if (receive && receive->bytes != 8 && receive->bytes <= mpispec_cell_payload &&
      !mpispec_matching_awaits_any(&mpispec_queues) && end_row(1, handle, status))
    return 1;
  return end_polled(receive, handle, status);
}

int mpispec_plain_end(int *handle, struct mpispec_status *status) {
  if (!mpispec_matching_awaits_any(&mpispec_queues) && end_word(handle, status))
    return 1;
  MPISPEC_JUMP end_other(handle, status);
}

int mpispec_plain_test(int *handle, int *flag, struct mpispec_status *status) {
  if (mpispec_receive_is_waiting(*handle)) {
    *flag = 0;
    mpispec_progress_glance();
    return 1;
  }
  if (!mpispec_plain_end(handle, status))
    return 0;
  *flag = 1;
  return 1;
}

unsigned mpispec_plain_end_row(unsigned int count, int *handles, struct mpispec_status *statuses) {
  return mpispec_matching_awaits_any(&mpispec_queues) ? 0 : end_row(count, handles, statuses);
}

unsigned mpispec_plain_end_all(unsigned int count, int *handles, struct mpispec_status *statuses) {
  const int any_waits = mpispec_matching_awaits_any(&mpispec_queues);
  unsigned int i = 0, row;
  while (i < count) {
    struct mpispec_status *const status = statuses ? &statuses[i] : 0;
    mpispec_stay_rolled(&i);
    row = any_waits ? 0 : end_row(count - i, handles + i, status);
    i += row;
    if (!row && !end_slowly(handles + i, status))
      break;
    i += !row;
  }
  return i;
}
