/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The data of Gather, Scatter, Allgather, Alltoall and similar functions. A program describes it by
 * counts, displacements and datatypes. Here it is bytes in portions, one for each rank. Elements
 * that do not lie in memory as they travel are packed aside. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_COLLECTIVE_DATA_H
#define MPISPEC_RUNTIME_INTERPOSITION_COLLECTIVE_DATA_H

#include "interposition/collective/collective_call.h"

/* The program's description. In each pair of arrays, the one that is not null counts. Both
 * displacements are null if portions follow each other. */
struct mpispec_layout {
  void *buffer;
  MPI_Count count; /* count of each portion, without arrays */
  const int *counts;
  const MPI_Count *large_counts;
  const int *displacements;
  const MPI_Aint *large_displacements;
  MPI_Datatype datatype;
  const MPI_Datatype *datatypes; /* type of each portion; displacements are in bytes then */
};

/* Ranks whose numbers need no memory of their own. */
enum { MPISPEC_BUNDLE_FEW = 8 };

struct mpispec_bundle {
  struct mpispec_portions portions;
  const struct mpispec_layout *layout;
  int ranks;
  int has_device_memory;  /* a portion may be an accelerator's */
  unsigned char *staging; /* or null */
  int64_t *numbers;       /* memory of portions.offsets and lengths, if not `few`; or null */
  int64_t few[2 * MPISPEC_BUNDLE_FEW];
};

/* Makes portions of a layout for so many ranks; returns 0 if it is not valid. The layout is to stay
 * until the bundle is closed. */
int mpispec_bundle_open(struct mpispec_bundle *bundle, const struct mpispec_layout *layout,
                        int ranks);

/* Packs the program's data into `staging`, and unpacks it. Both copy the portion of `rank`, or all
 * portions if that is negative. Without staging, they do nothing. */
void mpispec_bundle_pack(struct mpispec_bundle *bundle, int rank);
void mpispec_bundle_unpack(struct mpispec_bundle *bundle, int rank);

void mpispec_bundle_close(struct mpispec_bundle *bundle);

/* Are there no bytes for any rank? */
int mpispec_bundle_is_empty(const struct mpispec_bundle *bundle);

#endif
