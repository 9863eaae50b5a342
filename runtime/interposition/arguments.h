/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Converts the arguments of a point-to-point call to a struct mpispec_call, and chooses the path of
 * the call. A lane is a queue in shared memory from one rank of a node to another.
 *
 *   LANE      a rank of this node, or any source, on an adopted communicator
 *   NETWORK   a rank of another node on an adopted communicator (comm/communicator.h)
 *   LIBRARY   everything else: other communicators, MPI_PROC_NULL (mpispec_arguments_name_nobody),
 *             and arguments that may be invalid, so that the error's class, handler and text are
 *             the library's own
 */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_ARGUMENTS_H
#define MPISPEC_RUNTIME_INTERPOSITION_ARGUMENTS_H

#include "job/accelerator.h"
#include "p2p/request.h"
#include "progress/lock.h"

enum mpispec_path { MPISPEC_LIBRARY, MPISPEC_NETWORK, MPISPEC_LANE };

/* Called for a datatype that mpispec_datatype_find does not find. Returns its properties, or null
 * if the library would refuse these arguments. */
const struct mpispec_datatype *mpispec_arguments_add_datatype(const void *buffer, MPI_Count count,
                                                              MPI_Datatype datatype);

/* Nonzero if the library accepts these arguments in a send to MPI_PROC_NULL. */
int mpispec_library_accepts(const void *buffer, MPI_Count count, MPI_Datatype datatype);

/* Called in MPI_Init and MPI_Finalize, once each. mpispec_arguments_open reads MPI_TAG_UB, makes
 * the communicator for mpispec_library_accepts, and opens the cache of datatypes. If any rank of
 * the job queries its buffers (accelerator.h), the function also makes the communicator for
 * library_part.h. If this rank queries its own buffers, the function disables the fast path. */
void mpispec_arguments_open(void);
void mpispec_arguments_close(void);

/* A communicator that contains only this rank, with MPI_ERRORS_RETURN. The runtime does not adopt
 * it. */
MPI_Comm mpispec_arguments_test_communicator(void);

/* Sets call->device if the data of a call may be in an accelerator's memory, else clears it.
 * Queries the accelerator's library. If call->device is set, contiguous and map are cleared,
 * because the runtime must not copy these data. */
__attribute__((cold)) void mpispec_arguments_find_memory(struct mpispec_call *call);

/* Stores the length in bytes of `count` elements. Returns 0 if the type is not in the table of
 * sizes (mpispec_state.types), or if the library must check the arguments. */
static inline __attribute__((always_inline)) int mpispec_arguments_length(const void *buffer,
                                                                          MPI_Count count,
                                                                          MPI_Datatype datatype,
                                                                          int64_t *bytes) {
  const unsigned size = mpispec_type_size((mpispec_type_handle)datatype);
  if (__builtin_expect(!size, 0))
    return 0;
  if ((__builtin_expect(!buffer, 0) && count) || __builtin_expect((uint64_t)count > INT32_MAX, 0))
    return 0;
  *bytes = count * size;
  return 1;
}

/* Fills in the members that describe the data: buffer, count, datatype, bytes, contiguous, map and
 * device. Returns 0 if the arguments are not valid. */
static inline int mpispec_arguments_data(struct mpispec_call *call, const void *buffer,
                                         MPI_Count count, MPI_Datatype datatype) {
  call->buffer = (void *)(uintptr_t)buffer;
  call->count = count;
  call->device = 0;
  if (!mpispec_accelerator_is_queried &&
      mpispec_arguments_length(buffer, count, datatype, &call->bytes)) {
    call->datatype = datatype;
    call->contiguous = 1;
    call->map = NULL;
    return 1;
  }
  const struct mpispec_datatype *known = mpispec_datatype_find(datatype);
  if (__builtin_expect(!known, 0) &&
      !(known = mpispec_arguments_add_datatype(buffer, count, datatype)))
    return 0;
  mpispec_datatype_show(known);
  call->datatype = known->handle;
  call->contiguous = known->contiguous;
  call->map = known->map;
  const int is_valid = count >= 0 && !__builtin_mul_overflow(count, known->size, &call->bytes) &&
                       (buffer || !count || !known->predefined);
  if (__builtin_expect(mpispec_accelerator_is_queried, 0) && is_valid)
    mpispec_arguments_find_memory(call);
  return is_valid;
}

/* Nonzero if the data of a message to or from MPI_PROC_NULL are valid. Does not store the
 * properties of a new datatype, because MPI libraries accept even a freed one in this message. */
static inline int mpispec_arguments_for_proc_null(struct mpispec_call *call, const void *buffer,
                                                  MPI_Count count, MPI_Datatype datatype) {
  return mpispec_datatype_find(datatype) ? mpispec_arguments_data(call, buffer, count, datatype)
                                         : mpispec_library_accepts(buffer, count, datatype);
}

/* Fills in communicator, peer and tag. `wild` allows the wildcards of receives. */
static inline enum mpispec_path mpispec_arguments_envelope(struct mpispec_call *call, int peer,
                                                           int tag, MPI_Comm communicator,
                                                           int wild) {
  call->communicator = mpispec_communicator_find(communicator);
  if (!call->communicator)
    return MPISPEC_LIBRARY;
  call->peer = peer;
  call->tag = tag;
  if ((unsigned)tag > mpispec_state.largest_tag && !(wild && tag == MPI_ANY_TAG))
    return MPISPEC_LIBRARY;
  if (wild && peer == MPI_ANY_SOURCE)
    return MPISPEC_LANE;
  if (peer < 0 || peer >= call->communicator->size)
    return MPISPEC_LIBRARY;
  return call->communicator->peer_of[peer] < 0 ? MPISPEC_NETWORK : MPISPEC_LANE;
}

/* Nonzero if the peer is MPI_PROC_NULL and the other arguments are valid. */
static inline int mpispec_arguments_name_nobody(const void *buffer, MPI_Count count,
                                                MPI_Datatype datatype, int peer, int tag,
                                                MPI_Comm communicator, int wild) {
  struct mpispec_call call;
  return peer == MPI_PROC_NULL &&
         mpispec_arguments_envelope(&call, 0, tag, communicator, wild) != MPISPEC_LIBRARY &&
         mpispec_arguments_for_proc_null(&call, buffer, count, datatype);
}

/* The same for a nonblocking call that the runtime executes. If the communicator spans nodes, many
 * requests are the library's, and an array that mixes both kinds takes longer. */
static inline int mpispec_arguments_begin_nothing(const void *buffer, MPI_Count count,
                                                  MPI_Datatype datatype, int peer, int tag,
                                                  MPI_Comm communicator, int wild) {
  return mpispec_arguments_name_nobody(buffer, count, datatype, peer, tag, communicator, wild) &&
         !mpispec_communicator_find(communicator)->spans_nodes;
}

/* Converts all arguments of a send or receive. */
static inline enum mpispec_path mpispec_arguments(struct mpispec_call *call, const void *buffer,
                                                  MPI_Count count, MPI_Datatype datatype, int peer,
                                                  int tag, MPI_Comm communicator, int wild) {
  const enum mpispec_path path = mpispec_arguments_envelope(call, peer, tag, communicator, wild);
  call->mode = mpispec_standard;
  call->blocking = 0;
  if (path == MPISPEC_LIBRARY || !mpispec_arguments_data(call, buffer, count, datatype))
    return MPISPEC_LIBRARY;
  return path;
}

/* Returns the communicator of the last search if `communicator` is its handle, else null. Called
 * with the lock held, or in a process that uses no lock. */
static inline __attribute__((always_inline)) const struct mpispec_communicator *
mpispec_communicator_if_last(MPI_Comm communicator) {
  const struct mpispec_communicator *known = mpispec_communicator_last;
  return known->handle == communicator ? known : NULL;
}

/* Like mpispec_communicator_if_last, for the fast path, which takes no lock. Returns null if the
 * fast path is disabled (lock.h), for example because another thread may change the state. */
static inline __attribute__((always_inline)) const struct mpispec_communicator *
mpispec_communicator_at_hand(MPI_Comm communicator) {
  return mpispec_fast_path_disabled ? NULL : mpispec_communicator_if_last(communicator);
}

/* For a receive or a probe that may have wildcards. Returns `known`, or null if `known`
 * is null, if a member is on another node, or if the source or the tag is not valid. */
static inline __attribute__((always_inline)) const struct mpispec_communicator *
mpispec_arguments_wild_on(const struct mpispec_communicator *known, int peer, int tag) {
  return known && !known->spans_nodes &&
                 ((unsigned)peer < known->route.size || peer == MPI_ANY_SOURCE) &&
                 ((unsigned)tag <= mpispec_state.largest_tag || tag == MPI_ANY_TAG)
             ? known
             : NULL;
}

/* Like mpispec_arguments_wild_on, for the communicator that was found last. Takes no lock. */
static inline __attribute__((always_inline)) const struct mpispec_communicator *
mpispec_arguments_wild(int peer, int tag, MPI_Comm communicator) {
  return mpispec_arguments_wild_on(mpispec_communicator_at_hand(communicator), peer, tag);
}

/* Decodes a call on a known communicator for the fast path, in the same way as the templates of
 * rewritten calls (templates/mpispec). The datatype must be in the table of sizes and have
 * contiguous elements. Stores the message's length in `*bytes` and returns the communicator, or
 * returns null if the call cannot take the fast path. `known` may be null. */
static inline __attribute__((always_inline)) const struct mpispec_communicator *
mpispec_arguments_on(const struct mpispec_communicator *known, const void *buffer, MPI_Count count,
                     MPI_Datatype datatype, int peer, int tag, int64_t *bytes) {
  return known && (unsigned)peer < known->route.size &&
                 (unsigned)tag <= mpispec_state.largest_tag &&
                 mpispec_arguments_length(buffer, count, datatype, bytes)
             ? known
             : NULL;
}

/* Like mpispec_arguments_on, for the communicator that was found last. Takes no lock. */
static inline __attribute__((always_inline)) const struct mpispec_communicator *
mpispec_arguments_short(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer,
                        int tag, MPI_Comm communicator, int64_t *bytes) {
  return mpispec_arguments_on(mpispec_communicator_at_hand(communicator), buffer, count, datatype,
                              peer, tag, bytes);
}

/* Like mpispec_arguments_on, for a datatype with a typemap and a message of one cell. Stores the
 * typemap in `*map`. */
static inline __attribute__((always_inline)) const struct mpispec_communicator *
mpispec_arguments_mapped_on(const struct mpispec_communicator *known, const void *buffer,
                            MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                            const struct mpispec_typemap **map, int64_t *bytes) {
  if (!known || (unsigned)peer >= known->route.size || (unsigned)tag > mpispec_state.largest_tag ||
      (!buffer && count) || (uint64_t)count > mpispec_cell_payload)
    return NULL;
  const struct mpispec_datatype *type = mpispec_datatype_find(datatype);
  if (!type || !type->map || type->size > mpispec_cell_payload)
    return NULL;
  *bytes = count * type->size;
  *map = type->map;
  return *bytes <= mpispec_cell_payload ? known : NULL;
}

#endif
