/* Gather, Scatter, Allgather, and their forms with a length for each rank.
 *
 *   Gather      everybody but the root shows its portion, the root reads them all. Cost: one
 *               handoff, and the root's copying of all bytes.
 *   Scatter     the root shows a piece of every portion in each step, the others read theirs. Cost:
 *               one handoff, and the root's copying.
 *   Allgather   everybody shows its portion and reads all others. Cost: one handoff.
 *
 * Readers go by the lengths that writers show, so all ranks make the same number of steps. Only in
 * Gather there is nobody whom all ranks read: with lengths that differ, and more than two members,
 * the root shows the largest in the first step, and the others wait for that: a member that went on
 * without, into a function of the MPI library, would not say that it has left the further steps,
 * and writers need that. */
#include "collective/operations.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void copy_own(void *to, const void *from, int64_t length) {
  if (from && to && from != to && length)
    memmove(to, from, (size_t)length);
}

/* Shows what is left of a portion from `at` on, or as much as a step takes. */
static int64_t show_rest(struct mpispec_collective *collective, const void *portion, int64_t length,
                         int64_t at) {
  const int64_t now = at < length ? smaller(length - at, collective->chunk_bytes) : 0;
  mpispec_step_copy(mpispec_step_put(collective, now), (const unsigned char *)portion + at, now);
  mpispec_step_show(collective, length);
  return now;
}

/* Reads what a member shows of its portion from `at` on. Returns the whole length of that. */
static int64_t read_rest(struct mpispec_collective *collective, int member, unsigned char *portion,
                         int64_t room, int64_t at) {
  const int64_t length = (int64_t)mpispec_step_await(collective, member)->length;
  const int64_t now = smaller(length - at, collective->chunk_bytes);
  if (now > 0 && at < room)
    mpispec_step_copy(portion + at, mpispec_step_get(collective, member, now),
                      smaller(now, room - at));
  return length;
}

/* --- gather ------------------------------------------------------------------------------------*/

static int64_t longest_of(const struct mpispec_collective *collective,
                          const struct mpispec_portions *portions) {
  int64_t longest = 0;
  for (int i = 0; i < collective->steps.members; ++i)
    if (i != collective->steps.self && mpispec_portion_length(portions, i) > longest)
      longest = mpispec_portion_length(portions, i);
  return longest;
}

/* Is the root's word needed for how many steps there are? Of two members one reads the other, so
 * both go by what that shows. */
static int is_told(const struct mpispec_collective *collective, int equal) {
  return !equal && collective->steps.members > 2;
}

static int gather_here(struct mpispec_collective *collective,
                       const struct mpispec_portions *portions, int equal) {
  const int tells = is_told(collective, equal);
  int64_t longest = equal ? portions->length : longest_of(collective, portions);
  int fits = 1;
  for (int64_t at = 0; at < longest || (!equal && !at); at += collective->chunk_bytes) {
    if (tells && !at) {
      mpispec_step_put(collective, 0);
      mpispec_step_show(collective, longest);
    }
    for (int k = 1; k < collective->steps.members; ++k) {
      const int i = (collective->steps.self + k) % collective->steps.members;
      const int64_t room = mpispec_portion_length(portions, i);
      if (!at || at < room) {
        const int64_t shown = read_rest(collective, i, mpispec_portion_at(portions, i), room, at);
        fits &= shown <= room;
        if (collective->steps.members == 2)
          longest = shown;
      }
    }
    mpispec_step_end(collective, collective->chunk_bytes);
  }
  return fits;
}

/* What the root has room for is shown in all steps, though there be less: the root waits for it. */
static void gather_there(struct mpispec_collective *collective, const void *own, int64_t length,
                         int root, int equal) {
  const int asks = is_told(collective, equal);
  int64_t longest = length;
  for (int64_t at = 0; at < longest || (!equal && !at); at += collective->chunk_bytes) {
    show_rest(collective, own, length, at);
    if (asks && !at)
      longest = (int64_t)mpispec_step_await(collective, root)->length;
    mpispec_step_end(collective, collective->chunk_bytes);
  }
}

int mpispec_collective_gather(struct mpispec_collective *collective, const void *own,
                              int64_t length, const struct mpispec_portions *portions, int root,
                              int equal) {
  if (root != collective->steps.self) {
    gather_there(collective, own, length, root, equal);
    return 1;
  }
  copy_own(mpispec_portion_at(portions, root), own,
           smaller(length, mpispec_portion_length(portions, root)));
  return gather_here(collective, portions, equal) &&
         (!own || length <= mpispec_portion_length(portions, root));
}

/* --- allgather ---------------------------------------------------------------------------------*/

int mpispec_collective_allgather(struct mpispec_collective *collective, const void *own,
                                 int64_t length, const struct mpispec_portions *portions) {
  unsigned char *place = mpispec_portion_at(portions, collective->steps.self);
  int64_t longest = 1;
  int fits = 1;
  for (int64_t at = 0; at < longest; at += collective->chunk_bytes) {
    show_rest(collective, own ? own : place, length, at);
    for (int k = 1; k < collective->steps.members; ++k) {
      const int i = (collective->steps.self + k) % collective->steps.members;
      const int64_t room = mpispec_portion_length(portions, i);
      const int64_t shown = read_rest(collective, i, mpispec_portion_at(portions, i), room, at);
      longest = shown > longest ? shown : longest;
      fits &= shown <= room;
    }
    longest = length > longest ? length : longest;
    mpispec_step_met(collective);
    mpispec_step_end(collective, collective->chunk_bytes);
  }
  copy_own(place, own, length);
  return fits;
}

/* --- scatter -----------------------------------------------------------------------------------*/

/* The place of a member among those that the root shows something to. */
static int place_of(int member, int root) { return member < root ? member : member - 1; }

/* Bytes from piece to piece when the longest portion has `longest`. */
static int64_t pitch_of(const struct mpispec_collective *collective, int64_t longest) {
  const int others = collective->steps.members - 1;
  const int64_t most = collective->chunk_bytes / others / 64 * 64;
  return longest * others <= MPISPEC_SLOT_PAYLOAD ? longest
                                                  : smaller((longest + 63) / 64 * 64, most);
}

static void scatter_from_here(struct mpispec_collective *collective,
                              const struct mpispec_portions *portions) {
  const int64_t longest = longest_of(collective, portions), pitch = pitch_of(collective, longest);
  const int64_t bytes = pitch * (collective->steps.members - 1);
  for (int64_t at = 0; at < longest || !at; at += pitch) {
    unsigned char *shown = mpispec_step_put(collective, bytes);
    for (int i = 0; i < collective->steps.members; ++i) {
      const int64_t length = mpispec_portion_length(portions, i);
      if (i != collective->steps.self && at < length)
        mpispec_step_copy(shown + place_of(i, collective->steps.self) * pitch,
                          mpispec_portion_at(portions, i) + at, smaller(length - at, pitch));
    }
    mpispec_step_show(collective, longest);
    mpispec_step_end(collective, bytes);
    if (!longest)
      break;
  }
}

static void scatter_to_here(struct mpispec_collective *collective, unsigned char *own,
                            int64_t length, int root) {
  const int64_t longest = (int64_t)mpispec_step_await(collective, root)->length;
  const int64_t pitch = pitch_of(collective, longest);
  const int64_t bytes = pitch * (collective->steps.members - 1);
  for (int64_t at = 0; at < longest || !at; at += pitch) {
    const unsigned char *shown = mpispec_step_get(collective, root, bytes);
    if (at < length && at < longest)
      mpispec_step_copy(own + at, shown + place_of(collective->steps.self, root) * pitch,
                        smaller(smaller(length, longest) - at, pitch));
    mpispec_step_end(collective, bytes);
    if (!longest)
      break;
  }
}

void mpispec_collective_scatter(struct mpispec_collective *collective,
                                const struct mpispec_portions *portions, void *own, int64_t length,
                                int root) {
  if (root != collective->steps.self) {
    scatter_to_here(collective, own, length, root);
    return;
  }
  if (collective->steps.members > 1)
    scatter_from_here(collective, portions);
  copy_own(own, mpispec_portion_at(portions, root),
           smaller(length, mpispec_portion_length(portions, root)));
}
