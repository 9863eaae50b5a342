/* Runs of a type that is being taken apart (typemap.h has the drawing). All return 0 if there are
 * too many of them, or no memory. */
#ifndef MPISPEC_RUNTIME_RUNS_H
#define MPISPEC_RUNTIME_RUNS_H

#include "datatype/typemap.h"

struct mpispec_runs {
  struct mpispec_run *run; /* of whoever made the list, to be freed */
  int count, room;
};

/* Where the block after the last one would be. */
static inline int64_t mpispec_run_end(const struct mpispec_run *run) {
  return run->offset + run->count * run->stride;
}

/* One more, or all of another list, `offset` bytes further on. */
int mpispec_runs_add(struct mpispec_runs *list, struct mpispec_run run, int64_t offset);
int mpispec_runs_add_all(struct mpispec_runs *list, const struct mpispec_runs *more,
                         int64_t offset);

/* All runs `copies` times, each time `stride` bytes after the one before. */
int mpispec_runs_repeat(struct mpispec_runs *list, int64_t copies, int64_t stride);

#endif
