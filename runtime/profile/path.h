/* Would the call have taken its template's fast path, and what would have kept it? Asked when the
 * call begins, of the same things as templates ask: with a profile on they decline, so they cannot
 * be asked themselves. */
#ifndef MPISPEC_RUNTIME_PROFILE_PATH_H
#define MPISPEC_RUNTIME_PROFILE_PATH_H

#include "profile/profile.h"

enum mpispec_profile_path mpispec_path_of_send(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_receive(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_posting(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_probe(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_iprobe(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_completion(int count, const MPI_Request requests[]);

/* Of a collective operation that has a template, and of a function that has none. */
enum mpispec_profile_path mpispec_path_of_step(const struct mpispec_profile_call *call);
enum mpispec_profile_path mpispec_path_of_none(const struct mpispec_profile_call *call);

/* What MPI_THREAD_MULTIPLE keeps from all templates. */
extern int mpispec_path_has_threads __attribute__((visibility("hidden")));

#endif
