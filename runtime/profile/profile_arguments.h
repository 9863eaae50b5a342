/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts the arguments of a site's calls in its tables of values (values.h), and compares them with
 * the arguments of the site's last call. The caller holds the profile's lock. */
#ifndef MPISPEC_RUNTIME_PROFILE_ARGUMENTS_H
#define MPISPEC_RUNTIME_PROFILE_ARGUMENTS_H

#include "profile/mapping.h"
#include "profile/profile.h"

struct mpispec_profile_arguments {
  int peer, tag;
  MPI_Datatype datatype;
  MPI_Comm communicator;
  uint64_t bytes;
  const void *buffer;
};

/* Counts a call in the tables of its site, and with its peer. `last` are the arguments of the
 * site's last call. Returns the peer, or null if it is no rank of MPI_COMM_WORLD. */
struct mpispec_profile_peer *mpispec_profile_arguments_count(
    struct mpispec_profile_mapping *mapping, struct mpispec_profile_site *site,
    struct mpispec_profile_arguments *last, const struct mpispec_profile_call *call);

#endif
