/* Long messages: the receiver pulls.
 *
 *   sender                               receiver
 *   handshake in its arena, OPEN
 *   one cell: handshake, address  --->   matched: reads the buffer straight out of the sender's
 *                                        memory (process_vm_readv) and signs: SIGNED
 *   sees SIGNED: send is over     <---
 *
 * or, where the system does not allow that, and also while the sender does nothing but wait for
 * this send (both cores then copy, through caches, and that is faster), a pipe of chunks in its
 * arena:
 *
 *                                 <---   PIPED, with the number of bytes wanted
 *   makes the pipe, fills chunks  --->   empties chunks
 *   `filled` counts them                 `emptied` counts them, SIGNED after the last
 *
 *   handshake   line 0, written by the receiver: state, wanted, emptied
 *               line 1, written by the sender:   filled, pipe, attended (a hint: it waits)
 *
 * Memory order pairs:
 *   H  state    release by the receiver after it read the bytes or wrote `wanted`, acquire by
 * sender P  filled   release by the sender after the chunk (and `pipe`), acquire by the receiver Q
 * emptied  release by the receiver after reading the chunk, acquire by the sender */
#define _GNU_SOURCE
#include "completion.h"
#include "mpispec/message.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

enum { OPEN, PIPED, SIGNED = mpispec_signed };
enum { CHUNK_BYTES = 64 * 1024, PIPE_CHUNKS = 8 };

struct handshake {
  _Alignas(64) _Atomic uint32_t state;
  int64_t wanted;
  _Atomic uint64_t emptied;
  _Alignas(64) _Atomic uint64_t filled;
  uint64_t pipe;
  _Atomic uint32_t attended;
};
static_assert(sizeof(struct handshake) == 128, "one line for each side");

/* Requests whose offers are open, and receives that empty a pipe. */
static struct mpispec_request *offers, *pipes;
static int offer_count;
static uint64_t moved_chunks;

static void list_add(struct mpispec_request **list, struct mpispec_request *request) {
  request->previous = NULL;
  request->next = *list;
  if (*list)
    (*list)->previous = request;
  *list = request;
}

static void list_remove(struct mpispec_request **list, struct mpispec_request *request) {
  if (request->previous)
    request->previous->next = request->next;
  else
    *list = request->next;
  if (request->next)
    request->next->previous = request->previous;
}

static struct handshake *handshake_at(int peer, uint64_t offset) {
  return (struct handshake *)(mpispec_node.segments[peer] + offset);
}

/* --- the receiver ------------------------------------------------------------------------------*/

void mpispec_long_sign(int peer, uint64_t handshake) {
  /* Pair H, release. */
  atomic_store_explicit(&handshake_at(peer, handshake)->state, SIGNED, memory_order_release);
}

/* Reads the sender's buffer; 0 if the system does not let us. */
static int read_directly(void *target, int64_t wanted, int peer, uint64_t address) {
  const pid_t process = (pid_t)mpispec_node.addresses[peer].process;
  for (int64_t done = 0; done < wanted;) {
    struct iovec to = {(char *)target + done, (size_t)(wanted - done)};
    struct iovec from = {(void *)(uintptr_t)(address + (uint64_t)done), (size_t)(wanted - done)};
    const ssize_t got = process_vm_readv(process, &to, 1, &from, 1, 0);
    if (got <= 0) {
      mpispec_node.can_read = 0;
      return 0;
    }
    done += got;
  }
  return 1;
}

/* Only a hint, so it needs no order: a sender that attends stays until the receiver has signed. */
static int is_attended(int peer, uint64_t offset) {
  return (int)atomic_load_explicit(&handshake_at(peer, offset)->attended, memory_order_relaxed);
}

static void open_pipe(struct mpispec_request *request, int64_t wanted, int peer, uint64_t offset) {
  struct handshake *handshake = handshake_at(peer, offset);
  request->complete = 0;
  request->peer = peer;
  request->handshake = offset;
  request->wanted = wanted;
  request->moved = 0;
  list_add(&pipes, request);
  handshake->wanted = wanted;
  /* Pair H, release. */
  atomic_store_explicit(&handshake->state, PIPED, memory_order_release);
}

void mpispec_long_pull(struct mpispec_request *request, void *target, int64_t wanted, int peer,
                       uint64_t handshake, uint64_t address) {
  request->complete = 1;
  if (wanted && peer == mpispec_node.rank) {
    memcpy(target, (const void *)(uintptr_t)address, (size_t)wanted);
  } else if (wanted && (is_attended(peer, handshake) || !mpispec_node.can_read ||
                        !read_directly(target, wanted, peer, address))) {
    open_pipe(request, wanted, peer, handshake);
    return;
  }
  mpispec_long_sign(peer, handshake);
}

static int64_t chunk_length(const struct mpispec_request *request) {
  const int64_t rest = request->wanted - request->moved;
  return rest < CHUNK_BYTES ? rest : CHUNK_BYTES;
}

static uint64_t chunk_offset(const struct mpispec_request *request) {
  return (uint64_t)(request->moved / CHUNK_BYTES % PIPE_CHUNKS * CHUNK_BYTES);
}

static void empty_pipe(struct mpispec_request *request) {
  struct handshake *handshake = handshake_at(request->peer, request->handshake);
  unsigned char *target = request->call.contiguous ? request->call.buffer : request->staging;
  uint64_t emptied = atomic_load_explicit(&handshake->emptied, memory_order_relaxed);
  /* Pair P, acquire. */
  while (emptied < atomic_load_explicit(&handshake->filled, memory_order_acquire)) {
    const int64_t length = chunk_length(request);
    memcpy(target + request->moved,
           mpispec_node.segments[request->peer] + handshake->pipe + chunk_offset(request),
           (size_t)length);
    request->moved += length;
    ++moved_chunks;
    /* Pair Q, release. */
    atomic_store_explicit(&handshake->emptied, ++emptied, memory_order_release);
  }
  if (request->moved < request->wanted)
    return;
  list_remove(&pipes, request);
  mpispec_long_sign(request->peer, request->handshake);
  request->complete = 1;
}

/* --- the sender --------------------------------------------------------------------------------*/

uint64_t mpispec_long_offer(struct mpispec_request *request) {
  const uint64_t offset = mpispec_arena_allocate(&mpispec_node.arena, sizeof(struct handshake));
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

void mpispec_long_attend(const struct mpispec_request *request) {
  if (request->kind == MPISPEC_SEND && !request->complete)
    atomic_store_explicit(&handshake_at(mpispec_node.rank, request->handshake)->attended, 1,
                          memory_order_relaxed);
}

static void fill_pipe(struct mpispec_request *request, struct handshake *handshake) {
  if (!request->pipe) {
    request->pipe = mpispec_arena_allocate(&mpispec_node.arena, CHUNK_BYTES * PIPE_CHUNKS);
    if (!request->pipe)
      return; /* again when the arena has room */
    handshake->pipe = request->pipe;
    request->wanted = handshake->wanted;
  }
  const unsigned char *source = request->staging ? request->staging : request->call.buffer;
  uint64_t filled = atomic_load_explicit(&handshake->filled, memory_order_relaxed);
  /* Pair Q, acquire. */
  while (request->moved < request->wanted &&
         filled - atomic_load_explicit(&handshake->emptied, memory_order_acquire) < PIPE_CHUNKS) {
    const int64_t length = chunk_length(request);
    memcpy(mpispec_node.arena.segment + request->pipe + chunk_offset(request),
           source + request->moved, (size_t)length);
    request->moved += length;
    ++moved_chunks;
    /* Pair P, release. */
    atomic_store_explicit(&handshake->filled, ++filled, memory_order_release);
  }
}

static void end_offer(struct mpispec_request *request) {
  unsigned char *own = mpispec_node.arena.segment;
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
  if (state == PIPED)
    fill_pipe(request, handshake);
  else if (state == SIGNED)
    end_offer(request);
}

void mpispec_long_progress(void) {
  for (struct mpispec_request *request = offers, *next; request; request = next) {
    next = request->next;
    look_at_offer(request);
  }
  for (struct mpispec_request *request = pipes, *next; request; request = next) {
    next = request->next;
    empty_pipe(request);
  }
}

int mpispec_long_offers(void) { return offer_count; }
uint64_t mpispec_long_moved(void) { return moved_chunks; }
int mpispec_long_is_idle(void) { return !offers && !pipes; }
