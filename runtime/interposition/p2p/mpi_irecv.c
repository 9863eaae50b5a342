/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Irecv with its large-count form: posts a receive. */
#include "comm/communicator.h"
#include "interposition/arguments.h"
#include "interposition/fortran/mpif_entry.h"
#include "interposition/fortran/section.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "mpispec/receive.h"
#include "p2p/decoded_recv.h"
#include "p2p/queues.h"
#include "profile/profile.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "progress/tuning.h"

static __attribute__((noinline)) int receive_and_return(void *buffer, MPI_Count count,
                                                        MPI_Datatype datatype, int peer, int tag,
                                                        MPI_Comm communicator,
                                                        MPI_Request *handle) {
  if (!handle)
    return 0;
  struct mpispec_call call;
  mpispec_lock();
  const enum mpispec_path path =
      mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1);
  struct mpispec_request *request = NULL;
  if (path != MPISPEC_LIBRARY)
    request = mpispec_post_recv(&call, MPISPEC_UNTRIED);
  else if (mpispec_arguments_begin_nothing(buffer, count, datatype, peer, tag, communicator, 1))
    request = mpispec_request_from_nobody();
  if (request)
    *handle = mpispec_request_handle(request);
  if (request && request->complete)
    mpispec_progress_opportunistic();
  mpispec_unlock();
  return request != NULL;
}

/* Posts a simple receive without a poll of its lane. A load of a cache line that the sender is
 * writing moves the line between two caches, which delays both ranks. The poll can come later:
 * a standard send of at most MPISPEC_BLOCK_BYTES waits for its receive only if no block is free.
 * Returns 0 if the slow path must post the receive. `last` may be null. */
static inline __attribute__((always_inline)) int
post_simple(const struct mpispec_communicator *last, void *buffer, MPI_Count count,
            MPI_Datatype datatype, int peer, int tag, MPI_Request *request) {
  int64_t room;
  const struct mpispec_communicator *known =
      mpispec_arguments_on(last, buffer, count, datatype, peer, tag, &room);
  if (!known || room > MPISPEC_BLOCK_BYTES)
    return 0;
  const uint64_t key = known->route.key | (unsigned)tag;
  return !mpispec_matching_has_rival(&mpispec_queues, key, 0) &&
         mpispec_receive_post(known->route.readers[peer], key, buffer, (int)room, peer,
                              mpispec_request_words(request));
}

/* Like post_simple, in a process whose calls acquire the lock. Returns 0 if the lock is not biased
 * to this thread, or if the call may be one of a callback: the helper may have to be woken. Nothing
 * is received or sent, therefore no other thread or rank has to be. */
static inline __attribute__((always_inline)) int post_biased(void *buffer, MPI_Count count,
                                                             MPI_Datatype datatype, int peer,
                                                             int tag, MPI_Comm communicator,
                                                             MPI_Request *request) {
  if ((mpispec_lock_threads_away && !mpispec_biased_lock_has_several_threads()) ||
      !mpispec_lock_enter())
    return 0;
  const int posted = post_simple(mpispec_communicator_if_last(communicator), buffer, count,
                                 datatype, peer, tag, request);
  mpispec_biased_lock_leave();
  return posted;
}

/* The two MPI functions: RECEIVE(name, count type). A macro that is passed to RECEIVES defines one
 * C function for each of them. */
#define RECEIVES(RECEIVE) RECEIVE(Irecv, int) RECEIVE(Irecv_c, MPI_Count)

#define PARAMETERS(COUNT)                                                                          \
  void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,      \
      MPI_Request *request
#define ARGUMENTS buffer, count, datatype, peer, tag, communicator, request
#define INNER static __attribute__((noinline)) int /* a function to which another jumps */

#define OTHER(NAME, COUNT)                                                                         \
  INNER other_##NAME(PARAMETERS(COUNT)) {                                                          \
    MPISPEC_PROFILED(NAME, ARGUMENTS);                                                             \
    if (mpispec_node.size && receive_and_return(ARGUMENTS))                                        \
      return MPI_SUCCESS;                                                                          \
    return mpispec_next.NAME(ARGUMENTS);                                                           \
  }
RECEIVES(OTHER)

#define BIASED(NAME, COUNT)                                                                        \
  INNER biased_##NAME(PARAMETERS(COUNT)) {                                                         \
    if (request && post_biased(ARGUMENTS))                                                         \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP other_##NAME(ARGUMENTS);                                                          \
  }
RECEIVES(BIASED)

#define FAST(NAME, COUNT)                                                                          \
  int MPI_##NAME(PARAMETERS(COUNT)) {                                                              \
    if (__builtin_expect(mpispec_fast_path_disabled, 0))                                           \
      MPISPEC_JUMP biased_##NAME(ARGUMENTS);                                                       \
    if (request && post_simple(mpispec_communicator_if_last(communicator), buffer, count,          \
                               datatype, peer, tag, request))                                      \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_JUMP other_##NAME(ARGUMENTS);                                                          \
  }
RECEIVES(FAST)

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF_INNER void mpif_irecv(void *buffer, int count, MPI_Datatype datatype, int peer,
                                   int tag, MPI_Comm comm, MPI_Request *request, int *ierror) {
  *ierror = MPI_Irecv(mpispec_mpif_buffer(buffer), count, datatype, peer, tag, comm, request);
}

MPISPEC_MPIF(irecv, IRECV, (buffer, count, datatype, peer, tag, comm, request, ierror),
             void *buffer, const int *count, const MPI_Datatype *datatype, const int *peer,
             const int *tag, const MPI_Comm *comm, MPI_Request *request, int *ierror) {
  MPISPEC_MPIF_GATE(irecv, buffer, count, datatype, peer, tag, comm, request, ierror);
  if (buffer == mpispec_mpif.bottom || !post_simple(mpispec_communicator_at_hand(*comm), buffer,
                                                    *count, *datatype, *peer, *tag, request))
    return mpif_irecv(buffer, *count, *datatype, *peer, *tag, *comm, request, ierror);
  *ierror = MPI_SUCCESS;
}

MPISPEC_SECTION_ENTRY(irecv, const struct mpispec_section *x, const int *count,
                      const MPI_Datatype *datatype, const int *peer, const int *tag,
                      const MPI_Comm *comm, MPI_Request *request, int *ierror) {
  if (!mpispec_section_is_row(x) || !post_simple(mpispec_communicator_at_hand(*comm), x->first,
                                                 *count, *datatype, *peer, *tag, request))
    MPISPEC_JUMP mpispec_section_irecv(x, count, datatype, peer, tag, comm, request, ierror);
  if (ierror)
    *ierror = MPI_SUCCESS;
}
#endif
