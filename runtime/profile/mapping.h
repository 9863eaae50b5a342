/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A rank's profile file, mapped: its parts (profile_file.h), and world ranks of peers. */
#ifndef MPISPEC_RUNTIME_PROFILE_MAPPING_H
#define MPISPEC_RUNTIME_PROFILE_MAPPING_H

#include "abi/mpi.h"
#include "profile/profile_file.h"

#include <stddef.h>

struct mpispec_profile_mapping {
  struct mpispec_profile_header *header;
  struct mpispec_profile_object *objects;
  struct mpispec_profile_datatype *datatypes;
  struct mpispec_profile_bin *bins;
  struct mpispec_profile_site *sites;
  struct mpispec_profile_peer *peers; /* [world_size] */
};

/* Makes `directory`, if it does not exist, and the file of this rank, which replaces an older one.
 * Returns null, or text for the step that failed, with errno set. */
const char *mpispec_profile_map(struct mpispec_profile_mapping *mapping, const char *directory,
                                uint32_t rank, uint32_t world_size, int is_child);

/* Fills in the header, which makes the file valid. Calibrates the clock. */
void mpispec_profile_describe(struct mpispec_profile_mapping *mapping, int rank, int size,
                              int thread_level);

/* The rank in MPI_COMM_WORLD of a communicator's peer, or -1. The caller holds the
 * profile's lock. */
int mpispec_profile_world_rank(MPI_Comm communicator, int peer);

/* Called when a communicator is freed, because its handle may denote another one afterwards. The
 * caller holds the profile's lock. */
void mpispec_profile_forget_ranks(MPI_Comm communicator);

#endif
