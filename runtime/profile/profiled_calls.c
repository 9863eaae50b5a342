/* The profiled form of each function: says what its arguments mean, makes the call again, this time
 * through the gate, and counts it. */
#include "comm/communicator.h"
#include "p2p/completion.h"
#include "p2p/request.h"
#include "profile/path.h"
#include "profile/profile.h"
#include "profile/short_calls.h"
#include "progress/lock.h"
#include "progress/progress.h"

/* The bytes of so many elements; 0 for arguments that MPI will refuse. */
static uint64_t bytes_of(MPI_Count count, MPI_Datatype datatype) {
  MPI_Count size = 0;
  if (count <= 0 || datatype == MPI_DATATYPE_NULL)
    return 0;
  if (mpispec_state.types) {
    mpispec_lock();
    size = mpispec_type_size((mpispec_type_handle)datatype);
    mpispec_unlock();
  }
  if (!size)
    PMPI_Type_size_x(datatype, &size);
  return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

/* The members of a communicator, or of the other side: as many as blocks. */
static int members_of(MPI_Comm communicator) {
  int size = 0, is_between = 0;
  if (communicator == MPI_COMM_NULL)
    return 0;
  PMPI_Comm_test_inter(communicator, &is_between);
  (is_between ? PMPI_Comm_remote_size : PMPI_Comm_size)(communicator, &size);
  return size;
}

#define SUM(NAME, COUNT)                                                                           \
  static MPI_Count NAME(const COUNT counts[], MPI_Comm communicator) {                             \
    MPI_Count sum = 0;                                                                             \
    const int members = counts ? members_of(communicator) : 0;                                     \
    for (int i = 0; i < members; ++i)                                                              \
      sum += counts[i];                                                                            \
    return sum;                                                                                    \
  }                                                                                                \
  static __attribute__((unused)) uint64_t bytes_##NAME(                                            \
      const COUNT counts[], const MPI_Datatype types[], MPI_Comm communicator) {                   \
    uint64_t sum = 0;                                                                              \
    const int members = counts && types ? members_of(communicator) : 0;                            \
    for (int i = 0; i < members; ++i)                                                              \
      sum += bytes_of(counts[i], types[i]);                                                        \
    return sum;                                                                                    \
  }
SUM(sum, int)
SUM(large_sum, MPI_Count)

/* A send that was over at once gets a request of its own: its completion must come to a gate, and
 * for the handle of such sends no gate is needed. */
static void show_request(MPI_Request *handle, MPI_Comm communicator) {
  if (!handle || *handle != mpispec_request_done || !mpispec_node.size)
    return;
  mpispec_lock();
  const struct mpispec_call call = {.communicator = mpispec_communicator_find(communicator),
                                    .contiguous = 1};
  struct mpispec_request *request = mpispec_request_begin(MPISPEC_SEND, &call, 0);
  request->complete = 1;
  request->result = (struct mpispec_result){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
  *handle = mpispec_request_handle(request);
  mpispec_unlock();
}

/* What a completion waits for: what the first of its requests is. The library's are unknown. */
static enum mpispec_profile_waits waits_for(int count, const MPI_Request requests[]) {
  enum mpispec_profile_waits result = MPISPEC_WAITS_FOR_ANY;
  mpispec_lock();
  for (int i = 0; requests && mpispec_node.size && i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL)
      continue;
    const struct mpispec_request *request = mpispec_request_find(requests[i]);
    if (request && !request->receive.reader && request->kind == MPISPEC_SEND)
      result = MPISPEC_WAITS_FOR_RECEIVER;
    else if (request && (request->receive.reader || request->kind != MPISPEC_PAIR))
      result = MPISPEC_WAITS_FOR_SENDER;
    if (result == MPISPEC_WAITS_FOR_SENDER || !request)
      break; /* else a receive may come behind it */
  }
  mpispec_unlock();
  return result;
}

/* The lane's line that the call will touch is another core's, and takes as long as counting: it is
 * asked for first. Without a profile the processor does so by itself, while it still computes what
 * stands before the call. */
static inline int is_at_hand(int peer, MPI_Comm communicator) {
  return communicator == MPI_COMM_WORLD && (unsigned)peer < mpispec_state.world.size &&
         !mpispec_lock_is_shared(); /* else the lane is another thread's meanwhile */
}
static inline void fetch_for_sends(int peer, MPI_Comm communicator) {
  if (is_at_hand(peer, communicator))
    mpispec_fetch(mpispec_state.world.writers[peer]->next);
}
static inline void fetch_for_receives(int peer, MPI_Comm communicator) {
  if (is_at_hand(peer, communicator))
    __builtin_prefetch(mpispec_state.world.readers[peer]->next);
}

/* CALL as `error`, between the beginning and the end of `call`. */
#define AROUND(CALL, AFTERWARDS)                                                                   \
  call.caller = __builtin_return_address(0);                                                       \
  mpispec_profile_begin(&call);                                                                    \
  const int error = CALL;                                                                          \
  AFTERWARDS;                                                                                      \
  mpispec_profile_end(&call);                                                                      \
  return error

#define MESSAGE(BUFFER, BYTES, TYPE, PEER, TAG, COMM)                                              \
  .buffer = (BUFFER), .bytes = (BYTES), .datatype = (TYPE), .peer = (PEER), .tag = (TAG),          \
  .communicator = (COMM), .has_arguments = 1

/* --- messages ----------------------------------------------------------------------------------*/

/* A call that gives a message, or takes one: SIDE is `sends` or `receives`. */
#define BEGIN_MESSAGE(BASE, WAITS_FOR, SIDE, PATH, PEER, COMM, ...)                                \
  fetch_for_##SIDE(PEER, COMM);                                                                    \
  struct mpispec_profile_call call = {.function = #BASE,                                           \
                                      .waits_for = WAITS_FOR,                                      \
                                      .SIDE = 1,                                                   \
                                      .is_send = !__builtin_strcmp(#BASE, "Send"),                 \
                                      .is_receive = !__builtin_strcmp(#BASE, "Recv"),              \
                                      .is_probe = !__builtin_strcmp(#BASE, "Iprobe"),              \
                                      MESSAGE(__VA_ARGS__)};                                       \
  call.path = PATH(&call);

/* DEFINED is what is defined. */
#define SEND_AS(DEFINED, NAME, BASE, COUNT)                                                        \
  DEFINED(const void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,               \
          MPI_Comm communicator) {                                                                 \
    BEGIN_MESSAGE(BASE, MPISPEC_WAITS_FOR_RECEIVER, sends, mpispec_path_of_send, peer,             \
                  communicator, buffer, bytes_of(count, datatype), datatype, peer, tag,            \
                  communicator)                                                                    \
    AROUND(MPI_##NAME(buffer, count, datatype, peer, tag, communicator), );                        \
  }
#define SEND(NAME, BASE, COUNT) SEND_AS(int mpispec_seen_##NAME, NAME, BASE, COUNT)

#define FIND_SHORT(SIDE)                                                                           \
  const struct mpispec_route *route = NULL;                                                        \
  struct mpispec_profile_known *known = mpispec_profile_short_find(                                \
      SIDE, __builtin_return_address(0), peer, tag, communicator, &route);                         \
  if (known && !mpispec_profile_short_is_alike(known, buffer, count, datatype))                    \
    known = NULL;

/* With a short form (short_calls.h), without a clock and with one. Each stands alone, so that it
 * saves no register for the next. */
#define SHORT_SEND(NAME, BASE, COUNT)                                                              \
  SEND_AS(static __attribute__((noinline)) int long_##NAME, NAME, BASE, COUNT)                     \
  static __attribute__((noinline)) int timed_##NAME(const void *buffer, COUNT count,               \
                                                    MPI_Datatype datatype, int peer, int tag,      \
                                                    MPI_Comm communicator) {                       \
    FIND_SHORT(MPISPEC_PROFILE_SENDS)                                                              \
    if (known && mpispec_profile_short_send(known, route, buffer))                                 \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator);                    \
  }                                                                                                \
  int mpispec_seen_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer,        \
                          int tag, MPI_Comm communicator) {                                        \
    FIND_SHORT(MPISPEC_PROFILE_SENDS)                                                              \
    if (known && !mpispec_profile_short_is_due(known)) {                                           \
      struct mpispec_writer *writer = route->writers[(unsigned)peer];                              \
      if (writer->next < writer->limit)                                                            \
        return mpispec_profile_short_put(known, route, writer, buffer);                            \
    }                                                                                              \
    MPISPEC_JUMP timed_##NAME(buffer, count, datatype, peer, tag, communicator);                   \
  }

#define ISEND(NAME, BASE, COUNT)                                                                   \
  int mpispec_seen_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer,        \
                          int tag, MPI_Comm communicator, MPI_Request *request) {                  \
    BEGIN_MESSAGE(BASE, MPISPEC_WAITS_FOR_RECEIVER, sends, mpispec_path_of_send, peer,             \
                  communicator, buffer, bytes_of(count, datatype), datatype, peer, tag,            \
                  communicator)                                                                    \
    AROUND(MPI_##NAME(buffer, count, datatype, peer, tag, communicator, request),                  \
           error ? (void)0 : show_request(request, communicator));                                 \
  }

#define IRECV(NAME, BASE, COUNT)                                                                   \
  int mpispec_seen_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,     \
                          MPI_Comm communicator, MPI_Request *request) {                           \
    BEGIN_MESSAGE(BASE, MPISPEC_WAITS_FOR_SENDER, receives, mpispec_path_of_posting, peer,         \
                  communicator, buffer, bytes_of(count, datatype), datatype, peer, tag,            \
                  communicator)                                                                    \
    AROUND(MPI_##NAME(buffer, count, datatype, peer, tag, communicator, request), );               \
  }

/* The short one may have waited, and then hands that on to the long one. */
#define SHORT_RECV(NAME, BASE, COUNT)                                                              \
  static __attribute__((noinline)) int long_##NAME(void *buffer, COUNT count,                      \
                                                   MPI_Datatype datatype, int peer, int tag,       \
                                                   MPI_Comm communicator, MPI_Status *status) {    \
    BEGIN_MESSAGE(BASE, MPISPEC_WAITS_FOR_SENDER, receives, mpispec_path_of_receive, peer,         \
                  communicator, buffer, bytes_of(count, datatype), datatype, peer, tag,            \
                  communicator)                                                                    \
    call.waits_since = mpispec_waiting.first;                                                      \
    if (call.waits_since && call.path == MPISPEC_PATH_FAST)                                        \
      call.path = MPISPEC_PATH_NOT_THERE;                                                          \
    AROUND(MPI_##NAME(buffer, count, datatype, peer, tag, communicator, status), );                \
  }                                                                                                \
  static __attribute__((noinline)) int timed_##NAME(void *buffer, COUNT count,                     \
                                                    MPI_Datatype datatype, int peer, int tag,      \
                                                    MPI_Comm communicator, MPI_Status *status) {   \
    FIND_SHORT(MPISPEC_PROFILE_RECEIVES)                                                           \
    mpispec_waiting.first = 0;                                                                     \
    if (known && mpispec_profile_short_receive(known, route, buffer, status))                      \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP long_##NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }                                                                                                \
  int mpispec_seen_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,     \
                          MPI_Comm communicator, MPI_Status *status) {                             \
    FIND_SHORT(MPISPEC_PROFILE_RECEIVES)                                                           \
    if (known && (peer | tag) >= 0 && !mpispec_profile_short_is_due(known)) {                      \
      struct mpispec_reader *reader = route->readers[(unsigned)peer];                              \
      if (mpispec_profile_short_may_look(reader, status) &&                                        \
          mpispec_profile_short_came(known, route, reader))                                        \
        return mpispec_profile_short_take(known, reader, buffer, peer, status);                    \
    }                                                                                              \
    MPISPEC_JUMP timed_##NAME(buffer, count, datatype, peer, tag, communicator, status);           \
  }

#define SENDRECV(NAME, BASE, COUNT, LAST)                                                          \
  int mpispec_seen_##NAME(const void *send, COUNT send_count, MPI_Datatype send_type, int dest,    \
                          int send_tag, void *receive, COUNT receive_count,                        \
                          MPI_Datatype receive_type, int source, int receive_tag,                  \
                          MPI_Comm communicator, LAST) {                                           \
    BEGIN_MESSAGE(BASE, MPISPEC_WAITS_FOR_SENDER, sends, mpispec_path_of_send, dest, communicator, \
                  send, bytes_of(send_count, send_type), send_type, dest, send_tag, communicator)  \
    AROUND(MPI_##NAME(send, send_count, send_type, dest, send_tag, receive, receive_count,         \
                      receive_type, source, receive_tag, communicator, last), );                   \
  }

#define REPLACE(NAME, BASE, COUNT, LAST)                                                           \
  int mpispec_seen_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int dest,              \
                          int send_tag, int source, int receive_tag, MPI_Comm communicator,        \
                          LAST) {                                                                  \
    BEGIN_MESSAGE(BASE, MPISPEC_WAITS_FOR_SENDER, sends, mpispec_path_of_send, dest, communicator, \
                  buffer, bytes_of(count, datatype), datatype, dest, send_tag, communicator)       \
    AROUND(MPI_##NAME(buffer, count, datatype, dest, send_tag, source, receive_tag, communicator,  \
                      last), );                                                                    \
  }

#define MRECV(NAME, BASE, COUNT, LAST)                                                             \
  int mpispec_seen_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, MPI_Message *message,  \
                          LAST) {                                                                  \
    struct mpispec_profile_call call = {.function = #BASE,                                         \
                                        .waits_for = MPISPEC_WAITS_FOR_SENDER,                     \
                                        .bytes = bytes_of(count, datatype),                        \
                                        .path = MPISPEC_PATH_NO_TEMPLATE};                         \
    AROUND(MPI_##NAME(buffer, count, datatype, message, last), );                                  \
  }

/* In both forms: the count an int, or an MPI_Count. */
#define BOTH(MAKE, NAME, ...)                                                                      \
  MAKE(NAME, NAME, int, ##__VA_ARGS__) MAKE(NAME##_c, NAME, MPI_Count, ##__VA_ARGS__)

BOTH(SHORT_SEND, Send)
BOTH(SEND, Bsend)
BOTH(SEND, Ssend)
BOTH(SEND, Rsend)
BOTH(ISEND, Isend)
BOTH(ISEND, Ibsend)
BOTH(ISEND, Issend)
BOTH(ISEND, Irsend)
BOTH(SHORT_RECV, Recv)
BOTH(IRECV, Irecv)
BOTH(SENDRECV, Sendrecv, MPI_Status *last)
BOTH(SENDRECV, Isendrecv, MPI_Request *last)
BOTH(REPLACE, Sendrecv_replace, MPI_Status *last)
BOTH(REPLACE, Isendrecv_replace, MPI_Request *last)
BOTH(MRECV, Mrecv, MPI_Status *last)
BOTH(MRECV, Imrecv, MPI_Request *last)

/* --- probes and completion ---------------------------------------------------------------------*/

#define PROBE_AS(DEFINED, NAME, PATH, PARAMETERS, ARGUMENTS)                                       \
  DEFINED PARAMETERS {                                                                             \
    BEGIN_MESSAGE(NAME, MPISPEC_WAITS_FOR_SENDER, receives, PATH, peer, communicator, NULL, 0,     \
                  MPI_DATATYPE_NULL, peer, tag, communicator)                                      \
    AROUND(MPI_##NAME ARGUMENTS, );                                                                \
  }
#define PROBE(NAME, PARAMETERS, ARGUMENTS)                                                         \
  PROBE_AS(int mpispec_seen_##NAME, NAME, mpispec_path_of_probe, PARAMETERS, ARGUMENTS)
PROBE(Probe, (int peer, int tag, MPI_Comm communicator, MPI_Status *status),
      (peer, tag, communicator, status))
PROBE(Mprobe, (int peer, int tag, MPI_Comm communicator, MPI_Message *message, MPI_Status *status),
      (peer, tag, communicator, message, status))
PROBE(Improbe,
      (int peer, int tag, MPI_Comm communicator, int *flag, MPI_Message *message,
       MPI_Status *status),
      (peer, tag, communicator, flag, message, status))

PROBE_AS(static __attribute__((noinline)) int long_Iprobe, Iprobe, mpispec_path_of_iprobe,
         (int peer, int tag, MPI_Comm communicator, int *flag, MPI_Status *status),
         (peer, tag, communicator, flag, status))

static __attribute__((noinline)) int timed_Iprobe(int peer, int tag, MPI_Comm communicator,
                                                  int *flag, MPI_Status *status) {
  const struct mpispec_route *route = NULL;
  struct mpispec_profile_known *known = mpispec_profile_short_find(
      MPISPEC_PROFILE_PROBES, __builtin_return_address(0), peer, tag, communicator, &route);
  if (known && flag && mpispec_status_is_there(status) &&
      mpispec_profile_short_probe(known, route)) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  MPISPEC_JUMP long_Iprobe(peer, tag, communicator, flag, status);
}

int mpispec_seen_Iprobe(int peer, int tag, MPI_Comm communicator, int *flag, MPI_Status *status) {
  const struct mpispec_route *route = NULL;
  struct mpispec_profile_known *known = mpispec_profile_short_find(
      MPISPEC_PROFILE_PROBES, __builtin_return_address(0), peer, tag, communicator, &route);
  if (known && flag && mpispec_status_is_there(status) && mpispec_state.idle &&
      !mpispec_profile_short_is_due(known) && mpispec_profile_short_is_nothing(route, peer)) {
    --mpispec_state.idle;
    *flag = 0;
    mpispec_profile_short_note_nothing(known);
    return MPI_SUCCESS;
  }
  MPISPEC_JUMP timed_Iprobe(peer, tag, communicator, flag, status);
}

#define COMPLETE(NAME, COUNT, REQUESTS, PARAMETERS, ARGUMENTS)                                     \
  int mpispec_seen_##NAME PARAMETERS {                                                             \
    struct mpispec_profile_call call = {.function = #NAME,                                         \
                                        .waits_for = waits_for(COUNT, REQUESTS),                   \
                                        .path = mpispec_path_of_completion(COUNT, REQUESTS)};      \
    AROUND(MPI_##NAME ARGUMENTS, );                                                                \
  }
COMPLETE(Start, 0, request, (MPI_Request * request), (request))
COMPLETE(Startall, 0, requests, (int count, MPI_Request requests[]), (count, requests))
COMPLETE(Wait, 1, request, (MPI_Request * request, MPI_Status *status), (request, status))
COMPLETE(Test, 1, request, (MPI_Request * request, int *flag, MPI_Status *status),
         (request, flag, status))
COMPLETE(Waitall, count, requests, (int count, MPI_Request requests[], MPI_Status statuses[]),
         (count, requests, statuses))
COMPLETE(Testall, count, requests,
         (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
         (count, requests, flag, statuses))
COMPLETE(Waitany, count, requests,
         (int count, MPI_Request requests[], int *index, MPI_Status *status),
         (count, requests, index, status))
COMPLETE(Testany, count, requests,
         (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
         (count, requests, index, flag, status))
COMPLETE(Waitsome, count, requests,
         (int count, MPI_Request requests[], int *found, int indices[], MPI_Status statuses[]),
         (count, requests, found, indices, statuses))
COMPLETE(Testsome, count, requests,
         (int count, MPI_Request requests[], int *found, int indices[], MPI_Status statuses[]),
         (count, requests, found, indices, statuses))

/* --- collective operations ---------------------------------------------------------------------*/

/* ROOT is -1 where there is none. PATH says whether the function has a template. */
#define TOGETHER(NAME, BASE, PARAMETERS, ARGUMENTS, BUFFER, BYTES, TYPE, ROOT, COMM, PATH)         \
  int mpispec_seen_##NAME PARAMETERS {                                                             \
    struct mpispec_profile_call call = {.function = #BASE,                                         \
                                        .waits_for = MPISPEC_WAITS_FOR_ALL,                        \
                                        MESSAGE(BUFFER, BYTES, TYPE, ROOT, -1, COMM)};             \
    call.path = PATH(&call);                                                                       \
    AROUND(MPI_##NAME ARGUMENTS, );                                                                \
  }

/* What this rank gives; in place, what it has room for. */
#define GIVEN(SEND, SENT, RECEIVED) ((SEND) == MPI_IN_PLACE ? (RECEIVED) : (SENT))

TOGETHER(Barrier, Barrier, (MPI_Comm comm), (comm), NULL, 0, MPI_DATATYPE_NULL, -1, comm,
         mpispec_path_of_step)

#define BCAST(NAME, BASE, COUNT)                                                                   \
  TOGETHER(NAME, BASE, (void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),    \
           (buffer, count, type, root, comm), buffer, bytes_of(count, type), type, root, comm,     \
           mpispec_path_of_step)
#define REDUCE(NAME, BASE, COUNT)                                                                  \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, void *receive, COUNT count, MPI_Datatype type, MPI_Op op, int root,  \
            MPI_Comm comm),                                                                        \
           (send, receive, count, type, op, root, comm), send, bytes_of(count, type), type, root,  \
           comm, mpispec_path_of_step)
#define ALLREDUCE(NAME, BASE, COUNT, PATH)                                                         \
  TOGETHER(                                                                                        \
      NAME, BASE,                                                                                  \
      (const void *send, void *receive, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), \
      (send, receive, count, type, op, comm), send, bytes_of(count, type), type, -1, comm, PATH)
#define REDUCE_SCATTER(NAME, BASE, COUNT, SUM)                                                     \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, void *receive, const COUNT counts[], MPI_Datatype type, MPI_Op op,   \
            MPI_Comm comm),                                                                        \
           (send, receive, counts, type, op, comm), send, bytes_of(SUM(counts, comm), type), type, \
           -1, comm, mpispec_path_of_none)
#define BLOCKS(NAME, BASE, COUNT, MEMBERS)                                                         \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, COUNT sent, MPI_Datatype send_type, void *receive, COUNT received,   \
            MPI_Datatype receive_type, MPI_Comm comm),                                             \
           (send, sent, send_type, receive, received, receive_type, comm), send,                   \
           GIVEN(send, bytes_of(sent, send_type), bytes_of(received, receive_type)) * (MEMBERS),   \
           GIVEN(send, send_type, receive_type), -1, comm, mpispec_path_of_none)
#define ROOTED(NAME, BASE, COUNT, OWN)                                                             \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, COUNT sent, MPI_Datatype send_type, void *receive, COUNT received,   \
            MPI_Datatype receive_type, int root, MPI_Comm comm),                                   \
           (send, sent, send_type, receive, received, receive_type, root, comm), send,             \
           (OWN) == MPI_IN_PLACE ? 0                                                               \
           : (OWN) == send       ? bytes_of(sent, send_type)                                       \
                                 : bytes_of(received, receive_type),                               \
           MPI_DATATYPE_NULL, root, comm, mpispec_path_of_none)

BOTH(BCAST, Bcast)
BOTH(REDUCE, Reduce)
BOTH(ALLREDUCE, Allreduce, mpispec_path_of_step)
BOTH(ALLREDUCE, Scan, mpispec_path_of_none)
BOTH(ALLREDUCE, Exscan, mpispec_path_of_none)
BOTH(ALLREDUCE, Reduce_scatter_block, mpispec_path_of_none)
REDUCE_SCATTER(Reduce_scatter, Reduce_scatter, int, sum)
REDUCE_SCATTER(Reduce_scatter_c, Reduce_scatter, MPI_Count, large_sum)
BOTH(BLOCKS, Allgather, 1)
BOTH(BLOCKS, Alltoall, (unsigned)members_of(comm))
BOTH(ROOTED, Gather, send)
BOTH(ROOTED, Scatter, receive)

#define GATHERV(NAME, BASE, COUNT, PLACE)                                                          \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, COUNT sent, MPI_Datatype send_type, void *receive,                   \
            const COUNT counts[], const PLACE places[], MPI_Datatype receive_type, int root,       \
            MPI_Comm comm),                                                                        \
           (send, sent, send_type, receive, counts, places, receive_type, root, comm), send,       \
           GIVEN(send, bytes_of(sent, send_type), 0), MPI_DATATYPE_NULL, root, comm,               \
           mpispec_path_of_none)
#define SCATTERV(NAME, BASE, COUNT, PLACE)                                                         \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, const COUNT counts[], const PLACE places[], MPI_Datatype send_type,  \
            void *receive, COUNT received, MPI_Datatype receive_type, int root, MPI_Comm comm),    \
           (send, counts, places, send_type, receive, received, receive_type, root, comm), send,   \
           GIVEN(receive, bytes_of(received, receive_type), 0), MPI_DATATYPE_NULL, root, comm,     \
           mpispec_path_of_none)
#define ALLGATHERV(NAME, BASE, COUNT, PLACE)                                                       \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, COUNT sent, MPI_Datatype send_type, void *receive,                   \
            const COUNT counts[], const PLACE places[], MPI_Datatype receive_type, MPI_Comm comm), \
           (send, sent, send_type, receive, counts, places, receive_type, comm), send,             \
           GIVEN(send, bytes_of(sent, send_type), 0), MPI_DATATYPE_NULL, -1, comm,                 \
           mpispec_path_of_none)
#define ALLTOALLV(NAME, BASE, COUNT, PLACE, SUM)                                                   \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, const COUNT sent[], const PLACE from[], MPI_Datatype send_type,      \
            void *receive, const COUNT received[], const PLACE to[], MPI_Datatype receive_type,    \
            MPI_Comm comm),                                                                        \
           (send, sent, from, send_type, receive, received, to, receive_type, comm), send,         \
           send == MPI_IN_PLACE ? bytes_of(SUM(received, comm), receive_type)                      \
                                : bytes_of(SUM(sent, comm), send_type),                            \
           GIVEN(send, send_type, receive_type), -1, comm, mpispec_path_of_none)
#define ALLTOALLW(NAME, BASE, COUNT, PLACE, SUM)                                                   \
  TOGETHER(NAME, BASE,                                                                             \
           (const void *send, const COUNT sent[], const PLACE from[],                              \
            const MPI_Datatype send_types[], void *receive, const COUNT received[],                \
            const PLACE to[], const MPI_Datatype receive_types[], MPI_Comm comm),                  \
           (send, sent, from, send_types, receive, received, to, receive_types, comm), send,       \
           send == MPI_IN_PLACE ? bytes_##SUM(received, receive_types, comm)                       \
                                : bytes_##SUM(sent, send_types, comm),                             \
           MPI_DATATYPE_NULL, -1, comm, mpispec_path_of_none)

/* With displacements, which are int or MPI_Aint. */
#define PLACED(MAKE, NAME) MAKE(NAME, NAME, int, int) MAKE(NAME##_c, NAME, MPI_Count, MPI_Aint)
#define PLACED_SUM(MAKE, NAME)                                                                     \
  MAKE(NAME, NAME, int, int, sum) MAKE(NAME##_c, NAME, MPI_Count, MPI_Aint, large_sum)

PLACED(GATHERV, Gatherv)
PLACED(SCATTERV, Scatterv)
PLACED(ALLGATHERV, Allgatherv)
PLACED_SUM(ALLTOALLV, Alltoallv)
PLACED_SUM(ALLTOALLW, Alltoallw)
