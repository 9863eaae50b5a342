/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call sites of a profile, found by the return address of a call; and the bins, into which the time
 * of the run is divided. The caller holds the profile's lock. */
#ifndef MPISPEC_RUNTIME_PROFILE_SITES_H
#define MPISPEC_RUNTIME_PROFILE_SITES_H

#include "profile/mapping.h"
#include "profile/profile_arguments.h"

#include <assert.h>

/* The data about a site that are not in the file. */
struct mpispec_profile_extra {
  struct mpispec_profile_site *site;
  struct mpispec_profile_arguments last;   /* its last call's */
  uint32_t untimed[MPISPEC_PROFILE_SIZES]; /* calls of a size since the last that was timed */
  uint32_t unmeasured;                     /* calls since the last with a known computing time */
  const void *thread;                      /* the last call's: an address that identifies it */
  int has_template;
  int is_send, is_receive; /* MPI_Send or MPI_Recv itself: half of an exchange */
};

/* Open addressing, never full. A call through a pointer has one site for each MPI function that it
 * calls. */
enum { MPISPEC_PROFILE_TABLE_BITS = 12, MPISPEC_PROFILE_TABLE = 1 << MPISPEC_PROFILE_TABLE_BITS };
static_assert(MPISPEC_PROFILE_TABLE >= 2 * MPISPEC_PROFILE_SITES, "it finds an end soon");
extern struct mpispec_profile_place {
  const void *caller;
  const char *function;
  struct mpispec_profile_extra *extra; /* null: the caller is in a binding of Fortran */
} mpispec_profile_table[MPISPEC_PROFILE_TABLE] __attribute__((visibility("hidden")));

static inline unsigned mpispec_profile_place_of(const void *caller, const char *function) {
  const uint64_t key = (uint64_t)(uintptr_t)caller ^ (uint64_t)(uintptr_t)function << 7;
  return (unsigned)(key * 0x9e3779b97f4a7c15u >> (64 - MPISPEC_PROFILE_TABLE_BITS));
}

/* Like mpispec_profile_site_find, for a site that is not in its first place. */
struct mpispec_profile_extra *mpispec_profile_site_search(struct mpispec_profile_mapping *mapping,
                                                          const void *caller, const char *function);

/* Returns the site of `function`, which its first call makes. If the table is full, returns the
 * last site, which counts for all sites without a place. Returns null if `caller` is in a binding
 * of Fortran. */
static inline struct mpispec_profile_extra *
mpispec_profile_site_find(struct mpispec_profile_mapping *mapping, const void *caller,
                          const char *function) {
  const struct mpispec_profile_place *first =
      &mpispec_profile_table[mpispec_profile_place_of(caller, function)];
  if (__builtin_expect(first->caller == caller && first->function == function, 1))
    return first->extra;
  return mpispec_profile_site_search(mapping, caller, function);
}

/* The site of a call of Fortran. `slot` is the place of its return address on the stack. The return
 * address is in a binding. */
struct mpispec_profile_extra *
mpispec_profile_site_find_above(struct mpispec_profile_mapping *mapping, const void *const *slot,
                                const char *function);

/* Makes the site of a call that returns to the first address, with `count` - 1 frames above it.
 * Returns null if there are too many. */
struct mpispec_profile_extra *mpispec_profile_site_make(struct mpispec_profile_mapping *mapping,
                                                        const void *const addresses[],
                                                        unsigned count, const char *function);

/* The last site, which counts for all sites without a place. */
struct mpispec_profile_extra *
mpispec_profile_site_of_others(struct mpispec_profile_mapping *mapping);

/* Stores the name of a predefined datatype. */
void mpispec_profile_name_datatype(struct mpispec_profile_mapping *mapping, MPI_Datatype datatype);

/* Adds a call from `begun` to `now`, whose last `waiting` ticks were waiting time. Also adds `more`
 * ticks at about `now`. */
void mpispec_profile_bins_add(struct mpispec_profile_mapping *mapping, uint64_t begun, uint64_t now,
                              uint64_t waiting, uint64_t more);

#endif
