/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reduce_scatter and Reduce_scatter_block. In each step, each rank shows a piece of every portion.
 * It combines all ranks' pieces of its own portion in the reduction's order, by default that of
 * ranks. Cost: one handoff a step; each rank copies the input of the others once and reads as many
 * bytes. Two ranks show only each other's portions, a step ahead, as in Allreduce (allreduce.c).
 *
 * In place, results overwrite input, but never input that later steps show. They may overwrite the
 * rank's own portion before it is read. Therefore in place the rank copies its own portion, too. */
#include "collective/operations.h"
#include "collective/shown_parts.h"
#include "job/memory.h"

#include <stdlib.h>

/* Elements of a portion from `at` on, at most `most`. */
static int64_t piece(int64_t count, int64_t at, int64_t most) {
  return count <= at ? 0 : count - at < most ? count - at : most;
}

/* Returns this rank's own piece. */
static const unsigned char *show_pieces(struct mpispec_collective *collective,
                                        const int64_t *counts, const unsigned char *in,
                                        int64_t extent, int64_t at, int64_t most, int in_place) {
  const unsigned char *own = NULL;
  const int64_t bytes = collective->steps.members * most * extent;
  unsigned char *shown = mpispec_step_put(collective, bytes);
  for (int i = 0; i < collective->steps.members; ++i) {
    unsigned char *place = shown + i * most * extent;
    const int is_own = i == collective->steps.self;
    if (!is_own || in_place)
      memcpy(place, in + at * extent, (size_t)(piece(counts[i], at, most) * extent));
    if (is_own)
      own = in_place ? place : in + at * extent;
    in += counts[i] * extent;
  }
  mpispec_step_show(collective, bytes);
  return own;
}

/* In place, rank 0 stores each element of the result where its own element was. */
static void reduce_scatter_two(struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction, const unsigned char *in,
                               unsigned char *out, const int64_t *counts) {
  const int self = collective->steps.self;
  const int64_t extent = reduction->extent, count = counts[self], begin = self ? counts[0] : 0;
  const unsigned char *own = in + begin * extent, *shown = in + (self ? 0 : counts[0] * extent);
  unsigned char *copy = NULL;
  if (in == out && self)
    own = copy = memcpy(mpispec_check_allocation(malloc((size_t)(count * extent) + 1)), own,
                        (size_t)(count * extent));
  mpispec_collective_combine_two(collective, reduction, shown, counts[!self], own, out, begin,
                                 count);
  free(copy);
}

void mpispec_collective_reduce_scatter(struct mpispec_collective *collective,
                                       const struct mpispec_reduction *reduction, const void *in,
                                       void *out, const int64_t *counts) {
  if (collective->steps.members == 2) {
    reduce_scatter_two(collective, reduction, in, out, counts);
    return;
  }
  int64_t longest = 0, begin = 0;
  for (int i = 0; i < collective->steps.members; ++i) {
    longest = longest > counts[i] ? longest : counts[i];
    begin += i < collective->steps.self ? counts[i] : 0;
  }
  const int64_t extent = reduction->extent;
  const int64_t room = collective->chunk_bytes / collective->steps.members / extent;
  const int64_t most = longest < room ? longest : room;
  for (int64_t at = 0; at < longest; at += most) {
    const int64_t bytes = collective->steps.members * most * extent;
    const struct mpispec_shown_parts parts = {
        collective->steps.members,
        show_pieces(collective, counts, in, extent, at, most, in == (const void *)out), bytes,
        collective->steps.self * most * extent};
    mpispec_parts_combine(collective, reduction, &parts, (unsigned char *)out + at * extent,
                          begin + at, piece(counts[collective->steps.self], at, most));
    mpispec_step_met(collective);
    mpispec_step_end(collective, bytes);
  }
}
