/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call paths: with MPISPEC_PROFILE_FRAMES=N, a site is a function of MPI, the return address of its
 * call, and the N return addresses above. Frames of a binding of Fortran are left out.
 *
 *   begin [frames] -> read (without the lock) -> site (with it)
 *
 * The stack of every call is walked. The path of an earlier call with the same return address
 * cannot be used again, because the frames above may differ. */
#ifndef MPISPEC_RUNTIME_PROFILE_CALL_PATHS_H
#define MPISPEC_RUNTIME_PROFILE_CALL_PATHS_H

#include "profile/profile_sites.h"

/* N; 0 if no paths are kept. */
extern unsigned mpispec_call_path_frames __attribute__((visibility("hidden")));

/* Addresses from the call outwards, with room for this many frames of a binding at the call. */
enum { MPISPEC_CALL_PATH_BINDING = 8 };
struct mpispec_call_path {
  unsigned count;
  const void *addresses[1 + MPISPEC_PROFILE_FRAMES + MPISPEC_CALL_PATH_BINDING];
};

/* Reads the path of a call that returns to `caller`. */
void mpispec_call_path_read(struct mpispec_call_path *path, const void *caller);

/* Like mpispec_profile_site_find, for a path, which may be read again. */
struct mpispec_profile_extra *mpispec_call_path_site(struct mpispec_profile_mapping *mapping,
                                                     struct mpispec_call_path *path,
                                                     const char *function);

#endif
