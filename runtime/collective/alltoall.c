/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Alltoall, Alltoallv, Alltoallw: each rank shows its portions for all others, and reads the
 * portions for itself. Cost: one handoff, and two copies of each byte. Long portions that go by RTS
 * are copied once if the system permits it (long_parts.h).
 *
 * A rank waits only for ranks from which it expects bytes.
 *
 * The lengths of a rank's portions are not known on other ranks. Therefore a rank shows the length
 * of its longest portion, from which the places of all its portions follow. In place, long portions
 * are sent from a copy, because received portions overwrite them. */
#include "collective/long_parts.h"
#include "collective/operations.h"
#include "job/memory.h"

#include <stdlib.h>

static int64_t shown_bytes(const struct mpispec_collective *collective, int64_t longest) {
  return mpispec_portions_pitch(collective, longest) * (collective->steps.members - 1);
}

/* Nonzero if portions go through a chunk. Longer ones go as messages, which their receivers read
 * while the sender still fills them. */
static int fits_chunk(const struct mpispec_collective *collective, int64_t longest) {
  return shown_bytes(collective, longest) <= mpispec_portions_room(collective);
}

static void show_portions(struct mpispec_collective *collective,
                          const struct mpispec_portions *send, int64_t longest) {
  const int64_t pitch = mpispec_portions_pitch(collective, longest);
  const int self = collective->steps.self;
  unsigned char *shown = mpispec_step_put(collective, shown_bytes(collective, longest));
  for (int i = 0; i < collective->steps.members; ++i)
    if (i != self && mpispec_portion_length(send, i))
      mpispec_step_copy(shown + mpispec_place_of(i, self) * pitch, mpispec_portion_at(send, i),
                        mpispec_portion_length(send, i));
  mpispec_step_show(collective, longest);
}

/* Returns 0 if the member sends more than this rank has room for. */
static int read_portion(struct mpispec_collective *collective, int member,
                        const struct mpispec_portions *receive) {
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, member);
  const int64_t longest = mpispec_shown_length(cell),
                room = mpispec_portion_length(receive, member);
  const int64_t length = mpispec_smaller(room, longest);
  if (collective->error)
    return 1; /* that cell is of another operation */
  if (mpispec_is_in_parts(cell))
    return mpispec_long_parts_read(collective, member, mpispec_portion_at(receive, member), room) <=
           room;
  if (length && fits_chunk(collective, longest)) /* in a wrong program perhaps not */
    mpispec_step_copy(mpispec_portion_at(receive, member),
                      mpispec_step_get(collective, member, shown_bytes(collective, longest)) +
                          mpispec_place_of(collective->steps.self, member) *
                              mpispec_portions_pitch(collective, longest),
                      length);
  return mpispec_portion_fits(collective, longest, room, !receive->lengths);
}

static int copy_own(const struct mpispec_portions *send, const struct mpispec_portions *receive,
                    int self) {
  if (mpispec_portion_at(send, self) != mpispec_portion_at(receive, self))
    memcpy(mpispec_portion_at(receive, self), mpispec_portion_at(send, self),
           (size_t)mpispec_smaller(mpispec_portion_length(send, self),
                                   mpispec_portion_length(receive, self)));
  return mpispec_portion_length(send, self) <= mpispec_portion_length(receive, self);
}

static int exchange(struct mpispec_collective *collective, const struct mpispec_portions *receive) {
  const int members = collective->steps.members;
  int awaits_all = 1, fits = 1;
  for (int k = 1; k < members; ++k) {
    const int member = (collective->steps.self + members - k) % members;
    if (mpispec_portion_length(receive, member))
      fits &= read_portion(collective, member, receive);
    else
      awaits_all = 0;
  }
  mpispec_long_parts_finish(collective);
  if (awaits_all)
    mpispec_step_met(collective);
  mpispec_step_end(collective, collective->chunk_bytes);
  return fits;
}

/* The bytes of all portions, in the order of ranks. */
static int64_t pack(const struct mpispec_collective *collective,
                    const struct mpispec_portions *portions, unsigned char *packed,
                    int64_t *offsets) {
  int64_t end = 0;
  for (int i = 0; i < collective->steps.members; ++i) {
    const int64_t length = mpispec_portion_length(portions, i);
    if (packed)
      memcpy(packed + end, mpispec_portion_at(portions, i), (size_t)length);
    offsets[i] = end;
    end += length;
  }
  return end;
}

static int exchange_in_place(struct mpispec_collective *collective,
                             const struct mpispec_portions *portions, int64_t longest) {
  int64_t offsets[MPISPEC_MOST_MEMBERS];
  unsigned char *packed =
      mpispec_check_allocation(malloc((size_t)pack(collective, portions, NULL, offsets)));
  pack(collective, portions, packed, offsets);
  const struct mpispec_portions copy = {packed, portions->length, offsets, portions->lengths};
  mpispec_long_parts_begin(collective, &copy, longest, -1, portions);
  const int fits = exchange(collective, portions);
  free(packed);
  return fits;
}

/* Each rank copies its own portion while others can already read what it shows. */
int mpispec_collective_alltoall(struct mpispec_collective *collective,
                                const struct mpispec_portions *send,
                                const struct mpispec_portions *receive) {
  const int64_t longest = mpispec_portions_longest(collective, send);
  const int self = collective->steps.self;
  if (collective->steps.members == 1)
    return copy_own(send, receive, self);
  if (fits_chunk(collective, longest))
    show_portions(collective, send, longest);
  else if (send == receive)
    return exchange_in_place(collective, receive, longest);
  else
    mpispec_long_parts_begin(collective, send, longest, -1, receive);
  const int own_fits = copy_own(send, receive, self);
  return exchange(collective, receive) && own_fits;
}
