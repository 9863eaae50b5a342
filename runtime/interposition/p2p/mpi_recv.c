/* MPI_Recv with its large-count form: from a lane, from another node, or the MPI library. MPI_Irecv
 * is in mpi_irecv.c, receives of matched messages in mpi_probe.c. */
#include "comm/communicator.h"
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "interposition/p2p/decoded.h"
#include "interposition/p2p/mpi_irecv.h"
#include "mpispec/machine.h"
#include "mpispec/message.h"
#include "p2p/block.h"
#include "p2p/completion.h"
#include "p2p/glance.h"
#include "p2p/plain.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "p2p/request.h"
#include "p2p/sender.h"
#include "profile/profile.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/cell_copy.h"
#include "shm/shm.h"

/* Whatever takes longer than a look at the lane. Returns 0 if the call is the library's, and has it
 * not wait there while we are busy. */
static int receive_and_wait(const struct mpispec_call *call, enum mpispec_path path,
                            enum mpispec_tried tried, void *buffer, MPI_Count count,
                            MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,
                            MPI_Status *status, int *error) {
  struct mpispec_request *request = mpispec_receive_begin(call, path, tried);
  if (request) {
    mpispec_request_wait(request);
    const int raised = request->raised;
    *error = mpispec_request_finish(request, status);
    mpispec_unlock();
    if (*error && !raised)
      mpispec_raise(communicator, *error);
    return 1;
  }
  /* MPICH 5 returns MPI_SUCCESS, and no request, for an error that a handler of the program's has
   * heard of. */
  MPI_Request foreign = MPI_REQUEST_NULL;
  /* From a null process nothing blocks (and MPI_Irecv of MPICH forgets to say so in the status). */
  const int busy = peer != MPI_PROC_NULL && mpispec_progress_is_needed();
  if (busy) {
    *error = PMPI_Irecv_c(buffer, count, datatype, peer, tag, communicator, &foreign);
    if (!*error)
      *error = mpispec_foreign_wait(&foreign, status);
  }
  mpispec_unlock();
  return busy;
}

/* How often to look at an empty lane before the receive is posted: only once while others may need
 * us. */
static unsigned polls_for_free(void) {
  return mpispec_lock_per_call || mpispec_progress_is_needed() ? 1 : mpispec_state.polls;
}

/* The rest of a look that did not find the message: gives a credit that is due, follows links,
 * waits if it may. */
static __attribute__((noinline)) enum mpispec_tried
look_on(const struct mpispec_communicator *known, int peer, int tag, int may_wait) {
  const int node_peer = known->peer_of[peer];
  if (node_peer < 0)
    return MPISPEC_BEHIND;
  struct mpispec_incoming *lane = &mpispec_shm.incoming[node_peer];
  const uint64_t wanted = known->route.key | (unsigned)tag;
  unsigned polls = 0;
  for (;;) {
    if (!lane->end.limit) /* shut: something of this peer is queued */
      return MPISPEC_BEHIND;
    if (lane->end.next >= lane->end.limit) {
      mpispec_lane_give_credit(lane);
      mpispec_progress_in_passing();
    }
    const uint64_t seen = mpispec_lane_look(lane);
    if (seen != MPISPEC_NO_KEY)
      return seen == wanted ? MPISPEC_AT_HEAD : MPISPEC_BEHIND;
    if (!polls)
      polls = may_wait ? polls_for_free() : 1;
    if (!--polls)
      return MPISPEC_EMPTY;
    mpispec_progress_waits();
    mpispec_pause();
  }
}

/* Is the message wanted next in its lane? A first look. */
static inline __attribute__((always_inline)) int
is_at_head(const struct mpispec_communicator *known, int peer, int tag) {
  const struct mpispec_reader *reader = known->route.readers[peer];
  return __builtin_expect(reader->next < reader->limit, 1) &&
         mpispec_cell_look(reader->next) == (known->route.key | (unsigned)tag | reader->lap);
}

/* Several cells, waiting for those that have not come. If the message was there at the first look,
 * the last one is looked at first; else not, for its sender may be about to write it. */
static __attribute__((noinline)) int take_cells(struct mpispec_reader *reader, void *buffer,
                                                uint32_t length, int was_there) {
  if (length > MPISPEC_INLINE_BYTES)
    return 0;
  if (!was_there || !mpispec_cells_came(reader, length))
    return mpispec_take_cells(reader, buffer, length, mpispec_state.polls);
  mpispec_cell_copy.take(reader, buffer, length);
  return 1;
}

/* Takes the message at a lane's head, whose envelope fits. `was_there` as above. Returns 0 if there
 * is no room for it, or its bytes are elsewhere. */
static inline __attribute__((always_inline)) int take_head(struct mpispec_reader *reader,
                                                           void *buffer, int64_t room, int source,
                                                           int tag, int was_there,
                                                           struct mpispec_status *status) {
  uint32_t length = (uint32_t)reader->next->header; /* of another kind: far too long */
  if (length <= mpispec_cell_payload) {
    if (length > room)
      return 0;
    mpispec_copy(buffer, (reader->next++)->payload, length, 0);
  } else {
    const uint32_t block = mpispec_block_length(reader->next, length);
    if ((block ? block : length) > room)
      return 0;
    if (block)
      mpispec_block_take(reader, buffer, length = block);
    else if (!take_cells(reader, buffer, length, was_there))
      return 0;
  }
  if (status)
    mpispec_status_fill(status, source, tag, length);
  return 1;
}

/* The short way: a look, and if the message is there, a copy. */
static inline __attribute__((always_inline)) enum mpispec_tried
receive_short(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
              MPI_Comm communicator, int may_wait, struct mpispec_status *status) {
  int64_t room;
  const struct mpispec_communicator *known =
      mpispec_arguments_short(buffer, count, datatype, peer, tag, communicator, &room);
  if (!known || mpispec_matching_awaits_any(&mpispec_queues))
    return MPISPEC_UNTRIED;
  const int was_there = is_at_head(known, peer, tag);
  const enum mpispec_tried tried =
      was_there ? MPISPEC_AT_HEAD : look_on(known, peer, tag, may_wait);
  if (tried != MPISPEC_AT_HEAD)
    return tried;
  return take_head(known->route.readers[peer], buffer, room, peer, tag, was_there, status)
             ? MPISPEC_RECEIVED
             : MPISPEC_AT_HEAD;
}

/* Elements of a few blocks each, straight out of the one cell that they all came in. Returns 0 if
 * their message is not there. */
static inline __attribute__((always_inline)) int receive_mapped(void *buffer, MPI_Count count,
                                                                MPI_Datatype datatype, int peer,
                                                                int tag, MPI_Comm communicator,
                                                                struct mpispec_status *status) {
  const struct mpispec_typemap *map;
  int64_t room;
  const struct mpispec_communicator *known =
      mpispec_arguments_mapped(buffer, count, datatype, peer, tag, communicator, &map, &room);
  if (!known || mpispec_matching_awaits_any(&mpispec_queues))
    return 0;
  struct mpispec_reader *reader = known->route.readers[peer];
  struct mpispec_cell *cell = reader->next;
  if (cell >= reader->limit ||
      mpispec_cell_look(cell) != (known->route.key | (unsigned)tag | reader->lap) ||
      (uint32_t)cell->header != room)
    return 0;
  mpispec_typemap_copy_few(map, buffer, count, cell->payload, 0);
  ++reader->next;
  if (status)
    mpispec_status_fill(status, peer, tag, (unsigned)room);
  return 1;
}

/* One element of words with gaps between them, on MPI_COMM_WORLD, where all but the datatype does
 * for the shortest way. */
static inline __attribute__((always_inline)) int
receive_words_on_world(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                       struct mpispec_status *status) {
  const struct mpispec_route *route = &mpispec_state.world;
  const struct mpispec_words *words = mpispec_words_find(datatype);
  if (!words || count != 1 || mpispec_matching_awaits_any(&mpispec_queues))
    return 0;
  struct mpispec_reader *reader = route->readers[(unsigned)peer];
  struct mpispec_cell *cell = reader->next;
  const unsigned room = words->count * 8;
  if (cell >= reader->limit ||
      mpispec_cell_look(cell) !=
          (mpispec_route_key(route, mpispec_comm_world) | (unsigned)tag | reader->lap) ||
      (uint32_t)cell->header != room)
    return 0;
  if (status)
    mpispec_status_fill(status, peer, tag, room);
  reader->next = cell + 1;
  mpispec_words_copy(words, buffer, cell->payload, 0);
  return 1;
}

/* Is a lane of MPI_COMM_WORLD at its limit? Then tells its sender, and makes the progress that is
 * due there: the message may come next. */
static __attribute__((noinline)) int pass_limit(int peer) {
  struct mpispec_reader *reader = mpispec_state.world.readers[peer];
  if (!reader->limit || reader->next < reader->limit)
    return 0;
  mpispec_lane_give_credit((struct mpispec_incoming *)reader);
  mpispec_progress_in_passing();
  return 1;
}

/* The long way, after the short one has come to `tried`. Returns 0 if the call is the library's. */
static __attribute__((noinline)) int receive(void *buffer, MPI_Count count, MPI_Datatype datatype,
                                             int peer, int tag, MPI_Comm communicator,
                                             MPI_Status *status, enum mpispec_tried tried,
                                             int *error) {
  struct mpispec_call call;
  struct mpispec_result result;
  if (!mpispec_status_is_there(status))
    return 0; /* an error, for the library to tell */
  *error = MPI_SUCCESS;
  mpispec_lock();
  const enum mpispec_path path =
      mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1);
  call.blocking = 1;
  if (path == MPISPEC_LANE && (tried == MPISPEC_UNTRIED || tried == MPISPEC_AT_HEAD))
    tried = mpispec_receive_try(&call, call.map ? polls_for_free() : 1, &result);
  if (tried == MPISPEC_RECEIVED) {
    mpispec_progress_in_passing();
    mpispec_unlock();
    mpispec_status_set(status, result.source, result.tag, result.length, 0);
    return 1;
  }
  return receive_and_wait(&call, path, tried, buffer, count, datatype, peer, tag, communicator,
                          status, error);
}

/* On MPI_COMM_WORLD, while no receive from any source waits, a message that is next in its lane, if
 * it is of one cell and there is room: then returns 0. Else its header, without the source, or one
 * that no message has. */
enum { NOT_THERE = -1 };
static inline __attribute__((always_inline)) uint32_t take_on_world(void *buffer, int64_t room,
                                                                    int peer, int tag,
                                                                    struct mpispec_status *status) {
  struct mpispec_reader *reader = mpispec_shortest.readers[(unsigned)peer];
  struct mpispec_cell *cell = reader->next;
  if (room < 0 || cell >= reader->limit || mpispec_cell_look(cell) != ((unsigned)tag | reader->lap))
    return (uint32_t)NOT_THERE;
  const uint32_t length = (uint32_t)cell->header; /* of another kind: far too long */
  if (length > mpispec_cell_payload || length > room)
    return length;
  ++reader->next;
  mpispec_copy(buffer, cell->payload, length, 0);
  if (status)
    mpispec_status_fill(status, peer, tag, length);
  return 0;
}

/* Of more than a cell; it stands alone, so that what is of one saves no register. */
static __attribute__((noinline)) int take_more(struct mpispec_reader *reader, void *buffer,
                                               int64_t room, int source,
                                               struct mpispec_status *status) {
  return take_head(reader, buffer, room, source, (int)(uint32_t)reader->next->envelope, 1, status);
}

/* A message that is there, with a wildcard. */
static inline __attribute__((always_inline)) enum mpispec_tried
receive_wild(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
             MPI_Comm communicator, struct mpispec_status *status) {
  const struct mpispec_communicator *known = mpispec_arguments_wild(peer, tag, communicator);
  if (!known)
    return MPISPEC_UNTRIED;
  struct mpispec_reader *reader;
  const int found = mpispec_glance(mpispec_receive_peer(known, peer),
                                   mpispec_wanted_on(known->route.key, tag), &reader);
  if (found < 0)
    return found == mpispec_head_empty ? MPISPEC_EMPTY : MPISPEC_UNTRIED;
  int64_t room;
  if (!mpispec_arguments_length(buffer, count, datatype, &room))
    return MPISPEC_UNTRIED;
  if (__builtin_expect(reader->next >= reader->limit, 0) && !mpispec_receive_tend(reader))
    return MPISPEC_UNTRIED;
  const int source = peer == MPI_ANY_SOURCE
                         ? mpispec_head_source(known->route.key, reader->next->header, found)
                         : peer;
  const int taken = (uint32_t)reader->next->header <= mpispec_cell_payload
                        ? mpispec_head_take(reader, buffer, room, 1, source, status)
                        : take_more(reader, buffer, room, source, status);
  return taken ? MPISPEC_RECEIVED : MPISPEC_AT_HEAD;
}

/* Looks for a message with a wildcard as long as look_on does for one without, since to post a
 * receive makes progress everywhere first: is one there by then? */
static __attribute__((noinline)) int comes_wild(int peer, int tag, MPI_Comm communicator) {
  const struct mpispec_communicator *known = mpispec_arguments_wild(peer, tag, communicator);
  if (!known)
    return 0;
  struct mpispec_reader *reader;
  int found = mpispec_head_empty;
  for (unsigned polls = polls_for_free(); found == mpispec_head_empty && --polls;) {
    mpispec_progress_waits();
    mpispec_pause();
    found = mpispec_glance(mpispec_receive_peer(known, peer),
                           mpispec_wanted_on(known->route.key, tag), &reader);
  }
  return found >= 0;
}

static int long_Recv_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                       MPI_Comm communicator, MPI_Status *status);

/* The message at a lane's head, whose header is known: is it in cells that have come, or in a block
 * that is filled, and is there room for it? `*block` is the length of one in a block, else 0. */
static inline __attribute__((always_inline)) int
fits(const struct mpispec_reader *reader, uint32_t header, int64_t room, uint32_t *block) {
  *block = mpispec_block_length(reader->next, header);
  if (*block)
    return *block <= room;
  return header <= room && header <= MPISPEC_INLINE_BYTES && mpispec_cells_came(reader, header);
}

/* Takes it. Returns 0, as the MPI functions whose last word it is. */
static inline __attribute__((always_inline)) int take(struct mpispec_reader *reader,
                                                      uint32_t length, uint32_t block, void *buffer,
                                                      int peer, int tag,
                                                      struct mpispec_status *status) {
  if (block) {
    if (status)
      mpispec_status_fill(status, peer, tag, block);
    return mpispec_block_take(reader, buffer, block);
  }
  if (status)
    mpispec_status_fill(status, peer, tag, length);
  return mpispec_cell_copy.take(reader, buffer, length);
}

/* On MPI_COMM_WORLD, a message of more than a cell that is there: this needs no more of what the
 * program said. In cells, or what takes longer: */
static __attribute__((noinline)) int receive_cells_on_world(struct mpispec_reader *reader,
                                                            void *buffer, int64_t room, int peer,
                                                            int tag, MPI_Status *status) {
  const uint32_t header = (uint32_t)reader->next->header;
  uint32_t block;
  return fits(reader, header, room, &block)
             ? take(reader, header, block, buffer, peer, tag, mpispec_status_wanted(status))
             : long_Recv_c(buffer, room, MPI_BYTE, peer, tag, MPI_COMM_WORLD, status);
}

static __attribute__((noinline)) int receive_on_world(struct mpispec_reader *reader, void *buffer,
                                                      int64_t room, int peer, int tag,
                                                      MPI_Status *status) {
  struct mpispec_cell *cell = reader->next;
  const uint32_t block = mpispec_block_length(cell, (uint32_t)cell->header);
  if ((uint64_t)block - 1 >= (uint64_t)room)
    MPISPEC_JUMP receive_cells_on_world(reader, buffer, room, peer, tag, status);
  if (mpispec_status_wanted(status))
    mpispec_status_fill(mpispec_status_wanted(status), peer, tag, block);
  return mpispec_block_take(reader, buffer, block);
}

int mpispec_receive_now(void *buffer, long long room, const struct mpispec_route *route, int peer,
                        int tag, struct mpispec_status *status) {
  struct mpispec_reader *reader = route->readers[peer];
  const struct mpispec_cell *cell = reader->next;
  if (mpispec_matching_awaits_any(&mpispec_queues) || cell >= reader->limit ||
      mpispec_cell_look(cell) != (route->key | (unsigned)tag | reader->lap))
    return 1;
  const uint32_t header = (uint32_t)cell->header; /* of another kind: far too long */
  uint32_t block;
  if (header > mpispec_cell_payload)
    return fits(reader, header, room, &block)
               ? take(reader, header, block, buffer, peer, tag, status)
               : 1;
  if (header > room)
    return 1;
  mpispec_copy(buffer, (reader->next++)->payload, header, 0);
  if (status)
    mpispec_status_fill(status, peer, tag, header);
  return 0;
}

/* The same from any source on MPI_COMM_WORLD, whose members are all on this node, while nothing is
 * queued anywhere. */
static inline __attribute__((always_inline)) int
receive_any_on_world(void *buffer, MPI_Count count, MPI_Datatype datatype, int tag,
                     MPI_Comm communicator, struct mpispec_status *status) {
  struct mpispec_reader *reader;
  /* In this order: where calls take the lock, the heads are another's meanwhile. */
  if (communicator != mpispec_shortest.world || !mpispec_state.heads.open ||
      !mpispec_state.world.is_local || !buffer || count != (int32_t)count ||
      (tag<0 ? tag != MPI_ANY_TAG : tag>(int) mpispec_shortest.largest_tag))
    return 0;
  if (!mpispec_arguments_is_last(datatype) && !mpispec_arguments_make_last(datatype))
    return 0;
  const int64_t room = mpispec_shortest.element * count;
  if (room < 0)
    return 0;
  const uint64_t key = mpispec_route_key(&mpispec_state.world, mpispec_comm_world);
  const int found = mpispec_heads_look(mpispec_wanted_on(key, tag), mpispec_to_take, &reader);
  return found >= 0 &&
         mpispec_head_take(reader, buffer, room, 0, mpispec_state.heads.world_ranks[found], status);
}

/* The shortest way: a message of 8 bytes that is there, from a rank of MPI_COMM_WORLD, for as many
 * of the last datatype. */
static inline __attribute__((always_inline)) int take_word(void *buffer, MPI_Count count, int peer,
                                                           int tag, struct mpispec_status *status) {
  if (count != mpispec_shortest.word)
    return 0;
  struct mpispec_reader *reader = mpispec_shortest.readers[(unsigned)peer];
  struct mpispec_cell *cell = reader->next;
  if (cell >= reader->limit || mpispec_cell_look(cell) != ((unsigned)tag | reader->lap) ||
      (uint32_t)cell->header != 8) /* of another kind: far too long */
    return 0;
  __builtin_memcpy(buffer, cell->payload, 8);
  if (status)
    mpispec_status_fill(status, peer, tag, 8);
  ++reader->next;
  return 1;
}

/* What is there and of one cell stands alone, so that it saves no register for the rest. */
#define RECEIVE(NAME, COUNT)                                                                       \
  static __attribute__((noinline)) int long_##NAME(void *buffer, COUNT count,                      \
                                                   MPI_Datatype datatype, int peer, int tag,       \
                                                   MPI_Comm communicator, MPI_Status *status) {    \
    int error;                                                                                     \
    enum mpispec_tried tried = MPISPEC_UNTRIED;                                                    \
    MPISPEC_GATE(NAME, buffer, count, datatype, peer, tag, communicator, status);                  \
    if (mpispec_status_is_there(status)) {                                                         \
      tried = receive_short(buffer, count, datatype, peer, tag, communicator, 1,                   \
                            mpispec_status_wanted(status));                                        \
      if (tried == MPISPEC_RECEIVED)                                                               \
        return MPI_SUCCESS;                                                                        \
    }                                                                                              \
    if (receive(buffer, count, datatype, peer, tag, communicator, status, tried, &error))          \
      return error;                                                                                \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }                                                                                                \
  static __attribute__((noinline)) int wild_later_##NAME(                                          \
      void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,  \
      MPI_Status *status) {                                                                        \
    if (comes_wild(peer, tag, communicator) &&                                                     \
        receive_wild(buffer, count, datatype, peer, tag, communicator,                             \
                     mpispec_status_wanted(status)) == MPISPEC_RECEIVED)                           \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }                                                                                                \
  static __attribute__((noinline)) int wild_elsewhere_##NAME(                                      \
      void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,  \
      MPI_Status *status) {                                                                        \
    if (!mpispec_status_is_there(status))                                                          \
      MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, status);          \
    const enum mpispec_tried tried = receive_wild(buffer, count, datatype, peer, tag,              \
                                                  communicator, mpispec_status_wanted(status));    \
    if (tried == MPISPEC_RECEIVED)                                                                 \
      return MPI_SUCCESS;                                                                          \
    if (tried == MPISPEC_EMPTY)                                                                    \
      MPISPEC_JUMP wild_later_##NAME(buffer, count, datatype, peer, tag, communicator, status);    \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }                                                                                                \
  static __attribute__((noinline)) int wild_##NAME(void *buffer, COUNT count,                      \
                                                   MPI_Datatype datatype, int peer, int tag,       \
                                                   MPI_Comm communicator, MPI_Status *status) {    \
    if (mpispec_status_is_there(status) && peer == MPI_ANY_SOURCE &&                               \
        receive_any_on_world(buffer, count, datatype, tag, communicator,                           \
                             mpispec_status_wanted(status)))                                       \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP wild_elsewhere_##NAME(buffer, count, datatype, peer, tag, communicator, status);  \
  }                                                                                                \
  static __attribute__((noinline)) int mapped_##NAME(void *buffer, COUNT count,                    \
                                                     MPI_Datatype datatype, int peer, int tag,     \
                                                     MPI_Comm communicator, MPI_Status *status) {  \
    if (receive_mapped(buffer, count, datatype, peer, tag, communicator,                           \
                       mpispec_status_wanted(status)))                                             \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }                                                                                                \
  static __attribute__((noinline)) int not_words_##NAME(                                           \
      void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,  \
      MPI_Status *status) {                                                                        \
    if (pass_limit(peer))                                                                          \
      MPISPEC_JUMP MPI_##NAME(buffer, count, datatype, peer, tag, communicator, status);           \
    MPISPEC_JUMP mapped_##NAME(buffer, count, datatype, peer, tag, communicator, status);          \
  }                                                                                                \
  static __attribute__((noinline)) int words_##NAME(void *buffer, COUNT count,                     \
                                                    MPI_Datatype datatype, int peer, int tag,      \
                                                    MPI_Comm communicator, MPI_Status *status) {   \
    if (receive_words_on_world(buffer, count, datatype, peer, tag, mpispec_status_wanted(status))) \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP not_words_##NAME(buffer, count, datatype, peer, tag, communicator, status);       \
  }                                                                                                \
  static __attribute__((noinline)) int elsewhere_##NAME(                                           \
      void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,  \
      MPI_Status *status) {                                                                        \
    if (mpispec_short_ways_shut)                                                                   \
      MPISPEC_PROFILED(NAME, buffer, count, datatype, peer, tag, communicator, status);            \
    else if (mpispec_status_is_there(status) && mpispec_arguments_are_mapped(datatype))            \
      MPISPEC_JUMP mapped_##NAME(buffer, count, datatype, peer, tag, communicator, status);        \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }                                                                                                \
  static __attribute__((noinline)) int not_there_##NAME(                                           \
      void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,  \
      MPI_Status *status) {                                                                        \
    if (pass_limit(peer))                                                                          \
      MPISPEC_JUMP MPI_##NAME(buffer, count, datatype, peer, tag, communicator, status);           \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }                                                                                                \
  static __attribute__((noinline)) int on_world_##NAME(                                            \
      void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,  \
      MPI_Status *status) {                                                                        \
    (void)communicator; /* MPI_COMM_WORLD */                                                       \
    const int64_t room = mpispec_shortest.element * count;                                         \
    const uint32_t header = take_on_world(buffer, room, peer, tag, mpispec_status_wanted(status)); \
    if (!header)                                                                                   \
      return MPI_SUCCESS;                                                                          \
    if (header != (uint32_t)NOT_THERE)                                                             \
      return receive_on_world(mpispec_shortest.readers[(unsigned)peer], buffer, room, peer, tag,   \
                              status);                                                             \
    MPISPEC_JUMP not_there_##NAME(buffer, count, datatype, peer, tag, MPI_COMM_WORLD, status);     \
  }                                                                                                \
  static __attribute__((noinline)) int looked_up_##NAME(                                           \
      void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,  \
      MPI_Status *status) {                                                                        \
    if (mpispec_arguments_make_last(datatype))                                                     \
      MPISPEC_JUMP on_world_##NAME(buffer, count, datatype, peer, tag, communicator, status);      \
    MPISPEC_JUMP words_##NAME(buffer, count, datatype, peer, tag, communicator, status);           \
  }                                                                                                \
  static __attribute__((noinline)) int not_on_world_##NAME(                                        \
      void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,  \
      MPI_Status *status) {                                                                        \
    if ((peer | tag) < 0)                                                                          \
      MPISPEC_JUMP wild_##NAME(buffer, count, datatype, peer, tag, communicator, status);          \
    MPISPEC_JUMP elsewhere_##NAME(buffer, count, datatype, peer, tag, communicator, status);       \
  }                                                                                                \
  static __attribute__((noinline)) int told_##NAME(void *buffer, COUNT count,                      \
                                                   MPI_Datatype datatype, int peer, int tag,       \
                                                   MPI_Comm communicator, MPI_Status *status) {    \
    if (!mpispec_status_is_there(status) ||                                                        \
        !mpispec_arguments_are_on_world(buffer, count, peer, tag, communicator,                    \
                                        &mpispec_shortest.receive_size))                           \
      MPISPEC_JUMP not_on_world_##NAME(buffer, count, datatype, peer, tag, communicator, status);  \
    if (!mpispec_arguments_is_last(datatype))                                                      \
      MPISPEC_JUMP looked_up_##NAME(buffer, count, datatype, peer, tag, communicator, status);     \
    if (take_word(buffer, count, peer, tag, (struct mpispec_status *)status))                      \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP on_world_##NAME(buffer, count, datatype, peer, tag, MPI_COMM_WORLD, status);      \
  }                                                                                                \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,              \
                 MPI_Comm communicator, MPI_Status *status) {                                      \
    if (communicator != mpispec_shortest.world ||                                                  \
        (unsigned)peer >= mpispec_shortest.receive_size) /* a wildcard, too */                     \
      MPISPEC_JUMP not_on_world_##NAME(buffer, count, datatype, peer, tag, communicator, status);  \
    if (status != MPI_STATUS_IGNORE)                                                               \
      MPISPEC_JUMP told_##NAME(buffer, count, datatype, peer, tag, communicator, status);          \
    if (!mpispec_arguments_are_on_world(buffer, count, peer, tag, communicator,                    \
                                        &mpispec_shortest.receive_size))                           \
      MPISPEC_JUMP not_on_world_##NAME(buffer, count, datatype, peer, tag, communicator, status);  \
    if (!mpispec_arguments_is_last(datatype))                                                      \
      MPISPEC_JUMP looked_up_##NAME(buffer, count, datatype, peer, tag, communicator, status);     \
    if (take_word(buffer, count, peer, tag, NULL))                                                 \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP on_world_##NAME(buffer, count, datatype, peer, tag, MPI_COMM_WORLD, status);      \
  }

RECEIVE(Recv, int)
RECEIVE(Recv_c, MPI_Count)
