/* Long messages: the sender offers its buffer, the receiver pulls.
 *
 *   sender                               receiver
 *   handshake in its arena, OPEN
 *   one cell: handshake, address  --->   matched: reads the buffer straight out of the sender's
 *                                        memory (process_vm_readv) and signs: SIGNED
 *   sees SIGNED: send is over     <---
 *
 * or, where the system does not allow that, and also while both do nothing but wait for this
 * message (both cores then copy, through caches, and that is faster), a pipe in its arena, a ring
 * of bytes:
 *
 *                                 <---   PIPED, with the number of bytes wanted
 *   FILLING                       --->
 *   makes the pipe, fills it      --->   empties it
 *   `filled` counts the bytes            `emptied` counts them, SIGNED after the last
 *
 * A sender may be away from MPI for long. A receiver that waits and does not see it begin takes the
 * question back after a moment and reads directly: READING. Either change of PIPED is a compare and
 * exchange, so one of the two does it. Few messages of one sender are in pipes at a time, the
 * others wait for their turn: more would only drive each other out of the caches.
 *
 *   handshake   line 0, written by both:         state
 *                       by the receiver:         wanted, emptied
 *               line 1, written by the sender:   filled, pipe, attended (a hint: it waits)
 *
 * Memory order pairs:
 *   H  state     release by the receiver after it read the bytes or wrote `wanted`,
 *                acquire by the sender
 *   P  filled    release by the sender after the bytes (and `pipe`), acquire by the receiver
 *   Q  emptied   release by the receiver after reading the bytes, acquire by the sender */
#include "p2p/rendezvous.h"

#include "job/memory.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "mpispec/message.h"
#include "p2p/block.h"
#include "p2p/completion.h"
#include "p2p/request.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/cma.h"
#include "shm/copy.h"
#include "shm/shm.h"

#include <stdlib.h>
#include <string.h>

enum { OPEN, PIPED, SIGNED = mpispec_signed, FILLING, READING };
struct handshake {
  _Alignas(64) _Atomic uint32_t state;
  int64_t wanted;
  _Atomic int64_t emptied;
  _Alignas(64) _Atomic int64_t filled;
  uint64_t pipe;
  _Atomic uint32_t attended;
};
static_assert(sizeof(struct handshake) == 128, "one line for each side");

/* Requests whose offers are open, and receives that empty a pipe or wait for their turn. */
static struct mpispec_request *offers, *pipes, *last_pipe;
static int offer_count;
size_t mpispec_rendezvous_under_way;
uint64_t mpispec_rendezvous_moved;

static void list_add(struct mpispec_request **list, struct mpispec_request *request) {
  request->previous = NULL;
  request->next = *list;
  if (*list)
    (*list)->previous = request;
  *list = request;
  ++mpispec_rendezvous_under_way;
  mpispec_progress_begins();
}

static void list_append(struct mpispec_request *request) {
  request->previous = last_pipe;
  request->next = NULL;
  *(last_pipe ? &last_pipe->next : &pipes) = request;
  last_pipe = request;
  ++mpispec_rendezvous_under_way;
  mpispec_progress_begins();
}

static void list_remove(struct mpispec_request **list, struct mpispec_request *request) {
  --mpispec_rendezvous_under_way;
  if (request == last_pipe)
    last_pipe = request->previous;
  if (request->previous)
    request->previous->next = request->next;
  else
    *list = request->next;
  if (request->next)
    request->next->previous = request->previous;
}

static struct handshake *handshake_at(int peer, uint64_t offset) {
  return (struct handshake *)(mpispec_shm.segments[peer] + offset);
}

/* --- the receiver ------------------------------------------------------------------------------*/

void mpispec_rendezvous_sign(int peer, uint64_t handshake) {
  /* Pair H, release. */
  atomic_store_explicit(&handshake_at(peer, handshake)->state, SIGNED, memory_order_release);
}

/* Only a hint, so it needs no order: a sender that attends stays until the receiver has signed. */
static int is_attended(int peer, uint64_t offset) {
  return (int)atomic_load_explicit(&handshake_at(peer, offset)->attended, memory_order_relaxed);
}

static int has_turn(const struct mpispec_request *request) {
  int others = 0;
  for (const struct mpispec_request *r = pipes; r != request && others < MPISPEC_PIPES_AT_ONCE;
       r = r->next)
    others += r->peer == request->peer;
  return others < MPISPEC_PIPES_AT_ONCE;
}

/* The sender shall fill a pipe. It must, if it waits or we cannot read; else we may change our
 * mind. */
static void ask_for_pipe(struct mpispec_request *request) {
  struct handshake *handshake = handshake_at(request->peer, request->handshake);
  const int must = is_attended(request->peer, request->handshake) || !mpispec_shm.can_read;
  handshake->wanted = request->wanted;
  request->pull = must ? MPISPEC_PULL_PIPE : MPISPEC_PULL_ASKED;
  request->asked_at = mpispec_ticks();
  /* Pair H, release. */
  atomic_store_explicit(&handshake->state, must ? FILLING : PIPED, memory_order_release);
  /* The sender begins meanwhile. */
  request->uncached = request->call.contiguous && request->wanted > MPISPEC_PIPE_STEP &&
                      !mpispec_copy_is_cached(request->call.buffer, request->wanted);
}

/* By way of a pipe, when it is this message's turn. */
static void pull_later(struct mpispec_request *request, int64_t wanted, int peer, uint64_t offset,
                       uint64_t address) {
  request->complete = 0;
  request->peer = peer;
  request->handshake = offset;
  request->address = address;
  request->wanted = wanted;
  request->moved = 0;
  request->pull = MPISPEC_PULL_WAITS;
  list_append(request);
  if (has_turn(request))
    ask_for_pipe(request);
}

static unsigned char *target_of(const struct mpispec_request *request) {
  return request->call.contiguous ? request->call.buffer : request->staging;
}

/* The next bytes of a message, at the place where they belong. */
static void put(struct mpispec_request *request, const void *bytes, int64_t length) {
  if (request->call.map)
    mpispec_cursor_unpack(&request->cursor, bytes, length);
  else if (request->uncached)
    mpispec_copy_to_memory(target_of(request) + request->moved, bytes, length);
  else
    memcpy(target_of(request) + request->moved, bytes, (size_t)length);
  request->moved += length;
}

/* From the sender's memory, by pieces that stay in the cache. Returns 0 if the system does not let
 * us, with the cursor where it was. */
static int unpack_all(struct mpispec_cursor *cursor, int64_t wanted, int peer, uint64_t address) {
  const struct mpispec_cursor start = *cursor;
  unsigned char *piece = mpispec_must_have(malloc(MPISPEC_PIPE_STEP));
  int got = 1;
  for (int64_t done = 0, length; got && done < wanted; done += length) {
    length = wanted - done < MPISPEC_PIPE_STEP ? wanted - done : MPISPEC_PIPE_STEP;
    got = mpispec_cma_read(piece, length, peer, address + (uint64_t)done);
    if (got)
      mpispec_cursor_unpack(cursor, piece, length);
  }
  if (!got)
    *cursor = start;
  free(piece);
  return got;
}

static int read_all(struct mpispec_request *request, int64_t wanted, int peer, uint64_t address) {
  return request->call.map ? unpack_all(&request->cursor, wanted, peer, address)
                           : mpispec_cma_read(target_of(request), wanted, peer, address);
}

void mpispec_rendezvous_pull(struct mpispec_request *request, int64_t wanted, int peer,
                             uint64_t handshake, uint64_t address) {
  request->complete = 1;
  request->moved = 0;
  request->uncached = 0;
  mpispec_block_note_received();
  if (wanted && peer == mpispec_node.rank) {
    put(request, (const void *)(uintptr_t)address, wanted);
  } else if (wanted && (request->call.blocking || is_attended(peer, handshake) ||
                        !mpispec_shm.can_read || !read_all(request, wanted, peer, address))) {
    pull_later(request, wanted, peer, handshake, address);
    return;
  }
  mpispec_rendezvous_sign(peer, handshake);
}

static void end_pull(struct mpispec_request *request) {
  list_remove(&pipes, request);
  mpispec_rendezvous_sign(request->peer, request->handshake);
  request->complete = 1;
  for (struct mpispec_request *r = pipes; r; r = r->next)
    if (r->peer == request->peer && r->pull == MPISPEC_PULL_WAITS) {
      ask_for_pipe(r);
      return;
    }
}

/* The sender has not begun: reads directly, unless it begins at this moment or the system refuses.
 */
static void change_mind(struct mpispec_request *request) {
  struct handshake *handshake = handshake_at(request->peer, request->handshake);
  uint32_t asked = PIPED;
  if (mpispec_ticks() - request->asked_at < mpispec_ticks_in(MPISPEC_PIPE_PATIENCE))
    return;
  request->pull = MPISPEC_PULL_PIPE;
  if (!atomic_compare_exchange_strong_explicit(&handshake->state, &asked, READING,
                                               memory_order_relaxed, memory_order_relaxed))
    return;
  if (read_all(request, request->wanted, request->peer, request->address))
    end_pull(request);
  else /* Pair H, release. */
    atomic_store_explicit(&handshake->state, FILLING, memory_order_release);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Where in the pipe the next byte is. */
static int64_t place_in(const struct mpispec_request *request) {
  return request->moved % MPISPEC_PIPE_BYTES;
}

/* All bytes that are there and lie side by side, in one piece. */
static void empty_pipe(struct mpispec_request *request) {
  struct handshake *handshake = handshake_at(request->peer, request->handshake);
  int64_t there;
  /* Pair P, acquire. */
  while ((there = atomic_load_explicit(&handshake->filled, memory_order_acquire) - request->moved) >
         0) {
    const int64_t place = place_in(request);
    const int64_t length = smaller(there, MPISPEC_PIPE_BYTES - place);
    put(request, mpispec_shm.segments[request->peer] + handshake->pipe + place, length);
    mpispec_rendezvous_moved += (uint64_t)length;
    /* Pair Q, release. */
    atomic_store_explicit(&handshake->emptied, request->moved, memory_order_release);
  }
  if (request->moved == request->wanted)
    end_pull(request);
}

static void look_at_pull(struct mpispec_request *request) {
  if (request->pull == MPISPEC_PULL_WAITS)
    return;
  empty_pipe(request);
  if (request->pull == MPISPEC_PULL_ASKED && !request->complete && !request->moved)
    change_mind(request);
}

/* --- the sender --------------------------------------------------------------------------------*/

uint64_t mpispec_rendezvous_offer(struct mpispec_request *request) {
  const uint64_t offset = mpispec_arena_allocate(&mpispec_shm.arena, sizeof(struct handshake));
  if (!offset)
    return 0;
  memset(handshake_at(mpispec_node.rank, offset), 0, sizeof(struct handshake));
  /* Before the offer is seen: a receiver that waits looks at once. */
  atomic_store_explicit(&handshake_at(mpispec_node.rank, offset)->attended,
                        (uint32_t)request->call.blocking, memory_order_relaxed);
  request->handshake = offset;
  request->moved = 0;
  request->pipe = 0;
  list_add(&offers, request);
  ++offer_count;
  return offset;
}

void mpispec_rendezvous_attend(struct mpispec_request *request) {
  request->call.blocking = 1;
  if (request->kind == MPISPEC_SEND && !request->complete)
    atomic_store_explicit(&handshake_at(mpispec_node.rank, request->handshake)->attended, 1,
                          memory_order_relaxed);
}

/* Makes the pipe, if the receiver has not taken its question back. */
static int make_pipe(struct mpispec_request *request, struct handshake *handshake, uint32_t state) {
  if (!request->pipe)
    request->pipe = mpispec_arena_allocate(&mpispec_shm.arena, MPISPEC_PIPE_BYTES);
  if (!request->pipe)
    return 0; /* again when the arena has room */
  if (state == PIPED &&
      !atomic_compare_exchange_strong_explicit(&handshake->state, &state, FILLING,
                                               memory_order_relaxed, memory_order_relaxed))
    return 0;
  handshake->pipe = request->pipe;
  request->wanted = handshake->wanted;
  return 1;
}

/* The next bytes of a message, from where they are. */
static void get(struct mpispec_request *request, unsigned char *bytes, int64_t length) {
  if (request->call.map && !request->staging)
    mpispec_cursor_pack(&request->cursor, bytes, length);
  else
    memcpy(bytes, (const char *)(uintptr_t)request->address + request->moved, (size_t)length);
  request->moved += length;
}

static void fill_pipe(struct mpispec_request *request, struct handshake *handshake,
                      uint32_t state) {
  if (!request->moved && !make_pipe(request, handshake, state))
    return;
  for (;;) {
    const int64_t place = place_in(request);
    const int64_t step = smaller(MPISPEC_PIPE_STEP, MPISPEC_PIPE_BYTES - place);
    const int64_t length = smaller(request->wanted - request->moved, step);
    /* Pair Q, acquire. */
    const int64_t emptied = atomic_load_explicit(&handshake->emptied, memory_order_acquire);
    if (!length || request->moved + length - emptied > MPISPEC_PIPE_BYTES)
      return;
    get(request, mpispec_shm.arena.segment + request->pipe + place, length);
    mpispec_rendezvous_moved += (uint64_t)length;
    /* Pair P, release. */
    atomic_store_explicit(&handshake->filled, request->moved, memory_order_release);
  }
}

static void end_offer(struct mpispec_request *request) {
  unsigned char *own = mpispec_shm.arena.segment;
  list_remove(&offers, request);
  --offer_count;
  mpispec_block_release(own, request->handshake);
  if (request->pipe)
    mpispec_block_release(own, request->pipe);
  free(request->staging);
  request->staging = NULL;
  request->complete = 1;
  if (request->released && !request->persistent)
    mpispec_request_end(request);
}

static void look_at_offer(struct mpispec_request *request) {
  struct handshake *handshake = handshake_at(mpispec_node.rank, request->handshake);
  /* Pair H, acquire. */
  const uint32_t state = atomic_load_explicit(&handshake->state, memory_order_acquire);
  if (state == PIPED || state == FILLING)
    fill_pipe(request, handshake, state);
  else if (state == SIGNED)
    end_offer(request);
}

void mpispec_rendezvous_progress(void) {
  for (struct mpispec_request *request = offers, *next; request; request = next) {
    next = request->next;
    look_at_offer(request);
  }
  for (struct mpispec_request *request = pipes, *next; request; request = next) {
    next = request->next;
    look_at_pull(request);
  }
}

int mpispec_rendezvous_offers(void) { return offer_count; }
