/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The data of Gather, Scatter, Allgather, Alltoall and similar functions. A program describes the
 * data by counts, displacements and datatypes. The functions of this file convert the data to
 * portions of bytes, one for each rank. Elements that are not contiguous are packed into other
 * memory (`staging`). */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_COLLECTIVE_DATA_H
#define MPISPEC_RUNTIME_INTERPOSITION_COLLECTIVE_DATA_H

#include "abi/layout.h"
#include "interposition/collective/collective_call.h"

/* The program's description. In each pair of arrays, the one that is not null is used. Both arrays
 * of displacements are null if the portions follow each other. */
struct mpispec_layout {
  void *buffer;
  MPI_Count count; /* count of each portion if there is no array of counts */
  const int *counts;
  const MPI_Count *large_counts;
  const int *displacements;
  const MPI_Aint *large_displacements;
  MPI_Datatype datatype;
  /* The type of each portion, or null. If it is not null, displacements are in bytes. */
  const MPI_Datatype *datatypes;
};

/* The part of the next function for layouts with one buffer. */
int mpispec_portions_coincide(const struct mpispec_layout *own, const struct mpispec_layout *all,
                              int rank);

/* MPI does not permit that `own` and the portion of `rank` in `all` are the same elements. The
 * result is nonzero if they are, and if the MPI library reports this error. Then this rank calls
 * the library's function, perhaps alone, because other ranks have other buffers. Two equal base
 * addresses alone are no error: the portions may be disjoint, or the base may be MPI_BOTTOM. */
static inline int mpispec_layout_coincides(const struct mpispec_layout *own,
                                           const struct mpispec_layout *all, int rank) {
  return MPISPEC_BUFFERS_ARE_COMPARED && own->buffer == all->buffer &&
         mpispec_portions_coincide(own, all, rank);
}

/* The same for all portions of two layouts. Arrays of counts and of datatypes are compared by their
 * addresses, as in MPICH. */
static inline int mpispec_layouts_coincide(const struct mpispec_layout *one,
                                           const struct mpispec_layout *other) {
  return MPISPEC_BUFFERS_ARE_COMPARED && one->buffer == other->buffer &&
         one->count == other->count && one->counts == other->counts &&
         one->large_counts == other->large_counts && one->datatype == other->datatype &&
         one->datatypes == other->datatypes;
}

/* The offsets and lengths for at most this number of ranks are in `few`. More of them need
 * allocated memory. */
enum { MPISPEC_BUNDLE_FEW = 8 };

/* The data as portions of bytes. Fields that a bundle begins with as zeros lie side by side, so
 * that no later load spans two of their stores. */
struct mpispec_bundle {
  struct mpispec_portions portions;
  const struct mpispec_layout *layout;
  unsigned char *staging; /* or null */
  int64_t *numbers;       /* allocated portions.lengths and offsets, instead of `few`; or null */
  int ranks;
  int has_device_memory; /* a portion may be in an accelerator's memory */
  int64_t few[2 * MPISPEC_BUNDLE_FEW];
};

/* The parts of the functions below for everything but contiguous elements of one type. */
int mpispec_bundle_open_any(struct mpispec_bundle *bundle);
void mpispec_bundle_convert(struct mpispec_bundle *bundle, int rank, int unpack);
void mpispec_bundle_release(struct mpispec_bundle *bundle);

/* Makes portions of a layout for `ranks` ranks. Returns 0 if the layout is not valid. The layout
 * must exist until the bundle is closed. */
static inline int mpispec_bundle_open(struct mpispec_bundle *bundle,
                                      const struct mpispec_layout *layout, int ranks) {
  int64_t length, total;
  bundle->layout = layout;
  bundle->staging = NULL;
  bundle->numbers = NULL;
  bundle->ranks = ranks;
  bundle->has_device_memory = 0;
  if (layout->counts || layout->large_counts || mpispec_accelerator_is_queried ||
      !mpispec_arguments_length(layout->buffer, layout->count, layout->datatype, &length) ||
      __builtin_mul_overflow(length, ranks, &total))
    return mpispec_bundle_open_any(bundle);
  bundle->portions = (struct mpispec_portions){.base = layout->buffer, .length = length};
  return 1;
}

/* Pack the program's data into `staging`, and unpack it. Both copy the portion of `rank`, or all
 * portions if `rank` is negative. Without staging, they do nothing. */
static inline void mpispec_bundle_pack(struct mpispec_bundle *bundle, int rank) {
  if (bundle->staging)
    mpispec_bundle_convert(bundle, rank, 0);
}
static inline void mpispec_bundle_unpack(struct mpispec_bundle *bundle, int rank) {
  if (bundle->staging)
    mpispec_bundle_convert(bundle, rank, 1);
}

static inline void mpispec_bundle_close(struct mpispec_bundle *bundle) {
  if (bundle->staging || bundle->numbers)
    mpispec_bundle_release(bundle);
}

/* Nonzero if all portions are empty. */
int mpispec_bundle_is_empty(const struct mpispec_bundle *bundle);

/* Executes a call with equal counts if both are 0 and the arguments are of the usual kind.
 * Otherwise returns 0, and the caller looks at all arguments. The program's call would take three
 * times as long in that way. `root` is 0 in functions without a root. */
int mpispec_collective_moves_nothing(const void *send, MPI_Datatype send_type, const void *receive,
                                     MPI_Datatype receive_type, int root, MPI_Comm communicator);

#endif
