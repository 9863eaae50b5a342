/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Converts counts, displacements and datatypes to portions of bytes. See collective_data.h. */
#include "interposition/collective/collective_data.h"

#include "abi/layout.h"
#include "datatype/datatype.h"
#include "job/memory.h"
#include "p2p/request.h"

#include <stdlib.h>

static int is_regular(const struct mpispec_layout *layout) {
  return !layout->counts && !layout->large_counts;
}

static MPI_Count count_of(const struct mpispec_layout *layout, int rank) {
  return layout->counts         ? layout->counts[rank]
         : layout->large_counts ? layout->large_counts[rank]
                                : layout->count;
}

static MPI_Datatype datatype_of(const struct mpispec_layout *layout, int rank) {
  return layout->datatypes ? layout->datatypes[rank] : layout->datatype;
}

/* The unit of displacements, in bytes. */
static MPI_Count unit_of(const struct mpispec_layout *layout) {
  MPI_Count lower, extent;
  if (layout->datatypes)
    return 1;
  const struct mpispec_datatype *known = mpispec_datatype_find(layout->datatype);
  if (known && known->contiguous)
    return known->size;
  PMPI_Type_get_extent_x(layout->datatype, &lower, &extent);
  return extent;
}

/* The offset of a portion in the program's buffer, in bytes. Counts are used only if there are no
 * displacements. */
static int64_t offset_of(const struct mpispec_layout *layout, int rank, MPI_Count unit) {
  const MPI_Count displacement = layout->displacements         ? layout->displacements[rank]
                                 : layout->large_displacements ? layout->large_displacements[rank]
                                                               : rank * layout->count;
  return displacement * unit;
}

int mpispec_portions_coincide(const struct mpispec_layout *own, const struct mpispec_layout *all,
                              int rank) {
  return own->datatype == all->datatype && own->count && count_of(all, rank) &&
         !offset_of(all, rank, 1);
}

/* The address of a portion's first element. The buffer may be MPI_BOTTOM, a null pointer. */
static unsigned char *elements_of(const struct mpispec_layout *layout, int rank, MPI_Count unit) {
  return (unsigned char *)((uintptr_t)layout->buffer + (uintptr_t)offset_of(layout, rank, unit));
}

static int open_regular(struct mpispec_bundle *bundle) {
  const struct mpispec_layout *layout = bundle->layout;
  struct mpispec_call call;
  int64_t total;
  if (!mpispec_arguments_data(&call, layout->buffer, layout->count, layout->datatype) ||
      __builtin_mul_overflow(call.bytes, bundle->ranks, &total))
    return 0;
  bundle->has_device_memory = call.device;
  if (!call.contiguous)
    bundle->staging = mpispec_check_allocation(malloc((size_t)total + 1));
  bundle->portions = (struct mpispec_portions){
      .base = call.contiguous ? call.buffer : bundle->staging, .length = call.bytes};
  return 1;
}

/* Stores the length of a portion in bytes, and whether it is contiguous. If all portions have one
 * datatype and the buffer is not null, only the call for rank 0 stores whether they are contiguous.
 * The calls for other ranks then compute only the length. Returns 0 if the portion is not valid. */
static int measure_one(const struct mpispec_layout *layout, int rank, struct mpispec_call *call) {
  const MPI_Count count = count_of(layout, rank);
  if (!rank || layout->datatypes || !layout->buffer)
    return mpispec_arguments_data(call, layout->buffer, count, datatype_of(layout, rank));
  const struct mpispec_datatype *known = mpispec_datatype_find(layout->datatype);
  return known && count >= 0 && !__builtin_mul_overflow(count, known->size, &call->bytes);
}

/* Stores the lengths of all portions, and whether all are contiguous. Returns 0 if a portion is not
 * valid. */
static int measure(struct mpispec_bundle *bundle, int64_t *lengths, int64_t *total,
                   int *contiguous) {
  struct mpispec_call call;
  for (int i = 0; i < bundle->ranks; ++i) {
    if (!measure_one(bundle->layout, i, &call) || __builtin_add_overflow(*total, call.bytes, total))
      return 0;
    lengths[i] = call.bytes;
    *contiguous &= call.contiguous;
  }
  return 1;
}

/* Queries each portion, because the address of the buffer itself need not be that of data. */
static int has_device_memory(const struct mpispec_layout *layout, int ranks) {
  const MPI_Count unit = unit_of(layout);
  for (int i = 0; i < ranks; ++i) {
    struct mpispec_call call;
    if (count_of(layout, i) &&
        mpispec_arguments_data(&call, elements_of(layout, i, unit), count_of(layout, i),
                               datatype_of(layout, i)) &&
        call.device)
      return 1;
  }
  return 0;
}

/* Stores the lengths and offsets of portions of contiguous elements, if their only type is in the
 * small table (mpispec_type_size). Otherwise, and if a count is not valid, returns 0. */
static int measure_contiguous(const struct mpispec_bundle *bundle, int64_t *lengths,
                              int64_t *offsets) {
  const struct mpispec_layout *layout = bundle->layout;
  int64_t total = 0, length;
  for (int i = 0; i < bundle->ranks; ++i) {
    if (layout->datatypes ||
        !mpispec_arguments_length(layout->buffer, count_of(layout, i), layout->datatype, &length) ||
        __builtin_add_overflow(total, length, &total))
      return 0;
    lengths[i] = length;
    offsets[i] = offset_of(layout, i, mpispec_type_size((mpispec_type_handle)layout->datatype));
  }
  return 1;
}

static int open_each(struct mpispec_bundle *bundle) {
  const struct mpispec_layout *layout = bundle->layout;
  int64_t total = 0, packed = 0;
  int contiguous = 1;
  if (bundle->ranks > MPISPEC_BUNDLE_FEW)
    bundle->numbers = mpispec_check_allocation(malloc(2 * (size_t)bundle->ranks * sizeof(int64_t)));
  int64_t *lengths = bundle->numbers ? bundle->numbers : bundle->few;
  int64_t *offsets = lengths + bundle->ranks;
  bundle->portions =
      (struct mpispec_portions){.base = layout->buffer, .offsets = offsets, .lengths = lengths};
  if (!mpispec_accelerator_is_queried && measure_contiguous(bundle, lengths, offsets))
    return 1;
  if (!measure(bundle, lengths, &total, &contiguous))
    return 0;
  if (mpispec_accelerator_is_queried)
    bundle->has_device_memory = has_device_memory(layout, bundle->ranks);
  if (!contiguous)
    bundle->staging = mpispec_check_allocation(malloc((size_t)total + 1));
  const MPI_Count unit = unit_of(layout);
  for (int i = 0; i < bundle->ranks; ++i) {
    offsets[i] = contiguous ? offset_of(layout, i, unit) : packed;
    packed += lengths[i];
  }
  if (!contiguous)
    bundle->portions.base = bundle->staging;
  return 1;
}

int mpispec_bundle_open_any(struct mpispec_bundle *bundle) {
  if (is_regular(bundle->layout) ? open_regular(bundle) : open_each(bundle))
    return 1;
  mpispec_bundle_close(bundle);
  return 0;
}

static void convert(struct mpispec_bundle *bundle, int rank, int unpack) {
  const struct mpispec_layout *layout = bundle->layout;
  const MPI_Datatype datatype = datatype_of(layout, rank);
  const int64_t length = mpispec_portion_length(&bundle->portions, rank);
  unsigned char *bytes = mpispec_portion_at(&bundle->portions, rank);
  unsigned char *elements = elements_of(layout, rank, unit_of(layout));
  if (length && unpack)
    mpispec_datatype_unpack(bytes, length, elements, datatype);
  else if (length)
    mpispec_datatype_pack(elements, count_of(layout, rank), datatype, bytes, length);
}

void mpispec_bundle_convert(struct mpispec_bundle *bundle, int rank, int unpack) {
  const int first = rank < 0 ? 0 : rank, last = rank < 0 ? bundle->ranks - 1 : rank;
  for (int i = first; i <= last; ++i)
    convert(bundle, i, unpack);
}

void mpispec_bundle_release(struct mpispec_bundle *bundle) {
  free(bundle->numbers);
  free(bundle->staging);
}

int mpispec_bundle_is_empty(const struct mpispec_bundle *bundle) {
  for (int i = 0; i < bundle->ranks; ++i)
    if (mpispec_portion_length(&bundle->portions, i))
      return 0;
  return 1;
}

static int is_usual(const void *buffer, MPI_Datatype datatype) {
  return buffer && buffer != MPI_IN_PLACE && mpispec_type_size((mpispec_type_handle)datatype);
}

int mpispec_collective_moves_nothing(const void *send, MPI_Datatype send_type, const void *receive,
                                     MPI_Datatype receive_type, int root, MPI_Comm communicator) {
  mpispec_lock();
  const struct mpispec_communicator *known = mpispec_communicator_find(communicator);
  struct mpispec_collective *collective = known ? known->collective : NULL;
  const int moves_nothing = collective && !collective->error && is_usual(send, send_type) &&
                            is_usual(receive, receive_type) && mpispec_is_rank(collective, root) &&
                            mpispec_collective_has_portions(collective, 1);
  if (moves_nothing) {
    mpispec_state.place = NULL;
    mpispec_collective_make_progress(collective);
  }
  mpispec_unlock();
  return moves_nothing;
}
