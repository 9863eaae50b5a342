/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See values.h. */
#include "profile/values.h"

#include <stddef.h>

static void add(struct mpispec_profile_value *to, uint64_t calls, uint64_t bytes) {
  to->calls += calls;
  to->bytes += bytes;
}

static struct mpispec_profile_value *find_rarest(struct mpispec_profile_values *values) {
  struct mpispec_profile_value *rarest = &values->kept[0];
  for (int i = 1; i < MPISPEC_PROFILE_VALUES; ++i)
    if (values->kept[i].calls < rarest->calls)
      rarest = &values->kept[i];
  return rarest;
}

/* Counts a value without a row while all rows are taken. Returns nonzero if it gets a row. */
static int count_candidate(struct mpispec_profile_values *values, int64_t value, uint64_t bytes) {
  struct mpispec_profile_value *candidate = &values->candidate;
  if (candidate->value != value || !candidate->calls) {
    if (values->votes) {
      --values->votes;
      add(&values->other, 1, bytes);
      return 0;
    }
    add(&values->other, candidate->calls, candidate->bytes);
    *candidate = (struct mpispec_profile_value){.value = value};
  }
  ++values->votes;
  add(candidate, 1, bytes);
  struct mpispec_profile_value *rarest = find_rarest(values);
  if (candidate->calls <= rarest->calls)
    return 0;
  add(&values->other, rarest->calls, rarest->bytes);
  *rarest = *candidate;
  *candidate = (struct mpispec_profile_value){0};
  values->votes = 0;
  return 1;
}

int mpispec_profile_count(struct mpispec_profile_values *values, int64_t value, uint64_t bytes) {
  for (int i = 0; i < MPISPEC_PROFILE_VALUES; ++i) {
    struct mpispec_profile_value *row = &values->kept[i];
    if (row->calls && row->value != value)
      continue;
    const int is_new = !row->calls;
    row->value = value;
    add(row, 1, bytes);
    return is_new;
  }
  return count_candidate(values, value, bytes);
}
