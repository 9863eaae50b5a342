/* Messages in blocks: those too long for cells and too short for a rendezvous. See block.h.
 *
 *   sender                                  receiver
 *   allocates a block in its arena,
 *   sends one cell that names it      --->  matches the cell with a receive,
 *   copies the payload into the block       copies from the block what is there, until all is,
 *   step by step                            returns the block, or keeps it for its next message
 *
 * If two ranks send to each other in turn, the receiver keeps the block and sends its own message
 * in it, whichever rank's arena the block belongs to. So one block travels between the two ranks:
 * the messages take half the room in the caches, no rank allocates, and messages of 16 KiB to 1 MiB
 * are 10 to 20 % faster. A rank keeps at most one block, and keeps another only after it has sent
 * one.
 *
 * Messages of 512 KiB and 1 MiB use blocks only between ranks that take turns. In a stream in one
 * direction such blocks take more room in the caches than the pipe of a rendezvous, and up to 15 %
 * more time.
 *
 * A standard send is complete when its payload is in the block. Payload of more than 64 KiB is
 * copied into a block only for a blocking send, and only while few such blocks are lent; otherwise
 * it stays in the sender's buffer (rendezvous.c). Payload that must be packed has to be copied in
 * any case, so nonblocking sends of derived types use blocks up to 4 MiB. */
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

/* The sender publishes `filled` once a step: a quarter of the message, in whole pages. More steps
 * cost both sides more handoffs; with fewer steps the receiver copies after the sender instead of
 * at the same time. */
static int64_t step_of(int64_t bytes) {
  enum { PAGE = 4096 };
  const int64_t quarter = bytes / 4 / PAGE * PAGE;
  return quarter < PAGE ? PAGE : quarter < MPISPEC_BLOCK_STEP ? quarter : MPISPEC_BLOCK_STEP;
}

/* The second word of the cell. */
enum {
  IN_YOURS = 1, /* the block is of the receiver's arena, otherwise of the sender's */
  IS_WHOLE = 2  /* the payload was in the block before the cell was sent; `filled` is not used */
};

/* Is the cell sent before the payload is in the block, so that sender and receiver copy at the same
 * time? Nonblocking sends, of which programs start several in a row, do so only if they are long:
 * the receiver is still busy with the message before. */
static int goes_in_steps(const struct mpispec_call *call) {
  const int64_t whole = call->blocking ? step_of(call->bytes) : MPISPEC_WHOLE_BYTES;
  return (call->contiguous || call->map) && call->bytes > whole;
}

/* --- blocks that circulate ---------------------------------------------------------------------*/

/* The block that this rank has received a message in and keeps for its next message. */
static struct {
  int owner;       /* the rank whose arena the block is of */
  uint64_t offset; /* 0: no block is kept */
  int answers;     /* this rank has sent a block since it last kept one */
  int received;    /* a message that is a turn has come since this rank last sent a long one */
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

/* Returns the offset of the kept block and stores its owner, if a message of `bytes` to `peer` fits
 * into it and the block belongs to this rank or to `peer`: a cell can name no third rank's.
 * Otherwise returns the block to its owner, and 0. */
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

/* The number of blocks of that size that this rank may have lent at a time. */
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
    /* Pair F, release: the payload is stored before the number of its bytes. */
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

/* Prefetches lines of the receive buffer while the receiver waits for payload, some at each poll.
 * `done` bytes of `length` have been copied, `fetched` bytes have been prefetched before. Returns
 * how many have been now. */
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

/* Copies payload as the sender publishes it. The sender is within one call, so the next bytes come
 * soon, unless the system has taken its core away: then this rank yields. All `sent` bytes are
 * waited for, even if the receive has room for `length` only, since the block is another message's
 * as soon as it is returned. */
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
  if (sent > MPISPEC_ANSWER_BYTES)
    kept.received = 1;
}
