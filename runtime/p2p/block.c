/* Messages in blocks: too long for cells, but soon copied. See block.h.
 *
 *   sender                           receiver
 *   has a block; one cell      --->  matched: copies what is there, and more as it comes
 *   copies in, step by step          gives the block back, or keeps it for its answer
 *
 * Where two ranks answer each other, one block goes to and fro between them, whoever's arena it is
 * from: the message takes half the room in the caches, nobody allocates anything, and 16 KiB to 1
 * MiB are 10 to 20 % faster. A rank keeps one block at most, and only if it has sent one since.
 *
 * 512 KiB and 1 MiB go in blocks only then: a stream of such blocks takes more room in the caches
 * than the pipe of a long message, and up to 15 % more time.
 *
 * Standard sends end when the bytes are in the block. Beyond 64 KiB that is done only for a sender
 * that waits, and for few blocks at a time: the rest is left where it is (rendezvous.c). What must
 * be packed while nobody waits would have to be copied anyway: it goes in blocks to 4 MiB. */
#include "p2p/block.h"

#include "job/node.h"
#include "p2p/receiver.h"
#include "p2p/request.h"
#include "p2p/sender.h"
#include "progress/tuning.h"
#include "progress/yield.h"
#include "shm/arena.h"
#include "shm/shm.h"

#include <string.h>

/* How much is copied before the reader is told: a quarter, in pages. Each step costs both sides a
 * handoff; with few steps they copy one after the other. */
static int64_t step_of(int64_t bytes) {
  enum { PAGE = 4096 };
  const int64_t quarter = bytes / 4 / PAGE * PAGE;
  return quarter < PAGE ? PAGE : quarter < MPISPEC_BLOCK_STEP ? quarter : MPISPEC_BLOCK_STEP;
}

/* The second word of the cell. */
enum { IN_YOURS = 1 /* the receiver's arena */, IS_WHOLE = 2 /* copied: `filled` tells nothing */ };

/* The cell goes out before the bytes are in the block, and the receiver copies while the sender
 * does. In a stream of messages that would gain nothing: there the receiver has the one before to
 * copy. */
static int goes_in_steps(const struct mpispec_call *call) {
  const int64_t whole = call->blocking ? step_of(call->bytes) : MPISPEC_WHOLE_BYTES;
  return (call->contiguous || call->map) && call->bytes > whole;
}

/* --- blocks that circulate ---------------------------------------------------------------------*/

/* A block that this rank received a message in and has not given back. */
static struct {
  int owner;       /* whose arena it is from */
  uint64_t offset; /* or 0: none */
  int answers;     /* this rank has sent a block since the last one it kept */
  int received;    /* a message too long for cells, since it sent the last such */
} kept;

void mpispec_block_note_received(void) { kept.received = 1; }

void mpispec_blocks_close(void) { memset(&kept, 0, sizeof kept); }

static struct mpispec_block *head_of(int owner, uint64_t offset) {
  return mpispec_block_head(mpispec_shm.segments[owner], offset);
}

static void give_back(int owner, uint64_t offset) {
  mpispec_block_release(mpispec_shm.segments[owner], offset);
}

static void keep_or_give_back(int owner, uint64_t offset) {
  if (kept.offset || !kept.answers) {
    give_back(owner, offset);
    return;
  }
  kept.owner = owner;
  kept.offset = offset;
  kept.answers = 0;
}

/* The block that was kept, if it serves for a message to `peer`: a block can be sent by its owner,
 * or to it. Returns its offset and fills in whose it is, or returns 0. */
static uint64_t take_kept(int peer, int64_t bytes, int *owner) {
  const uint64_t offset = kept.offset;
  *owner = kept.owner;
  kept.offset = 0;
  if (!offset)
    return 0;
  if ((*owner == peer || *owner == mpispec_node.rank) &&
      bytes <= INT64_C(64) << head_of(*owner, offset)->class)
    return offset;
  give_back(*owner, offset);
  return 0;
}

static int64_t most_bytes(const struct mpispec_call *call) {
  if (!call->blocking)
    return call->map ? MPISPEC_PACKED_BLOCK_BYTES : MPISPEC_BLOCK_BYTES;
  return kept.received ? MPISPEC_TURN_BLOCK_BYTES : MPISPEC_BIG_BLOCK_BYTES;
}

/* Blocks of that size that may be lent at a time. */
static size_t most_lent(const struct mpispec_call *call) {
  return call->blocking ? MPISPEC_BIG_BLOCKS : (size_t)(MPISPEC_PACKED_BYTES / call->bytes);
}

static uint64_t take_block(const struct mpispec_call *call, int peer, int *owner) {
  const int64_t bytes = call->bytes;
  const uint64_t offset = take_kept(peer, bytes, owner);
  kept.answers = 1;
  if (offset)
    return offset;
  *owner = mpispec_node.rank;
  if (bytes > MPISPEC_BLOCK_BYTES &&
      mpispec_arena_lent(&mpispec_shm.arena, (uint64_t)bytes) >= most_lent(call))
    return 0;
  return mpispec_arena_allocate(&mpispec_shm.arena, (uint64_t)bytes);
}

/* --- the sender --------------------------------------------------------------------------------*/

static void fill(const struct mpispec_call *call, struct mpispec_block *head,
                 unsigned char *bytes) {
  const int64_t most = step_of(call->bytes);
  struct mpispec_cursor cursor;
  if (call->map)
    mpispec_cursor_open(&cursor, call->map, call->buffer, call->count);
  for (int64_t done = 0; done < call->bytes;) {
    const int64_t rest = call->bytes - done, step = rest < most ? rest : most;
    if (call->map)
      mpispec_cursor_pack(&cursor, bytes + done, step);
    else
      memcpy(bytes + done, (const unsigned char *)call->buffer + done, (size_t)step);
    done += step;
    /* Pair F, release: the bytes before their number. */
    atomic_store_explicit(&head->filled, (uint64_t)done, memory_order_release);
  }
}

int mpispec_block_send(const struct mpispec_call *call, int peer) {
  int owner;
  const int64_t most = most_bytes(call);
  kept.received = 0;
  if (call->bytes > most)
    return 0;
  const uint64_t offset = take_block(call, peer, &owner);
  if (!offset)
    return 0;
  unsigned char *bytes = mpispec_shm.segments[owner] + offset;
  const uint64_t whose = owner == peer ? IN_YOURS : 0;
  if (!goes_in_steps(call)) {
    mpispec_send_pack(call, bytes);
    mpispec_send_words(call, peer, MPISPEC_BLOCK, (uint64_t[]){offset, whose | IS_WHOLE});
    return 1;
  }
  struct mpispec_block *head = head_of(owner, offset);
  atomic_store_explicit(&head->filled, 0, memory_order_relaxed);
  mpispec_send_words(call, peer, MPISPEC_BLOCK, (uint64_t[]){offset, whose});
  fill(call, head, bytes);
  return 1;
}

/* --- the receiver ------------------------------------------------------------------------------*/

/* While a reader waits for bytes it asks for the lines that they go to, some a look. `fetched` of
 * `length` are asked for, `done` have come. Returns how many are asked for now. */
static int64_t fetch_ahead(const struct mpispec_target *target, int64_t fetched, int64_t done,
                           int64_t length) {
  enum { LINE = 64 };
  if (target->cursor)
    return fetched;
  fetched = fetched > done ? fetched : done;
  for (int i = 0; i < MPISPEC_LINES_AHEAD && fetched < length; ++i, fetched += LINE)
    __builtin_prefetch(target->bytes + (fetched - done), 1);
  return fetched;
}

/* The writer may still be at work, within one call: its bytes come within a moment, unless the
 * system took its core away. Waits for all it writes, even if the receive has not room for it: the
 * block is somebody else's next. */
static void follow(struct mpispec_target *target, int64_t length, int64_t sent,
                   const struct mpispec_block *head, const unsigned char *bytes) {
  int64_t filled = 0, fetched = 0;
  for (unsigned spins = 0; filled < sent; ++spins) {
    const int64_t done = filled < length ? filled : length;
    /* Pair F, acquire. */
    const int64_t now = (int64_t)atomic_load_explicit(&head->filled, memory_order_acquire);
    const int64_t there = now < length ? now : length;
    if (there > done)
      mpispec_target_put(target, bytes + done, there - done);
    else
      fetched = fetch_ahead(target, fetched, done, length);
    if (now > filled)
      spins = 0;
    else if (spins > MPISPEC_WRITER_SPINS)
      mpispec_yield();
    filled = now;
  }
}

void mpispec_block_receive(struct mpispec_target *target, int64_t length, int64_t sent, int peer,
                           const uint64_t words[2]) {
  const int owner = words[1] & IN_YOURS ? mpispec_node.rank : peer;
  const unsigned char *bytes = mpispec_shm.segments[owner] + words[0];
  if (!(words[1] & IS_WHOLE))
    follow(target, length, sent, head_of(owner, words[0]), bytes);
  else if (length)
    mpispec_target_put(target, bytes, length);
  keep_or_give_back(owner, words[0]);
  kept.received = 1;
}
