/* MPI_Send and its kin, blocking and nonblocking, with their large-count forms: to a lane, or to
 * the MPI library. */
#include "comm/communicator.h"
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "p2p/attached_buffer.h"
#include "p2p/completion.h"
#include "p2p/decoded_send.h"
#include "p2p/fast_path.h"
#include "p2p/request.h"
#include "p2p/sender.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/progress.h"

/* Instead of an error class: nothing was sent. */
enum { DECLINED = -1 };

/* A standard send of contiguous bytes. `request` is null if the caller waits for the end. */
static inline __attribute__((always_inline)) int send_fast(const void *buffer, MPI_Count count,
                                                           MPI_Datatype datatype, int peer, int tag,
                                                           MPI_Comm communicator,
                                                           MPI_Request *request) {
  struct mpispec_memory from = {(void *)(uintptr_t)buffer, 0, NULL, count};
  const struct mpispec_communicator *known =
      mpispec_arguments_short(buffer, count, datatype, peer, tag, communicator, &from.bytes);
  if (!known)
    return DECLINED;
  const struct mpispec_route *route = &known->route;
  if (from.bytes > mpispec_cell_payload && !known->spans_nodes) {
    if (mpispec_send_standard(buffer, from.bytes, route, peer, tag, mpispec_request_words(request)))
      __builtin_unreachable(); /* all members are on this node */
    return MPI_SUCCESS;
  }
  if (!mpispec_send_fast(route->writers[(unsigned)peer], route->key | (unsigned)tag, route->header,
                         from))
    return DECLINED;
  if (request)
    mpispec_send_tell(request, NULL);
  return MPI_SUCCESS;
}

/* A standard send of one cell: into a lane that is at its limit, or of elements with gaps. */
static inline __attribute__((always_inline)) int send_cell(const void *buffer, MPI_Count count,
                                                           MPI_Datatype datatype, int peer, int tag,
                                                           MPI_Comm communicator,
                                                           MPI_Request *request) {
  struct mpispec_memory from = {(void *)(uintptr_t)buffer, 0, NULL, count};
  if (!mpispec_short_ways_shut && mpispec_communicator_last->handle != communicator)
    mpispec_communicator_search(communicator); /* becomes the last one */
  const struct mpispec_communicator *known = mpispec_arguments_mapped(
      buffer, count, datatype, peer, tag, communicator, &from.map, &from.bytes);
  if (!known)
    known = mpispec_arguments_short(buffer, count, datatype, peer, tag, communicator, &from.bytes);
  if (!known || from.bytes > mpispec_cell_payload || known->peer_of[peer] < 0)
    return DECLINED;
  const struct mpispec_route *route = &known->route;
  struct mpispec_writer *writer = route->writers[(unsigned)peer];
  if (writer->next >= writer->limit && !mpispec_send_makes_room(known->peer_of[peer], 1))
    return DECLINED;
  if (!mpispec_send_fast(writer, route->key | (unsigned)tag, route->header, from))
    return DECLINED;
  if (request)
    mpispec_send_tell(request, NULL);
  return MPI_SUCCESS;
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
    mpispec_send_tell(request, pending);
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

/* All that the fast path of a blocking send leaves. Returns DECLINED if the call is the library's.
 */
static inline __attribute__((always_inline)) int send_other(const void *buffer, MPI_Count count,
                                                            MPI_Datatype datatype, int peer,
                                                            int tag, MPI_Comm communicator,
                                                            enum mpispec_send_mode mode) {
  if (mode == mpispec_standard &&
      send_cell(buffer, count, datatype, peer, tag, communicator, NULL) == MPI_SUCCESS)
    return MPI_SUCCESS;
  return send_and_wait(buffer, count, datatype, peer, tag, communicator, mode) ? MPI_SUCCESS
                                                                               : DECLINED;
}

static inline __attribute__((always_inline)) int
isend_other(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
            MPI_Comm communicator, enum mpispec_send_mode mode, MPI_Request *request) {
  if (mode == mpispec_standard && request &&
      send_cell(buffer, count, datatype, peer, tag, communicator, request) == MPI_SUCCESS)
    return MPI_SUCCESS;
  return send_and_return(buffer, count, datatype, peer, tag, communicator, mode, request)
             ? MPI_SUCCESS
             : DECLINED;
}

#define BLOCKING(NAME, NONBLOCKING, COUNT, MODE)                                                   \
  static __attribute__((noinline)) int other_##NAME(const void *buffer, COUNT count,               \
                                                    MPI_Datatype datatype, int peer, int tag,      \
                                                    MPI_Comm communicator) {                       \
    MPI_Request request = MPI_REQUEST_NULL; /* mpi_recv.c says why */                              \
    MPISPEC_GATE(NAME, buffer, count, datatype, peer, tag, communicator);                          \
    if (send_other(buffer, count, datatype, peer, tag, communicator, mpispec_##MODE) != DECLINED)  \
      return MPI_SUCCESS;                                                                          \
    if (!is_busy())                                                                                \
      return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator);                  \
    return wait_in_library(                                                                        \
        &request, PMPI_##NONBLOCKING(buffer, count, datatype, peer, tag, communicator, &request)); \
  }                                                                                                \
  int MPI_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,        \
                 MPI_Comm communicator) {                                                          \
    if (mpispec_##MODE == mpispec_standard &&                                                      \
        send_fast(buffer, count, datatype, peer, tag, communicator, NULL) != DECLINED)             \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP other_##NAME(buffer, count, datatype, peer, tag, communicator);                   \
  }

#define NONBLOCKING(NAME, COUNT, MODE)                                                             \
  static __attribute__((noinline)) int other_##NAME(const void *buffer, COUNT count,               \
                                                    MPI_Datatype datatype, int peer, int tag,      \
                                                    MPI_Comm communicator, MPI_Request *request) { \
    MPISPEC_GATE(NAME, buffer, count, datatype, peer, tag, communicator, request);                 \
    if (isend_other(buffer, count, datatype, peer, tag, communicator, mpispec_##MODE, request) !=  \
        DECLINED)                                                                                  \
      return MPI_SUCCESS;                                                                          \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, request);           \
  }                                                                                                \
  int MPI_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,        \
                 MPI_Comm communicator, MPI_Request *request) {                                    \
    if (mpispec_##MODE == mpispec_standard && request &&                                           \
        send_fast(buffer, count, datatype, peer, tag, communicator, request) != DECLINED)          \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP other_##NAME(buffer, count, datatype, peer, tag, communicator, request);          \
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
