/* MPI_Send and MPI_Recv of one cell, and MPI_Iprobe that finds nothing, whose caller and arguments
 * are those of an earlier call: carried out here, and counted by an addition to a batch (batch.h).
 *
 *   MPI_Send -> gate -> mpispec_seen_Send --known, and the lane has room-> put, counted
 *                                         --otherwise-> begin, MPI_Send again, end (profile.h)
 *
 * All that MPI demands of the arguments was found out when they became known (admit); here it is
 * asked what may have changed since, of the same things as the short ways of the ordinary calls
 * ask. Datatypes are predefined, so that nobody frees them. No other thread may call: batches have
 * no lock. */
#ifndef MPISPEC_RUNTIME_PROFILE_SHORT_CALLS_H
#define MPISPEC_RUNTIME_PROFILE_SHORT_CALLS_H

#include "comm/communicator.h"
#include "mpispec/heads.h"
#include "mpispec/message.h"
#include "p2p/queues.h"
#include "profile/profile.h"
#include "profile/profile_arguments.h"
#include "progress/lock.h"

enum mpispec_profile_side {
  MPISPEC_PROFILE_SENDS,
  MPISPEC_PROFILE_RECEIVES,
  MPISPEC_PROFILE_PROBES,
  MPISPEC_PROFILE_SIDES
};

/* By caller and envelope: one at each place. */
enum { MPISPEC_PROFILE_SHORT_PLACES = 1024 };
extern struct mpispec_profile_known
    *mpispec_profile_short[MPISPEC_PROFILE_SIDES][MPISPEC_PROFILE_SHORT_PLACES]
    __attribute__((visibility("hidden")));

static inline unsigned mpispec_profile_short_place(const void *caller, int peer, int tag) {
  return ((unsigned)(uintptr_t)caller + (unsigned)peer * 37 + (unsigned)tag * 5) %
         MPISPEC_PROFILE_SHORT_PLACES;
}

/* From now on calls with these arguments from `caller` may be short, if they can be; `known` has
 * rows, and a batch of its own. */
void mpispec_profile_short_admit(struct mpispec_profile_known *known, const void *caller,
                                 enum mpispec_profile_side side);

/* Gives an admitted one its place. */
static inline void mpispec_profile_short_show(struct mpispec_profile_known *known,
                                              enum mpispec_profile_side side) {
  mpispec_profile_short[side][mpispec_profile_short_place(known->caller, known->peer, known->tag)] =
      known;
}

/* What is known of such a call, with the route to its peer; or null. From any source, all members
 * are on this node. */
static inline __attribute__((always_inline)) struct mpispec_profile_known *
mpispec_profile_short_find(enum mpispec_profile_side side, const void *caller, int peer, int tag,
                           MPI_Comm communicator, const struct mpispec_route **route) {
  struct mpispec_profile_known *known =
      mpispec_profile_short[side][mpispec_profile_short_place(caller, peer, tag)];
  if (!known || known->caller != caller || known->peer != peer || known->tag != tag ||
      known->communicator != communicator || mpispec_lock_per_call)
    return NULL;
  const struct mpispec_communicator *last = mpispec_communicator_last; /* now nobody else's */
  if (last->handle != communicator ||
      ((unsigned)peer >= last->route.size && (peer != MPI_ANY_SOURCE || last->spans_nodes)))
    return NULL;
  *route = &last->route;
  return known;
}

/* Has the message of a send or a receive the length that is known? */
static inline __attribute__((always_inline)) int
mpispec_profile_short_is_alike(const struct mpispec_profile_known *known, const void *buffer,
                               MPI_Count count, MPI_Datatype datatype) {
  if (known->count != count || known->datatype != datatype || !buffer)
    return 0;
  if (known->bytes > mpispec_cell_payload)
    __builtin_unreachable();
  return 1;
}

/* Is the next call of these to be timed? */
static inline int mpispec_profile_short_is_due(const struct mpispec_profile_known *known) {
  return known->batch->calls == known->timed_at;
}

/* Fills the next cell of a lane that has room, and counts the call. Returns MPI_SUCCESS. */
int mpispec_profile_short_put(struct mpispec_profile_known *known,
                              const struct mpispec_route *route, struct mpispec_writer *writer,
                              const void *buffer);

/* Takes the message of one cell that is next in its lane, from `source`, and counts the call.
 * Returns MPI_SUCCESS. */
int mpispec_profile_short_take(struct mpispec_profile_known *known, struct mpispec_reader *reader,
                               void *buffer, int source, MPI_Status *status);

/* Is the message wanted next, without wildcards, and of a length that there is room for? */
static inline __attribute__((always_inline)) int
mpispec_profile_short_came(const struct mpispec_profile_known *known,
                           const struct mpispec_route *route, const struct mpispec_reader *reader) {
  return mpispec_cell_look(reader->next) ==
             (mpispec_route_key(route, 0) | (unsigned)known->tag | reader->lap) &&
         (uint32_t)reader->next->header <= known->bytes; /* of another kind: far too long */
}

/* May a look at the lane tell that a receive has its message? */
static inline __attribute__((always_inline)) int
mpispec_profile_short_may_look(const struct mpispec_reader *reader, const MPI_Status *status) {
  return reader->next < reader->limit && mpispec_status_is_there(status) &&
         !mpispec_matching_awaits_any(&mpispec_queues);
}

/* Does a look at the lanes show that a probe finds nothing? */
static inline __attribute__((always_inline)) int
mpispec_profile_short_is_nothing(const struct mpispec_route *route, int peer) {
  return peer == MPI_ANY_SOURCE ? mpispec_state.heads.open && mpispec_heads_are_empty()
                                : !mpispec_matching_awaits_any(&mpispec_queues) &&
                                      mpispec_head_is_empty(route->readers[(unsigned)peer]);
}

/* Counts a probe that finds nothing, which is over but for progress that is due. */
static inline __attribute__((always_inline)) void
mpispec_profile_short_note_nothing(struct mpispec_profile_known *known) {
  if (mpispec_profile_last)
    mpispec_profile_last = NULL;
  mpispec_profile_batch_count(known, NULL);
}

/* The same with a clock at hand: calls that are timed, and receives that wait shortly. Returns 0 if
 * it did nothing; mpispec_waiting.first is since when the receive has waited, in ticks, or 0. */
int mpispec_profile_short_send(struct mpispec_profile_known *known,
                               const struct mpispec_route *route, const void *buffer);
int mpispec_profile_short_receive(struct mpispec_profile_known *known,
                                  const struct mpispec_route *route, void *buffer,
                                  MPI_Status *status);
int mpispec_profile_short_probe(struct mpispec_profile_known *known,
                                const struct mpispec_route *route);

/* The time of a counted call, which is over now, for all like it that were not timed: since
 * `begun`, of which it waited since `since`, if that is not 0. */
void mpispec_profile_short_timed(struct mpispec_profile_known *known, uint64_t begun,
                                 uint64_t since);

#endif
