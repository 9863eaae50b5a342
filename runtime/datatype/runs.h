/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of runs, for a type that is being decomposed (drawn in typemap.h). All functions return 0
 * if there are too many runs, or no memory. */
#ifndef MPISPEC_RUNTIME_RUNS_H
#define MPISPEC_RUNTIME_RUNS_H

#include "datatype/typemap.h"

struct mpispec_runs {
  struct mpispec_run *run; /* freed by the owner of the list */
  int count, room;
};

/* The offset of a block that would follow the last one. */
static inline int64_t mpispec_run_end(const struct mpispec_run *run) {
  return run->offset + run->count * run->stride;
}

/* Adds one run, or all runs of another list, shifted by `offset` bytes. */
int mpispec_runs_add(struct mpispec_runs *list, struct mpispec_run run, int64_t offset);
int mpispec_runs_add_all(struct mpispec_runs *list, const struct mpispec_runs *more,
                         int64_t offset);

/* Repeats all runs: there are `copies` of them, each `stride` bytes behind the one before. */
int mpispec_runs_repeat(struct mpispec_runs *list, int64_t copies, int64_t stride);

#endif
