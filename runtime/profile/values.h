/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The most frequent values of an argument, in a table of constant size. All other values are summed
 * up.
 *
 *   counted value kept  -> its row
 *   a row is free       -> a new row
 *   otherwise           -> the candidate, or `other`
 *
 * The candidate is found by majority vote (Boyer and Moore) among values without a row. It replaces
 * the rarest row as soon as its count is higher. */
#ifndef MPISPEC_RUNTIME_PROFILE_VALUES_H
#define MPISPEC_RUNTIME_PROFILE_VALUES_H

#include "profile/profile_file.h"

/* Returns nonzero if the value has got a row. The caller holds the profile's lock. */
int mpispec_profile_count(struct mpispec_profile_values *values, int64_t value, uint64_t bytes);

#endif
