/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Joins runs. A run that continues the previous run is joined to it, as a longer block or as more
 * blocks. */
#include "datatype/runs.h"

#include <stdlib.h>

static int grow(struct mpispec_runs *list, int room) {
  if (room <= list->room)
    return 1;
  struct mpispec_run *larger = realloc(list->run, (size_t)room * sizeof *larger);
  if (!larger)
    return 0;
  list->run = larger;
  list->room = room;
  return 1;
}

/* Appends `next` to a run if both together are one run. Otherwise returns 0. */
static int join(struct mpispec_run *run, const struct mpispec_run *next) {
  if (run->count == 1 && next->count == 1 && next->offset == run->offset + run->length) {
    run->length += next->length;
    return 1;
  }
  if (run->length != next->length)
    return 0;
  const int64_t stride = run->count > 1 ? run->stride : next->offset - run->offset;
  if (next->offset != run->offset + run->count * stride ||
      (next->count > 1 && next->stride != stride))
    return 0;
  run->stride = stride;
  run->count += next->count;
  return 1;
}

int mpispec_runs_add(struct mpispec_runs *list, struct mpispec_run run, int64_t offset) {
  run.offset += offset;
  if (list->count && join(&list->run[list->count - 1], &run))
    return 1;
  if (list->count == MPISPEC_TYPEMAP_RUNS || !grow(list, list->count < 8 ? 8 : 2 * list->count))
    return 0;
  list->run[list->count++] = run;
  return 1;
}

int mpispec_runs_add_all(struct mpispec_runs *list, const struct mpispec_runs *more,
                         int64_t offset) {
  for (int i = 0; i < more->count; ++i)
    if (!mpispec_runs_add(list, more->run[i], offset))
      return 0;
  return 1;
}

/* Repeats a run `copies` times if the result is one run. Otherwise returns 0. */
static int repeat_run(struct mpispec_run *run, int64_t copies, int64_t stride) {
  if (run->count == 1 && stride == run->length) {
    run->length *= copies;
    return 1;
  }
  if (run->count > 1 && stride != run->count * run->stride)
    return 0;
  if (run->count == 1)
    run->stride = stride;
  run->count *= copies;
  return 1;
}

int mpispec_runs_repeat(struct mpispec_runs *list, int64_t copies, int64_t stride) {
  if (copies <= 0)
    list->count = 0;
  if (!list->count || copies == 1 ||
      (list->count == 1 && repeat_run(&list->run[0], copies, stride)))
    return 1;
  struct mpispec_runs one = {NULL, 0, 0};
  int fits = mpispec_runs_add_all(&one, list, 0);
  for (int64_t i = 1; fits && i < copies; ++i)
    fits = mpispec_runs_add_all(list, &one, i * stride);
  free(one.run);
  return fits;
}
