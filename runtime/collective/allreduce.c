/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Allreduce and Reduce. Parts are combined in the reduction's order (order.h), by default the order
 * of ranks, ((x0 op x1) op x2) op ...
 *
 *   short      one step: each of n ranks shows its part and combines all parts. Cost: one
 *              handoff; each rank reads n - 1 parts.
 *   long       by chunks, two steps each. First, each rank shows its part, and rank i combines
 *              the i-th share of all parts. Second, each rank shows its share of the result.
 *              Cost: two handoffs a chunk; each rank combines 1/n of the bytes.
 *   long, of   by chunks, one step each, like short ones. A rank shows the next chunk before it
 *   two ranks  reads the current one. Shares would move as many bytes between the cores.
 *
 * In Reduce only the root reads results. Other ranks wait for the root only in the form `long`. */
#include "collective/operations.h"
#include "collective/shown_parts.h"
#include "collective/trees.h"
#include "progress/tuning.h"

/* Combines elements `begin` to `end` of the parts that all members show in this step, in cells or
 * in chunks with room for `room` bytes. This rank's part is at `own`. The parts begin at element
 * `at` of the whole vector. The result for element `begin` goes to `result`. */
static void combine(struct mpispec_collective *collective,
                    const struct mpispec_reduction *reduction, const unsigned char *own,
                    void *result, int64_t begin, int64_t end, int64_t at, int64_t room) {
  const int64_t skipped = begin * reduction->extent;
  const struct mpispec_shown_parts parts = {collective->steps.members, own + skipped, room,
                                            skipped};
  mpispec_parts_combine(collective, reduction, &parts, result, at + begin, end - begin);
}

/* Nonzero if this rank's part is still in `in` when it is combined. Reading it there is faster,
 * because other ranks read the shown copy. */
static int is_kept(const struct mpispec_collective *collective, const void *in, const void *out) {
  return in != out || collective->steps.members == 2;
}

static void allreduce_short(struct mpispec_collective *collective,
                            const struct mpispec_reduction *reduction, const void *in, void *out,
                            int64_t at, int64_t count, int64_t bytes) {
  unsigned char *own = mpispec_step_put(collective, bytes);
  mpispec_step_copy(own, in, bytes);
  mpispec_step_show(collective, bytes);
  combine(collective, reduction, is_kept(collective, in, out) ? in : own, out, 0, count, at, bytes);
  mpispec_step_met(collective);
  mpispec_step_end(collective, bytes);
}

/* The root keeps its part in its own chunk or cell, unshown. */
static void reduce_short(struct mpispec_collective *collective,
                         const struct mpispec_reduction *reduction, const void *in, void *out,
                         int64_t count, int64_t bytes, int root) {
  unsigned char *own = mpispec_step_put(collective, bytes);
  mpispec_step_copy(own, in, bytes);
  if (root == collective->steps.self) {
    combine(collective, reduction, own, out, 0, count, 0, bytes);
    mpispec_step_met(collective);
  } else {
    mpispec_step_fetch_own(collective, bytes);
    mpispec_step_show(collective, bytes);
  }
  mpispec_step_end(collective, bytes);
}

/* --- long, of two ------------------------------------------------------------------------------*/

/* Shows elements in a chunk for `room` bytes. */
static void show_elements(struct mpispec_collective *collective, const unsigned char *in,
                          int64_t bytes, int64_t room) {
  memcpy(mpispec_step_put(collective, room), in, (size_t)bytes);
  collective->put_bytes = bytes;
  mpispec_step_show(collective, bytes);
}

/* Elements of a vector from `at` on, at most `most`. */
static int64_t piece(int64_t count, int64_t at, int64_t most) {
  return count <= at ? 0 : mpispec_smaller(count - at, most);
}

/* Each step has a chunk for `room` bytes. The pieces of the two members may differ in length. */
void mpispec_collective_combine_two(struct mpispec_collective *collective,
                                    const struct mpispec_reduction *reduction,
                                    const unsigned char *shown, int64_t shown_count,
                                    const unsigned char *own, unsigned char *out, int64_t begin,
                                    int64_t count) {
  const int64_t longest = count > shown_count ? count : shown_count;
  const int64_t extent = reduction->extent, most = collective->chunk_bytes / extent;
  const int64_t room = mpispec_smaller(longest * extent, collective->chunk_bytes);
  /* Below, each member waits for room in the next step before it leaves this one. Therefore it must
   * know that the other member has left all steps before this one. */
  if (longest > most) {
    mpispec_doorbell_note_word();
    mpispec_slot_publish_completed(collective->steps.own, collective->steps.step);
  }
  show_elements(collective, shown, piece(shown_count, 0, most) * extent, room);
  for (int64_t at = 0; at < longest; at += most) {
    const int64_t next = at + most, now = piece(count, at, most);
    if (next < longest) {
      ++collective->steps.step;
      show_elements(collective, shown + next * extent, piece(shown_count, next, most) * extent,
                    room);
      --collective->steps.step;
    }
    mpispec_step_await(collective, !collective->steps.self);
    if (now)
      combine(collective, reduction, own + at * extent, out + at * extent, 0, now, begin + at,
              room);
    mpispec_step_met_ahead(collective);
    mpispec_step_end(collective, room);
  }
}

/* The root combines elements of a chunk as they arrive. The other rank's length, which is in
 * the cell, determines how the chunk is filled. In a wrong program it may differ from this rank's,
 * because a signature does not distinguish all lengths. Then the root waits for no more than there
 * is. */
static void combine_followed(struct mpispec_collective *collective,
                             const struct mpispec_reduction *reduction, const unsigned char *in,
                             unsigned char *out, int64_t count) {
  const int64_t extent = reduction->extent, bytes = count * extent;
  const int64_t most = MPISPEC_BLOCK_STEP / extent;
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, !collective->steps.self);
  const int64_t shown = (int64_t)cell->length;
  for (int64_t at = 0; at < count && !collective->error; at += most) {
    const int64_t end = mpispec_smaller(at + most, count);
    if (mpispec_step_is_followed(0, shown))
      mpispec_step_await_bytes(collective, cell, mpispec_smaller(end * extent, shown));
    combine(collective, reduction, in, out + at * extent, at, end, 0, bytes);
    mpispec_step_release_part(collective, !collective->steps.self, bytes, at * extent,
                              end * extent);
  }
}

/* The other rank shows its part, and the root combines it with its own. */
static void reduce_two(struct mpispec_collective *collective,
                       const struct mpispec_reduction *reduction, const unsigned char *in,
                       unsigned char *out, int64_t count, int root) {
  const int64_t extent = reduction->extent;
  const int64_t most = collective->chunk_bytes / extent;
  for (int64_t at = 0; at < count; at += most) {
    const int64_t now = mpispec_smaller(count - at, most), bytes = now * extent;
    if (root != collective->steps.self) {
      unsigned char *place = mpispec_step_put(collective, bytes);
      mpispec_step_show_bytes(collective, place, at, in + at * extent, bytes, bytes);
    } else {
      if (mpispec_step_is_followed(at, bytes)) {
        combine_followed(collective, reduction, in, out, now);
      } else {
        combine(collective, reduction, in + at * extent, out + at * extent, 0, now, at, bytes);
        mpispec_step_release_part(collective, !collective->steps.self, bytes, 0, bytes);
      }
      mpispec_step_met(collective);
    }
    mpispec_step_end(collective, bytes);
  }
}

/* --- long --------------------------------------------------------------------------------------*/

/* The first element of a member's share. */
static int64_t share(const struct mpispec_collective *collective, int64_t count, int member) {
  return count * member / collective->steps.members;
}

/* First step: shows all shares except this rank's own. Combines its own share into the chunk of the
 * next step. */
static void combine_share(struct mpispec_collective *collective,
                          const struct mpispec_reduction *reduction, const unsigned char *in,
                          int64_t at, int64_t count) {
  const int64_t extent = reduction->extent, whole = collective->chunk_bytes;
  const int64_t begin = share(collective, count, collective->steps.self);
  const int64_t end = share(collective, count, collective->steps.self + 1);
  unsigned char *chunk = mpispec_step_put(collective, whole);
  memcpy(chunk, in, (size_t)(begin * extent));
  memcpy(chunk + end * extent, in + end * extent, (size_t)((count - end) * extent));
  mpispec_step_show(collective, count * extent);
  /* After all members have reached this step, no rank reads the place of the next step any more. */
  for (int i = 0; i < collective->steps.members; ++i)
    mpispec_step_await(collective, i);
  mpispec_step_met(collective);
  unsigned char *result =
      mpispec_step_chunk(collective, collective->steps.own, collective->steps.step + 1, whole);
  combine(collective, reduction, in, result, begin, end, at, whole);
  mpispec_step_end(collective, whole);
}

/* Second step: shows this rank's share of the result, and collects all shares unless `out` is
 * null. */
static void collect_shares(struct mpispec_collective *collective, int64_t extent,
                           unsigned char *out, int64_t count) {
  const int64_t whole = collective->chunk_bytes;
  mpispec_step_put(collective, whole);
  mpispec_step_show(collective, count * extent);
  for (int k = 0; out && k < collective->steps.members; ++k) {
    const int i = (collective->steps.self + k) % collective->steps.members;
    const int64_t begin = share(collective, count, i), end = share(collective, count, i + 1);
    memcpy(out + begin * extent, mpispec_step_get(collective, i, whole),
           (size_t)((end - begin) * extent));
  }
  mpispec_step_end(collective, whole);
}

static void reduce_long(struct mpispec_collective *collective,
                        const struct mpispec_reduction *reduction, const unsigned char *in,
                        unsigned char *out, int64_t count, int wanted) {
  const int64_t extent = reduction->extent, most = collective->chunk_bytes / extent;
  for (int64_t at = 0; at < count; at += most) {
    const int64_t now = mpispec_smaller(count - at, most);
    combine_share(collective, reduction, in + at * extent, at, now);
    collect_shares(collective, extent, wanted ? out + at * extent : NULL, now);
  }
}

/* If the order gives ranks different results, each rank reads all parts. */
static void allreduce_apart(struct mpispec_collective *collective,
                            const struct mpispec_reduction *reduction, const unsigned char *in,
                            unsigned char *out, int64_t count) {
  const int64_t extent = reduction->extent, most = collective->chunk_bytes / extent;
  for (int64_t at = 0; at < count; at += most) {
    const int64_t now = mpispec_smaller(count - at, most);
    allreduce_short(collective, reduction, in + at * extent, out + at * extent, at, now,
                    now * extent);
  }
}

/* --- either ------------------------------------------------------------------------------------*/

void mpispec_collective_allreduce(struct mpispec_collective *collective,
                                  const struct mpispec_reduction *reduction, const void *in,
                                  void *out, int64_t count) {
  const int64_t bytes = count * reduction->extent;
  if (collective->steps.members == 1)
    memmove(out, in, (size_t)bytes);
  else if (mpispec_parts_are_short(collective, bytes))
    allreduce_short(collective, reduction, in, out, 0, count, bytes);
  else if (collective->steps.members == 2)
    mpispec_collective_combine_two(collective, reduction, in, count, in, out, 0, count);
  else if (reduction->order && reduction->order->tree->differs)
    allreduce_apart(collective, reduction, in, out, count);
  else
    reduce_long(collective, reduction, in, out, count, 1);
}

void mpispec_collective_reduce(struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction, const void *in, void *out,
                               int64_t count, int root) {
  const int64_t bytes = count * reduction->extent;
  if (collective->steps.members == 1)
    memmove(out, in, (size_t)bytes);
  else if (collective->steps.members == 2 && bytes > MPISPEC_SLOT_PAYLOAD)
    reduce_two(collective, reduction, in, out, count, root);
  else if (mpispec_parts_are_short(collective, bytes))
    reduce_short(collective, reduction, in, out, count, bytes, root);
  else
    reduce_long(collective, reduction, in, out, count, collective->steps.self == root);
}
