/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Send and its modes, blocking and nonblocking, with their large-count forms. A message goes to
 * a lane, or the MPI library executes the call. */
#include "comm/communicator.h"
#include "interposition/arguments.h"
#include "interposition/fortran/mpif_entry.h"
#include "interposition/fortran/section.h"
#include "interposition/library/next.h"
#include "mpispec/machine.h"
#include "p2p/completion.h"
#include "p2p/decoded_send.h"
#include "p2p/fast_path.h"
#include "p2p/request.h"
#include "p2p/request_wait.h"
#include "p2p/send_cells.h"
#include "profile/profile.h"
#include "progress/lock.h"
#include "progress/progress.h"

/* Instead of an error class: nothing was sent. */
enum { DECLINED = -1 };

/* The arguments of a send. */
#define PARAMETERS(COUNT)                                                                          \
  const void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator
#define ARGUMENTS buffer, count, datatype, peer, tag, communicator

/* Executes a standard send of contiguous bytes. `request` is null for a blocking send. Messages of
 * more than `longest` bytes are declined. */
static inline __attribute__((always_inline)) int send_fast(PARAMETERS(MPI_Count),
                                                           enum mpispec_send_mode mode,
                                                           int64_t longest, MPI_Request *request) {
  struct mpispec_memory from = {(void *)(uintptr_t)buffer, 0, NULL, count};
  if (mode != mpispec_standard)
    return DECLINED;
  const struct mpispec_communicator *known =
      mpispec_arguments_short(buffer, count, datatype, peer, tag, communicator, &from.bytes);
  if (!known || from.bytes > longest)
    return DECLINED;
  const struct mpispec_route *route = &known->route;
  if (__builtin_expect(from.bytes > mpispec_cell_payload, 0) && !known->spans_nodes) {
    const int error =
        mpispec_send_or_raise(buffer, from.bytes, route, peer, tag, mpispec_request_words(request));
    if (error == DECLINED)
      __builtin_unreachable();
    return error; /* a lane leads to the peer, because all members are on this node */
  }
  if (!mpispec_send_fast(route->writers[(unsigned)peer], route->key | (unsigned)tag, route->header,
                         from))
    return DECLINED;
  if (request)
    mpispec_send_set_request(request, NULL);
  return MPI_SUCCESS;
}

/* Executes a send in any mode. Returns DECLINED if the library must execute the call. A send to
 * MPI_PROC_NULL is complete at once, if the runtime executes it. */
static __attribute__((noinline)) int send_slow(PARAMETERS(MPI_Count), enum mpispec_send_mode mode,
                                               MPI_Request *request) {
  struct mpispec_call call;
  int error = DECLINED;
  mpispec_lock();
  if (mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 0) ==
      MPISPEC_LANE) {
    call.mode = mode;
    error = mpispec_send_call(&call, request);
  } else if (request ? mpispec_arguments_begin_nothing(ARGUMENTS, 0)
                     : mpispec_arguments_name_nobody(ARGUMENTS, 0)) {
    if (request)
      mpispec_send_set_request(request, NULL);
    error = MPI_SUCCESS;
  }
  mpispec_unlock();
  return error > 0 ? mpispec_raise(communicator, error) : error;
}

/* Executes a standard send of more than one cell to a rank of this node. Releases the lock. */
static __attribute__((noinline)) int send_longer_biased(const struct mpispec_communicator *known,
                                                        const void *buffer, int64_t bytes, int peer,
                                                        int tag, MPI_Request *request) {
  if (mpispec_send_at_once(buffer, bytes, &known->route, peer, tag)) {
    mpispec_biased_lock_leave();
    return send_slow(buffer, bytes, MPI_BYTE, peer, tag, known->handle, mpispec_standard, request);
  }
  if (request)
    mpispec_send_set_request(request, NULL);
  return mpispec_lock_leave_and_wake(known->peer_of[peer]);
}

/* Executes a standard send in a process whose calls acquire the lock. Declines if the lock is not
 * biased to this thread, and a blocking send of more than MPISPEC_LEAST_STEP bytes, which fills its
 * block in steps. Calls of other functions come last, so that few registers are saved: few stores
 * fit behind one to a cell, which waits for its line. The buffer is free afterwards. */
static inline __attribute__((always_inline)) int
send_biased(PARAMETERS(MPI_Count), enum mpispec_send_mode mode, MPI_Request *request) {
  struct mpispec_memory from = {(void *)(uintptr_t)buffer, 0, NULL, count};
  if (mode != mpispec_standard || !mpispec_lock_enter())
    return DECLINED;
  const struct mpispec_communicator *known = mpispec_arguments_on(
      mpispec_communicator_if_last(communicator), buffer, count, datatype, peer, tag, &from.bytes);
  if (__builtin_expect(known && from.bytes > mpispec_cell_payload, 0) &&
      from.bytes <= (request ? MPISPEC_WHOLE_BYTES : MPISPEC_LEAST_STEP) &&
      known->peer_of[peer] >= 0) {
    const int error = send_longer_biased(known, buffer, from.bytes, peer, tag, request);
    if (error == DECLINED)
      __builtin_unreachable(); /* a lane leads to the peer */
    return error;
  }
  if (!known || !mpispec_send_fast(known->route.writers[(unsigned)peer],
                                   known->route.key | (unsigned)tag, known->route.header, from)) {
    mpispec_biased_lock_leave();
    return DECLINED;
  }
  if (request)
    mpispec_send_set_request(request, NULL);
  if (mpispec_lock_leave_may_wake())
    return mpispec_lock_leave_and_wake(known->peer_of[peer]);
  mpispec_biased_lock_leave();
  return MPI_SUCCESS;
}

/* Executes a standard send of one cell that the fast path has declined, because of another
 * communicator than the one found last, a lane at its limit, or elements with gaps. */
static inline __attribute__((always_inline)) int send_cell(PARAMETERS(MPI_Count),
                                                           MPI_Request *request) {
  struct mpispec_memory from = {(void *)(uintptr_t)buffer, 0, NULL, count};
  if (mpispec_communicator_last->handle != communicator)
    mpispec_communicator_search(communicator); /* becomes the last one */
  const struct mpispec_communicator *known = mpispec_communicator_if_last(communicator);
  if (!mpispec_arguments_mapped_on(known, buffer, count, datatype, peer, tag, &from.map,
                                   &from.bytes) &&
      !mpispec_arguments_on(known, buffer, count, datatype, peer, tag, &from.bytes))
    known = NULL;
  if (!known || from.bytes > mpispec_cell_payload || known->peer_of[peer] < 0)
    return DECLINED;
  struct mpispec_writer *writer = known->route.writers[(unsigned)peer];
  if (writer->next >= writer->limit && !mpispec_send_makes_room(known->peer_of[peer], 1))
    return DECLINED;
  if (!mpispec_send_fast(writer, known->route.key | (unsigned)tag, known->route.header, from))
    return DECLINED;
  if (request)
    mpispec_send_set_request(request, NULL);
  mpispec_doorbell_note(known->peer_of[peer]);
  return MPI_SUCCESS;
}

/* The same, in a process whose calls acquire the lock. */
static inline __attribute__((always_inline)) int
send_cell_locked(PARAMETERS(MPI_Count), enum mpispec_send_mode mode, MPI_Request *request) {
  if (mode != mpispec_standard || !mpispec_lock_enter())
    return DECLINED;
  const int error = send_cell(buffer, count, datatype, peer, tag, communicator, request);
  mpispec_lock_leave();
  return error;
}

/* Completes a nonblocking send of the library, and makes progress that other ranks may need. */
static int wait_in_library(MPI_Request *request, int error) {
  mpispec_lock();
  if (!error)
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

/* Executes the calls that the fast paths decline, or returns DECLINED, like send_slow. */
static inline __attribute__((always_inline)) int
send_other(PARAMETERS(MPI_Count), enum mpispec_send_mode mode, MPI_Request *request) {
  int error = DECLINED;
  if (mode == mpispec_standard && !mpispec_fast_path_disabled)
    error = send_cell(buffer, count, datatype, peer, tag, communicator, request);
  else if (mode == mpispec_synchronous && !request)
    error = mpispec_send_await_match(peer, communicator);
  if (error != DECLINED)
    return error;
  return send_slow(buffer, count, datatype, peer, tag, communicator, mode, request);
}

/* SEND(name, count type, mode, nonblocking form), without the last for nonblocking functions. A
 * macro that is passed to BLOCKING or NONBLOCKING defines one C function for each row. */
#define BLOCKING(SEND)                                                                             \
  SEND(Send, int, standard, Isend)                                                                 \
  SEND(Send_c, MPI_Count, standard, Isend_c)                                                       \
  SEND(Bsend, int, buffered, Ibsend)                                                               \
  SEND(Bsend_c, MPI_Count, buffered, Ibsend_c)                                                     \
  SEND(Ssend, int, synchronous, Issend)                                                            \
  SEND(Ssend_c, MPI_Count, synchronous, Issend_c)                                                  \
  SEND(Rsend, int, standard, Irsend)                                                               \
  SEND(Rsend_c, MPI_Count, standard, Irsend_c)

#define NONBLOCKING(SEND)                                                                          \
  SEND(Isend, int, standard)                                                                       \
  SEND(Isend_c, MPI_Count, standard)                                                               \
  SEND(Ibsend, int, buffered)                                                                      \
  SEND(Ibsend_c, MPI_Count, buffered)                                                              \
  SEND(Issend, int, synchronous)                                                                   \
  SEND(Issend_c, MPI_Count, synchronous)                                                           \
  SEND(Irsend, int, standard)                                                                      \
  SEND(Irsend_c, MPI_Count, standard)

#define INNER static __attribute__((noinline)) int /* a function to which another jumps */

/* This function is separate, because it passes on the address of a local variable. In a function
 * with this kind of variable, gcc makes a call instead of a jump. But the profile needs the return
 * address of the program's call. */
#define BY_LIBRARY(NAME, COUNT, MODE, NONBLOCKING_NAME)                                            \
  INNER library_##NAME(PARAMETERS(COUNT)) {                                                        \
    MPI_Request request = MPI_REQUEST_NULL; /* for MPICH 5: mpi_recv.c */                          \
    return is_busy() ? wait_in_library(&request, PMPI_##NONBLOCKING_NAME(ARGUMENTS, &request))     \
                     : MPISPEC_ALONE_IN_LIBRARY(mpispec_next.NAME(ARGUMENTS));                     \
  }
BLOCKING(BY_LIBRARY)

#define OTHER(NAME, COUNT, MODE, NONBLOCKING_NAME)                                                 \
  INNER other_##NAME(PARAMETERS(COUNT)) {                                                          \
    MPISPEC_GATE(NAME, ARGUMENTS);                                                                 \
    const int error = send_other(ARGUMENTS, mpispec_##MODE, NULL);                                 \
    if (error != DECLINED)                                                                         \
      return error;                                                                                \
    MPISPEC_JUMP library_##NAME(ARGUMENTS);                                                        \
  }
BLOCKING(OTHER)

/* For processes whose calls acquire the lock */
#define LOCKED(STEP, FUNCTION, NEXT, NAME, COUNT, MODE)                                            \
  INNER STEP##_##NAME(PARAMETERS(COUNT)) {                                                         \
    const int error = FUNCTION(ARGUMENTS, mpispec_##MODE, NULL);                                   \
    if (error != DECLINED)                                                                         \
      return error;                                                                                \
    MPISPEC_JUMP NEXT##_##NAME(ARGUMENTS);                                                         \
  }
#define BIASED(NAME, COUNT, MODE, NONBLOCKING_NAME)                                                \
  LOCKED(cell, send_cell_locked, other, NAME, COUNT, MODE)                                         \
  LOCKED(biased, send_biased, cell, NAME, COUNT, MODE)
BLOCKING(BIASED)

#define FAST(NAME, COUNT, MODE, NONBLOCKING_NAME)                                                  \
  int MPI_##NAME(PARAMETERS(COUNT)) {                                                              \
    if (__builtin_expect(mpispec_fast_path_disabled, 0))                                           \
      MPISPEC_JUMP biased_##NAME(ARGUMENTS);                                                       \
    const int error = send_fast(ARGUMENTS, mpispec_##MODE, INT64_MAX, NULL);                       \
    if (error != DECLINED)                                                                         \
      return error;                                                                                \
    MPISPEC_JUMP other_##NAME(ARGUMENTS);                                                          \
  }
BLOCKING(FAST)

#define IOTHER(NAME, COUNT, MODE)                                                                  \
  INNER other_##NAME(PARAMETERS(COUNT), MPI_Request *request) {                                    \
    MPISPEC_GATE(NAME, ARGUMENTS, request);                                                        \
    const int error = request ? send_other(ARGUMENTS, mpispec_##MODE, request) : DECLINED;         \
    return error != DECLINED ? error : mpispec_next.NAME(ARGUMENTS, request);                      \
  }
NONBLOCKING(IOTHER)

#define ILOCKED(STEP, FUNCTION, NEXT, NAME, COUNT, MODE)                                           \
  INNER STEP##_##NAME(PARAMETERS(COUNT), MPI_Request *request) {                                   \
    const int error = request ? FUNCTION(ARGUMENTS, mpispec_##MODE, request) : DECLINED;           \
    if (error != DECLINED)                                                                         \
      return error;                                                                                \
    MPISPEC_JUMP NEXT##_##NAME(ARGUMENTS, request);                                                \
  }
#define IBIASED(NAME, COUNT, MODE)                                                                 \
  ILOCKED(cell, send_cell_locked, other, NAME, COUNT, MODE)                                        \
  ILOCKED(biased, send_biased, cell, NAME, COUNT, MODE)
NONBLOCKING(IBIASED)

#define IFAST(NAME, COUNT, MODE)                                                                   \
  int MPI_##NAME(PARAMETERS(COUNT), MPI_Request *request) {                                        \
    if (__builtin_expect(mpispec_fast_path_disabled, 0))                                           \
      MPISPEC_JUMP biased_##NAME(ARGUMENTS, request);                                              \
    const int error =                                                                              \
        request ? send_fast(ARGUMENTS, mpispec_##MODE, INT64_MAX, request) : DECLINED;             \
    if (error != DECLINED)                                                                         \
      return error;                                                                                \
    MPISPEC_JUMP other_##NAME(ARGUMENTS, request);                                                 \
  }
NONBLOCKING(IFAST)

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF_INNER void mpif_send(void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
                                  MPI_Comm comm, int *ierror) {
  *ierror = MPI_Send(mpispec_mpif_buffer(buffer), count, datatype, peer, tag, comm);
}

MPISPEC_MPIF(send, SEND, (buffer, count, datatype, peer, tag, comm, ierror), void *buffer,
             const int *count, const MPI_Datatype *datatype, const int *peer, const int *tag,
             const MPI_Comm *comm, int *ierror) {
  MPISPEC_MPIF_GATE(send, buffer, count, datatype, peer, tag, comm, ierror);
  const int error = buffer == mpispec_mpif.bottom
                        ? DECLINED
                        : send_fast(buffer, *count, *datatype, *peer, *tag, *comm, mpispec_standard,
                                    mpispec_cell_payload, NULL);
  if (error == DECLINED)
    return mpif_send(buffer, *count, *datatype, *peer, *tag, *comm, ierror);
  *ierror = error;
}

MPISPEC_MPIF_INNER void mpif_isend(void *buffer, int count, MPI_Datatype datatype, int peer,
                                   int tag, MPI_Comm comm, MPI_Request *request, int *ierror) {
  *ierror = MPI_Isend(mpispec_mpif_buffer(buffer), count, datatype, peer, tag, comm, request);
}

MPISPEC_MPIF(isend, ISEND, (buffer, count, datatype, peer, tag, comm, request, ierror),
             void *buffer, const int *count, const MPI_Datatype *datatype, const int *peer,
             const int *tag, const MPI_Comm *comm, MPI_Request *request, int *ierror) {
  MPISPEC_MPIF_GATE(isend, buffer, count, datatype, peer, tag, comm, request, ierror);
  const int error = buffer == mpispec_mpif.bottom
                        ? DECLINED
                        : send_fast(buffer, *count, *datatype, *peer, *tag, *comm, mpispec_standard,
                                    mpispec_cell_payload, request);
  if (error == DECLINED)
    return mpif_isend(buffer, *count, *datatype, *peer, *tag, *comm, request, ierror);
  *ierror = error;
}

MPISPEC_SECTION_ENTRY(send, const struct mpispec_section *x, const int *count,
                      const MPI_Datatype *datatype, const int *peer, const int *tag,
                      const MPI_Comm *comm, int *ierror) {
  const int error = mpispec_section_is_row(x)
                        ? send_fast(x->first, *count, *datatype, *peer, *tag, *comm,
                                    mpispec_standard, mpispec_cell_payload, NULL)
                        : DECLINED;
  if (error == DECLINED)
    MPISPEC_JUMP mpispec_section_send(x, count, datatype, peer, tag, comm, ierror);
  if (ierror)
    *ierror = error;
}

MPISPEC_SECTION_ENTRY(isend, const struct mpispec_section *x, const int *count,
                      const MPI_Datatype *datatype, const int *peer, const int *tag,
                      const MPI_Comm *comm, MPI_Request *request, int *ierror) {
  const int error = mpispec_section_is_row(x)
                        ? send_fast(x->first, *count, *datatype, *peer, *tag, *comm,
                                    mpispec_standard, mpispec_cell_payload, request)
                        : DECLINED;
  if (error == DECLINED)
    MPISPEC_JUMP mpispec_section_isend(x, count, datatype, peer, tag, comm, request, ierror);
  if (ierror)
    *ierror = error;
}
#endif
