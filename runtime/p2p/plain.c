/* How plain receives end. See plain.h. */
#include "p2p/plain.h"

#include "mpispec/machine.h"
#include "p2p/block.h"
#include "p2p/glance.h"
#include "progress/progress.h"
#include "shm/cell_copy.h"
#include "shm/lane.h"

/* Copies a message of several cells that have all come, or in a block that is filled, if it is as
 * long as its receive has room for. Returns the cell behind it, where the lane's reader then
 * stands; or null, having changed nothing that anybody sees. */
static __attribute__((noinline)) struct mpispec_cell *take_longer(struct mpispec_reader *reader,
                                                                  struct mpispec_cell *cell,
                                                                  struct mpispec_receive *receive) {
  const uint32_t header = (uint32_t)cell->header, bytes = (uint32_t)receive->bytes;
  const long cells = mpispec_cells(bytes);
  reader->next = cell;
  if (mpispec_block_length(cell, header) == bytes && bytes)
    mpispec_block_take(reader, receive->buffer, bytes);
  else if (header == bytes && bytes > mpispec_cell_payload && bytes <= mpispec_short_bytes &&
           reader->end - cell >= cells && mpispec_cell_look(cell + cells - 1) == reader->lap)
    mpispec_cell_copy.take(reader, receive->buffer, bytes);
  else
    return NULL;
  return reader->next;
}

/* The same for any message at `cell`. */
static inline __attribute__((always_inline)) struct mpispec_cell *
take(struct mpispec_reader *reader, struct mpispec_cell *cell, struct mpispec_receive *receive) {
  const unsigned int length = (unsigned int)cell->header; /* of another kind: too long */
  if (length != (unsigned int)receive->bytes || length > mpispec_cell_payload)
    return take_longer(reader, cell, receive);
  if (length == 8)
    __builtin_memcpy(receive->buffer, cell->payload, 8);
  else
    mpispec_receive_copy((unsigned char *)receive->buffer, cell->payload, length);
  return cell + 1;
}

/* Ends plain receives of an array from the front on, for as long as they are the first that wait
 * for one lane, and the next messages there are theirs, each as long as there is room for; while no
 * receive from any source waits. Returns how many. */
static inline __attribute__((always_inline)) unsigned int
end_row(unsigned int count, mpispec_handle *handles, struct mpispec_status *statuses) {
  struct mpispec_receive *receive = mpispec_receive_find(*handles), *last = 0;
  struct mpispec_reader *const reader = receive ? receive->reader : 0;
  mpispec_handle *const begin = handles, *const behind = handles + count;
  struct mpispec_cell *cell, *limit;
  unsigned long long lap;
  unsigned int ended;
  if (!reader || receive != reader->first)
    return 0;
  cell = reader->next;
  limit = reader->end;
  lap = reader->lap;
  while (cell < limit && mpispec_cell_look(cell) == (receive->key | lap)) {
    struct mpispec_cell *const behind_it = take(reader, cell, receive);
    if (!behind_it)
      break;
    cell = behind_it;
    mpispec_plain_tell(receive, handles++, statuses);
    if (statuses)
      ++statuses;
    last = receive;
    receive = receive->next;
    if (handles == behind || !receive || *handles != mpispec_request_marked(receive->mark) ||
        receive->reader != reader)
      break;
  }
  ended = (unsigned int)(handles - begin);
  if (ended) {
    mpispec_state.posted -= ended;
    mpispec_plain_take_row(reader, last, cell);
  }
  return ended;
}

/* A row whose receives and messages are all of 8 bytes, so that they are plain, and whose statuses
 * nobody wants. It stands alone, so that its loop has the registers that it needs. */
static __attribute__((noinline)) unsigned int end_words(unsigned int count,
                                                        mpispec_handle *handles) {
  struct mpispec_receive *receive = mpispec_receive_find(*handles), *last = 0;
  struct mpispec_reader *const reader = receive ? receive->reader : 0;
  const mpispec_handle *const begin = handles;
  if (!reader || receive != reader->first)
    return 0;
  struct mpispec_cell *cell = reader->next;
  const long room = reader->end - cell;
  const mpispec_handle *const behind = handles + ((long)count < room ? (long)count : room);
  const unsigned long long lap = reader->lap;
  while (handles < behind && *handles == mpispec_request_marked(receive->mark) &&
         receive->bytes == 8 && (unsigned int)cell->header == 8 &&
         mpispec_cell_look(cell) == (receive->key | lap)) {
    __builtin_memcpy(receive->buffer, cell->payload, 8);
    ++cell;
    receive->reader = 0;
    *handles++ = mpispec_request_null();
    __asm__("" : "+r"(handles)); /* or the compiler counts them twice */
    last = receive;
    receive = receive->next;
    if (!receive)
      break;
  }
  if (last) {
    mpispec_state.posted -= (unsigned long)(handles - begin);
    mpispec_plain_take_row(reader, last, cell);
  }
  return (unsigned int)(handles - begin);
}

static inline __attribute__((always_inline)) unsigned int
end_any_row(unsigned int count, mpispec_handle *handles, struct mpispec_status *statuses) {
  const unsigned int ended = statuses ? 0 : end_words(count, handles);
  return ended ? ended : end_row(count, handles, statuses);
}

/* Is a receive the first of its lane, and the lane at its limit? Then the sender is told, and the
 * row goes on before the progress that is due there: that might drain the lane. */
static inline __attribute__((always_inline)) int pass_limit(const struct mpispec_receive *receive) {
  struct mpispec_reader *const reader = receive ? receive->reader : 0;
  if (!reader || __builtin_expect(reader->next < reader->end, 1) || receive != reader->first)
    return 0;
  mpispec_lane_give_credit((struct mpispec_incoming *)reader);
  return 1;
}

/* The same where a row of receives stopped, and past a link that stands there.
 * Counts the limits. */
static __attribute__((noinline)) int pass_on(mpispec_handle handle, unsigned int *limits) {
  const struct mpispec_receive *receive = mpispec_receive_find(handle);
  if (!receive || !receive->reader || receive != receive->reader->first)
    return 0;
  struct mpispec_reader *const reader = receive->reader;
  const struct mpispec_cell *const stop = reader->next;
  const int passed = pass_limit(receive);
  *limits += (unsigned int)passed;
  mpispec_lane_look((struct mpispec_incoming *)reader);
  return passed || reader->next != stop;
}

/* After all that there is to do at its lane; `receive` is that of the handle, or null. */
static inline __attribute__((always_inline)) int
end_polled(struct mpispec_receive *receive, mpispec_handle *handle, struct mpispec_status *status) {
  if (!mpispec_handle_is_sent(*handle) && (!receive || !mpispec_receive_poll(receive)))
    return 0;
  *handle = mpispec_request_null();
  if (status && receive)
    mpispec_receive_tell(receive, status);
  else if (status)
    mpispec_status_fill(status, mpispec_any_source, mpispec_any_tag, 0);
  if (receive)
    mpispec_receive_free_again(receive);
  return 1;
}

static __attribute__((noinline)) int end_slowly(mpispec_handle *handle,
                                                struct mpispec_status *status) {
  return end_polled(mpispec_receive_find(*handle), handle, status);
}

/* One of another length, if that fits a cell; or what takes more. */
static __attribute__((noinline)) int end_other(mpispec_handle *handle,
                                               struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
  if (receive && !mpispec_matching_awaits_any(&mpispec_queues)) {
    if (__builtin_expect(pass_limit(receive), 0)) {
      const int ended = end_row(1, handle, status);
      mpispec_progress_in_passing();
      if (ended)
        return 1;
    } else if (receive->bytes != 8 && end_row(1, handle, status)) {
      return 1;
    }
  }
  return end_polled(receive, handle, status);
}

int mpispec_plain_end(mpispec_handle *handle, struct mpispec_status *status) {
  if (mpispec_plain_end_word(handle, status))
    return 1;
  MPISPEC_JUMP end_other(handle, status);
}

int mpispec_posted_is_waiting(MPI_Request handle) {
  const struct mpispec_request *request = mpispec_request_find(handle);
  if (!request || request->receive.use != mpispec_receive_under_way || request->receive.reader ||
      !request->lane)
    return 0;
  return request->lane == &mpispec_queues.any ? mpispec_glance_shows_nothing()
                                              : mpispec_lane_is_empty(request->lane);
}

int mpispec_plain_test(mpispec_handle *handle, int *flag, struct mpispec_status *status) {
  if (mpispec_has_nothing_come((MPI_Request)*handle)) {
    *flag = 0;
    mpispec_progress_glance();
    return 1;
  }
  if (!mpispec_plain_end(handle, status))
    return 0;
  *flag = 1;
  return 1;
}

unsigned mpispec_plain_end_row(unsigned int count, mpispec_handle *handles,
                               struct mpispec_status *statuses) {
  unsigned int ended = 0, passed = 0;
  if (mpispec_matching_awaits_any(&mpispec_queues))
    return 0;
  for (;;) {
    ended += end_any_row(count - ended, handles + ended, statuses ? &statuses[ended] : 0);
    if (ended == count || !pass_on(handles[ended], &passed))
      break;
  }
  if (passed)
    mpispec_progress_in_passing();
  return ended;
}

unsigned mpispec_plain_end_all(unsigned int count, mpispec_handle *handles,
                               struct mpispec_status *statuses) {
  const int any_waits = mpispec_matching_awaits_any(&mpispec_queues);
  unsigned int i = 0, row, passed = 0;
  while (i < count) {
    struct mpispec_status *const status = statuses ? &statuses[i] : 0;
    mpispec_stay_rolled(&i);
    row = any_waits ? 0 : end_any_row(count - i, handles + i, status);
    i += row;
    if (!row && !any_waits && pass_on(handles[i], &passed))
      continue;
    if (!row && !end_slowly(handles + i, status))
      break;
    i += !row;
  }
  if (passed)
    mpispec_progress_in_passing();
  return i;
}
