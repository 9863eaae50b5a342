/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Scan and Exscan, combined in the reduction's order (order.h), by default that of ranks.
 *
 *   short   one step: each rank shows its part, and combines the parts of the ranks before it
 *   long    by chunks, one step each. Rank i - 1 shows the combination of all parts up to its own.
 *           Rank i combines it with its own part, and shows the result. A pipeline: each rank
 *           combines and copies each byte once.
 *
 * In another order than that of ranks, a rank cannot use the result of the rank before it. Then
 * long ones are a sequence of short ones, chunk by chunk.
 *
 * No rank reads the part of the last rank, which therefore copies no part into a chunk. In Exscan
 * of two ranks, the result of rank 1 is the part of rank 0. A part that does not fit a cell goes as
 * in a Gather. */
#include "collective/long_parts.h"
#include "collective/operations.h"
#include "collective/shown_parts.h"

static int is_last(const struct mpispec_collective *collective) {
  return collective->steps.self == collective->steps.members - 1;
}

/* Returns this rank's part. In place, the result may overwrite `in` before the part is combined.
 * The last rank shows a part that fits a cell, too. It would otherwise catch up with the rank
 * before it, and each cell would be written while it is polled. */
static const unsigned char *show_part(struct mpispec_collective *collective, const void *in,
                                      int64_t bytes, int in_place) {
  if (is_last(collective) && !in_place && bytes > MPISPEC_SLOT_PAYLOAD)
    return in;
  unsigned char *own = mpispec_step_put(collective, bytes);
  mpispec_step_copy(own, in, bytes);
  mpispec_step_show(collective, bytes);
  return in_place ? own : in;
}

/* The result of rank 0 is its own part. Rank 0 does not read it in its chunk, where rank 1 may
 * already have released it. */
static void copy_first(const void *in, void *out, int64_t bytes) {
  if (out && out != in)
    memcpy(out, in, (size_t)bytes);
}

/* Rank 1 is the only reader of rank 0's part in a chain, and of two ranks. A later rank of a chain
 * reads its part itself after it has shown it. */
static void release_first(struct mpispec_collective *collective, int64_t bytes) {
  if (collective->steps.self == 1)
    mpispec_step_release_part(collective, 0, bytes, 0, bytes);
}

static void scan_short(struct mpispec_collective *collective,
                       const struct mpispec_reduction *reduction, const void *in, void *out,
                       int64_t at, int64_t count, int with_own) {
  const int64_t bytes = count * reduction->extent;
  const struct mpispec_shown_parts parts = {collective->steps.self + with_own,
                                            show_part(collective, in, bytes, in == out), bytes, 0};
  if (!collective->steps.self)
    copy_first(in, with_own ? out : NULL, bytes);
  else
    mpispec_parts_combine(collective, reduction, &parts, out, at, count);
  if (collective->steps.members == 2)
    release_first(collective, bytes);
  mpispec_step_end(collective, bytes);
}

/* The first function executes one chunk on rank 0, whose result is its own part (`out`, or null).
 * The second one executes it on the last rank, and the third one on all others. */
static void begin_chain(struct mpispec_collective *collective, const void *in, void *out,
                        int64_t bytes) {
  memcpy(mpispec_step_put(collective, bytes), in, (size_t)bytes);
  mpispec_step_show(collective, bytes);
  copy_first(in, out, bytes);
}

static void end_chain(struct mpispec_collective *collective,
                      const struct mpispec_reduction *reduction, const void *in, void *out,
                      int64_t count, int with_own) {
  const int64_t bytes = count * reduction->extent;
  const unsigned char *before = mpispec_step_get(collective, collective->steps.self - 1, bytes);
  if (with_own)
    mpispec_reduce(reduction, out, before, in, count);
  else
    memcpy(out, before, (size_t)bytes);
  release_first(collective, bytes);
}

static void go_on_chain(struct mpispec_collective *collective,
                        const struct mpispec_reduction *reduction, const void *in, void *out,
                        int64_t count, int with_own) {
  const int64_t bytes = count * reduction->extent;
  unsigned char *own = mpispec_step_put(collective, bytes);
  const unsigned char *before = mpispec_step_get(collective, collective->steps.self - 1, bytes);
  mpispec_reduce(reduction, own, before, in, count);
  mpispec_step_show(collective, bytes);
  memcpy(out, with_own ? own : before, (size_t)bytes);
  release_first(collective, bytes);
}

static void scan_long(struct mpispec_collective *collective,
                      const struct mpispec_reduction *reduction, const unsigned char *in,
                      unsigned char *out, int64_t count, int with_own) {
  const int64_t extent = reduction->extent;
  const int64_t most = collective->chunk_bytes / extent;
  for (int64_t at = 0; at < count; at += most) {
    const int64_t now = count - at < most ? count - at : most;
    if (!collective->steps.self)
      begin_chain(collective, in + at * extent, with_own ? out + at * extent : NULL, now * extent);
    else
      (is_last(collective) ? end_chain : go_on_chain)(collective, reduction, in + at * extent,
                                                      out + at * extent, now, with_own);
    mpispec_step_end(collective, now * extent);
  }
}

/* Executes a scan in pieces that fit a chunk. */
static void scan_in_order(struct mpispec_collective *collective,
                          const struct mpispec_reduction *reduction, const unsigned char *in,
                          unsigned char *out, int64_t count, int with_own) {
  const int64_t extent = reduction->extent, most = collective->chunk_bytes / extent;
  for (int64_t at = 0; at < count; at += most)
    scan_short(collective, reduction, in + at * extent, out ? out + at * extent : NULL, at,
               count - at < most ? count - at : most, with_own);
}

static void scan(struct mpispec_collective *collective, const struct mpispec_reduction *reduction,
                 const void *in, void *out, int64_t count, int with_own) {
  if (mpispec_parts_are_short(collective, count * reduction->extent))
    scan_short(collective, reduction, in, out, 0, count, with_own);
  else
    (reduction->order ? scan_in_order : scan_long)(collective, reduction, in, out, count, with_own);
}

void mpispec_collective_scan(struct mpispec_collective *collective,
                             const struct mpispec_reduction *reduction, const void *in, void *out,
                             int64_t count) {
  scan(collective, reduction, in, out, count, 1);
}

/* Rank 1 has no portion of its own in this Gather. */
static void exscan_two(struct mpispec_collective *collective, const void *in, void *out,
                       int64_t bytes) {
  const struct mpispec_portions portions = mpispec_same_portion(out, bytes);
  mpispec_collective_gather(collective, collective->steps.self ? NULL : in, bytes, &portions, 1);
}

void mpispec_collective_exscan(struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction, const void *in, void *out,
                               int64_t count) {
  const int64_t bytes = count * reduction->extent;
  if (collective->steps.members == 2 && bytes > MPISPEC_SLOT_PAYLOAD)
    exscan_two(collective, in, out, bytes);
  else
    scan(collective, reduction, in, out, count, 0);
}
