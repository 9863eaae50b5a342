/* MPI_Recv and MPI_Irecv with their large-count forms: from a lane, from another node, or the MPI
 * library. Receives of matched messages are in probe.c. */
#include "comm/communicator.h"
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "mpispec/message.h"
#include "p2p/completion.h"
#include "p2p/network.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "p2p/request.h"
#include "p2p/sender.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/shm.h"

/* Starts a receive of ours: from a lane, from anywhere, or from another node behind a receive from
 * anywhere. Returns null if the call is the library's. */
static struct mpispec_request *start(const struct mpispec_call *call,
                                     enum mpispec_business business) {
  if (business == MPISPEC_LIBRARY)
    return NULL;
  if (business == MPISPEC_LANE) {
    struct mpispec_request *request = mpispec_request_begin(MPISPEC_RECEIVE, call, 0);
    mpispec_receive_start(request);
    return request;
  }
  if (!mpispec_network_is_listed(call->communicator, call->peer, call->tag))
    return NULL;
  struct mpispec_request *request = mpispec_request_begin(MPISPEC_FOREIGN, call, 0);
  mpispec_network_list(request);
  return request;
}

/* Whatever takes longer than a look at the lane. Returns 0 if the call is the library's, and has it
 * not wait there while we are busy. */
static int receive_and_wait(const struct mpispec_call *call, enum mpispec_business business,
                            void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                            MPI_Comm communicator, MPI_Status *status, int *error) {
  struct mpispec_request *request = start(call, business);
  if (request) {
    mpispec_request_wait(request);
    const int raised = request->raised;
    *error = mpispec_request_finish(request, status);
    mpispec_unlock();
    if (*error && !raised)
      mpispec_raise(communicator, *error);
    return 1;
  }
  MPI_Request foreign;
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

/* What the short way leaves to others at the end of a lane: a credit that is due, and a link.
 * Returns nonzero if it should look again. */
static __attribute__((noinline)) int tend(int peer) {
  struct mpispec_incoming *lane = &mpispec_shm.incoming[peer];
  const struct mpispec_cell *next = lane->end.next;
  const int due = next >= lane->limit;
  if (due)
    mpispec_lane_give_credit(lane);
  mpispec_lane_look(lane);
  if (due)
    mpispec_progress_in_passing();
  return due || lane->end.next != next;
}

/* A message of several cells whose first is there. */
static __attribute__((noinline)) int take_cells(const struct mpispec_route *route, void *buffer,
                                                int64_t room, int peer, int tag,
                                                const unsigned *looks,
                                                struct mpispec_status *status) {
  struct mpispec_reader *reader = route->readers[peer];
  const uint64_t envelope = route->key | (unsigned)tag | reader->lap;
  if (reader->next >= reader->limit || mpispec_cell_look(reader->next) != envelope)
    return 0;
  const uint32_t length = (uint32_t)reader->next->header; /* of another kind: far too long */
  if (length <= mpispec_cell_payload || length > MPISPEC_INLINE_BYTES || length > room ||
      !mpispec_take_cells(reader, buffer, length, looks ? *looks : 0))
    return 0;
  if (status)
    mpispec_status_fill(status, peer, tag, length);
  return 1;
}

static inline __attribute__((always_inline)) int take(const struct mpispec_route *route,
                                                      void *buffer, int64_t room, int peer, int tag,
                                                      const unsigned *looks,
                                                      struct mpispec_status *status) {
  return mpispec_take(route, 0, buffer, room, 1, peer, tag, looks, status) ||
         (room > mpispec_cell_payload && take_cells(route, buffer, room, peer, tag, looks, status));
}

/* The short way. Returns 0 if it cannot, having changed nothing. */
static inline __attribute__((always_inline)) int
receive_short(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
              MPI_Comm communicator, const unsigned *looks, struct mpispec_status *status) {
  int64_t room;
  const struct mpispec_communicator *known =
      mpispec_arguments_short(buffer, count, datatype, peer, tag, communicator, &room);
  if (!known || mpispec_matching_awaits_any(&mpispec_queues))
    return 0;
  return take(&known->route, buffer, room, peer, tag, looks, status) ||
         (known->peer_of[peer] >= 0 && tend(known->peer_of[peer]) &&
          take(&known->route, buffer, room, peer, tag, looks, status));
}

/* How often to look at an empty lane before the receive is posted; null if not at all. */
static const unsigned *looks_for_free(void) {
  return mpispec_lock_per_call || mpispec_progress_is_needed() ? NULL : &mpispec_state.looks;
}

/* The same behind it: the short way has looked already, unless the type is not contiguous. */
static unsigned looks_for(const struct mpispec_call *call) {
  const unsigned *looks = call->map ? looks_for_free() : NULL;
  return looks && *looks ? *looks : 1;
}

static __attribute__((noinline)) int receive(void *buffer, MPI_Count count, MPI_Datatype datatype,
                                             int peer, int tag, MPI_Comm communicator,
                                             MPI_Status *status, int *error) {
  struct mpispec_call call;
  struct mpispec_result result;
  struct mpispec_status *wanted = mpispec_status_wanted(status);
  if (!status)
    return 0; /* an error, for the library to tell */
  *error = MPI_SUCCESS;
  if (receive_short(buffer, count, datatype, peer, tag, communicator, looks_for_free(), wanted))
    return 1;
  mpispec_lock();
  const enum mpispec_business business =
      mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1);
  call.blocking = 1;
  if (business == MPISPEC_LANE && mpispec_receive_now(&call, looks_for(&call), &result)) {
    mpispec_progress_in_passing();
    mpispec_unlock();
    mpispec_status_set(status, result.source, result.tag, result.length, 0);
    return 1;
  }
  return receive_and_wait(&call, business, buffer, count, datatype, peer, tag, communicator, status,
                          error);
}

static __attribute__((noinline)) int receive_and_return(void *buffer, MPI_Count count,
                                                        MPI_Datatype datatype, int peer, int tag,
                                                        MPI_Comm communicator,
                                                        MPI_Request *handle) {
  if (!handle)
    return 0;
  struct mpispec_call call;
  mpispec_lock();
  const enum mpispec_business business =
      mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1);
  struct mpispec_request *request = start(&call, business);
  if (request)
    *handle = mpispec_request_handle(request);
  if (request && request->complete)
    mpispec_progress_in_passing();
  mpispec_unlock();
  return request != NULL;
}

#define RECEIVE(NAME, COUNT)                                                                       \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,              \
                 MPI_Comm communicator, MPI_Status *status) {                                      \
    int error;                                                                                     \
    if (!mpispec_node.size)                                                                        \
      return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, status);          \
    if (status && receive_short(buffer, count, datatype, peer, tag, communicator, NULL,            \
                                mpispec_status_wanted(status)))                                    \
      return MPI_SUCCESS;                                                                          \
    if (receive(buffer, count, datatype, peer, tag, communicator, status, &error))                 \
      return error;                                                                                \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }

#define NONBLOCKING(NAME, COUNT)                                                                   \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,              \
                 MPI_Comm communicator, MPI_Request *request) {                                    \
    if (!mpispec_node.size)                                                                        \
      return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, request);         \
    struct mpispec_receipt *receipt = mpispec_lock_per_call ? NULL : mpispec_state.receipts;       \
    if (receipt && request &&                                                                      \
        receive_short(buffer, count, datatype, peer, tag, communicator, NULL, &receipt->status)) { \
      *request = mpispec_receipt_take(receipt);                                                    \
      return MPI_SUCCESS;                                                                          \
    }                                                                                              \
    if (receive_and_return(buffer, count, datatype, peer, tag, communicator, request))             \
      return MPI_SUCCESS;                                                                          \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, request);           \
  }

RECEIVE(Recv, int)
RECEIVE(Recv_c, MPI_Count)
NONBLOCKING(Irecv, int)
NONBLOCKING(Irecv_c, MPI_Count)
