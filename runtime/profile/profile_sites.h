/* Call sites of a profile, found by what a call returns to; and the pieces of the run. The caller
 * holds the profile's lock. */
#ifndef MPISPEC_RUNTIME_PROFILE_SITES_H
#define MPISPEC_RUNTIME_PROFILE_SITES_H

#include "profile/mapping.h"

/* What is known of a site beside what the file says. */
struct mpispec_profile_extra {
  uint64_t arguments; /* a hash of the last call's */
  const void *thread; /* of the last call: an address that names it */
  int has_template;
};

/* The site of `function`, made at its first call. When there are too many, the last of all, which
 * stands for those without a place. */
struct mpispec_profile_site *mpispec_profile_site_find(struct mpispec_profile_mapping *mapping,
                                                       const void *caller, const char *function,
                                                       struct mpispec_profile_extra **extra);

/* Notes the name of a valid datatype that is predefined. */
void mpispec_profile_name_datatype(struct mpispec_profile_mapping *mapping, MPI_Datatype datatype);

/* A call from `begun` to `now`, which waited `waiting` ticks before its end. */
void mpispec_profile_bins_add(struct mpispec_profile_mapping *mapping, uint64_t begun, uint64_t now,
                              uint64_t waiting);

#endif
