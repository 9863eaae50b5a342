/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw. */
#include "collective/leaders/leaders.h"
#include "interposition/collective/collective_data.h"
#include "interposition/fortran/mpif_entry.h"
#include "profile/profile.h"
#include "progress/lock.h"

#include <stddef.h>

/* With MPI_IN_PLACE, `send` is `receive`. Otherwise the two sides must not be the same elements. */
static int open_sides(struct mpispec_bundle *send, struct mpispec_bundle *receive,
                      const struct mpispec_layout *sent, const struct mpispec_layout *received,
                      int ranks) {
  if (received->buffer == MPI_IN_PLACE || !mpispec_bundle_open(receive, received, ranks))
    return 0;
  if (send == receive)
    return 1;
  if (mpispec_bundle_open(send, sent, ranks)) {
    if (!mpispec_layouts_coincide(sent, received) || mpispec_bundle_is_empty(send))
      return 1;
    mpispec_bundle_close(send);
  }
  mpispec_bundle_close(receive);
  return 0;
}

/* Returns 0 if more bytes came than fit. */
static int exchange(struct mpispec_collective *collective, struct mpispec_bundle *send,
                    struct mpispec_bundle *receive) {
  mpispec_bundle_pack(send, -1);
  const int fits = (collective->nodes ? mpispec_leaders_alltoall : mpispec_collective_alltoall)(
      collective, &send->portions, &receive->portions);
  mpispec_bundle_unpack(receive, -1);
  return fits;
}

/* Executes a call of the function `kind`. */
static __attribute__((noinline)) int carry_out(struct mpispec_collective *collective,
                                               struct mpispec_bundle *send,
                                               struct mpispec_bundle *receive,
                                               enum mpispec_collective_kind kind) {
  const int64_t length = kind == mpispec_is_Alltoall ? receive->portions.length : 0;
  const uint64_t signature = mpispec_signature(kind, mpispec_signature_length((uint64_t)length));
  mpispec_collective_begin(collective, signature, length, -1);
  const int decision =
      mpispec_collective_is_ours(collective, send->has_device_memory || receive->has_device_memory);
  if (decision)
    return decision;
  const int fits = exchange(collective, send, receive);
  return collective->error ? collective->error : fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

/* Executes a call. `kind` is a constant. */
static inline __attribute__((always_inline)) int
alltoall(const struct mpispec_layout *sent, const struct mpispec_layout *received,
         MPI_Comm communicator, enum mpispec_collective_kind kind, const void *caller) {
  struct mpispec_bundle sides[2];
  const int in_place = sent->buffer == MPI_IN_PLACE, equal = kind == mpispec_is_Alltoall;
  struct mpispec_bundle *receive = &sides[0], *send = in_place ? receive : &sides[1];
  struct mpispec_collective *collective = mpispec_collective_enter(
      communicator, caller,
      (struct mpispec_refusable){0, equal ? received->count : 0, received->datatype, MPI_SUM});
  if (!collective)
    return MPISPEC_NOT_OURS;
  int error = MPISPEC_NOT_OURS;
  if (mpispec_collective_has_portions(collective, equal) &&
      open_sides(send, receive, sent, received, collective->size)) {
    const int64_t length = receive->portions.length;
    const int64_t most =
        collective->nodes ? MPISPEC_NODES_BYTES / collective->size : collective->most_bytes;
    if (!equal || mpispec_collective_accepts(collective, length, most))
      error = equal && !length ? collective->error : carry_out(collective, send, receive, kind);
    mpispec_bundle_close(receive);
    if (!in_place)
      mpispec_bundle_close(send);
  }
  mpispec_unlock();
  return mpispec_collective_return(communicator, error);
}

#define ADDRESS(BUFFER) ((void *)(uintptr_t)(BUFFER))

#define ALLTOALL(NAME, COUNT)                                                                      \
  int MPI_##NAME(const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,        \
                 COUNT receive_count, MPI_Datatype receive_type, MPI_Comm comm) {                  \
    MPISPEC_PROFILED(NAME, send, send_count, send_type, receive, receive_count, receive_type,      \
                     comm);                                                                        \
    if (!send_count && !receive_count &&                                                           \
        mpispec_collective_moves_nothing(send, send_type, receive, receive_type, 0, comm))         \
      return MPI_SUCCESS;                                                                          \
    const struct mpispec_layout sent = {                                                           \
        .buffer = ADDRESS(send), .count = send_count, .datatype = send_type};                      \
    const struct mpispec_layout received = {                                                       \
        .buffer = receive, .count = receive_count, .datatype = receive_type};                      \
    MPISPEC_OR_LIBRARY(alltoall(&sent, &received, comm, mpispec_is_Alltoall, MPISPEC_CALLER),      \
                       mpispec_next.NAME(send, send_count, send_type, receive, receive_count,      \
                                         receive_type, comm));                                     \
  }

#define ALLTOALLV(NAME, COUNT, DISPLACEMENT, PREFIX)                                               \
  int MPI_##NAME(const void *send, const COUNT send_counts[], const DISPLACEMENT send_places[],    \
                 MPI_Datatype send_type, void *receive, const COUNT receive_counts[],              \
                 const DISPLACEMENT receive_places[], MPI_Datatype receive_type, MPI_Comm comm) {  \
    MPISPEC_PROFILED(NAME, send, send_counts, send_places, send_type, receive, receive_counts,     \
                     receive_places, receive_type, comm);                                          \
    const struct mpispec_layout sent = {.buffer = ADDRESS(send),                                   \
                                        .PREFIX##counts = send_counts,                             \
                                        .PREFIX##displacements = send_places,                      \
                                        .datatype = send_type};                                    \
    const struct mpispec_layout received = {.buffer = receive,                                     \
                                            .PREFIX##counts = receive_counts,                      \
                                            .PREFIX##displacements = receive_places,               \
                                            .datatype = receive_type};                             \
    MPISPEC_OR_LIBRARY(alltoall(&sent, &received, comm, mpispec_is_Alltoallv, MPISPEC_CALLER),     \
                       mpispec_next.NAME(send, send_counts, send_places, send_type, receive,       \
                                         receive_counts, receive_places, receive_type, comm));     \
  }

#define ALLTOALLW(NAME, COUNT, DISPLACEMENT, PREFIX)                                               \
  int MPI_##NAME(const void *send, const COUNT send_counts[], const DISPLACEMENT send_places[],    \
                 const MPI_Datatype send_types[], void *receive, const COUNT receive_counts[],     \
                 const DISPLACEMENT receive_places[], const MPI_Datatype receive_types[],          \
                 MPI_Comm comm) {                                                                  \
    MPISPEC_PROFILED(NAME, send, send_counts, send_places, send_types, receive, receive_counts,    \
                     receive_places, receive_types, comm);                                         \
    const struct mpispec_layout sent = {.buffer = ADDRESS(send),                                   \
                                        .PREFIX##counts = send_counts,                             \
                                        .PREFIX##displacements = send_places,                      \
                                        .datatypes = send_types};                                  \
    const struct mpispec_layout received = {.buffer = receive,                                     \
                                            .PREFIX##counts = receive_counts,                      \
                                            .PREFIX##displacements = receive_places,               \
                                            .datatypes = receive_types};                           \
    MPISPEC_OR_LIBRARY(alltoall(&sent, &received, comm, mpispec_is_Alltoallw, MPISPEC_CALLER),     \
                       mpispec_next.NAME(send, send_counts, send_places, send_types, receive,      \
                                         receive_counts, receive_places, receive_types, comm));    \
  }

ALLTOALL(Alltoall, int)
ALLTOALL(Alltoall_c, MPI_Count)
ALLTOALLV(Alltoallv, int, int, )
ALLTOALLV(Alltoallv_c, MPI_Count, MPI_Aint, large_)
ALLTOALLW(Alltoallw, int, int, )
ALLTOALLW(Alltoallw_c, MPI_Count, MPI_Aint, large_)

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF(alltoall, ALLTOALL,
             (send, send_count, send_type, receive, receive_count, receive_type, comm, ierror),
             void *send, const int *send_count, const MPI_Datatype *send_type, void *receive,
             const int *receive_count, const MPI_Datatype *receive_type, const MPI_Comm *comm,
             int *ierror) {
  MPISPEC_MPIF_GATE(alltoall, send, send_count, send_type, receive, receive_count, receive_type,
                    comm, ierror);
  *ierror = MPI_Alltoall(mpispec_mpif_send_buffer(send), *send_count, *send_type,
                         mpispec_mpif_buffer(receive), *receive_count, *receive_type, *comm);
}
#endif
