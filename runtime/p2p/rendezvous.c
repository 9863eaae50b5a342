/* Long messages: the sender says where its bytes are, and both ranks copy them.
 *
 *   sender                               receiver
 *   handshake in its arena, OPEN
 *   RTS, one cell:
 *   handshake, address            --->   matched: a buffer for so many bytes
 *                                 <---   COPYING: bytes wanted, target, claims
 *   claims pieces, copies them           claims pieces, copies them
 *   send is over                  <---   FIN, when all pieces are copied
 *
 * There are three ways for a piece (handshake.h):
 *
 *   pull   the receiver reads it out of the sender's memory (process_vm_readv)
 *   push   the sender writes it into the receiver's (process_vm_writev)
 *   pipe   the sender copies it into a block, the receiver copies it out
 *
 * A pulled or pushed piece is copied once, by one core; a piece in a pipe twice, through caches, by
 * both. The system's calls copy whole pages that they must find first, and are slow on some
 * processors: way.c has the choice. The choice is a hint. Whichever rank has time copies, so that a
 * message ends also if the other rank is away, as far as the system permits:
 *
 *               sender                       receiver
 *   WAY_OPEN    pushes after a while         away in its program
 *   WAY_PIPE    fills slots; pushes if       empties slots; pulls if
 *               nobody empties them          nobody fills them
 *   WAY_SHARED  pushes from the back         pulls from the front
 *
 * A sender that has heard that the pipe will be chosen fills it before the receive is there.
 *
 * MPI_Irecv, MPI_Isend and MPI_Start begin all this and copy nothing. The calls that make progress
 * copy: first what this rank receives, then what it sends. So both directions of an exchange run at
 * the same time, whatever the program posts first.
 *
 * Slots of one sender to one receiver are filled for one message at a time, in the order of
 * sending: more pipes would only drive each other out of the caches.
 *
 * Memory order pairs:
 *   H  state     release by the receiver after what it wants is stored, acquire by the sender; and
 *                release (FIN) after it has copied all, acquire by the sender that uses its buffer
 *   T  claims    opened by a release of the receiver, changed by compare and exchange of both
 *   P  filled    release by the sender after the bytes of a slot, acquire by the receiver
 *   Q  emptied   release by the receiver after reading a slot, acquire by the sender
 *   U  pushed    release by the sender after the bytes that it pushed (or could not), acquire by
 *                the receiver */
#include "p2p/rendezvous.h"

#include "job/memory.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "p2p/completion.h"
#include "p2p/handshake.h"
#include "p2p/kept.h"
#include "p2p/way.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/cma.h"
#include "shm/copy.h"

#include <stdlib.h>
#include <string.h>

static struct mpispec_request_list sends; /* whose FIN has not come */
size_t mpispec_rendezvous_under_way;
uint64_t mpispec_rendezvous_moved;
struct mpispec_rendezvous_counts mpispec_rendezvous_counts;
struct mpispec_traffic *mpispec_traffic;
static int64_t early_bytes;          /* in pipes, of messages without a receive */
static uint64_t complete_before_fin; /* the first handshake of a list */

void mpispec_rendezvous_open(void) {
  mpispec_traffic = mpispec_must_have(calloc((size_t)mpispec_node.size, sizeof *mpispec_traffic));
}

void mpispec_rendezvous_close(void) {
  free(mpispec_traffic);
  mpispec_traffic = NULL;
  early_bytes = 0;
  complete_before_fin = 0;
}

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

static struct mpispec_handshake *handshake_of(const struct mpispec_request *request) {
  return mpispec_handshake_at(mpispec_node.rank, request->transfer.handshake);
}

static struct mpispec_situation situation_of(const struct mpispec_request *request) {
  return (struct mpispec_situation){request->peer, request->call.bytes,
                                    request->transfer.both_ways};
}

static int goes_by_pipe(const struct mpispec_request *request) {
  const struct mpispec_situation situation = situation_of(request);
  return !request->transfer.address || !mpispec_cma_may_read(request->peer) ||
         mpispec_way_heard(&situation) == MPISPEC_WAY_PIPE;
}

/* --- begin -------------------------------------------------------------------------------------*/

/* The bytes of a piece. Two pieces let each rank copy one; more keep a rank from being away for too
 * long. A message that is exchanged through the pipe goes in one piece if it is short: its sender
 * fills the slot, and then empties the one that came. */
static int64_t piece_of(int64_t bytes, int is_exchanged_by_pipe) {
  const int64_t part = is_exchanged_by_pipe ? bytes : bytes / 2;
  const int64_t most = is_exchanged_by_pipe ? MPISPEC_PIPE_PIECE : MPISPEC_MOST_PIECE;
  const int64_t whole =
      (part + MPISPEC_LEAST_PIECE - 1) / MPISPEC_LEAST_PIECE * MPISPEC_LEAST_PIECE;
  return whole > most ? most : whole;
}

/* All pieces may be claimed: until there is a receive, by the sender alone. */
static void divide(struct mpispec_handshake *handshake, const struct mpispec_request *request) {
  const int64_t bytes = request->call.bytes;
  handshake->piece =
      (uint32_t)piece_of(bytes, request->transfer.both_ways && goes_by_pipe(request));
  const struct mpispec_pieces all = {0, mpispec_pieces_of(bytes, handshake->piece)};
  atomic_store_explicit(&handshake->claims, mpispec_pieces_word(all), memory_order_relaxed);
}

uint64_t mpispec_rendezvous_rts(struct mpispec_request *request, int is_long) {
  mpispec_fins_look();
  const uint64_t offset =
      mpispec_arena_allocate(&mpispec_shm.arena, sizeof(struct mpispec_handshake));
  if (!offset)
    return 0;
  const uint64_t address = request->transfer.address;
  struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  request->transfer = (struct mpispec_transfer){
      .handshake = offset, .address = address, .both_ways = traffic->exchanges};
  struct mpispec_handshake *handshake = handshake_of(request);
  memset(handshake, 0, sizeof *handshake);
  if (is_long)
    divide(handshake, request);
  /* Before the RTS is seen: a receiver that waits looks at once. */
  const int waits = request->call.blocking && request->call.mode != mpispec_buffered;
  atomic_store_explicit(&handshake->attended, (uint32_t)waits, memory_order_relaxed);
  mpispec_request_list_add(&sends, request);
  ++traffic->sends;
  return offset;
}

void mpispec_rendezvous_attend(struct mpispec_request *request) {
  request->call.blocking = 1;
  if (request->complete || !request->transfer.handshake)
    return;
  if (request->kind == MPISPEC_SEND)
    atomic_store_explicit(&handshake_of(request)->attended, 1, memory_order_relaxed);
  else
    atomic_store_explicit(
        &mpispec_handshake_at(request->peer, request->transfer.handshake)->awaited, 1,
        memory_order_relaxed);
}

/* --- copying -----------------------------------------------------------------------------------*/

/* Returns the time. */
static uint64_t note_moved(int64_t length, uint64_t *count) {
  mpispec_rendezvous_moved += (uint64_t)length;
  *count += (uint64_t)length;
  return mpispec_ticks();
}

/* The bytes from `begin` on, packed. */
static void get(struct mpispec_request *request, unsigned char *bytes, int64_t begin,
                int64_t length) {
  struct mpispec_transfer *transfer = &request->transfer;
  if (transfer->address) {
    mpispec_copy_in(bytes, (const char *)(uintptr_t)transfer->address + begin, length);
    return;
  }
  if (transfer->cursor_at != begin)
    mpispec_cursor_seek(&request->cursor, request->call.map, request->call.buffer,
                        request->call.count, begin);
  mpispec_cursor_pack(&request->cursor, bytes, length);
  transfer->cursor_at = begin + length;
}

static int is_open(const struct mpispec_request *request) {
  /* Pair H, acquire. */
  return atomic_load_explicit(&handshake_of(request)->state, memory_order_acquire) == MPISPEC_OPEN;
}

/* Does this message fill the pipe to its receiver? One does at a time, until all its pieces are
 * claimed. One that has no receive yet, and may wait for it for long, makes way for one that has.
 */
static int has_turn(struct mpispec_request *request) {
  struct mpispec_request **filling = &mpispec_traffic[request->peer].filling;
  if (!*filling || !mpispec_pieces_left(handshake_of(*filling)) ||
      (is_open(*filling) && !is_open(request)))
    *filling = request;
  return *filling == request;
}

/* May one more slot be filled? The receiver's line is read only if what was last read there does
 * not tell. */
static int has_room(struct mpispec_request *request, struct mpispec_handshake *handshake) {
  struct mpispec_transfer *transfer = &request->transfer;
  if (!mpispec_pieces_left(handshake))
    return 0;
  if (transfer->slots - transfer->seen_emptied == MPISPEC_PIPE_SLOTS) /* Pair Q, acquire. */
    transfer->seen_emptied = atomic_load_explicit(&handshake->emptied, memory_order_acquire);
  return transfer->slots - transfer->seen_emptied < MPISPEC_PIPE_SLOTS;
}

/* A block that this rank has read last, or one of its own; none if there is no memory. */
static struct mpispec_place take_place(int64_t bytes) {
  struct mpispec_place place = mpispec_kept_take(bytes);
  if (place.offset)
    return place;
  place.owner = mpispec_node.rank;
  place.offset = mpispec_arena_ask(&mpispec_shm.arena, (uint64_t)bytes);
  if (!place.offset)
    mpispec_kept_miss(bytes);
  return place;
}

/* A receiver that has nothing else to do copies the first bytes of a piece while the sender fills
 * in the next ones. */
static void fill(struct mpispec_request *request, struct mpispec_pipe_slot *slot,
                 unsigned char *bytes, int64_t begin, int64_t length) {
  const int64_t most = request->transfer.both_ways ? length : MPISPEC_BLOCK_STEP;
  for (int64_t done = 0; done < length;) {
    const int64_t step = length - done < most ? length - done : most;
    get(request, bytes + done, begin + done, step);
    done += step;
    /* Pair P, release. */
    atomic_store_explicit(&slot->filled, (uint32_t)done, memory_order_release);
  }
}

static void fill_slot(struct mpispec_request *request, struct mpispec_handshake *handshake,
                      struct mpispec_place place, struct mpispec_pieces piece) {
  struct mpispec_transfer *transfer = &request->transfer;
  const int64_t length = mpispec_pieces_bytes(piece, handshake->piece, request->call.bytes);
  struct mpispec_pipe_slot *slot = &handshake->slot[transfer->slots % MPISPEC_PIPE_SLOTS];
  slot->length = (uint32_t)length;
  slot->piece = piece.front;
  slot->owner = place.owner;
  slot->offset = place.offset;
  atomic_store_explicit(&slot->filled, 0, memory_order_relaxed);
  /* Pair P, release. */
  atomic_store_explicit(&slot->number, ++transfer->slots, memory_order_release);
  fill(request, slot, mpispec_place_bytes(place), mpispec_pieces_begin(piece, handshake->piece),
       length);
  transfer->moved_at = note_moved(length, &mpispec_rendezvous_counts.filled);
}

/* As many slots as have room, or one. */
static void fill_slots(struct mpispec_request *request, struct mpispec_handshake *handshake) {
  while (has_turn(request) && has_room(request, handshake)) {
    const struct mpispec_place place = take_place(handshake->piece);
    if (!place.offset)
      return; /* again when the arena has room */
    const struct mpispec_pieces piece = mpispec_piece_claim(handshake, 0);
    if (!piece.back) {
      mpispec_kept_put(place, handshake->piece);
      return;
    }
    fill_slot(request, handshake, place, piece);
    if (mpispec_is_receiving())
      return;
  }
}

/* One message to each receiver need not wait for its receive if it will go by the pipe anyway. All
 * of them together have a bounded number of such bytes. */
static int may_fill_early(const struct mpispec_request *request) {
  const uint64_t early = mpispec_traffic[request->peer].early;
  return request->peer != mpispec_node.rank && (!early || early == request->transfer.handshake) &&
         early_bytes < MPISPEC_EARLY_BYTES && goes_by_pipe(request);
}

static void fill_early(struct mpispec_request *request, struct mpispec_handshake *handshake) {
  struct mpispec_transfer *transfer = &request->transfer;
  const uint32_t before = transfer->slots;
  if (!may_fill_early(request))
    return;
  fill_slots(request, handshake);
  if (transfer->slots == before)
    return;
  mpispec_traffic[request->peer].early = transfer->handshake;
  handshake->early += transfer->slots - before;
  early_bytes += (int64_t)(transfer->slots - before) * handshake->piece;
  transfer->moved_at = 0; /* nobody has left this rank waiting yet */
}

/* The message has a receive. */
static void end_early(struct mpispec_handshake *handshake, int peer) {
  if (!handshake->early)
    return;
  mpispec_traffic[peer].early = 0;
  early_bytes -= (int64_t)handshake->early * handshake->piece;
  handshake->early = 0;
}

/* Has the receiver left the sender waiting? */
static int is_stuck(struct mpispec_transfer *transfer) {
  const uint64_t now = mpispec_ticks();
  if (!transfer->moved_at)
    transfer->moved_at = now;
  return now - transfer->moved_at > mpispec_ticks_in(MPISPEC_PIPE_WAIT);
}

static int may_push(struct mpispec_request *request, struct mpispec_handshake *handshake,
                    enum mpispec_way way) {
  return handshake->target && !request->transfer.gave_up &&
         (way == MPISPEC_WAY_SHARED || (is_stuck(&request->transfer) && has_turn(request))) &&
         mpispec_cma_may_write(
             request->peer, (int)atomic_load_explicit(&handshake->awaited, memory_order_relaxed));
}

/* Bytes that do not lie side by side are packed first, some at a time, so that they stay in a
 * cache. */
static int push(struct mpispec_request *request, const struct mpispec_handshake *handshake,
                int64_t begin, int64_t length) {
  static unsigned char packed[MPISPEC_LEAST_PIECE];
  const uint64_t target = handshake->target + (uint64_t)begin;
  if (request->transfer.address)
    return mpispec_cma_write((const char *)(uintptr_t)request->transfer.address + begin, length,
                             request->peer, target);
  for (int64_t done = 0; done < length;) {
    const int64_t rest = length - done,
                  step = rest < MPISPEC_LEAST_PIECE ? rest : MPISPEC_LEAST_PIECE;
    get(request, packed, begin + done, step);
    if (!mpispec_cma_write(packed, step, request->peer, target + (uint64_t)done))
      return 0;
    done += step;
  }
  return 1;
}

/* One at a time, after a look whether there is something else to do. */
static void push_piece(struct mpispec_request *request, struct mpispec_handshake *handshake) {
  const struct mpispec_pieces piece = mpispec_piece_claim(handshake, 1);
  if (!piece.back)
    return;
  const int64_t length = mpispec_pieces_bytes(piece, handshake->piece, handshake->wanted);
  if (!push(request, handshake, mpispec_pieces_begin(piece, handshake->piece), length)) {
    request->transfer.gave_up = 1;
    handshake->failed = piece;
  }
  /* Pair U, release. */
  atomic_fetch_add_explicit(&handshake->pushed, 1, memory_order_release);
  mpispec_rendezvous_moved += (uint64_t)length;
  mpispec_rendezvous_counts.pushed += (uint64_t)length;
}

static void help(struct mpispec_request *request, struct mpispec_handshake *handshake) {
  const enum mpispec_way way = atomic_load_explicit(&handshake->way, memory_order_relaxed);
  if (way == MPISPEC_WAY_PIPE)
    fill_slots(request, handshake);
  if (may_push(request, handshake, way))
    push_piece(request, handshake);
}

/* --- end ---------------------------------------------------------------------------------------*/

static void release_handshake(uint64_t offset, const struct mpispec_situation *situation) {
  const struct mpispec_handshake *handshake = mpispec_handshake_at(mpispec_node.rank, offset);
  if (handshake->planned)
    mpispec_way_hear(situation, handshake->planned);
  --mpispec_traffic[situation->peer].sends;
  mpispec_block_release(mpispec_shm.arena.segment, offset);
}

/* The request is complete; its handshake is somebody else's. */
static void complete(struct mpispec_request *request) {
  struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  mpispec_request_list_remove(&sends, request);
  if (traffic->filling == request)
    traffic->filling = NULL;
  request->transfer.handshake = 0;
  free(request->staging);
  request->staging = NULL;
  request->complete = 1;
  if (request->released && !request->persistent)
    mpispec_request_end(request);
}

static void end_send(struct mpispec_request *request) {
  const struct mpispec_situation situation = situation_of(request);
  release_handshake(request->transfer.handshake, &situation);
  complete(request);
}

/* Does nobody need the sender's buffer any more? All pieces are in slots or have been pushed. */
static int is_copied(const struct mpispec_request *request,
                     const struct mpispec_handshake *handshake) {
  const uint32_t pushed = atomic_load_explicit(&handshake->pushed, memory_order_relaxed);
  return request->call.mode != mpispec_synchronous && !request->transfer.gave_up &&
         request->transfer.slots + pushed ==
             mpispec_pieces_of(request->call.bytes, handshake->piece);
}

/* Completes a send whose receiver has still to empty slots. The handshake waits for FIN in a list.
 */
static void complete_early(struct mpispec_request *request, struct mpispec_handshake *handshake) {
  handshake->next = complete_before_fin;
  handshake->bytes = request->call.bytes;
  handshake->peer = request->peer;
  handshake->both_ways = request->transfer.both_ways;
  complete_before_fin = request->transfer.handshake;
  complete(request);
}

void mpispec_fins_look(void) {
  for (uint64_t *link = &complete_before_fin, offset; (offset = *link);) {
    struct mpispec_handshake *handshake = mpispec_handshake_at(mpispec_node.rank, offset);
    /* Pair H, acquire. */
    const uint32_t state = atomic_load_explicit(&handshake->state, memory_order_acquire);
    if (state != MPISPEC_OPEN)
      end_early(handshake, handshake->peer);
    if (state == MPISPEC_FIN) {
      const struct mpispec_situation situation = {handshake->peer, handshake->bytes,
                                                  handshake->both_ways};
      *link = handshake->next;
      release_handshake(offset, &situation);
    } else {
      link = &handshake->next;
    }
  }
}

static void look_at_send(struct mpispec_request *request) {
  struct mpispec_handshake *handshake = handshake_of(request);
  /* Pair H, acquire. */
  const uint32_t state = atomic_load_explicit(&handshake->state, memory_order_acquire);
  if (state != MPISPEC_OPEN)
    end_early(handshake, request->peer);
  if (state == MPISPEC_OPEN)
    fill_early(request, handshake);
  else if (state == MPISPEC_COPYING)
    help(request, handshake);
  if (state == MPISPEC_FIN)
    end_send(request);
  else if (is_copied(request, handshake))
    complete_early(request, handshake);
}

void mpispec_rendezvous_progress(void) {
  mpispec_pulls_progress();
  mpispec_fins_look();
  for (struct mpispec_request *request = sends.first, *next; request; request = next) {
    next = request->next;
    look_at_send(request);
  }
}

int mpispec_is_sending(void) { return sends.first != NULL; }
