/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See room.h. */
#include "p2p/room.h"

#include "job/node.h"
#include "p2p/block.h"
#include "p2p/block_cache.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "p2p/request.h"
#include "p2p/traffic.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/cell.h"
#include "shm/shm.h"

#include <stdlib.h>

/* A rank that still finds no room asks again after ASK_AGAIN calls. A short lack of room needs no
 * answer: a wait asks from round FIRST_ASK on, and answers once in ANSWER_EVERY rounds. */
enum { ASK_AGAIN = 4096, FIRST_ASK = 16, ANSWER_EVERY = 64, ANSWER_IN_TESTS_EVERY = 1024 };

static int is_asking;

static _Atomic uint32_t *word_of(int rank) { return &mpispec_shm_header(rank)->asks_for_room; }

void mpispec_room_ask(void) {
  static uint32_t number;
  static unsigned calls;
  if (is_asking && ++calls % ASK_AGAIN)
    return;
  is_asking = 1;
  number += number + 1 ? 1 : 2; /* never 0 */
  atomic_store_explicit(word_of(mpispec_node.rank), number, memory_order_relaxed);
}

void mpispec_room_found(void) {
  if (!is_asking)
    return;
  is_asking = 0;
  atomic_store_explicit(word_of(mpispec_node.rank), 0, memory_order_relaxed);
}

/* Returns the message, or a copy of it if its payload is in a block of `owner`. */
static struct mpispec_message *outside(struct mpispec_message *message, int owner) {
  const int64_t length = mpispec_header_length(message->header);
  const int is_synchronous = mpispec_header_kind(message->header) == MPISPEC_BLOCK_SYNCHRONOUS;
  struct mpispec_message *copy;
  if (!mpispec_header_has_block(message->header) || mpispec_block_owner(message->word) != owner ||
      !(copy = malloc(sizeof *copy + (size_t)length)))
    return message;
  *copy = *message;
  copy->header = mpispec_header(is_synchronous ? MPISPEC_INLINE_SYNCHRONOUS : MPISPEC_INLINE,
                                mpispec_header_source(message->header), length);
  if (is_synchronous)
    copy->word[0] = message->word[2]; /* the RTS descriptor (mpispec_deliver) */
  if (!mpispec_block_unload(copy->bytes, length, message->word)) {
    free(copy);
    return message;
  }
  free(message);
  return copy;
}

/* Takes the peer's messages off its lane, and copies unexpected messages out of the blocks of
 * `owner`. Blocks circulate, so that any peer may have sent a message in them. */
static void unload(int peer, int owner) {
  struct mpispec_message_list *list = &mpispec_queues.unexpected[peer];
  mpispec_receive_drain(peer, 1);
  for (struct mpispec_message **link = &list->first; *link; link = &(*link)->next)
    list->last = *link = outside(*link, owner); /* at the end, the last one */
}

/* The same for messages that the program has matched, but not received. */
static void unload_matched(int owner) {
  int left = mpispec_messages_held;
  for (int i = 0; left && i < mpispec_request_count; ++i) {
    struct mpispec_request *holder = mpispec_request_number((unsigned long)i);
    if (holder->kind != MPISPEC_MESSAGE)
      continue;
    holder->message = outside(holder->message, owner);
    --left;
  }
}

static void answer_peer(int owner) {
  const uint32_t asked = atomic_load_explicit(word_of(owner), memory_order_relaxed);
  if (!asked || asked == mpispec_traffic[owner].answered)
    return;
  mpispec_traffic[owner].answered = asked;
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    if (mpispec_shm_is_active(peer))
      unload(peer, owner);
  unload_matched(owner);
  mpispec_block_cache_clear();
}

void mpispec_room_answer(void) {
  if (!mpispec_shm.segments || !mpispec_traffic)
    return; /* in MPI_Init, or after MPI_Finalize */
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    if (mpispec_shm_is_active(peer) || mpispec_traffic[peer].lends)
      answer_peer(peer);
}

void mpispec_room_wait(unsigned round) {
  mpispec_progress();
  if (round == FIRST_ASK)
    is_asking = 0; /* an earlier request may have been answered */
  if (round >= FIRST_ASK)
    mpispec_room_ask();
  if (round % ANSWER_EVERY == FIRST_ASK)
    mpispec_room_answer();
  mpispec_wait_backoff(round);
}

void mpispec_room_note_foreign_test(void) {
  static unsigned calls;
  if (++calls % ANSWER_IN_TESTS_EVERY == 0)
    mpispec_room_answer();
}

void mpispec_room_tend_in_library(void) {
  mpispec_lock();
  mpispec_room_answer();
  mpispec_unlock();
}

void mpispec_room_tend(void) {
  mpispec_room_answer();
  mpispec_block_cache_trim();
  mpispec_arena_trim(&mpispec_shm.arena);
}
