/* The receiving side of long messages: reads the sender's memory, or has it fill a pipe.
 * rendezvous.c draws both. */
#include "job/memory.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "p2p/block.h"
#include "p2p/handshake.h"
#include "p2p/rendezvous.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/cma.h"
#include "shm/copy.h"

#include <stdlib.h>
#include <string.h>

/* Requests that empty a pipe or wait for their turn. */
static struct mpispec_request_list pipes;

void mpispec_rendezvous_fin(int peer, uint64_t handshake) {
  /* Pair H, release. */
  atomic_store_explicit(&mpispec_handshake_at(peer, handshake)->state, MPISPEC_FIN,
                        memory_order_release);
}

/* Only a hint, so it needs no order: a sender that attends stays until FIN. */
static int is_attended(int peer, uint64_t offset) {
  return (int)atomic_load_explicit(&mpispec_handshake_at(peer, offset)->attended,
                                   memory_order_relaxed);
}

/* A sender has one pipe at a time. */
static int has_turn(const struct mpispec_request *request) {
  const struct mpispec_request *r = pipes.first;
  while (r->peer != request->peer)
    r = r->next;
  return r == request;
}

/* The sender shall fill a pipe. It must, if it waits or we cannot read; else we may change our
 * mind. */
static void ask_for_pipe(struct mpispec_request *request) {
  struct mpispec_handshake *handshake = mpispec_handshake_at(request->peer, request->handshake);
  const int must = is_attended(request->peer, request->handshake) || !mpispec_shm.can_read;
  handshake->wanted = request->wanted;
  request->pull = must ? MPISPEC_PULL_PIPE : MPISPEC_PULL_ASKED;
  request->asked_at = mpispec_ticks();
  /* Pair H, release. */
  atomic_store_explicit(&handshake->state, must ? MPISPEC_FILLING : MPISPEC_PIPED,
                        memory_order_release);
  /* The sender begins meanwhile. */
  request->uncached = request->call.contiguous && request->wanted > MPISPEC_BLOCK_BYTES &&
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
  mpispec_request_list_add(&pipes, request);
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
  else
    memcpy(target_of(request) + request->moved, bytes, (size_t)length);
  request->moved += length;
}

/* The same out of a pipe, whose lines are left to the sender. */
static void put_from_pipe(struct mpispec_request *request, void *bytes, int64_t length) {
  if (request->uncached) {
    mpispec_copy_to_memory(target_of(request) + request->moved, bytes, length);
    request->moved += length;
  } else {
    put(request, bytes, length);
    mpispec_lines_leave(bytes, length);
  }
}

/* From the sender's memory, by pieces that stay in the cache. Returns 0 if the system does not let
 * us, with the cursor where it was. */
static int unpack_all(struct mpispec_cursor *cursor, int64_t wanted, int peer, uint64_t address) {
  const struct mpispec_cursor start = *cursor;
  unsigned char *piece = mpispec_must_have(malloc(MPISPEC_BLOCK_BYTES));
  int got = 1;
  for (int64_t done = 0, length; got && done < wanted; done += length) {
    length = wanted - done < MPISPEC_BLOCK_BYTES ? wanted - done : MPISPEC_BLOCK_BYTES;
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
  mpispec_rendezvous_fin(peer, handshake);
}

static void end_pull(struct mpispec_request *request) {
  mpispec_request_list_remove(&pipes, request);
  mpispec_rendezvous_fin(request->peer, request->handshake);
  request->complete = 1;
  for (struct mpispec_request *r = pipes.first; r; r = r->next)
    if (r->peer == request->peer && r->pull == MPISPEC_PULL_WAITS) {
      ask_for_pipe(r);
      return;
    }
}

/* The sender has not begun: reads directly, unless it begins at this moment or the system refuses.
 */
static void change_mind(struct mpispec_request *request) {
  struct mpispec_handshake *handshake = mpispec_handshake_at(request->peer, request->handshake);
  uint32_t asked = MPISPEC_PIPED;
  if (mpispec_ticks() - request->asked_at < mpispec_ticks_in(MPISPEC_PIPE_WAIT))
    return;
  request->pull = MPISPEC_PULL_PIPE;
  if (!atomic_compare_exchange_strong_explicit(&handshake->state, &asked, MPISPEC_READING,
                                               memory_order_relaxed, memory_order_relaxed))
    return;
  if (read_all(request, request->wanted, request->peer, request->address))
    end_pull(request);
  else /* Pair H, release. */
    atomic_store_explicit(&handshake->state, MPISPEC_FILLING, memory_order_release);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* All bytes that are there and lie side by side, in one piece. */
static void empty_pipe(struct mpispec_request *request) {
  struct mpispec_handshake *handshake = mpispec_handshake_at(request->peer, request->handshake);
  int64_t there;
  /* Pair P, acquire. */
  while ((there = atomic_load_explicit(&handshake->filled, memory_order_acquire) - request->moved) >
         0) {
    const int64_t place = mpispec_pipe_place(request);
    const int64_t length = smaller(there, MPISPEC_PIPE_BYTES - place);
    put_from_pipe(request, mpispec_shm.segments[request->peer] + handshake->pipe + place, length);
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

void mpispec_pulls_progress(void) {
  for (struct mpispec_request *request = pipes.first, *next; request; request = next) {
    next = request->next;
    look_at_pull(request);
  }
}
