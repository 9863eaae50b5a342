/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Recv with its large-count form. The fast path receives a message that has arrived. Otherwise
 * the receive waits until its message arrives by a lane, or the MPI library executes it. MPI_Irecv
 * is in mpi_irecv.c, and receives of matched messages are in mpi_mrecv.c. */
#include "interposition/arguments.h"
#ifdef MPISPEC_STYLE_MPICH
#include "interposition/fortran/kinds.h"
#endif
#include "interposition/fortran/mpif_entry.h"
#include "interposition/fortran/section.h"
#include "interposition/library/next.h"
#include "mpispec/machine.h"
#include "p2p/completion.h"
#include "p2p/decoded_recv.h"
#include "p2p/fast_path.h"
#include "p2p/peek.h"
#include "p2p/queues.h"
#include "p2p/request_wait.h"
#include "profile/profile.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/cell.h"

/* Instead of an error class: nothing was received. */
enum { DECLINED = -1 };

/* The result of the fast path. Fills in the status if a message was received. */
static inline __attribute__((always_inline)) int complete(int64_t length, int source, uint64_t key,
                                                          MPI_Status *status) {
  if (length < 0)
    return DECLINED;
  if (mpispec_status_wanted(status))
    mpispec_status_fill(mpispec_status_wanted(status), source, mpispec_key_tag(key),
                        (unsigned)length);
  return MPI_SUCCESS;
}

/* Receives by the MPI library, but waits here, because other ranks may need this rank's progress.
 * Returns DECLINED if no rank needs it, or if the source is MPI_PROC_NULL. Called with the lock
 * held. */
static int recv_by_library(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                           MPI_Comm communicator, MPI_Status *status) {
  /* MPICH 5 returns MPI_SUCCESS and stores no request after an error for which it has called the
   * program's handler. */
  MPI_Request request = MPI_REQUEST_NULL;
  /* A receive from MPI_PROC_NULL does not block, and MPI_Irecv of MPICH does not set its status. */
  if (peer == MPI_PROC_NULL || !mpispec_progress_is_needed())
    return DECLINED;
  const int error = PMPI_Irecv_c(buffer, count, datatype, peer, tag, communicator, &request);
  return error ? error : mpispec_foreign_wait(&request, status);
}

/* Executes all receives that the fast paths decline. Returns DECLINED if the MPI library must
 * execute the call. */
static __attribute__((noinline)) int recv_slow(void *buffer, MPI_Count count, MPI_Datatype datatype,
                                               int peer, int tag, MPI_Comm communicator,
                                               MPI_Status *status) {
  struct mpispec_call call;
  int error = MPI_SUCCESS, raised = 1, done = 0;
  mpispec_lock();
  if (mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1)) {
    call.blocking = 1;
    done = mpispec_recv_wait(&call, status, &error, &raised);
  }
  if (!done)
    error = recv_by_library(buffer, count, datatype, peer, tag, communicator, status);
  mpispec_unlock();
  if (done && error && !raised)
    mpispec_raise(communicator, error);
  return error;
}

/* Ends a receive with decoded arguments, of a rank of this node. If nothing was received, takes the
 * slow path. Releases the lock if the call has acquired it for its fast path. */
static inline __attribute__((always_inline)) int
end_recv(int64_t length, const struct mpispec_communicator *known, void *buffer, int64_t room,
         int peer, int tag, MPI_Status *status, int is_locked) {
  const int error = complete(length, peer, (unsigned)tag, status);
  if (is_locked)
    mpispec_lock_leave();
  if (__builtin_expect(error != DECLINED, 1))
    return error;
  return recv_slow(buffer, room, MPI_BYTE, peer, tag, known->handle, status);
}

#define DECODED                                                                                    \
  const struct mpispec_communicator *known, void *buffer, int64_t room, int peer, int tag,         \
      MPI_Status *status

/* recv_longer receives a message of more than one cell that is next in the lane of `peer`.
 * recv_awaited waits for a message. A second decoding of the arguments would delay the receive.
 * recv_rest calls one of them after mpispec_recv_fast has returned `length`, which is negative. */
#define RECV_DECODED(SUFFIX, IS_LOCKED)                                                            \
  static __attribute__((noinline)) int recv_longer##SUFFIX(DECODED) {                              \
    struct mpispec_reader *reader = known->route.readers[(unsigned)peer];                          \
    const int64_t length = mpispec_recv_longer(reader, reader->limit, buffer, room, 0);            \
    return end_recv(length, known, buffer, room, peer, tag, status, IS_LOCKED);                    \
  }                                                                                                \
  static __attribute__((noinline)) int recv_awaited##SUFFIX(DECODED) {                             \
    const int64_t length =                                                                         \
        mpispec_recv_await(known->route.readers[(unsigned)peer], known->route.key | (unsigned)tag, \
                           (struct mpispec_memory){buffer, room, NULL, 0});                        \
    return end_recv(length, known, buffer, room, peer, tag, status, IS_LOCKED);                    \
  }                                                                                                \
  static inline __attribute__((always_inline)) int recv_rest##SUFFIX(int64_t length, DECODED) {    \
    const int error = length == MPISPEC_IS_LONGER                                                  \
                          ? recv_longer##SUFFIX(known, buffer, room, peer, tag, status)            \
                          : recv_awaited##SUFFIX(known, buffer, room, peer, tag, status);          \
    if (error == DECLINED)                                                                         \
      __builtin_unreachable(); /* a message of this node is not the library's */                   \
    return error;                                                                                  \
  }
RECV_DECODED(, 0)
RECV_DECODED(_locked, 1)

/* Receives a message of contiguous bytes, without wildcards. If `only_next` is nonzero, declines a
 * message that is not next in its lane or takes more than one cell. */
static inline __attribute__((always_inline)) int recv_fast(void *buffer, MPI_Count count,
                                                           MPI_Datatype datatype, int peer, int tag,
                                                           MPI_Comm communicator,
                                                           MPI_Status *status, int only_next) {
  struct mpispec_memory to = {buffer, 0, NULL, count};
  const struct mpispec_communicator *known =
      mpispec_arguments_short(buffer, count, datatype, peer, tag, communicator, &to.bytes);
  if (!known || !mpispec_status_is_there(status))
    return DECLINED;
  struct mpispec_reader *reader = known->route.readers[(unsigned)peer];
  const uint64_t key = known->route.key | (unsigned)tag;
  if (mpispec_matching_has_rival(&mpispec_queues, key, 0))
    return DECLINED;
  const int64_t length = mpispec_recv_fast(reader, reader->limit, key, to);
  if (__builtin_expect(length >= 0, 1))
    return complete(length, peer, key, status);
  if (only_next || (length == MPISPEC_NOT_RECEIVED && known->spans_nodes))
    return DECLINED;
  return recv_rest(length, known, buffer, to.bytes, peer, tag, status);
}

/* Receives a message of contiguous bytes, with a wildcard, if it arrives within some polls. `known`
 * may be null. */
static inline __attribute__((always_inline)) int recv_wild(const struct mpispec_communicator *known,
                                                           void *buffer, MPI_Count count,
                                                           MPI_Datatype datatype, int peer, int tag,
                                                           MPI_Status *status) {
  struct mpispec_reader *reader;
  int64_t room;
  known = mpispec_arguments_wild_on(known, peer, tag);
  if (!known || !mpispec_arguments_length(buffer, count, datatype, &room))
    return DECLINED;
  const int from = mpispec_receive_peer(known, peer);
  const struct mpispec_wanted wanted = mpispec_wanted_on(known->route.key, tag);
  int found = mpispec_peek(from, wanted, &reader);
  if (found == mpispec_head_empty || (found >= 0 && reader->next >= reader->limit))
    found = mpispec_peek_poll(from, wanted, &reader);
  if (__builtin_expect(found < 0, 0))
    return DECLINED;
  const uint64_t key = mpispec_cell_peek(reader->next) ^ reader->lap;
  const int source = peer == MPI_ANY_SOURCE
                         ? mpispec_head_source(known->route.key, reader->next->header, found)
                         : peer;
  return complete(mpispec_recv_any_length(reader, reader->limit, key, buffer, room), source, key,
                  status);
}

/* Receives a message of contiguous bytes, without wildcards, in a process whose calls acquire the
 * lock. Declines if the lock is not biased to this thread, or if the message may come from another
 * node. Calls of other functions come last. Otherwise it would save more registers. */
static inline __attribute__((always_inline)) int recv_biased(void *buffer, MPI_Count count,
                                                             MPI_Datatype datatype, int peer,
                                                             int tag, MPI_Comm communicator,
                                                             MPI_Status *status) {
  struct mpispec_memory to = {buffer, 0, NULL, count};
  if (__builtin_expect((peer | tag) < 0, 0) || !mpispec_lock_enter()) /* a wildcard */
    return DECLINED;
  const struct mpispec_communicator *known = mpispec_arguments_on(
      mpispec_communicator_if_last(communicator), buffer, count, datatype, peer, tag, &to.bytes);
  if (!known || !mpispec_status_is_there(status) ||
      mpispec_matching_has_rival(&mpispec_queues, known->route.key | (unsigned)tag, 0)) {
    mpispec_biased_lock_leave();
    return DECLINED;
  }
  struct mpispec_reader *reader = known->route.readers[(unsigned)peer];
  const uint64_t key = known->route.key | (unsigned)tag;
  const int64_t length = mpispec_recv_fast(reader, reader->limit, key, to);
  if (__builtin_expect(length >= 0, 1)) {
    (void)complete(length, peer, key, status);
    if (mpispec_lock_leave_may_wake())
      return mpispec_lock_leave_and_wake(-1);
    mpispec_biased_lock_leave();
    return MPI_SUCCESS;
  }
  if (known->spans_nodes) {
    mpispec_biased_lock_leave();
    return DECLINED;
  }
  return recv_rest_locked(length, known, buffer, to.bytes, peer, tag, status);
}

/* Receives a message that arrives within some polls, without wildcards. Its elements may have gaps.
 * `known` may be null. */
static inline __attribute__((always_inline)) int
recv_named(const struct mpispec_communicator *known, void *buffer, MPI_Count count,
           MPI_Datatype datatype, int peer, int tag, MPI_Status *status) {
  struct mpispec_memory to = {buffer, 0, NULL, count};
  if (!mpispec_arguments_mapped_on(known, buffer, count, datatype, peer, tag, &to.map, &to.bytes) &&
      !mpispec_arguments_on(known, buffer, count, datatype, peer, tag, &to.bytes))
    return DECLINED;
  struct mpispec_reader *reader = known->route.readers[(unsigned)peer];
  const uint64_t key = known->route.key | (unsigned)tag;
  if (mpispec_matching_has_rival(&mpispec_queues, key, 0))
    return DECLINED;
  return complete(mpispec_recv_await(reader, key, to), peer, key, status);
}

/* Receives a message that arrives within some polls, on any communicator. Called with the lock
 * held, or in a process that uses no lock. */
static inline __attribute__((always_inline)) int recv_polled(void *buffer, MPI_Count count,
                                                             MPI_Datatype datatype, int peer,
                                                             int tag, MPI_Comm communicator,
                                                             MPI_Status *status) {
  if (mpispec_communicator_last->handle != communicator)
    mpispec_communicator_search(communicator); /* becomes the last one */
  const struct mpispec_communicator *known = mpispec_communicator_if_last(communicator);
  return (peer | tag) < 0 ? recv_wild(known, buffer, count, datatype, peer, tag, status)
                          : recv_named(known, buffer, count, datatype, peer, tag, status);
}

/* Like recv_polled. Declines if the lock is not biased to this thread. */
static inline __attribute__((always_inline)) int recv_polled_locked(void *buffer, MPI_Count count,
                                                                    MPI_Datatype datatype, int peer,
                                                                    int tag, MPI_Comm communicator,
                                                                    MPI_Status *status) {
  if (!mpispec_status_is_there(status) || !mpispec_lock_enter())
    return DECLINED;
  const int error = recv_polled(buffer, count, datatype, peer, tag, communicator, status);
  mpispec_lock_leave();
  return error;
}

/* Executes the calls that the fast paths decline. */
static inline __attribute__((always_inline)) int recv_other(void *buffer, MPI_Count count,
                                                            MPI_Datatype datatype, int peer,
                                                            int tag, MPI_Comm communicator,
                                                            MPI_Status *status) {
  if (!mpispec_status_is_there(status))
    return DECLINED; /* the library reports the error */
  if (!mpispec_fast_path_disabled) {
    const int error = recv_polled(buffer, count, datatype, peer, tag, communicator, status);
    if (__builtin_expect(error != DECLINED, 1))
      return error;
  }
  return recv_slow(buffer, count, datatype, peer, tag, communicator, status);
}

/* The two MPI functions: RECEIVE(name, count type). A macro that is passed to RECEIVES defines one
 * C function for each of them. */
#define RECEIVES(RECEIVE) RECEIVE(Recv, int) RECEIVE(Recv_c, MPI_Count)

#define PARAMETERS(COUNT)                                                                          \
  void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,      \
      MPI_Status *status
#define ARGUMENTS buffer, count, datatype, peer, tag, communicator, status
#define INNER static __attribute__((noinline)) int /* a function to which another jumps */

#define OTHER(NAME, COUNT)                                                                         \
  INNER other_##NAME(PARAMETERS(COUNT)) {                                                          \
    MPISPEC_GATE(NAME, ARGUMENTS);                                                                 \
    const int error = recv_other(ARGUMENTS);                                                       \
    if (__builtin_expect(error != DECLINED, 1))                                                    \
      return error;                                                                                \
    return MPISPEC_ALONE_IN_LIBRARY(mpispec_next.NAME(ARGUMENTS));                                 \
  }
RECEIVES(OTHER)

#define POLLED(NAME, COUNT)                                                                        \
  INNER polled_##NAME(PARAMETERS(COUNT)) {                                                         \
    if (recv_polled_locked(ARGUMENTS) == MPI_SUCCESS)                                              \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP other_##NAME(ARGUMENTS);                                                          \
  }
RECEIVES(POLLED)

#define BIASED(NAME, COUNT)                                                                        \
  INNER biased_##NAME(PARAMETERS(COUNT)) {                                                         \
    const int error = recv_biased(ARGUMENTS);                                                      \
    if (error != DECLINED)                                                                         \
      return error;                                                                                \
    MPISPEC_JUMP polled_##NAME(ARGUMENTS);                                                         \
  }
RECEIVES(BIASED)

#define FAST(NAME, COUNT)                                                                          \
  int MPI_##NAME(PARAMETERS(COUNT)) {                                                              \
    if (__builtin_expect(mpispec_fast_path_disabled, 0))                                           \
      MPISPEC_JUMP biased_##NAME(ARGUMENTS);                                                       \
    const int error = recv_fast(ARGUMENTS, 0);                                                     \
    if (error != DECLINED)                                                                         \
      return error;                                                                                \
    MPISPEC_JUMP other_##NAME(ARGUMENTS);                                                          \
  }
RECEIVES(FAST)

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF_INNER void mpif_recv(void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
                                  MPI_Comm comm, MPI_Status *status, int *ierror) {
  *ierror = MPI_Recv(mpispec_mpif_buffer(buffer), count, datatype, peer, tag, comm,
                     mpispec_mpif_status(status));
}

MPISPEC_MPIF(recv, RECV, (buffer, count, datatype, peer, tag, comm, status, ierror), void *buffer,
             const int *count, const MPI_Datatype *datatype, const int *peer, const int *tag,
             const MPI_Comm *comm, MPI_Status *status, int *ierror) {
  MPISPEC_MPIF_GATE(recv, buffer, count, datatype, peer, tag, comm, status, ierror);
  const int error = buffer == mpispec_mpif.bottom
                        ? DECLINED
                        : recv_fast(buffer, *count, *datatype, *peer, *tag, *comm,
                                    mpispec_mpif_status(status), 1);
  if (error == DECLINED)
    return mpif_recv(buffer, *count, *datatype, *peer, *tag, *comm, status, ierror);
  *ierror = error;
}

MPISPEC_SECTION_ENTRY(recv, const struct mpispec_section *x, const int *count,
                      const MPI_Datatype *datatype, const int *peer, const int *tag,
                      const MPI_Comm *comm, MPI_Status *status, int *ierror) {
  const int error = mpispec_section_is_row(x)
                        ? recv_fast(x->first, *count, *datatype, *peer, *tag, *comm,
                                    IS_IGNORED(status) ? MPI_STATUS_IGNORE : status, 1)
                        : DECLINED;
  if (error == DECLINED)
    MPISPEC_JUMP mpispec_section_recv(x, count, datatype, peer, tag, comm, status, ierror);
  if (ierror)
    *ierror = error;
}
#endif
