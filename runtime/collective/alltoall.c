/* Alltoall, Alltoallv, Alltoallw: in each step everybody shows a piece of its portion for every
 * other rank, and reads the pieces for itself. Cost: one handoff a step, two copies of each byte.
 *
 * A rank knows only its own lengths. So it shows its longest, from which follow where its pieces
 * lie and, over all ranks, how many steps there are. It shows one step ahead of what it reads, so
 * that nobody waits for a copy that has only begun. In place, what a piece is read into was shown
 * in the same step or before.
 *
 * Where all portions are equal, chunks go to and fro: two steps out of four, a rank writes its
 * piece for another into the other's slot, where it has read the other's piece two steps ago. That
 * is memory which both have in their caches; between distant ones, a portion of 512 KiB is a sixth
 * faster. */
#include "collective/operations.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* The place of what `from` shows to `to`. */
static int place_of(int to, int from) { return to < from ? to : to - 1; }

/* The most bytes of a portion that a step takes. */
static int64_t most_of(const struct mpispec_collective *collective) {
  const int others = collective->steps.members > 1 ? collective->steps.members - 1 : 1;
  return collective->chunk_bytes / others / 64 * 64;
}

/* Bytes from piece to piece of a rank whose longest portion has `longest`. */
static int64_t pitch_of(const struct mpispec_collective *collective, int64_t longest) {
  return longest * (collective->steps.members - 1) <= MPISPEC_SLOT_PAYLOAD
             ? longest
             : smaller((longest + 63) / 64 * 64, most_of(collective));
}

static int64_t longest_of(const struct mpispec_collective *collective,
                          const struct mpispec_portions *portions) {
  int64_t longest = 0;
  if (!portions->lengths)
    return portions->length;
  for (int i = 0; i < collective->steps.members; ++i)
    if (i != collective->steps.self && portions->lengths[i] > longest)
      longest = portions->lengths[i];
  return longest;
}

/* What a step shows, in bytes. Chunks are always whole ones: others write there, too. */
static int64_t shown_bytes(const struct mpispec_collective *collective, int64_t pitch) {
  const int64_t bytes = pitch * (collective->steps.members - 1);
  return bytes > MPISPEC_SLOT_PAYLOAD ? collective->chunk_bytes : bytes;
}

/* Does this step go into the slots of those who read it? What they showed there two steps ago must
 * have been read by all. Each rank knows that of the steps of this operation; of two ranks, also of
 * those of the operations before, if they were such ones. Others prove nothing: in Scan a rank goes
 * on while the next one is still at work in its own slot. */
static int goes_back(const struct mpispec_collective *collective,
                     const struct mpispec_portions *portions) {
  const uint64_t step = collective->steps.step;
  return !portions->lengths && (step & 2) && step - 2 >= collective->exchanged_from;
}

/* The chunk of `slot` that goes back in this step. */
static unsigned char *chunk_of(const struct mpispec_collective *collective,
                               const struct mpispec_slot *slot) {
  return mpispec_step_chunk(collective, slot, collective->steps.step - 2, collective->chunk_bytes);
}

static void show_pieces(struct mpispec_collective *collective, const struct mpispec_portions *send,
                        int64_t longest, int64_t at) {
  const int64_t pitch = pitch_of(collective, longest);
  const int64_t bytes = shown_bytes(collective, pitch);
  const int self = collective->steps.self;
  const int is_back = bytes > MPISPEC_SLOT_PAYLOAD && goes_back(collective, send);
  unsigned char *shown = mpispec_step_put(collective, bytes);
  for (int i = 0; i < collective->steps.members; ++i) {
    const int64_t length = mpispec_portion_length(send, i);
    if (i == self || at >= length)
      continue;
    unsigned char *piece =
        is_back ? chunk_of(collective, collective->steps.slots[i]) + place_of(self, i) * pitch
                : shown + place_of(i, self) * pitch;
    mpispec_step_copy(piece, mpispec_portion_at(send, i) + at, smaller(length - at, pitch));
  }
  mpispec_step_show(collective, longest);
}

/* Returns the longest portion of that member. */
static int64_t read_piece(struct mpispec_collective *collective, int member,
                          const struct mpispec_portions *receive, int64_t at) {
  const int64_t longest = (int64_t)mpispec_step_await(collective, member)->length;
  const int64_t pitch = pitch_of(collective, longest);
  const int64_t length = smaller(mpispec_portion_length(receive, member), longest);
  const int64_t bytes = shown_bytes(collective, pitch);
  const int self = collective->steps.self;
  const unsigned char *piece =
      mpispec_step_get(collective, member, bytes) + place_of(self, member) * pitch;
  if (bytes > MPISPEC_SLOT_PAYLOAD && goes_back(collective, receive))
    piece = chunk_of(collective, collective->steps.own) + place_of(member, self) * pitch;
  if (at < length)
    mpispec_step_copy(mpispec_portion_at(receive, member) + at, piece, smaller(length - at, pitch));
  return longest;
}

static void copy_own(const struct mpispec_portions *send, const struct mpispec_portions *receive,
                     int self) {
  if (mpispec_portion_at(send, self) != mpispec_portion_at(receive, self))
    memcpy(
        mpispec_portion_at(receive, self), mpispec_portion_at(send, self),
        (size_t)smaller(mpispec_portion_length(send, self), mpispec_portion_length(receive, self)));
}

void mpispec_collective_alltoall(struct mpispec_collective *collective,
                                 const struct mpispec_portions *send,
                                 const struct mpispec_portions *receive) {
  const int64_t most = most_of(collective), ours = longest_of(collective, send);
  int64_t longest = ours;
  if (collective->steps.members != 2 || collective->exchanged_until != collective->steps.step)
    collective->exchanged_from = collective->steps.step;
  show_pieces(collective, send, ours, 0);
  for (int64_t at = 0; at < longest || !at; at += most) {
    const int is_ahead = at + most < longest;
    if (is_ahead) {
      ++collective->steps.step;
      show_pieces(collective, send, ours, at + most);
      --collective->steps.step;
    }
    for (int k = 1; k < collective->steps.members; ++k) {
      const int i = (collective->steps.self + k) % collective->steps.members;
      const int64_t theirs = read_piece(collective, i, receive, at);
      longest = theirs > longest ? theirs : longest;
    }
    mpispec_step_met_ahead(collective);
    mpispec_step_end(collective, collective->chunk_bytes);
    if (!is_ahead && at + most < longest)
      show_pieces(collective, send, ours, at + most);
  }
  if (!send->lengths)
    collective->exchanged_until = collective->steps.step;
  copy_own(send, receive, collective->steps.self);
}
