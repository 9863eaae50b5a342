/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Gather, MPI_Scatter, MPI_Allgather, and their forms with a count for each rank. */
#include "collective/leaders/leaders.h"
#include "interposition/collective/collective_data.h"
#include "profile/profile.h"
#include "progress/lock.h"

/* A call has two sides: one portion of this rank (`own`), and the portions for all ranks (`all`).
 * With MPI_IN_PLACE, `own` is not used. */
struct call {
  enum mpispec_collective_kind kind;
  struct mpispec_layout own, all;
  int root;
  int all_are_roots; /* Allgather */
  MPI_Comm communicator;
};

/* The two sides as bytes. `own` is opened for one rank. */
struct sides {
  int has_own, has_all;
  struct mpispec_bundle own, all;
};

static void close_sides(struct sides *sides) {
  if (sides->has_own)
    mpispec_bundle_close(&sides->own);
  if (sides->has_all)
    mpispec_bundle_close(&sides->all);
}

static inline __attribute__((always_inline)) int
open_sides(struct sides *sides, const struct mpispec_collective *collective,
           const struct call *call, int in_place) {
  const int is_root = call->all_are_roots || call->root == collective->rank;
  if (!mpispec_is_rank(collective, call->root))
    return 0;
  if (in_place ? !is_root
               : is_root && mpispec_layout_coincides(&call->own, &call->all, collective->rank))
    return 0;
  if (is_root &&
      (call->all.buffer == MPI_IN_PLACE ||
       !(sides->has_all = mpispec_bundle_open(&sides->all, &call->all, collective->size))))
    return 0;
  return in_place || (sides->has_own = mpispec_bundle_open(&sides->own, &call->own, 1));
}

/* The length of a portion in bytes, if all portions are equal. */
static int64_t length_of(const struct sides *sides) {
  return sides->has_all ? sides->all.portions.length : sides->own.portions.length;
}

static unsigned char *own_bytes(const struct sides *sides) {
  return sides->has_own ? sides->own.portions.base : NULL;
}

static int64_t own_length(const struct sides *sides, const struct mpispec_collective *collective) {
  return sides->has_own ? sides->own.portions.length
                        : mpispec_portion_length(&sides->all.portions, collective->rank);
}

static void gather_bytes(struct mpispec_collective *collective, const struct call *call,
                         struct sides *sides, int *fits) {
  if (sides->has_own)
    mpispec_bundle_pack(&sides->own, 0);
  else
    mpispec_bundle_pack(&sides->all, collective->rank);
  const int64_t length = own_length(sides, collective);
  const struct mpispec_portions *all = &sides->all.portions;
  const void *own = own_bytes(sides);
  if (call->all_are_roots)
    *fits = (collective->nodes ? mpispec_leaders_allgather
                               : mpispec_collective_allgather)(collective, own, length, all);
  else
    *fits = (collective->nodes ? mpispec_leaders_gather : mpispec_collective_gather)(
        collective, own, length, all, call->root);
  if (sides->has_all)
    mpispec_bundle_unpack(&sides->all, -1);
}

static void scatter_bytes(struct mpispec_collective *collective, const struct call *call,
                          struct sides *sides, int equal, int *fits) {
  if (sides->has_all)
    mpispec_bundle_pack(&sides->all, -1);
  const struct mpispec_portions *all = &sides->all.portions;
  const int64_t room = sides->has_own ? sides->own.portions.length : 0;
  *fits = collective->nodes ? mpispec_leaders_scatter(collective, all, own_bytes(sides), room,
                                                      length_of(sides), call->root)
                            : mpispec_collective_scatter(collective, all, own_bytes(sides), room,
                                                         call->root, equal);
  if (sides->has_own)
    mpispec_bundle_unpack(&sides->own, 0);
}

/* Nonzero if the runtime may execute a call with these counts. Over several nodes, each rank needs
 * the lengths of all portions. In MPI_Allgatherv it has them. */
static int accepts_counts(const struct mpispec_collective *collective, const struct call *call,
                          int equal) {
  return mpispec_collective_has_portions(collective, equal) ||
         (collective->nodes && call->all_are_roots);
}

static int accepts_bytes(const struct mpispec_collective *collective, const struct sides *sides,
                         int equal) {
  const int64_t most = collective->nodes ? MPISPEC_NODES_BYTES : collective->most_bytes;
  int64_t bytes = 0;
  if (equal)
    return mpispec_collective_accepts(collective, length_of(sides), most);
  for (int i = 0; collective->nodes && i < collective->size && bytes <= most; ++i)
    bytes += mpispec_portion_length(&sides->all.portions, i);
  return bytes <= most;
}

/* The length is part of the signature only in MPI_Allgather, where it is the same on all ranks. A
 * root that expects more bytes than it receives is no mismatch. */
static uint64_t signature_of(const struct call *call, const struct sides *sides) {
  if (!call->all_are_roots)
    return mpispec_signature(call->kind, mpispec_signature_root(call->root));
  const int64_t length = call->kind == mpispec_is_Allgather ? length_of(sides) : 0;
  return mpispec_signature(call->kind, mpispec_signature_length((uint64_t)length));
}

static __attribute__((noinline)) int move_bytes(struct mpispec_collective *collective,
                                                const struct call *call, struct sides *sides,
                                                int scatters, int equal) {
  int fits = 1;
  mpispec_collective_begin(collective, signature_of(call, sides), equal ? length_of(sides) : -1,
                           call->all_are_roots ? -1 : call->root);
  const int decision =
      mpispec_collective_is_ours(collective, (sides->has_own && sides->own.has_device_memory) ||
                                                 (sides->has_all && sides->all.has_device_memory));
  if (decision)
    return decision;
  if (scatters)
    scatter_bytes(collective, call, sides, equal, &fits);
  else
    gather_bytes(collective, call, sides, &fits);
  return collective->error ? collective->error : fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

/* Nonzero if the arguments of each rank show that there are no bytes. */
static int is_empty(const struct call *call, const struct sides *sides, int equal) {
  return equal ? !length_of(sides) : call->all_are_roots && mpispec_bundle_is_empty(&sides->all);
}

/* Executes a call. `equal` is nonzero if all counts are equal, on all ranks. `scatters` and `equal`
 * are constants. */
static inline __attribute__((always_inline)) int
carry_out(const struct call *call, int scatters, int in_place, int equal, const void *caller) {
  struct sides sides;
  sides.has_own = sides.has_all = 0;
  struct mpispec_collective *collective = mpispec_collective_enter(
      call->communicator, caller,
      (struct mpispec_refusable){call->all_are_roots ? 0 : call->root,
                                 in_place ? 0 : call->own.count, call->own.datatype, MPI_SUM});
  if (!collective)
    return MPISPEC_NOT_OURS;
  int error = MPISPEC_NOT_OURS;
  if (accepts_counts(collective, call, equal) && open_sides(&sides, collective, call, in_place) &&
      accepts_bytes(collective, &sides, equal))
    error = is_empty(call, &sides, equal) ? collective->error
                                          : move_bytes(collective, call, &sides, scatters, equal);
  close_sides(&sides);
  mpispec_unlock();
  return mpispec_collective_return(call->communicator, error);
}

#define OWN(BUFFER, COUNT, DATATYPE)                                                               \
  {.buffer = (void *)(uintptr_t)(BUFFER), .count = (COUNT), .datatype = (DATATYPE)}
#define EACH(PREFIX, BUFFER, COUNTS, DISPLACEMENTS, DATATYPE)                                      \
  {.buffer = (void *)(uintptr_t)(BUFFER),                                                          \
   .PREFIX##counts = (COUNTS),                                                                     \
   .PREFIX##displacements = (DISPLACEMENTS),                                                       \
   .datatype = (DATATYPE)}

#define GATHER(NAME, COUNT)                                                                        \
  int MPI_##NAME(const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,        \
                 COUNT receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {        \
    MPISPEC_PROFILED(NAME, send, send_count, send_type, receive, receive_count, receive_type,      \
                     root, comm);                                                                  \
    if (!send_count && !receive_count &&                                                           \
        mpispec_collective_moves_nothing(send, send_type, receive, receive_type, root, comm))      \
      return MPI_SUCCESS;                                                                          \
    const struct call call = {mpispec_is_Gather,                                                   \
                              OWN(send, send_count, send_type),                                    \
                              OWN(receive, receive_count, receive_type),                           \
                              root,                                                                \
                              0,                                                                   \
                              comm};                                                               \
    MPISPEC_OR_LIBRARY(carry_out(&call, 0, send == MPI_IN_PLACE, 1, MPISPEC_CALLER),               \
                       mpispec_next.NAME(send, send_count, send_type, receive, receive_count,      \
                                         receive_type, root, comm));                               \
  }

#define GATHERV(NAME, COUNT, DISPLACEMENT, PREFIX)                                                 \
  int MPI_##NAME(const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,        \
                 const COUNT counts[], const DISPLACEMENT displacements[],                         \
                 MPI_Datatype receive_type, int root, MPI_Comm comm) {                             \
    MPISPEC_PROFILED(NAME, send, send_count, send_type, receive, counts, displacements,            \
                     receive_type, root, comm);                                                    \
    const struct call call = {mpispec_is_Gatherv,                                                  \
                              OWN(send, send_count, send_type),                                    \
                              EACH(PREFIX, receive, counts, displacements, receive_type),          \
                              root,                                                                \
                              0,                                                                   \
                              comm};                                                               \
    MPISPEC_OR_LIBRARY(carry_out(&call, 0, send == MPI_IN_PLACE, 0, MPISPEC_CALLER),               \
                       mpispec_next.NAME(send, send_count, send_type, receive, counts,             \
                                         displacements, receive_type, root, comm));                \
  }

#define SCATTER(NAME, COUNT)                                                                       \
  int MPI_##NAME(const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,        \
                 COUNT receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {        \
    MPISPEC_PROFILED(NAME, send, send_count, send_type, receive, receive_count, receive_type,      \
                     root, comm);                                                                  \
    if (!send_count && !receive_count &&                                                           \
        mpispec_collective_moves_nothing(send, send_type, receive, receive_type, root, comm))      \
      return MPI_SUCCESS;                                                                          \
    const struct call call = {mpispec_is_Scatter,                                                  \
                              OWN(receive, receive_count, receive_type),                           \
                              OWN(send, send_count, send_type),                                    \
                              root,                                                                \
                              0,                                                                   \
                              comm};                                                               \
    MPISPEC_OR_LIBRARY(carry_out(&call, 1, receive == MPI_IN_PLACE, 1, MPISPEC_CALLER),            \
                       mpispec_next.NAME(send, send_count, send_type, receive, receive_count,      \
                                         receive_type, root, comm));                               \
  }

#define SCATTERV(NAME, COUNT, DISPLACEMENT, PREFIX)                                                \
  int MPI_##NAME(const void *send, const COUNT counts[], const DISPLACEMENT displacements[],       \
                 MPI_Datatype send_type, void *receive, COUNT receive_count,                       \
                 MPI_Datatype receive_type, int root, MPI_Comm comm) {                             \
    MPISPEC_PROFILED(NAME, send, counts, displacements, send_type, receive, receive_count,         \
                     receive_type, root, comm);                                                    \
    const struct call call = {mpispec_is_Scatterv,                                                 \
                              OWN(receive, receive_count, receive_type),                           \
                              EACH(PREFIX, send, counts, displacements, send_type),                \
                              root,                                                                \
                              0,                                                                   \
                              comm};                                                               \
    MPISPEC_OR_LIBRARY(carry_out(&call, 1, receive == MPI_IN_PLACE, 0, MPISPEC_CALLER),            \
                       mpispec_next.NAME(send, counts, displacements, send_type, receive,          \
                                         receive_count, receive_type, root, comm));                \
  }

#define ALLGATHER(NAME, COUNT)                                                                     \
  int MPI_##NAME(const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,        \
                 COUNT receive_count, MPI_Datatype receive_type, MPI_Comm comm) {                  \
    MPISPEC_PROFILED(NAME, send, send_count, send_type, receive, receive_count, receive_type,      \
                     comm);                                                                        \
    if (!send_count && !receive_count &&                                                           \
        mpispec_collective_moves_nothing(send, send_type, receive, receive_type, 0, comm))         \
      return MPI_SUCCESS;                                                                          \
    const struct call call = {mpispec_is_Allgather,                                                \
                              OWN(send, send_count, send_type),                                    \
                              OWN(receive, receive_count, receive_type),                           \
                              0,                                                                   \
                              1,                                                                   \
                              comm};                                                               \
    MPISPEC_OR_LIBRARY(carry_out(&call, 0, send == MPI_IN_PLACE, 1, MPISPEC_CALLER),               \
                       mpispec_next.NAME(send, send_count, send_type, receive, receive_count,      \
                                         receive_type, comm));                                     \
  }

#define ALLGATHERV(NAME, COUNT, DISPLACEMENT, PREFIX)                                              \
  int MPI_##NAME(const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,        \
                 const COUNT counts[], const DISPLACEMENT displacements[],                         \
                 MPI_Datatype receive_type, MPI_Comm comm) {                                       \
    MPISPEC_PROFILED(NAME, send, send_count, send_type, receive, counts, displacements,            \
                     receive_type, comm);                                                          \
    const struct call call = {mpispec_is_Allgatherv,                                               \
                              OWN(send, send_count, send_type),                                    \
                              EACH(PREFIX, receive, counts, displacements, receive_type),          \
                              0,                                                                   \
                              1,                                                                   \
                              comm};                                                               \
    MPISPEC_OR_LIBRARY(carry_out(&call, 0, send == MPI_IN_PLACE, 0, MPISPEC_CALLER),               \
                       mpispec_next.NAME(send, send_count, send_type, receive, counts,             \
                                         displacements, receive_type, comm));                      \
  }

GATHER(Gather, int)
GATHER(Gather_c, MPI_Count)
GATHERV(Gatherv, int, int, )
GATHERV(Gatherv_c, MPI_Count, MPI_Aint, large_)
SCATTER(Scatter, int)
SCATTER(Scatter_c, MPI_Count)
SCATTERV(Scatterv, int, int, )
SCATTERV(Scatterv_c, MPI_Count, MPI_Aint, large_)
ALLGATHER(Allgather, int)
ALLGATHER(Allgather_c, MPI_Count)
ALLGATHERV(Allgatherv, int, int, )
ALLGATHERV(Allgatherv_c, MPI_Count, MPI_Aint, large_)
