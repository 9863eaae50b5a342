/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages in blocks: those too long for cells and too short for a rendezvous. See block.h.
 *
 *   sender                                  receiver
 *   allocates a block in its arena,
 *   sends one cell that names it      --->  matches the cell with a receive,
 *   copies the payload into the block       copies the bytes that `filled` counts, step by step,
 *   step by step                            returns the block, or keeps it for its next message
 *
 * The drawing shows a block that is filled in steps. Other blocks are filled before their cell is
 * sent (goes_in_steps).
 *
 * A rank that sends as much as it receives caches the blocks that it has read, and sends its next
 * messages in them (block_cache.c). The blocks may belong to any rank's arena.
 *
 * A standard send is complete when its payload is in the block. A payload of more than
 * mpispec_block_most_bytes goes by rendezvous (rendezvous.c). A nonblocking send of a type with a
 * typemap uses blocks up to MPISPEC_PACKED_BLOCK_BYTES, because its payload has to be copied in any
 * case. */
#include "p2p/block.h"

#include "job/node.h"
#include "p2p/block_cache.h"
#include "p2p/request.h"
#include "p2p/send_cells.h"
#include "p2p/way.h"
#include "progress/progress.h"
#include "progress/tuning.h"
#include "progress/yield.h"
#include "shm/arena.h"
#include "shm/copy.h"
#include "shm/liveness.h"
#include "shm/shm.h"

#include <string.h>

/* The sender publishes `filled` after each step. A step is a quarter of the message, in whole pages
 * and within bounds. More steps would cost both sides more handoffs. With fewer steps, the receiver
 * would copy after the sender instead of at the same time. */
static int64_t step_of(int64_t bytes) {
  enum { PAGE = MPISPEC_LEAST_STEP };
  const int64_t quarter = bytes / 4 / PAGE * PAGE;
  return quarter < PAGE ? PAGE : quarter < MPISPEC_BLOCK_STEP ? quarter : MPISPEC_BLOCK_STEP;
}

/* The block that the words of a cell name. */
static struct mpispec_block_ref place_in(const uint64_t words[2]) {
  return (struct mpispec_block_ref){mpispec_block_owner(words), words[0]};
}

static struct mpispec_block *head_of(struct mpispec_block_ref place) {
  return mpispec_block_head(mpispec_shm.segments[place.owner], place.offset);
}

/* Nonzero if the cell is sent before the payload is in the block, so that sender and receiver copy
 * at the same time. Nonblocking sends do so only if they are longer than MPISPEC_WHOLE_BYTES,
 * because programs start several in a row. Then the receiver still copies the previous message. */
static int goes_in_steps(const struct mpispec_call *call) {
  const int64_t whole = call->blocking ? step_of(call->bytes) : MPISPEC_WHOLE_BYTES;
  return (call->contiguous || call->map) && call->bytes > whole;
}

/* --- which block -------------------------------------------------------------------------------*/

int64_t mpispec_block_most_bytes(int peer) {
  const int64_t most = mpispec_node.size <= MPISPEC_LONGEST_BLOCKS_RANKS
                           ? MPISPEC_LONGEST_BLOCK_BYTES
                           : MPISPEC_LONGER_BLOCK_BYTES;
  return mpispec_progress_was_oversubscribed() &&
                 mpispec_way_of_model(peer, most) == MPISPEC_WAY_PIPE
             ? most
             : MPISPEC_BLOCK_BYTES;
}

static int is_packed_ahead(const struct mpispec_call *call) { return call->map && !call->blocking; }

/* Nonzero if this rank has lent as many blocks of this size as it may. This limit bounds the memory
 * for messages above MPISPEC_BLOCK_BYTES. */
static int has_lent_enough(const struct mpispec_call *call) {
  const int64_t most = is_packed_ahead(call) ? MPISPEC_PACKED_BYTES : MPISPEC_EARLY_BYTES;
  return call->bytes > MPISPEC_BLOCK_BYTES &&
         mpispec_arena_lent(&mpispec_shm.arena, (uint64_t)call->bytes) >=
             (size_t)(most / call->bytes);
}

static struct mpispec_block_ref take_block(const struct mpispec_call *call) {
  const int64_t bytes = call->bytes;
  struct mpispec_block_ref place = mpispec_block_cache_get(bytes);
  if (place.offset)
    return place;
  if (has_lent_enough(call)) {
    mpispec_block_cache_unget(bytes);
    return place;
  }
  place.owner = mpispec_node.rank;
  place.offset =
      mpispec_arena_try_allocate(&mpispec_shm.arena, (uint64_t)bytes, MPISPEC_ARENA_MESSAGE);
  if (!place.offset)
    mpispec_block_cache_unget(bytes);
  return place;
}

/* --- the sender --------------------------------------------------------------------------------*/

void mpispec_block_fill(const struct mpispec_call *call, const uint64_t words[2]) {
  const struct mpispec_block_ref place = place_in(words);
  struct mpispec_block *head = head_of(place);
  unsigned char *bytes = mpispec_block_ref_bytes(place);
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

struct mpispec_block_ref mpispec_block_lend(const struct mpispec_call *call, uint64_t *words) {
  const struct mpispec_block_ref place = take_block(call);
  words[0] = place.offset;
  words[1] = (uint64_t)place.owner << MPISPEC_BLOCK_OWNER;
  if (place.offset)
    atomic_store_explicit(&head_of(place)->filled, 0, memory_order_relaxed);
  return place;
}

int mpispec_block_prepare(const struct mpispec_call *call, int peer, uint64_t words[3]) {
  const int64_t most =
      is_packed_ahead(call) ? MPISPEC_PACKED_BLOCK_BYTES : mpispec_block_most_bytes(peer);
  return call->bytes <= most && mpispec_block_lend(call, words).offset;
}

void mpispec_block_send(const struct mpispec_call *call, int peer, uint64_t words[3],
                        uint64_t rts) {
  const int in_steps = goes_in_steps(call);
  words[2] = rts;
  if (!in_steps) {
    words[1] |= MPISPEC_BLOCK_IS_WHOLE;
    mpispec_send_pack(call, mpispec_block_ref_bytes(place_in(words)));
  }
  mpispec_send_words(call, peer, rts ? MPISPEC_BLOCK_SYNCHRONOUS : MPISPEC_BLOCK, words);
  if (in_steps)
    mpispec_block_fill(call, words);
}

/* --- the receiver ------------------------------------------------------------------------------*/

/* Prefetches some lines of the receive buffer. Called at each poll while the receiver waits for
 * payload. `done` of `length` bytes have been copied, and `fetched` bytes were prefetched before.
 * Returns the new number of prefetched bytes. */
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

/* Copies payload as the sender publishes it. The sender fills the block within one call. Therefore
 * the next bytes come soon, unless the system has taken the sender's core away. After MPISPEC_SPINS
 * polls this rank yields its own core. The function waits for all `sent` bytes, even if the receive
 * has room for only `length`. Otherwise another message might use the returned block while the
 * sender still fills it. Returns 0 if the sender has ended. */
static int follow(struct mpispec_target *target, int64_t length, int64_t sent,
                  const struct mpispec_block_ref place, int peer) {
  const struct mpispec_block *head = head_of(place);
  const unsigned char *bytes = mpispec_block_ref_bytes(place);
  struct mpispec_vigil vigil = {0};
  int64_t filled = 0, fetched = 0;
  int has_ended = 0;
  for (unsigned spins = 0; filled < sent; ++spins) {
    const int64_t done = filled < length ? filled : length;
    /* Pair F, acquire. */
    const int64_t now = (int64_t)atomic_load_explicit(&head->filled, memory_order_acquire);
    const int64_t there = now < length ? now : length;
    if (there > done)
      mpispec_target_put(target, bytes + done, there - done, sent);
    else
      fetched = fetch_ahead(target, fetched, done, length);
    if (now > filled)
      spins = 0;
    else if (has_ended)
      return 0;
    else if (spins > MPISPEC_SPINS)
      mpispec_yield();
    has_ended = mpispec_vigil_is_due_in(&vigil, spins) && mpispec_peer_has_ended(peer);
    filled = now;
  }
  return 1;
}

int mpispec_block_unload(void *bytes, int64_t length, const uint64_t words[2]) {
  const struct mpispec_block_ref place = place_in(words);
  /* Pair F, acquire. */
  if (!(words[1] & MPISPEC_BLOCK_IS_WHOLE) &&
      (int64_t)atomic_load_explicit(&head_of(place)->filled, memory_order_acquire) < length)
    return 0;
  memcpy(bytes, mpispec_block_ref_bytes(place), (size_t)length);
  mpispec_block_release(mpispec_shm.segments[place.owner], place.offset);
  return 1;
}

int mpispec_block_take(struct mpispec_reader *reader, void *buffer, uint32_t bytes) {
  uint64_t words[2];
  memcpy(words, (reader->next++)->payload, sizeof words);
  const struct mpispec_block_ref place = place_in(words);
  if (bytes > MPISPEC_LEAST_STEP)
    mpispec_copy_from_peer(buffer, mpispec_block_ref_bytes(place), bytes, bytes);
  else
    mpispec_block_copy(buffer, mpispec_block_ref_bytes(place), bytes);
  mpispec_block_cache_put(place, bytes, bytes);
  return 0;
}

int mpispec_block_receive(struct mpispec_target *target, int64_t length, int64_t sent,
                          const uint64_t words[2], int peer) {
  const struct mpispec_block_ref place = place_in(words);
  if (!(words[1] & MPISPEC_BLOCK_IS_WHOLE) && !follow(target, length, sent, place, peer))
    return 0; /* the block is lost */
  if (words[1] & MPISPEC_BLOCK_IS_WHOLE && length)
    mpispec_target_put(target, mpispec_block_ref_bytes(place), length, sent);
  mpispec_block_cache_put(place, sent, length < sent ? length : sent);
  return 1;
}
