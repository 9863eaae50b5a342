/* The data of Gather, Scatter, Allgather, Alltoall and their kin: what a program describes by
 * counts, displacements and datatypes, as bytes in portions, one for each rank. Elements that do
 * not lie in memory as they travel are packed aside. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_COLLECTIVE_DATA_H
#define MPISPEC_RUNTIME_INTERPOSITION_COLLECTIVE_DATA_H

#include "interposition/collective/collective_call.h"

/* As a program says it. Of each pair of arrays, the one that is not null counts; of displacements,
 * none if portions follow each other. */
struct mpispec_layout {
  void *buffer;
  MPI_Count count; /* of each portion, without arrays */
  const int *counts;
  const MPI_Count *large_counts;
  const int *displacements;
  const MPI_Aint *large_displacements;
  MPI_Datatype datatype;
  const MPI_Datatype *datatypes; /* of each portion; displacements are in bytes then */
};

/* Ranks whose numbers need no memory of their own. */
enum { MPISPEC_BUNDLE_FEW = 8 };

struct mpispec_bundle {
  struct mpispec_portions portions;
  const struct mpispec_layout *layout;
  int ranks;
  unsigned char *staging; /* or null */
  int64_t *numbers;       /* what portions.offsets and lengths point to, if not `few`; or null */
  int64_t few[2 * MPISPEC_BUNDLE_FEW];
};

/* Makes portions of a layout for so many ranks; returns 0 if it is not valid. The layout is to stay
 * until the bundle is closed. */
int mpispec_bundle_open(struct mpispec_bundle *bundle, const struct mpispec_layout *layout,
                        int ranks);

/* What the program has there, into `staging`; and back. Of `rank` only, or of all ranks if that is
 * negative. Nothing to do without staging. */
void mpispec_bundle_pack(struct mpispec_bundle *bundle, int rank);
void mpispec_bundle_unpack(struct mpispec_bundle *bundle, int rank);

void mpispec_bundle_close(struct mpispec_bundle *bundle);

/* Are there no bytes for any rank? */
int mpispec_bundle_is_empty(const struct mpispec_bundle *bundle);

#endif
