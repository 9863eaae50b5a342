/* Call sites of a profile, found by what a call returns to; and the pieces of the run. The caller
 * holds the profile's lock. */
#ifndef MPISPEC_RUNTIME_PROFILE_SITES_H
#define MPISPEC_RUNTIME_PROFILE_SITES_H

#include "profile/mapping.h"
#include "profile/profile_arguments.h"

#include <assert.h>

/* What is known of a site beside what the file says. */
struct mpispec_profile_extra {
  struct mpispec_profile_site *site;
  struct mpispec_profile_arguments last;   /* of its last call */
  uint32_t untimed[MPISPEC_PROFILE_SIZES]; /* calls of a size since the last that was timed */
  const void *thread;                      /* of the last call: an address that names it */
  int has_template;
  int is_send, is_receive; /* MPI_Send or MPI_Recv itself: half of an exchange */
};

/* Open addressing, never full. A function that is called from one place in a loop over pointers has
 * several sites there. */
enum { MPISPEC_PROFILE_TABLE_BITS = 10, MPISPEC_PROFILE_TABLE = 1 << MPISPEC_PROFILE_TABLE_BITS };
static_assert(MPISPEC_PROFILE_TABLE >= 2 * MPISPEC_PROFILE_SITES, "it finds an end soon");
extern struct mpispec_profile_place {
  const void *caller;
  const char *function;
  struct mpispec_profile_extra *extra;
} mpispec_profile_table[MPISPEC_PROFILE_TABLE] __attribute__((visibility("hidden")));

static inline unsigned mpispec_profile_place_of(const void *caller, const char *function) {
  const uint64_t key = (uint64_t)(uintptr_t)caller ^ (uint64_t)(uintptr_t)function << 7;
  return (unsigned)(key * 0x9e3779b97f4a7c15u >> (64 - MPISPEC_PROFILE_TABLE_BITS));
}

/* As below, of a site that is not where it is looked for first. */
struct mpispec_profile_extra *mpispec_profile_site_search(struct mpispec_profile_mapping *mapping,
                                                          const void *caller, const char *function);

/* The site of `function`, made at its first call. When there are too many, the last of all, which
 * stands for those without a place. */
static inline struct mpispec_profile_extra *
mpispec_profile_site_find(struct mpispec_profile_mapping *mapping, const void *caller,
                          const char *function) {
  const struct mpispec_profile_place *first =
      &mpispec_profile_table[mpispec_profile_place_of(caller, function)];
  if (__builtin_expect(first->caller == caller && first->function == function, 1))
    return first->extra;
  return mpispec_profile_site_search(mapping, caller, function);
}

/* Notes the name of a valid datatype that is predefined. */
void mpispec_profile_name_datatype(struct mpispec_profile_mapping *mapping, MPI_Datatype datatype);

/* A call from `begun` to `now`, which waited `waiting` ticks before its end; and as many ticks
 * `more`, about now. */
void mpispec_profile_bins_add(struct mpispec_profile_mapping *mapping, uint64_t begun, uint64_t now,
                              uint64_t waiting, uint64_t more);

#endif
