/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gather, Scatter, Allgather, and their forms with a length for each rank.
 *
 *   Gather      each rank but the root shows its portion, and the root reads them all. Cost: one
 *               handoff, and the root's copying of all bytes.
 *   Scatter     the root shows all portions, and each other rank reads its own. Cost: one handoff,
 *               and the root's copying of all bytes.
 *   Allgather   each rank shows its portion and reads all others. Cost: one handoff.
 *
 * Portions that do not fit a chunk go in long parts (long_parts.h). Therefore Gather and Scatter
 * take one step. In Allgather with more than two members, a long portion goes through a sequence of
 * chunks, because all members can read the same copy.
 *
 * Readers use the lengths that writers show. Therefore all ranks execute the same number of steps.
 * In Gather and Scatter, a rank that expects no bytes does not wait in its step. */
#include "collective/long_parts.h"
#include "collective/operations.h"
#include "mpispec/machine.h"

/* Leaves a step in which members may have shown `bytes` bytes. A rank among more than two does not
 * know whether others have shown longer parts, which they may do in the v forms. */
static void leave(struct mpispec_collective *collective, int64_t bytes) {
  mpispec_step_end(collective, collective->steps.members == 2 ? bytes : collective->chunk_bytes);
}

/* Like leave, for a rank that has not waited for all members. In a wrong program, one of these
 * members may have sent a part to this rank, and waits until this rank has left (long_parts.c).
 * Therefore the rank publishes that it has left. */
static void leave_unseen(struct mpispec_collective *collective) {
  mpispec_step_end(collective, collective->chunk_bytes);
}

/* Whether writers show so many bytes in a chunk. Readers ask, too: in a wrong program, the cell of
 * another operation may have an equal word, and a length that is too great for a chunk. */
static int fits_chunk(const struct mpispec_collective *collective, int64_t bytes) {
  return bytes <= mpispec_portions_room(collective);
}

static void copy_own(void *to, const void *from, int64_t length) {
  if (from && to && from != to && length)
    memmove(to, from, (size_t)length);
}

/* Reads what a member shows of its portion in this step: the bytes from `at` on. Returns the length
 * of the whole portion. */
static int64_t read_rest(struct mpispec_collective *collective, int member, unsigned char *portion,
                         int64_t room, int64_t at) {
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, member);
  const int64_t length = mpispec_shown_length(cell);
  if (collective->error)
    return 0;
  if (mpispec_is_in_parts(cell))
    return mpispec_long_parts_read(collective, member, portion, room);
  const int64_t now = mpispec_smaller(length - at, collective->chunk_bytes);
  if (now > 0 && at < room)
    mpispec_step_copy(portion + at, mpispec_step_get(collective, member, now),
                      mpispec_smaller(now, room - at));
  return length;
}

/* --- gather ------------------------------------------------------------------------------------*/

/* Reads the portion of a member, which shows it in this step alone. Returns its length. */
static int64_t read_whole(struct mpispec_collective *collective, int member, unsigned char *portion,
                          int64_t room) {
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, member);
  const int64_t length = mpispec_shown_length(cell);
  if (collective->error)
    return 0;
  if (mpispec_is_in_parts(cell))
    return mpispec_long_parts_read(collective, member, portion, room);
  if (length && fits_chunk(collective, length))
    mpispec_step_read_bytes(collective, member, 0, portion, length, mpispec_smaller(length, room),
                            1);
  return length;
}

/* Members that only send run ahead of those that read. If a member had shown this step early, its
 * reader prefetches the lines of the member's next step. They arrive while the reader executes the
 * rest of the call. The step shows `bytes` bytes, of which this rank reads `length` from `at`
 * on. */
static void fetch_ahead(const struct mpispec_collective *collective, int member, int64_t bytes,
                        int64_t at, int64_t length) {
  struct mpispec_slot *slot = collective->steps.slots[member];
  const uint64_t next = collective->steps.step + 1;
  __builtin_prefetch(&slot->cells[next % mpispec_slot_cells]);
  if (bytes <= MPISPEC_SLOT_PAYLOAD || bytes > collective->chunk_bytes)
    return;
  const unsigned char *part = mpispec_step_chunk(collective, slot, next, bytes) + at;
  for (int64_t i = 0; i < length && i < MPISPEC_FETCHED_BYTES; i += 64)
    __builtin_prefetch(part + i);
}

static int gather_here(struct mpispec_collective *collective,
                       const struct mpispec_portions *portions) {
  int64_t longest = 0;
  int fits = 1, awaits_all = 1;
  for (int k = 1; k < collective->steps.members; ++k) {
    const int i = (collective->steps.self + k) % collective->steps.members;
    const int64_t room = mpispec_portion_length(portions, i);
    if (!room) {
      awaits_all = 0;
      continue;
    }
    const int is_ahead = mpispec_step_is_shown(collective, i);
    const int64_t length = read_whole(collective, i, mpispec_portion_at(portions, i), room);
    if (is_ahead)
      fetch_ahead(collective, i, length, 0, length);
    longest = length > longest ? length : longest;
    fits &= length <= room;
  }
  mpispec_long_parts_finish(collective);
  if (awaits_all) {
    mpispec_step_met_of_two(collective);
    leave(collective, longest);
  } else {
    leave_unseen(collective);
  }
  return fits;
}

static void gather_there(struct mpispec_collective *collective, const void *own, int64_t length,
                         int root) {
  if (!fits_chunk(collective, length)) {
    const struct mpispec_portions portions = mpispec_same_portion(own, length);
    mpispec_long_parts_show(collective, &portions, length, root);
  } else {
    unsigned char *place = mpispec_step_put(collective, length);
    mpispec_step_show_bytes(collective, place, 0, own, length, length);
  }
  leave(collective, length);
}

int mpispec_collective_gather(struct mpispec_collective *collective, const void *own,
                              int64_t length, const struct mpispec_portions *portions, int root) {
  if (root != collective->steps.self) {
    gather_there(collective, own, length, root);
    return 1;
  }
  copy_own(mpispec_portion_at(portions, root), own,
           mpispec_smaller(length, mpispec_portion_length(portions, root)));
  return gather_here(collective, portions) &&
         (!own || length <= mpispec_portion_length(portions, root));
}

/* --- allgather ---------------------------------------------------------------------------------*/

/* Shows the rest of this rank's portion from `at` on, or as much of it as a step takes. */
static void show_rest(struct mpispec_collective *collective, const void *portion, int64_t length,
                      int64_t at) {
  const int64_t now = at < length ? mpispec_smaller(length - at, collective->chunk_bytes) : 0;
  if (mpispec_goes_in_parts(collective, length)) {
    const struct mpispec_portions portions = mpispec_same_portion(portion, length);
    mpispec_long_parts_begin(collective, &portions, length, -1, &portions /* awaits all */);
    return;
  }
  mpispec_step_copy(mpispec_step_put(collective, now), (const unsigned char *)portion + at, now);
  mpispec_step_show(collective, length);
}

/* The bytes of a portion for which there are steps. */
static int64_t bytes_in_steps(const struct mpispec_collective *collective, int64_t length) {
  return mpispec_goes_in_parts(collective, length) ? 0 : length;
}

int mpispec_collective_allgather(struct mpispec_collective *collective, const void *own,
                                 int64_t length, const struct mpispec_portions *portions) {
  unsigned char *place = mpispec_portion_at(portions, collective->steps.self);
  const int64_t own_room = mpispec_portion_length(portions, collective->steps.self);
  int64_t longest = bytes_in_steps(collective, length);
  int fits = !own || length <= own_room;
  if (collective->steps.members == 1) {
    copy_own(place, own, mpispec_smaller(length, own_room));
    return fits;
  }
  for (int64_t at = 0; at < longest || !at; at += collective->chunk_bytes) {
    show_rest(collective, own ? own : place, length, at);
    if (!at)
      copy_own(place, own, mpispec_smaller(length, own_room));
    for (int k = 1; k < collective->steps.members; ++k) {
      const int i = (collective->steps.self + k) % collective->steps.members;
      const int64_t room = mpispec_portion_length(portions, i);
      const int64_t shown = read_rest(collective, i, mpispec_portion_at(portions, i), room, at);
      const int64_t in_steps = bytes_in_steps(collective, shown);
      longest = in_steps > longest ? in_steps : longest;
      fits &= shown <= room;
    }
    mpispec_long_parts_finish(collective);
    mpispec_step_met(collective);
    mpispec_step_end(collective, collective->chunk_bytes);
  }
  return fits;
}

/* --- scatter -----------------------------------------------------------------------------------*/

static void show_in_chunk(struct mpispec_collective *collective,
                          const struct mpispec_portions *portions, int64_t longest) {
  const int64_t pitch = mpispec_portions_pitch(collective, longest),
                bytes = pitch * (collective->steps.members - 1);
  unsigned char *shown = mpispec_step_put(collective, bytes);
  mpispec_step_fetch_own(collective, bytes);
  const int is_followed = mpispec_step_is_followed(0, longest);
  if (is_followed)
    mpispec_step_show_empty(collective, longest);
  for (int i = 0; i < collective->steps.members; ++i) {
    const int64_t at = mpispec_place_of(i, collective->steps.self) * pitch,
                  length = mpispec_portion_length(portions, i);
    if (i == collective->steps.self || !length)
      continue;
    if (is_followed)
      mpispec_step_fill(collective, shown, at, mpispec_portion_at(portions, i), length);
    else
      mpispec_step_copy(shown + at, mpispec_portion_at(portions, i), length);
  }
  if (is_followed) /* all of them, also for a reader that wrongly expects more than it gets */
    mpispec_step_publish_filled(collective, bytes);
  else
    mpispec_step_show(collective, longest);
}

/* Whether the root first completes the portions of others, before it copies its own portion. It
 * does if they are short, because the bytes that it has just written are in its cache. On Intel's
 * processors, it does not if it has had no time to write them. */
static int helps_first(const struct mpispec_collective *collective, int64_t longest) {
  return longest <= MPISPEC_HELPED_FIRST_BYTES &&
         (mpispec_processor_family() != MPISPEC_INTEL ||
          mpispec_long_parts_may_be_written(longest * collective->steps.members));
}

/* The root copies its own portion while others read long portions, or afterwards. */
static void scatter_from_here(struct mpispec_collective *collective,
                              const struct mpispec_portions *portions, void *own, int64_t length) {
  const int64_t longest = mpispec_portions_longest(collective, portions);
  const void *from = mpispec_portion_at(portions, collective->steps.self);
  if (fits_chunk(collective,
                 mpispec_portions_pitch(collective, longest) * (collective->steps.members - 1))) {
    show_in_chunk(collective, portions, longest);
    copy_own(own, from, length);
  } else {
    const int is_first = helps_first(collective, longest);
    mpispec_long_parts_begin(collective, portions, longest, -1, NULL);
    if (is_first)
      mpispec_long_parts_finish(collective);
    copy_own(own, from, length);
    mpispec_long_parts_finish(collective);
    mpispec_long_parts_left();
  }
  leave(collective, longest);
}

static int scatter_to_here(struct mpispec_collective *collective, unsigned char *own,
                           int64_t length, int root, int equal) {
  if (!length) {
    leave_unseen(collective);
    return 1;
  }
  int fits = 1;
  const int is_ahead = mpispec_step_is_shown(collective, root);
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, root);
  const int64_t longest = mpispec_shown_length(cell),
                pitch = mpispec_portions_pitch(collective, longest);
  const int64_t bytes = pitch * (collective->steps.members - 1),
                place = pitch * mpispec_place_of(collective->steps.self, root);
  if (collective->error) {
    /* that cell is of another operation */
  } else if (mpispec_is_in_parts(cell)) {
    fits = mpispec_long_parts_read(collective, root, own, length) <= length;
    mpispec_long_parts_finish(collective);
    mpispec_long_parts_left();
  } else if (longest && fits_chunk(collective, bytes)) {
    fits = mpispec_portion_fits(collective, longest, length, equal);
    const unsigned char *shown = mpispec_step_get(collective, root, bytes);
    const int64_t wanted = mpispec_smaller(length, longest);
    if (mpispec_step_is_followed(0, longest))
      mpispec_step_follow(collective, cell, own, shown, place, wanted, 1);
    else
      mpispec_step_take(collective, own, shown + place, wanted, 1);
    if (is_ahead)
      fetch_ahead(collective, root, bytes, place, longest);
  }
  mpispec_step_met_of_two(collective);
  leave(collective, bytes);
  return fits;
}

int mpispec_collective_scatter(struct mpispec_collective *collective,
                               const struct mpispec_portions *portions, void *own, int64_t length,
                               int root, int equal) {
  if (root != collective->steps.self)
    return scatter_to_here(collective, own, length, root, equal);
  const int64_t there = mpispec_portion_length(portions, root),
                kept = mpispec_smaller(length, there);
  if (collective->steps.members > 1)
    scatter_from_here(collective, portions, own, kept);
  else
    copy_own(own, mpispec_portion_at(portions, root), kept);
  return !own || there <= length;
}
