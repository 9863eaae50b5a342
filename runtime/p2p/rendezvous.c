/* Long messages: the sender says where its buffer is, the receiver pulls.
 *
 *   sender                               receiver
 *   handshake in its arena, OPEN
 *   RTS, one cell:
 *   handshake, address            --->   matched: reads the buffer straight out of the sender's
 *                                        memory (process_vm_readv)
 *   send is over                  <---   FIN
 *
 * or, where the system does not allow that, and also while both do nothing but wait for this
 * message (both cores then copy, through caches, and that is faster), a pipe in its arena, a ring
 * of bytes:
 *
 *                                 <---   PIPED, with the number of bytes wanted
 *   FILLING                       --->
 *   makes the pipe, fills it      --->   empties it
 *   `filled` counts the bytes            `emptied` counts them, FIN after the last
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

#include "job/node.h"
#include "p2p/completion.h"
#include "p2p/handshake.h"
#include "progress/progress.h"
#include "progress/tuning.h"
#include "shm/arena.h"

#include <stdlib.h>
#include <string.h>

static struct mpispec_request_list sends; /* whose FIN has not come */
static int send_count;
size_t mpispec_rendezvous_under_way;
uint64_t mpispec_rendezvous_moved;

void mpispec_request_list_add(struct mpispec_request_list *list, struct mpispec_request *request) {
  request->previous = list->last;
  request->next = NULL;
  *(list->last ? &list->last->next : &list->first) = request;
  list->last = request;
  ++mpispec_rendezvous_under_way;
  mpispec_progress_begins();
}

void mpispec_request_list_remove(struct mpispec_request_list *list,
                                 struct mpispec_request *request) {
  *(request->previous ? &request->previous->next : &list->first) = request->next;
  *(request->next ? &request->next->previous : &list->last) = request->previous;
  --mpispec_rendezvous_under_way;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

uint64_t mpispec_rendezvous_rts(struct mpispec_request *request) {
  const uint64_t offset =
      mpispec_arena_allocate(&mpispec_shm.arena, sizeof(struct mpispec_handshake));
  if (!offset)
    return 0;
  memset(mpispec_handshake_at(mpispec_node.rank, offset), 0, sizeof(struct mpispec_handshake));
  /* Before the RTS is seen: a receiver that waits looks at once. */
  atomic_store_explicit(&mpispec_handshake_at(mpispec_node.rank, offset)->attended,
                        (uint32_t)request->call.blocking, memory_order_relaxed);
  request->handshake = offset;
  request->moved = 0;
  request->pipe = 0;
  mpispec_request_list_add(&sends, request);
  ++send_count;
  return offset;
}

void mpispec_rendezvous_attend(struct mpispec_request *request) {
  request->call.blocking = 1;
  if (request->kind == MPISPEC_SEND && !request->complete)
    atomic_store_explicit(&mpispec_handshake_at(mpispec_node.rank, request->handshake)->attended, 1,
                          memory_order_relaxed);
}

/* Makes the pipe, if the receiver has not taken its question back. */
static int make_pipe(struct mpispec_request *request, struct mpispec_handshake *handshake,
                     uint32_t state) {
  if (!request->pipe)
    request->pipe = mpispec_arena_allocate(&mpispec_shm.arena, MPISPEC_PIPE_BYTES);
  if (!request->pipe)
    return 0; /* again when the arena has room */
  if (state == MPISPEC_PIPED &&
      !atomic_compare_exchange_strong_explicit(&handshake->state, &state, MPISPEC_FILLING,
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

static void fill_pipe(struct mpispec_request *request, struct mpispec_handshake *handshake,
                      uint32_t state) {
  if (!request->moved && !make_pipe(request, handshake, state))
    return;
  for (;;) {
    const int64_t place = mpispec_pipe_place(request);
    const int64_t step = smaller(MPISPEC_BLOCK_BYTES, MPISPEC_PIPE_BYTES - place);
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

static void end_send(struct mpispec_request *request) {
  unsigned char *own = mpispec_shm.arena.segment;
  mpispec_request_list_remove(&sends, request);
  --send_count;
  mpispec_block_release(own, request->handshake);
  if (request->pipe)
    mpispec_block_release(own, request->pipe);
  free(request->staging);
  request->staging = NULL;
  request->complete = 1;
  if (request->released && !request->persistent)
    mpispec_request_end(request);
}

static void look_at_send(struct mpispec_request *request) {
  struct mpispec_handshake *handshake = mpispec_handshake_at(mpispec_node.rank, request->handshake);
  /* Pair H, acquire. */
  const uint32_t state = atomic_load_explicit(&handshake->state, memory_order_acquire);
  if (state == MPISPEC_PIPED || state == MPISPEC_FILLING)
    fill_pipe(request, handshake, state);
  else if (state == MPISPEC_FIN)
    end_send(request);
}

void mpispec_rendezvous_progress(void) {
  for (struct mpispec_request *request = sends.first, *next; request; request = next) {
    next = request->next;
    look_at_send(request);
  }
  mpispec_pulls_progress();
}

int mpispec_rendezvous_sends(void) { return send_count; }
