/* See short_calls.h. */
#include "profile/short_calls.h"

#include "datatype/datatype.h"
#include "mpispec/machine.h"
#include "progress/progress.h"

struct mpispec_profile_known
    *mpispec_profile_short[MPISPEC_PROFILE_SIDES][MPISPEC_PROFILE_SHORT_PLACES];

/* Have the calls one cell, or, as probes, none? Then says of how many elements. */
static int fits(struct mpispec_profile_known *known) {
  const struct mpispec_datatype *type = mpispec_datatype_find(known->datatype);
  if (!type || !type->predefined || !type->contiguous || type->size <= 0 || known->bytes == 0 ||
      known->bytes > mpispec_cell_payload || known->bytes % (uint64_t)type->size)
    return 0;
  known->count = (MPI_Count)(known->bytes / (uint64_t)type->size);
  return 1;
}

void mpispec_profile_short_admit(struct mpispec_profile_known *known, const void *caller,
                                 enum mpispec_profile_side side) {
  const int is_send = side == MPISPEC_PROFILE_SENDS;
  if ((known->peer < 0 && (is_send || known->peer != MPI_ANY_SOURCE)) ||
      ((unsigned)known->tag > mpispec_state.largest_tag &&
       (is_send || known->tag != MPI_ANY_TAG)) ||
      (side != MPISPEC_PROFILE_PROBES && !fits(known)))
    return;
  known->caller = caller;
  mpispec_profile_short_show(known, side);
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
  mpispec_profile_batch_count(known, buffer);
  return MPI_SUCCESS;
}

int mpispec_profile_short_take(struct mpispec_profile_known *known, struct mpispec_reader *reader,
                               void *buffer, int source, MPI_Status *status) {
  const struct mpispec_cell *cell = reader->next;
  const uint32_t length = (uint32_t)cell->header;
  if (length > mpispec_cell_payload)
    __builtin_unreachable();
  mpispec_copy(buffer, cell->payload, length, 0);
  ++reader->next;
  if (mpispec_status_wanted(status))
    mpispec_status_fill(mpispec_status_wanted(status), source, (int)(unsigned)cell->envelope,
                        length);
  const struct mpispec_profile_known *last = mpispec_profile_last;
  if (last) {
    last->site->exchanges +=
        last->is_send && last->peer == known->peer && last->communicator == known->communicator;
    mpispec_profile_last = NULL;
  }
  mpispec_profile_batch_count(known, buffer);
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

int mpispec_profile_short_probe(struct mpispec_profile_known *known,
                                const struct mpispec_route *route) {
  const int is_due = mpispec_profile_short_is_due(known);
  const uint64_t begun = is_due ? mpispec_ticks() : 0;
  if (!mpispec_profile_short_is_nothing(route, known->peer))
    return 0;
  mpispec_profile_short_note_nothing(known);
  mpispec_progress_glance();
  if (is_due)
    mpispec_profile_short_timed(known, begun, 0);
  return 1;
}

/* The message that is wanted, if it is next in a lane: the rank of its sender, and the lane's
 * reading end; else mpispec_head_empty or _unsure. */
static inline int find(const struct mpispec_profile_known *known, const struct mpispec_route *route,
                       struct mpispec_reader **reader) {
  const uint64_t key = mpispec_route_key(route, 0);
  const struct mpispec_wanted wanted = mpispec_wanted_on(key, known->tag);
  if (known->peer == MPI_ANY_SOURCE) {
    const int found = mpispec_state.heads.open ? mpispec_heads_look(wanted, mpispec_to_take, reader)
                                               : mpispec_head_unsure;
    return found < 0 ? found : mpispec_head_source(key, (*reader)->next->header, found);
  }
  *reader = route->readers[known->peer];
  const int seen = mpispec_matching_awaits_any(&mpispec_queues)
                       ? mpispec_head_unsure
                       : mpispec_head_look(*reader, wanted, mpispec_to_take);
  return seen ? seen : known->peer;
}

/* The same after a few polls, less than a microsecond: longer waits are timed each, and may yield
 * the core. */
static int await(const struct mpispec_profile_known *known, const struct mpispec_route *route,
                 struct mpispec_reader **reader) {
  enum { SHORT_POLLS = 32 };
  int source = mpispec_head_empty;
  if (mpispec_progress_is_needed())
    return source;
  mpispec_waiting.first = mpispec_ticks();
  for (unsigned polls = 0; source == mpispec_head_empty && polls < SHORT_POLLS; ++polls) {
    mpispec_pause();
    source = find(known, route, reader);
  }
  return source;
}

int mpispec_profile_short_receive(struct mpispec_profile_known *known,
                                  const struct mpispec_route *route, void *buffer,
                                  MPI_Status *status) {
  struct mpispec_reader *reader;
  const int is_due = mpispec_profile_short_is_due(known);
  const uint64_t begun = is_due ? mpispec_ticks() : 0;
  if (!mpispec_status_is_there(status))
    return 0;
  int source = find(known, route, &reader);
  if (source == mpispec_head_empty)
    source = await(known, route, &reader);
  if (source < 0 || (uint32_t)reader->next->header > known->bytes)
    return 0;
  mpispec_profile_short_take(known, reader, buffer, source, status);
  known->batch->late += mpispec_waiting.first != 0;
  if (is_due)
    mpispec_profile_short_timed(known, begun, mpispec_waiting.first);
  return 1;
}
