/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See path.h. Each test is made with the lock held, because another thread may change its
 * result. */
#include "profile/path.h"

#include "collective/reduction.h"
#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "mpispec/cells.h"
#include "mpispec/heads.h"
#include "mpispec/message.h"
#include "p2p/queues.h"
#include "p2p/request.h"
#include "progress/lock.h"

int mpispec_path_has_threads;

enum mpispec_profile_path mpispec_path_of_none(const struct mpispec_profile_call *call) {
  (void)call;
  return mpispec_node.size ? MPISPEC_PATH_NO_TEMPLATE : MPISPEC_PATH_NO_LANES;
}

/* The obstacle of every template, or MPISPEC_PATH_FAST. */
static enum mpispec_profile_path path_of_runtime(void) {
  return !mpispec_node.size         ? MPISPEC_PATH_NO_LANES
         : mpispec_path_has_threads ? MPISPEC_PATH_THREADS
                                    : MPISPEC_PATH_FAST;
}

/* The obstacle that follows from communicator and peer. The lock is held. */
static enum mpispec_profile_path path_of_peer(const struct mpispec_profile_call *call,
                                              const struct mpispec_communicator **known) {
  *known = mpispec_communicator_find(call->communicator);
  if (!*known)
    return MPISPEC_PATH_COMMUNICATOR;
  if (call->peer == MPI_ANY_SOURCE)
    return (*known)->spans_nodes ? MPISPEC_PATH_OTHER_NODE : MPISPEC_PATH_FAST;
  if (call->peer < 0 || call->peer >= (*known)->size)
    return MPISPEC_PATH_NO_PEER;
  return (*known)->peer_of[call->peer] < 0 ? MPISPEC_PATH_OTHER_NODE : MPISPEC_PATH_FAST;
}

static enum mpispec_profile_path path_of_bytes(const struct mpispec_profile_call *call,
                                               uint64_t most) {
  if (!mpispec_type_size((mpispec_type_handle)call->datatype)) {
    const struct mpispec_datatype *known = mpispec_datatype_find(call->datatype);
    return known && !known->contiguous ? MPISPEC_PATH_DATATYPE : MPISPEC_PATH_NEW_DATATYPE;
  }
  return call->bytes > most ? MPISPEC_PATH_SIZE : MPISPEC_PATH_FAST;
}

/* Nonzero if the call sends, and also waits for a message. */
static int has_two_sides(const struct mpispec_profile_call *call) {
  return call->sends && call->waits_for == MPISPEC_WAITS_FOR_SENDER;
}

static enum mpispec_profile_path path_to_peer(const struct mpispec_profile_call *call) {
  const struct mpispec_communicator *known;
  enum mpispec_profile_path path = path_of_peer(call, &known);
  if (!path)
    path = path_of_bytes(call, mpispec_short_bytes);
  if (path)
    return path;
  if (has_two_sides(call) && mpispec_is_self(&known->route, call->peer)) { /* without the lane */
    const struct mpispec_reader *reader = known->route.readers[call->peer];
    return reader->limit && mpispec_lane_is_empty(reader) ? MPISPEC_PATH_FAST : MPISPEC_PATH_QUEUED;
  }
  const struct mpispec_writer *writer = known->route.writers[call->peer];
  return writer->limit - writer->next < mpispec_cells(call->bytes) ? MPISPEC_PATH_NO_ROOM
                                                                   : MPISPEC_PATH_FAST;
}

static enum mpispec_profile_path path_from_peer(const struct mpispec_profile_call *call) {
  const struct mpispec_communicator *known;
  enum mpispec_profile_path path = path_of_peer(call, &known);
  if (!path && call->datatype != MPI_DATATYPE_NULL)
    path = path_of_bytes(call, UINT64_MAX);
  if (path)
    return path;
  if (mpispec_matching_awaits_any(&mpispec_queues))
    return MPISPEC_PATH_QUEUED;
  if (call->peer == MPI_ANY_SOURCE)
    return mpispec_queues.unexpected_count                         ? MPISPEC_PATH_QUEUED
           : mpispec_state.heads.open && mpispec_heads_are_empty() ? MPISPEC_PATH_NOT_THERE
                                                                   : MPISPEC_PATH_FAST;
  const struct mpispec_reader *reader = known->route.readers[call->peer];
  if (!reader->limit)
    return MPISPEC_PATH_QUEUED;
  if (mpispec_cell_peek(reader->next) >> mpispec_lap_shift != reader->lap >> mpispec_lap_shift)
    return MPISPEC_PATH_NOT_THERE;
  const uint32_t length = (uint32_t)reader->next->header; /* at least 2^28 for other kinds */
  return length > mpispec_short_bytes ? MPISPEC_PATH_SIZE : MPISPEC_PATH_FAST;
}

/* The fast path of MPI_Iprobe includes the case without a message. */
static enum mpispec_profile_path path_of_poll(const struct mpispec_profile_call *call) {
  const enum mpispec_profile_path path = path_from_peer(call);
  return path == MPISPEC_PATH_NOT_THERE ? MPISPEC_PATH_FAST : path;
}

static enum mpispec_profile_path path_of_post(const struct mpispec_profile_call *call) {
  const struct mpispec_communicator *known;
  enum mpispec_profile_path path = path_of_peer(call, &known);
  if (!path)
    path = path_of_bytes(call, mpispec_eager_bytes);
  if (!path && (call->peer == MPI_ANY_SOURCE || mpispec_matching_awaits_any(&mpispec_queues) ||
                known->route.readers[call->peer]->unexpected))
    path = MPISPEC_PATH_QUEUED;
  return path;
}

/* The obstacle that follows from the communicator of a collective operation. */
static enum mpispec_profile_path path_of_slots(const struct mpispec_communicator *known) {
  return !known               ? MPISPEC_PATH_COMMUNICATOR
         : known->route.steps ? MPISPEC_PATH_FAST
         : known->spans_nodes ? MPISPEC_PATH_OTHER_NODE
                              : MPISPEC_PATH_NO_SLOTS;
}

static enum mpispec_profile_path path_of_members(const struct mpispec_profile_call *call) {
  const enum mpispec_profile_path path =
      path_of_slots(mpispec_communicator_find(call->communicator));
  return path || call->datatype == MPI_DATATYPE_NULL ? path
                                                     : path_of_bytes(call, mpispec_slot_payload);
}

/* The same test as mpispec_can_combine (mpispec/combine.h), which only specialised objects may
 * include. */
static int has_template(const struct mpispec_reduction *reduction, int number) {
  const int operation = reduction->arithmetic >> 15 & 15;
  if (number == mpispec_floating_point)
    return (reduction->extent == 4 || reduction->extent == 8) &&
           (operation == mpispec_SUM || operation == mpispec_PROD);
  return number < mpispec_floating_point && operation <= mpispec_BXOR && reduction->extent <= 8;
}

/* The table of datatypes is not tested, because the template gets the datatype as a constant. The
 * template does not combine more than two floating-point numbers, because their order matters. */
static enum mpispec_profile_path path_of_parts(const struct mpispec_profile_call *call) {
  const struct mpispec_communicator *known = mpispec_communicator_find(call->communicator);
  const enum mpispec_profile_path path = path_of_slots(known);
  struct mpispec_reduction reduction;
  if (path)
    return path;
  if (!mpispec_reduction_find(call->op, call->datatype, &reduction))
    return MPISPEC_PATH_OPERATION;
  const int number = reduction.arithmetic >> 12 & 7;
  if (!has_template(&reduction, number))
    return MPISPEC_PATH_OPERATION;
  if (number == mpispec_floating_point && known->route.steps->members > 2)
    return MPISPEC_PATH_ORDER;
  return call->bytes > mpispec_slot_payload ? MPISPEC_PATH_SIZE : MPISPEC_PATH_FAST;
}

typedef enum mpispec_profile_path path_function(const struct mpispec_profile_call *call);

static enum mpispec_profile_path under_lock(path_function *path_of,
                                            const struct mpispec_profile_call *call) {
  enum mpispec_profile_path path = path_of_runtime();
  if (path)
    return path;
  mpispec_lock();
  path = path_of(call);
  mpispec_unlock();
  return path;
}

enum mpispec_profile_path mpispec_path_of_send(const struct mpispec_profile_call *call) {
  return under_lock(path_to_peer, call);
}

enum mpispec_profile_path mpispec_path_of_receive(const struct mpispec_profile_call *call) {
  return under_lock(path_from_peer, call);
}

enum mpispec_profile_path mpispec_path_of_posting(const struct mpispec_profile_call *call) {
  return under_lock(path_of_post, call);
}

enum mpispec_profile_path mpispec_path_of_probe(const struct mpispec_profile_call *call) {
  return under_lock(path_from_peer, call);
}

enum mpispec_profile_path mpispec_path_of_iprobe(const struct mpispec_profile_call *call) {
  return under_lock(path_of_poll, call);
}

enum mpispec_profile_path mpispec_path_of_step(const struct mpispec_profile_call *call) {
  return under_lock(path_of_members, call);
}

enum mpispec_profile_path mpispec_path_of_reduction(const struct mpispec_profile_call *call) {
  return under_lock(path_of_parts, call);
}

/* The template completes the requests if all messages have arrived. */
enum mpispec_profile_path mpispec_path_of_completion(int count, const MPI_Request requests[]) {
  enum mpispec_profile_path path = path_of_runtime();
  if (path || !requests)
    return path;
  mpispec_lock();
  for (int i = 0; i < count && !path; ++i) {
    const struct mpispec_request *request = mpispec_request_find(requests[i]);
    if (!request && requests[i] != MPI_REQUEST_NULL && requests[i] != mpispec_request_done)
      path = MPISPEC_PATH_OTHER_NODE;
    else if (request && !request->receive.reader && !request->complete &&
             request->receive.use != mpispec_receive_complete)
      path = MPISPEC_PATH_NOT_THERE;
    else if (request && request->receive.reader &&
             (mpispec_cell_peek(request->receive.reader->next) ^ request->receive.reader->lap) >>
                 mpispec_lap_shift)
      path = MPISPEC_PATH_NOT_THERE;
  }
  mpispec_unlock();
  return path;
}
