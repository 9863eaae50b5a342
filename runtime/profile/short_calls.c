/* See short_calls.h. */
#include "profile/short_calls.h"

#include "datatype/datatype.h"
#include "progress/progress.h"

struct mpispec_profile_known *mpispec_profile_short[2][MPISPEC_PROFILE_SHORT_PLACES];

void mpispec_profile_short_admit(struct mpispec_profile_known *known, const void *caller,
                                 enum mpispec_profile_side side) {
  const struct mpispec_datatype *type = mpispec_datatype_find(known->datatype);
  if (!type || !type->predefined || !type->contiguous || type->size <= 0 || known->bytes == 0 ||
      known->bytes > mpispec_cell_payload || known->bytes % (uint64_t)type->size ||
      known->peer < 0 || (unsigned)known->tag > mpispec_state.largest_tag)
    return;
  known->count = (MPI_Count)(known->bytes / (uint64_t)type->size);
  known->caller = caller;
  mpispec_profile_short_show(known, side);
}

/* After the call before at this site. */
static inline void count(struct mpispec_profile_known *known, const void *buffer) {
  struct mpispec_profile_batch *batch = known->batch;
  ++batch->calls;
  if (known->of_site->last != known || known->buffer != buffer) {
    ++batch->changes;
    known->of_site->last = known;
    known->buffer = buffer;
  }
}

int mpispec_profile_short_put(struct mpispec_profile_known *known,
                              const struct mpispec_route *route, struct mpispec_writer *writer,
                              const void *buffer) {
  struct mpispec_cell *cell = writer->next;
  cell->header = mpispec_route_header(route, 0) | known->bytes;
  mpispec_copy(cell->payload, buffer, known->bytes, 0);
  mpispec_cell_publish(cell, writer->lap | mpispec_route_key(route, 0) | (unsigned)known->tag);
  ++writer->next;
  const struct mpispec_profile_known *last = mpispec_profile_last;
  if (last != known) {
    known->batch->breaks += !last || last->peer != known->peer ||
                            last->communicator != known->communicator ||
                            last->bytes > MPISPEC_PROFILE_SHORT_BYTES;
    mpispec_profile_last = known;
  }
  count(known, buffer);
  return MPI_SUCCESS;
}

int mpispec_profile_short_take(struct mpispec_profile_known *known, struct mpispec_reader *reader,
                               void *buffer, MPI_Status *status) {
  const struct mpispec_cell *cell = reader->next;
  const uint32_t length = (uint32_t)cell->header;
  if (length > mpispec_cell_payload)
    __builtin_unreachable();
  mpispec_copy(buffer, cell->payload, length, 0);
  ++reader->next;
  if (mpispec_status_wanted(status))
    mpispec_status_fill(mpispec_status_wanted(status), known->peer, known->tag, length);
  const struct mpispec_profile_known *last = mpispec_profile_last;
  if (last) {
    last->site->exchanges +=
        last->is_send && last->peer == known->peer && last->communicator == known->communicator;
    mpispec_profile_last = NULL;
  }
  count(known, buffer);
  return MPI_SUCCESS;
}

int mpispec_profile_short_send(struct mpispec_profile_known *known,
                               const struct mpispec_route *route, const void *buffer) {
  struct mpispec_writer *writer = route->writers[known->peer];
  const uint64_t begun = mpispec_ticks();
  if (writer->next >= writer->limit)
    return 0;
  const int is_due = mpispec_profile_short_is_due(known);
  mpispec_profile_short_put(known, route, writer, buffer);
  if (is_due)
    mpispec_profile_short_timed(known, begun, 0);
  return 1;
}

/* Nonzero if the one message that is wanted came within a few polls, less than a microsecond:
 * longer waits are timed each, and may yield the core. */
static int await(const struct mpispec_profile_known *known, const struct mpispec_route *route,
                 const struct mpispec_reader *reader) {
  enum { SHORT_POLLS = 32 };
  const uint64_t envelope = mpispec_route_key(route, 0) | (unsigned)known->tag | reader->lap;
  if ((mpispec_cell_look(reader->next) ^ envelope) >> mpispec_lap_shift == 0 ||
      mpispec_progress_is_needed())
    return 0;
  mpispec_waiting.first = mpispec_ticks();
  return mpispec_await(reader->next, envelope, SHORT_POLLS) &&
         mpispec_profile_short_came(known, route, reader);
}

int mpispec_profile_short_receive(struct mpispec_profile_known *known,
                                  const struct mpispec_route *route, void *buffer,
                                  MPI_Status *status) {
  struct mpispec_reader *reader = route->readers[known->peer];
  const int is_due = mpispec_profile_short_is_due(known);
  if (!mpispec_profile_short_may_look(reader, status))
    return 0;
  const uint64_t begun = is_due ? mpispec_ticks() : 0;
  if (!mpispec_profile_short_came(known, route, reader) && !await(known, route, reader))
    return 0;
  mpispec_profile_short_take(known, reader, buffer, status);
  known->batch->late += mpispec_waiting.first != 0;
  if (is_due)
    mpispec_profile_short_timed(known, begun, mpispec_waiting.first);
  return 1;
}
