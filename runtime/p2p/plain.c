/* How plain receives end. See plain.h. */
#include "p2p/plain.h"

#include "progress/progress.h"

/* Ends plain receives of an array from the front on, for as long as they are the first that wait
 * for one lane, and the next messages there are theirs, each of one cell and as long as there is
 * room for; while no receive from any source waits. Returns how many. */
static inline __attribute__((always_inline)) unsigned int end_row(unsigned int count, int *handles,
                                                                  struct mpispec_status *statuses) {
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
    mpispec_receive_open_lane(reader);
  }
  return ended;
}

static __attribute__((noinline)) int end_slowly(int *handle, struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
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

/* A row of one is the shortest way. */
int mpispec_plain_end(int *handle, struct mpispec_status *status) {
  if (!mpispec_matching_awaits_any(&mpispec_queues) && end_row(1, handle, status))
    return 1;
  return end_slowly(handle, status);
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
