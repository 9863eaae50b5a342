/* MPI_Send and its kin, blocking and nonblocking, with their large-count forms: to a lane, or to
 * the MPI library. */
#include "comm/communicator.h"
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "interposition/p2p/decoded.h"
#include "interposition/p2p/mpi_buffer.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "mpispec/message.h"
#include "p2p/block.h"
#include "p2p/completion.h"
#include "p2p/request.h"
#include "p2p/sender.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/cell_copy.h"

/* A short message, if there is room for it. */
static inline __attribute__((always_inline)) int put_short(const struct mpispec_route *route,
                                                           const void *buffer, uint64_t bytes,
                                                           int peer, int tag) {
  struct mpispec_writer *writer = route->writers[peer];
  if (bytes <= mpispec_cell_payload)
    return mpispec_put(route, 0, buffer, bytes, 0, peer, tag);
  if (writer->limit - writer->next < mpispec_cells(bytes))
    return 0;
  mpispec_cell_copy.put(writer, route->key | (unsigned)tag, route->header | bytes, buffer, bytes);
  return 1;
}

/* The request of a nonblocking send that has begun; `pending` is null if it was over at once. */
static inline void tell_request(MPI_Request *request, struct mpispec_request *pending) {
  *request = pending ? mpispec_request_handle(pending) : mpispec_request_done;
  ++mpispec_state.made;
}

/* On MPI_COMM_WORLD, a message of so many bytes, if that is one cell and there is room. */
static inline __attribute__((always_inline)) int put_at_once(const void *buffer, int64_t bytes,
                                                             int peer, int tag) {
  const struct mpispec_route route = {.writers = mpispec_shortest.writers};
  const uint64_t length = (uint64_t)bytes;
  if (length == 16) /* with its own code to the end, as 8 bytes have */
    return mpispec_put(&route, mpispec_comm_world, buffer, 16, 0, peer, tag);
  return length <= mpispec_cell_payload &&
         mpispec_put(&route, mpispec_comm_world, buffer, length, 0, peer, tag);
}

/* On MPI_COMM_WORLD, a message of 8 bytes, if there is room. */
static inline __attribute__((always_inline)) int put_word(const void *buffer, int peer, int tag) {
  const struct mpispec_route route = {.writers = mpispec_shortest.writers};
  return mpispec_put(&route, mpispec_comm_world, buffer, 8, 0, peer, tag);
}

/* The slow way. `request` is null if the caller waits for the end. Returns 0 when the call is over,
 * 1 if no lane leads to the peer, or the library would refuse a buffered send. */
static __attribute__((noinline)) int send_slowly(const void *buffer, int64_t bytes,
                                                 const struct mpispec_route *route, int peer,
                                                 int tag, MPI_Request *request,
                                                 enum mpispec_send_mode mode) {
  struct mpispec_call call = {.buffer = (void *)(uintptr_t)buffer,
                              .count = bytes,
                              .datatype = MPI_BYTE,
                              .peer = peer,
                              .tag = tag,
                              .mode = mode,
                              .bytes = bytes,
                              .contiguous = 1,
                              .blocking = !request};
  mpispec_lock();
  call.communicator = mpispec_communicator_find((MPI_Comm)route->comm);
  const int done = call.communicator && mpispec_peer_of(&call) >= 0 &&
                   !(mode == mpispec_buffered && !mpispec_buffer_has_room(bytes));
  if (done) {
    struct mpispec_request *pending = mpispec_send_start(&call, mpispec_peer_of(&call));
    if (request) {
      tell_request(request, pending);
    } else if (pending) {
      mpispec_request_wait(pending);
      mpispec_request_finish(pending, MPI_STATUS_IGNORE);
    }
  }
  mpispec_unlock();
  return !done;
}

/* Can a message of more than short_bytes leave in a block that is filled at once, of at most so
 * many bytes? To this rank itself, a receive that is posted has it without. */
static inline __attribute__((always_inline)) int
goes_in_block(int64_t bytes, const struct mpispec_route *route, int peer, int64_t most) {
  const struct mpispec_writer *writer = route->writers[peer];
  return bytes <= most && !mpispec_is_self(route, peer) && writer->next < writer->limit;
}

/* Has it left so? */
static inline __attribute__((always_inline)) int put_block(const void *buffer, int64_t bytes,
                                                           struct mpispec_place place,
                                                           const struct mpispec_route *route,
                                                           int peer, int tag) {
  if (!place.offset)
    return 0;
  mpispec_block_put(buffer, bytes, place, route->writers[peer], route->key | (unsigned)tag,
                    route->header);
  return 1;
}

static __attribute__((noinline)) int send_standard_slowly(const void *buffer, int64_t bytes,
                                                          const struct mpispec_route *route,
                                                          int peer, int tag) {
  return send_slowly(buffer, bytes, route, peer, tag, NULL, mpispec_standard);
}

static __attribute__((noinline)) int send_new_block(const void *buffer, int64_t bytes,
                                                    const struct mpispec_route *route, int peer,
                                                    int tag) {
  if (put_block(buffer, bytes, mpispec_block_new(bytes), route, peer, tag))
    return 0;
  MPISPEC_JUMP send_standard_slowly(buffer, bytes, route, peer, tag);
}

/* A standard message of more than a cell whose caller waits for the end; it stands alone, so that
 * what is in cells saves no register. */
static __attribute__((noinline)) int send_block(const void *buffer, int64_t bytes,
                                                const struct mpispec_route *route, int peer,
                                                int tag) {
  if (bytes <= MPISPEC_INLINE_BYTES || !goes_in_block(bytes, route, peer, MPISPEC_LEAST_STEP))
    MPISPEC_JUMP send_standard_slowly(buffer, bytes, route, peer, tag);
  if (put_block(buffer, bytes, mpispec_block_at_hand(bytes), route, peer, tag))
    return 0;
  MPISPEC_JUMP send_new_block(buffer, bytes, route, peer, tag);
}

static __attribute__((noinline)) int
send_more(const void *buffer, int64_t bytes, const struct mpispec_route *route, int peer, int tag) {
  struct mpispec_writer *writer = route->writers[peer];
  if (bytes <= MPISPEC_INLINE_BYTES &&
      writer->limit - writer->next >= mpispec_cells((uint64_t)bytes))
    return mpispec_cell_copy.put(writer, route->key | (unsigned)tag,
                                 route->header | (uint64_t)bytes, buffer, (uint64_t)bytes);
  MPISPEC_JUMP send_block(buffer, bytes, route, peer, tag);
}

/* On MPI_COMM_WORLD this needs no more of what the program said. */
static __attribute__((noinline)) int send_on_world(const void *buffer, int64_t bytes, int peer,
                                                   int tag) {
  return send_more(buffer, bytes, &mpispec_state.world, peer, tag);
}

/* Has a message of any length left, for which its buffer need not be kept? */
static inline __attribute__((always_inline)) int
put_whole(const void *buffer, int64_t bytes, const struct mpispec_route *route, int peer, int tag) {
  if (bytes <= MPISPEC_INLINE_BYTES)
    return put_short(route, buffer, (uint64_t)bytes, peer, tag);
  if (!goes_in_block(bytes, route, peer, MPISPEC_WHOLE_BYTES))
    return 0;
  struct mpispec_place place = mpispec_block_at_hand(bytes);
  if (!place.offset)
    place = mpispec_block_new(bytes);
  return put_block(buffer, bytes, place, route, peer, tag);
}

int mpispec_send_at_once(const void *buffer, long long bytes, const struct mpispec_route *route,
                         int peer, int tag) {
  return !put_whole(buffer, bytes, route, peer, tag);
}

/* A standard message whose caller does not wait. */
static __attribute__((noinline)) int begin_more(const void *buffer, int64_t bytes,
                                                const struct mpispec_route *route, int peer,
                                                int tag, MPI_Request *request) {
  if (!put_whole(buffer, bytes, route, peer, tag))
    return send_slowly(buffer, bytes, route, peer, tag, request, mpispec_standard);
  tell_request(request, NULL);
  return 0;
}

int mpispec_send_standard(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request) {
  if (request)
    return begin_more(buffer, bytes, route, peer, tag, (MPI_Request *)request);
  if (__builtin_expect(bytes <= mpispec_cell_payload, 0)) /* who said that it is long was wrong */
    return send_slowly(buffer, bytes, route, peer, tag, NULL, mpispec_standard);
  return send_more(buffer, bytes, route, peer, tag);
}

int mpispec_send_buffered(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request) {
  return send_slowly(buffer, bytes, route, peer, tag, (MPI_Request *)request, mpispec_buffered);
}

int mpispec_send_synchronous(const void *buffer, long long bytes, const struct mpispec_route *route,
                             int peer, int tag, mpispec_handle *request) {
  return send_slowly(buffer, bytes, route, peer, tag, (MPI_Request *)request, mpispec_synchronous);
}

/* Whatever needs no more than the last communicator and a type that templates know. `request` as
 * above. Returns 0 if it cannot, having changed nothing. */
static inline __attribute__((always_inline)) int send_short(const void *buffer, MPI_Count count,
                                                            MPI_Datatype datatype, int peer,
                                                            int tag, MPI_Comm communicator,
                                                            MPI_Request *request) {
  int64_t bytes;
  const struct mpispec_communicator *known =
      mpispec_arguments_short(buffer, count, datatype, peer, tag, communicator, &bytes);
  if (!known)
    return 0;
  const struct mpispec_route *route = &known->route;
  if (bytes > MPISPEC_INLINE_BYTES)
    return !(request ? begin_more(buffer, bytes, route, peer, tag, request)
                     : send_more(buffer, bytes, route, peer, tag));
  if (!put_short(route, buffer, (uint64_t)bytes, peer, tag) &&
      !(known->peer_of[peer] >= 0 &&
        mpispec_send_makes_room(known->peer_of[peer], (int)mpispec_cells((uint64_t)bytes)) &&
        put_short(route, buffer, (uint64_t)bytes, peer, tag)))
    return 0;
  if (request)
    tell_request(request, NULL);
  return 1;
}

/* Elements of a few blocks each, straight into the one cell that they take. Returns 0 if there is
 * no room. */
static inline __attribute__((always_inline)) int send_mapped(const void *buffer, MPI_Count count,
                                                             MPI_Datatype datatype, int peer,
                                                             int tag, MPI_Comm communicator) {
  const struct mpispec_typemap *map;
  int64_t bytes;
  const struct mpispec_communicator *known =
      mpispec_arguments_mapped(buffer, count, datatype, peer, tag, communicator, &map, &bytes);
  if (!known)
    return 0;
  struct mpispec_writer *writer = known->route.writers[peer];
  struct mpispec_cell *cell = writer->next;
  if (cell >= writer->limit)
    return 0;
  cell->header = known->route.header | (uint64_t)bytes;
  mpispec_typemap_copy_few(map, (void *)(uintptr_t)buffer, count, cell->payload, 1);
  mpispec_cell_publish(cell, writer->lap | known->route.key | (unsigned)tag);
  ++writer->next;
  return 1;
}

/* One element of words with gaps between them, on MPI_COMM_WORLD, where all but the datatype does
 * for the shortest way. */
static inline __attribute__((always_inline)) int
send_words_on_world(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag) {
  const struct mpispec_route *route = &mpispec_state.world;
  const struct mpispec_words *words = mpispec_words_find(datatype);
  if (!words || count != 1)
    return 0;
  struct mpispec_writer *writer = route->writers[(unsigned)peer];
  struct mpispec_cell *cell = writer->next;
  if (cell >= writer->limit)
    return 0;
  cell->header = words->count * 8;
  mpispec_words_copy(words, (void *)(uintptr_t)buffer, cell->payload, 1);
  mpispec_cell_publish(cell,
                       writer->lap | mpispec_route_key(route, mpispec_comm_world) | (unsigned)tag);
  ++writer->next;
  return 1;
}

/* Sends through a lane. Returns 0 if the call is the library's. The request of an unfinished send
 * is stored in `*pending`, else null. */
static int send_to_lane(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer,
                        int tag, MPI_Comm communicator, enum mpispec_send_mode mode, int blocking,
                        struct mpispec_request **pending) {
  struct mpispec_call call;
  if (mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 0) != MPISPEC_LANE)
    return 0;
  if (mode == mpispec_buffered && !mpispec_buffer_has_room(call.bytes))
    return 0;
  call.mode = mode;
  call.blocking = blocking;
  *pending = mpispec_send_start(&call, mpispec_peer_of(&call));
  return 1;
}

/* The template has sent, and its message waits for a match (mpispec/ssend.h). */
static int await_match(void) {
  mpispec_state.half_done = 0;
  for (unsigned round = 0; !mpispec_has_fin(mpispec_state.handshake, 0); ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
  return 1;
}

static __attribute__((noinline)) int send_and_wait(const void *buffer, MPI_Count count,
                                                   MPI_Datatype datatype, int peer, int tag,
                                                   MPI_Comm communicator,
                                                   enum mpispec_send_mode mode) {
  struct mpispec_request *pending = NULL;
  if (mode == mpispec_synchronous && mpispec_node.size && mpispec_state.half_done)
    return await_match();
  mpispec_lock();
  const int done =
      send_to_lane(buffer, count, datatype, peer, tag, communicator, mode, 1, &pending);
  if (done && pending) {
    mpispec_request_wait(pending);
    mpispec_request_finish(pending, MPI_STATUS_IGNORE);
  }
  mpispec_unlock();
  return done;
}

static __attribute__((noinline)) int
send_and_return(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                MPI_Comm communicator, enum mpispec_send_mode mode, MPI_Request *request) {
  struct mpispec_request *pending = NULL;
  if (!request)
    return 0;
  mpispec_lock();
  const int done =
      send_to_lane(buffer, count, datatype, peer, tag, communicator, mode, 0, &pending);
  if (done)
    tell_request(request, pending);
  mpispec_unlock();
  return done;
}

/* A blocking send of the library's, while receives of ours are under way: its nonblocking form, and
 * progress. */
static int wait_in_library(MPI_Request *request, int error) {
  if (error)
    return error;
  mpispec_lock();
  error = mpispec_foreign_wait(request, MPI_STATUS_IGNORE);
  mpispec_unlock();
  return error;
}

static int is_busy(void) {
  mpispec_lock();
  const int busy = mpispec_progress_is_needed();
  mpispec_unlock();
  return busy;
}

/* On MPI_COMM_WORLD, which takes no register so, with elements of the last datatype. */
#define SEND_ON_WORLD(NAME)                                                                        \
  if (count == mpispec_shortest.word && put_word(buffer, peer, tag))                               \
    return MPI_SUCCESS;                                                                            \
  int64_t bytes = mpispec_shortest.element * count;                                                \
  if (put_at_once(buffer, bytes, peer, tag))                                                       \
    return MPI_SUCCESS;                                                                            \
  if (bytes > mpispec_cell_payload && mpispec_state.world.is_local)                                \
    return send_on_world(buffer, bytes, peer, tag);                                                \
  MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, MPI_COMM_WORLD);

/* The short way stands alone, so that it saves no register for the long one. */
#define BLOCKING(NAME, NONBLOCKING, COUNT, MODE)                                                   \
  static __attribute__((noinline)) int long_##NAME(const void *buffer, COUNT count,                \
                                                   MPI_Datatype datatype, int peer, int tag,       \
                                                   MPI_Comm communicator) {                        \
    MPI_Request request = MPI_REQUEST_NULL; /* mpi_recv.c says why */                              \
    MPISPEC_GATE(NAME, buffer, count, datatype, peer, tag, communicator);                          \
    if (mpispec_##MODE == mpispec_standard &&                                                      \
        send_short(buffer, count, datatype, peer, tag, communicator, NULL))                        \
      return MPI_SUCCESS;                                                                          \
    if (send_and_wait(buffer, count, datatype, peer, tag, communicator, mpispec_##MODE))           \
      return MPI_SUCCESS;                                                                          \
    if (!is_busy())                                                                                \
      return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator);                  \
    return wait_in_library(                                                                        \
        &request, PMPI_##NONBLOCKING(buffer, count, datatype, peer, tag, communicator, &request)); \
  }                                                                                                \
  static __attribute__((noinline, unused)) int mapped_##NAME(const void *buffer, COUNT count,      \
                                                             MPI_Datatype datatype, int peer,      \
                                                             int tag, MPI_Comm communicator) {     \
    if (send_mapped(buffer, count, datatype, peer, tag, communicator))                             \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator);                    \
  }                                                                                                \
  static __attribute__((noinline, unused)) int words_##NAME(const void *buffer, COUNT count,       \
                                                            MPI_Datatype datatype, int peer,       \
                                                            int tag, MPI_Comm communicator) {      \
    if (send_words_on_world(buffer, count, datatype, peer, tag))                                   \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP mapped_##NAME(buffer, count, datatype, peer, tag, communicator);                  \
  }                                                                                                \
  static __attribute__((noinline, unused)) int elsewhere_##NAME(const void *buffer, COUNT count,   \
                                                                MPI_Datatype datatype, int peer,   \
                                                                int tag, MPI_Comm communicator) {  \
    if (mpispec_short_ways_shut)                                                                   \
      MPISPEC_PROFILED(NAME, buffer, count, datatype, peer, tag, communicator);                    \
    else if (mpispec_arguments_are_mapped(datatype))                                               \
      MPISPEC_JUMP mapped_##NAME(buffer, count, datatype, peer, tag, communicator);                \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator);                    \
  }                                                                                                \
  static __attribute__((noinline, unused)) int looked_up_##NAME(const void *buffer, COUNT count,   \
                                                                MPI_Datatype datatype, int peer,   \
                                                                int tag, MPI_Comm communicator) {  \
    if (!mpispec_arguments_make_last(datatype))                                                    \
      MPISPEC_JUMP words_##NAME(buffer, count, datatype, peer, tag, communicator);                 \
    SEND_ON_WORLD(NAME)                                                                            \
  }                                                                                                \
  int MPI_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,        \
                 MPI_Comm communicator) {                                                          \
    if (mpispec_##MODE != mpispec_standard)                                                        \
      MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator);                  \
    if (!mpispec_arguments_are_on_world(buffer, count, peer, tag, communicator,                    \
                                        &mpispec_shortest.size))                                   \
      MPISPEC_JUMP elsewhere_##NAME(buffer, count, datatype, peer, tag, communicator);             \
    if (!mpispec_arguments_is_last(datatype))                                                      \
      MPISPEC_JUMP looked_up_##NAME(buffer, count, datatype, peer, tag, communicator);             \
    SEND_ON_WORLD(NAME)                                                                            \
  }

#define NONBLOCKING(NAME, COUNT, MODE)                                                             \
  static __attribute__((noinline)) int long_##NAME(const void *buffer, COUNT count,                \
                                                   MPI_Datatype datatype, int peer, int tag,       \
                                                   MPI_Comm communicator, MPI_Request *request) {  \
    MPISPEC_GATE(NAME, buffer, count, datatype, peer, tag, communicator, request);                 \
    if (mpispec_##MODE == mpispec_standard && request &&                                           \
        send_short(buffer, count, datatype, peer, tag, communicator, request))                     \
      return MPI_SUCCESS;                                                                          \
    if (mpispec_##MODE == mpispec_standard && request &&                                           \
        send_mapped(buffer, count, datatype, peer, tag, communicator)) {                           \
      tell_request(request, NULL);                                                                 \
      return MPI_SUCCESS;                                                                          \
    }                                                                                              \
    if (send_and_return(buffer, count, datatype, peer, tag, communicator, mpispec_##MODE,          \
                        request))                                                                  \
      return MPI_SUCCESS;                                                                          \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, request);           \
  }                                                                                                \
  static __attribute__((noinline, unused)) int looked_up_##NAME(                                   \
      const void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,                   \
      MPI_Comm communicator, MPI_Request *request) {                                               \
    if (mpispec_arguments_make_last(datatype))                                                     \
      MPISPEC_JUMP MPI_##NAME(buffer, count, datatype, peer, tag, communicator, request);          \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, request);           \
  }                                                                                                \
  int MPI_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,        \
                 MPI_Comm communicator, MPI_Request *request) {                                    \
    if (mpispec_##MODE != mpispec_standard || !request ||                                          \
        !mpispec_arguments_are_on_world(buffer, count, peer, tag, communicator,                    \
                                        &mpispec_shortest.size))                                   \
      MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, request);         \
    if (!mpispec_arguments_is_last(datatype))                                                      \
      MPISPEC_JUMP looked_up_##NAME(buffer, count, datatype, peer, tag, communicator, request);    \
    if (put_at_once(buffer, mpispec_shortest.element * count, peer, tag)) {                        \
      tell_request(request, NULL);                                                                 \
      return MPI_SUCCESS;                                                                          \
    }                                                                                              \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, request);           \
  }

BLOCKING(Send, Isend, int, standard)
BLOCKING(Send_c, Isend_c, MPI_Count, standard)
BLOCKING(Bsend, Ibsend, int, buffered)
BLOCKING(Bsend_c, Ibsend_c, MPI_Count, buffered)
BLOCKING(Ssend, Issend, int, synchronous)
BLOCKING(Ssend_c, Issend_c, MPI_Count, synchronous)
BLOCKING(Rsend, Irsend, int, standard)
BLOCKING(Rsend_c, Irsend_c, MPI_Count, standard)
NONBLOCKING(Isend, int, standard)
NONBLOCKING(Isend_c, MPI_Count, standard)
NONBLOCKING(Ibsend, int, buffered)
NONBLOCKING(Ibsend_c, MPI_Count, buffered)
NONBLOCKING(Issend, int, synchronous)
NONBLOCKING(Issend_c, MPI_Count, synchronous)
NONBLOCKING(Irsend, int, standard)
NONBLOCKING(Irsend_c, MPI_Count, standard)
