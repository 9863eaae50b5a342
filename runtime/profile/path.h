/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Determines whether a call would have taken its template's fast path, or the obstacle. The
 * functions are called when the call begins, and test the same state as templates do. Templates
 * themselves always decline while a profile is on. */
#ifndef MPISPEC_RUNTIME_PROFILE_PATH_H
#define MPISPEC_RUNTIME_PROFILE_PATH_H

#include "profile/profile.h"

enum mpispec_profile_path mpispec_path_of_send(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_receive(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_posting(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_probe(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_iprobe(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_completion(int count, const MPI_Request requests[]);

/* For a collective operation that has a template, for a reduction that has one, and for a function
 * that has none. */
enum mpispec_profile_path mpispec_path_of_step(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_reduction(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_none(const struct mpispec_profile_call *call);

/* Nonzero with MPI_THREAD_MULTIPLE, an obstacle for all templates. */
extern int mpispec_path_has_threads __attribute__((visibility("hidden")));

#endif
