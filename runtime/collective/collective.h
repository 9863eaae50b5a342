/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Collective operations that the runtime executes: those on an adopted communicator whose members
 * have agreed on a slot.
 *
 * The algorithm depends only on values that MPI requires to be equal on all ranks. They are the
 * communicator, the number of bytes, and for reductions datatype and operation. The algorithm never
 * depends on the call site, a count or a buffer. Therefore one rank may make a specialised call and
 * another rank an ordinary call for the same operation.
 *
 *   slot.h       the shared memory, and the meaning of a step
 *   slots.c      which communicator has which slot, and when it is free again
 *   slot_agreement.c, child_slot.c   how members agree on a slot: at the first operation, or in the
 *                constructor
 *   step.c       waiting for others within a step
 *   long_parts   portions that go as messages between two members
 *   mismatch     members that are in different operations
 *   reduction    the arithmetic
 *   order algorithms trees trial discovery   in which order parts are combined
 *   leaders/     communicators over several nodes
 *   barrier.c bcast.c allreduce.c scan.c reduce_scatter.c gather.c alltoall.c
 *
 * Algorithms are sequences of steps. In a step, a member may call put, show, get and end. Put
 * returns the place for its own part, and show publishes the part. Get waits for a member and
 * returns the place of that member's part. All functions are called with the lock held, unless a
 * comment says otherwise. Functions that wait release the lock meanwhile (mpispec_wait_backoff).
 * The communicator's struct mpispec_collective stays at its address meanwhile.
 *
 * Memory order pairs:
 *
 *   S  word of a cell  release in mpispec_slot_cell_show, acquire in mpispec_slot_cell_peek
 *   V  filled          release in mpispec_step_publish_filled, acquire in mpispec_step_await_bytes
 *   E  completed       release in mpispec_slot_publish_completed, acquire in mpispec_slot_completed
 *
 * Pairs S and E are in mpispec/steps.h, because templates execute the same steps. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_COLLECTIVE_H
#define MPISPEC_RUNTIME_COLLECTIVE_COLLECTIVE_H

#include "abi/mpi.h"
#include "collective/slot.h"
#include "comm/communicator.h"
#include "progress/doorbell.h"
#include "progress/lock.h"
#include "progress/tuning.h"
#include "shm/copy.h"

#include <string.h>

/* The call that the program has made, for the error text if other members have made other calls. */
struct mpispec_collective_call {
  uint64_t signature; /* mpispec/signature.h */
  int64_t bytes;      /* length of this rank's data, or -1 */
  int root;           /* or -1 */
  const char *place;  /* "file:line" of a specialised call; null for an ordinary call, */
  const void *caller; /* which has a return address instead */
};

struct mpispec_request;

struct mpispec_collective {
  struct mpispec_steps steps; /* all that short operations need, in templates, too */
  int rank, size;             /* in the communicator */
  int error;                  /* an error code if members are in different operations, else 0 */
  int64_t chunk_bytes;
  int64_t most_bytes; /* upper bound of a rank's data; the MPI library executes longer operations */
  unsigned number;    /* the slot's */
  int64_t put_bytes;  /* length of the part for which this rank last called put, and its step */
  uint64_t put_step;
  uint64_t chunk_steps[MPISPEC_SLOT_CHUNKS]; /* the last step that used each */
  uint64_t fetched_step; /* the last step whose chunk it prefetched while it waited (step.c) */
  struct mpispec_request **requests; /* [2 * members], of long parts */
  int requests_under_way;
  int oversubscribed; /* the node is oversubscribed: a rank that waits yields soon */
  int *peers;         /* [members] node ranks */
  int *member_of;     /* [size] the member with this rank; -1 if the rank is on another node */
  struct mpispec_nodes *nodes;   /* null if all members are on this node */
  struct mpispec_orders *orders; /* the MPI library's orders as found so far, or null */
  struct mpispec_communicator *communicator;
  uint64_t first_step, visited_step;   /* of these, the last one in which it made progress */
  uint64_t compared_at;                /* ticks (mismatch.c) */
  struct mpispec_collective_call call; /* the current one */
  int repeats_root;                    /* its root is that of the last one */
  int is_left;                         /* the communicator is freed */
};

/* --- the state of a communicator ---------------------------------------------------------------*/

/* Returns the state of a communicator's collective operations, or null if the MPI library executes
 * them (slot_agreement.c). The first call is collective over the communicator. Called without the
 * lock. */
struct mpispec_collective *mpispec_collective_open(struct mpispec_communicator *communicator);

/* The first function is called when a communicator is freed, the second in MPI_Finalize. */
void mpispec_collective_close(struct mpispec_communicator *communicator);
void mpispec_collectives_close(void);

/* The member whose slot contains a word, or -1. */
int mpispec_collective_owner(const struct mpispec_collective *collective, const void *word);

/* Called if members are in different operations or have ended. Sets the error that all further
 * operations on the communicator raise. From now on this rank's slot pointers refer to private
 * memory, so that no other member reads what this rank writes, and no function waits. Therefore the
 * current operation ends without a test for the error at each wait. */
void mpispec_collective_fail(struct mpispec_collective *collective, int error);

/* --- steps -------------------------------------------------------------------------------------*/

/* step.c: waits until this step may use its cell or chunk, which an earlier step has used. `places`
 * is the number of consecutive steps that use different places. */
void mpispec_step_make_room(struct mpispec_collective *collective, uint64_t places);

/* step.c: like mpispec_step_wait, for templates, which pass the word and the place of the call.
 * `steps` begins a struct mpispec_collective. Returns 0 if members are in different operations. */
int mpispec_steps_wait(const struct mpispec_steps *steps, const struct mpispec_slot_cell *cell,
                       unsigned long long word, const char *place);

/* step.c: waits until a cell has the word of this step. Returns at once if collective->error. */
void mpispec_step_wait(struct mpispec_collective *collective, const struct mpispec_slot_cell *cell);

/* Begins an operation: all words up to its end contain this signature. `bytes` and `root` may be
 * -1. The operation must end by returning collective->error. */
static inline void mpispec_collective_begin(struct mpispec_collective *collective,
                                            uint64_t signature, int64_t bytes, int root) {
  collective->steps.history += signature;
  collective->call.signature = signature;
  collective->call.bytes = bytes;
  if (root >= 0)
    collective->repeats_root = root == collective->call.root;
  collective->call.root = root;
}

/* Parts up to this length, in bytes, are in one of the slot's short chunks. There are more of them
 * than long chunks, so that a rank that only sends gets further ahead of ranks that are late. In
 * exchanges of ranks with a core each, no rank gets ahead. There long chunks are faster, because
 * four of them stay in a nearer cache. */
static inline int64_t mpispec_step_short_bytes(const struct mpispec_collective *collective) {
  const int may_get_ahead = collective->call.root >= 0 || collective->oversubscribed;
  return may_get_ahead && collective->chunk_bytes >= MPISPEC_LARGE_CHUNK ? MPISPEC_SHORT_CHUNK : 0;
}

/* The number of consecutive steps that have different places for parts of `bytes` bytes. */
static inline uint64_t mpispec_step_places(const struct mpispec_collective *collective,
                                           int64_t bytes) {
  if (bytes <= MPISPEC_SLOT_PAYLOAD)
    return MPISPEC_SLOT_CELLS;
  return bytes > mpispec_step_short_bytes(collective) ? MPISPEC_SLOT_CHUNKS
                                                      : MPISPEC_SLOT_SHORT_CHUNKS;
}

/* Whether a member writes its chunk of this step into the other member's slot. Two members that
 * exchange data use both slots in turn: each writes where it has read last, because its own cache
 * has those lines. Both members compute the same result, because all terms of the condition are
 * equal on both. The wait for room is the same in either slot: all members have left the last step
 * that used a chunk with this number. */
static inline int mpispec_step_is_in_peers_slot(const struct mpispec_collective *collective,
                                                uint64_t step) {
  return collective->steps.members == 2 && step / MPISPEC_SLOT_CHUNKS % 2 &&
         !collective->oversubscribed && collective->call.root < 0;
}

/* The chunk in which the member that has `slot` writes `bytes` bytes in a step. */
static inline unsigned char *mpispec_step_chunk(const struct mpispec_collective *collective,
                                                struct mpispec_slot *slot, uint64_t step,
                                                int64_t bytes) {
  struct mpispec_slot *const *slots = collective->steps.slots;
  if (mpispec_step_is_in_peers_slot(collective, step))
    slot = slots[slot == slots[0]];
  unsigned char *chunks = (unsigned char *)(slot + 1);
  return bytes > mpispec_step_short_bytes(collective)
             ? chunks + step % MPISPEC_SLOT_CHUNKS * (uint64_t)collective->chunk_bytes
             : chunks + MPISPEC_SLOT_CHUNKS * (uint64_t)collective->chunk_bytes +
                   step % MPISPEC_SLOT_SHORT_CHUNKS * MPISPEC_SHORT_CHUNK;
}

/* Copies `bytes` bytes, with a fast case for one word. */
static inline void mpispec_step_copy(void *restrict to, const void *restrict from, int64_t bytes) {
  if (bytes == 8)
    memcpy(to, from, 8);
  else
    memcpy(to, from, (size_t)bytes);
}

/* Returns the place where this rank writes the `bytes` bytes that it shows in this step. */
static inline unsigned char *mpispec_step_put(struct mpispec_collective *collective,
                                              int64_t bytes) {
  collective->put_bytes = bytes;
  collective->put_step = collective->steps.step;
  const uint64_t places = mpispec_step_places(collective, bytes);
  if (__builtin_expect(collective->steps.step - collective->steps.completed >= places, 0))
    mpispec_step_make_room(collective, places);
  return bytes > MPISPEC_SLOT_PAYLOAD
             ? mpispec_step_chunk(collective, collective->steps.own, collective->steps.step, bytes)
             : mpispec_steps_cell(&collective->steps, collective->steps.own)->payload;
}

static inline void mpispec_step_show(struct mpispec_collective *collective, int64_t length) {
  mpispec_doorbell_note_word();
  mpispec_slot_cell_show(mpispec_steps_cell(&collective->steps, collective->steps.own),
                         mpispec_steps_word(&collective->steps, 0), (uint64_t)length);
}

/* Whether `member` has shown its part of this step. */
static inline int mpispec_step_is_shown(const struct mpispec_collective *collective, int member) {
  return mpispec_slot_cell_is_shown(
      mpispec_steps_cell(&collective->steps, collective->steps.slots[member]),
      mpispec_steps_word(&collective->steps, 0));
}

/* Waits until `member` shows its part of this step. */
static inline const struct mpispec_slot_cell *
mpispec_step_await(struct mpispec_collective *collective, int member) {
  const struct mpispec_slot_cell *cell =
      mpispec_steps_cell(&collective->steps, collective->steps.slots[member]);
  const uint64_t word = mpispec_steps_word(&collective->steps, 0);
  if (__builtin_expect(!mpispec_slot_cell_is_shown(cell, word), 0))
    mpispec_step_wait(collective, cell);
  return cell;
}

/* Waits like mpispec_step_await, and returns the place of the `bytes` bytes that `member` shows. */
static inline const unsigned char *mpispec_step_get(struct mpispec_collective *collective,
                                                    int member, int64_t bytes) {
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, member);
  return bytes > MPISPEC_SLOT_PAYLOAD
             ? mpispec_step_chunk(collective, collective->steps.slots[member],
                                  collective->steps.step, bytes)
             : cell->payload;
}

/* Whether other members read a chunk while its owner fills it. The chunk contains `bytes` bytes, or
 * consists of portions of `bytes` bytes. It begins at byte `at` of the owner's data: in all chunks
 * but the first, the owner is ahead of its readers. */
static inline int mpispec_step_is_followed(int64_t at, int64_t bytes) {
  return !at && bytes > MPISPEC_CHUNK_WHOLE_BYTES;
}

/* Owner of such a chunk (step.c): shows the step with an empty chunk. */
void mpispec_step_show_empty(struct mpispec_collective *collective, int64_t shown_length);

/* Owner: copies `length` bytes into the chunk from byte `at` on. It publishes in the payload of the
 * cell how many bytes the chunk contains so far. Therefore the chunk must be filled in ascending
 * order. The second function only publishes. */
void mpispec_step_fill(struct mpispec_collective *collective, unsigned char *chunk, int64_t at,
                       const void *from, int64_t length);
void mpispec_step_publish_filled(struct mpispec_collective *collective, int64_t bytes);

/* Reader: waits until at least the first `bytes` bytes of such a chunk are there, and returns how
 * many are. The cell must be shown. Returns at once if collective->error. */
int64_t mpispec_step_await_bytes(struct mpispec_collective *collective,
                                 const struct mpispec_slot_cell *cell, int64_t bytes);

/* Reader: copies `length` bytes of such a chunk from byte `at` on, as they arrive. `readers` as for
 * mpispec_step_release. */
void mpispec_step_follow(struct mpispec_collective *collective,
                         const struct mpispec_slot_cell *cell, void *to, const unsigned char *chunk,
                         int64_t at, int64_t length, int readers);

/* Parts of the functions below for many bytes (step.c), so that those for few bytes are short. */
void mpispec_step_release_lines(const unsigned char *bytes, int64_t length);
void mpispec_step_release_shown(struct mpispec_collective *collective, int member, int64_t bytes,
                                int64_t from, int64_t to);

/* Reader: returns the lines of bytes that it has read in a chunk to their owner, which will write
 * them again (mpispec_lines_release). The contents are lost. Therefore the function does nothing if
 * the bytes have more than one reader, and must not be called if their owner reads them, too. It
 * also does nothing for few bytes: then it costs more than it saves. Ranks that share a core have
 * the lines in the same cache. */
static inline void mpispec_step_release(const struct mpispec_collective *collective,
                                        const unsigned char *bytes, int64_t length, int readers) {
  if (__builtin_expect(length >= MPISPEC_RELEASED_BYTES, 0) && readers == 1 &&
      !collective->oversubscribed)
    mpispec_step_release_lines(bytes, length);
}

/* Reader: copies bytes of a whole chunk or cell, and returns their lines. */
static inline void mpispec_step_take(const struct mpispec_collective *collective, void *to,
                                     const unsigned char *shown, int64_t length, int readers) {
  mpispec_step_copy(to, shown, length);
  mpispec_step_release(collective, shown, length, readers);
}

/* The only reader of a member's part of `bytes` bytes: the same for bytes `from` to `to`. In a
 * wrong program the member may have shown another number of bytes, in another place. Then the
 * function does nothing. */
static inline void mpispec_step_release_part(struct mpispec_collective *collective, int member,
                                             int64_t bytes, int64_t from, int64_t to) {
  if (__builtin_expect(to - from >= MPISPEC_RELEASED_BYTES, 0))
    mpispec_step_release_shown(collective, member, bytes, from, to);
}

/* Owner: shows the step with `bytes` bytes, which begin at byte `at` of its data and go to `place`
 * (mpispec_step_put). Readers may follow. The cell says `shown_length`. */
static inline void mpispec_step_show_bytes(struct mpispec_collective *collective,
                                           unsigned char *place, int64_t at, const void *from,
                                           int64_t bytes, int64_t shown_length) {
  if (mpispec_step_is_followed(at, bytes)) {
    mpispec_step_show_empty(collective, shown_length);
    mpispec_step_fill(collective, place, 0, from, bytes);
    return;
  }
  if (bytes)
    mpispec_step_copy(place, from, bytes);
  mpispec_step_show(collective, shown_length);
}

/* Reader: copies the first `wanted` of the `bytes` bytes that a member shows in this step by
 * mpispec_step_show_bytes, to `readers` members. */
static inline void mpispec_step_read_bytes(struct mpispec_collective *collective, int member,
                                           int64_t at, void *to, int64_t bytes, int64_t wanted,
                                           int readers) {
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, member);
  const unsigned char *shown = mpispec_step_get(collective, member, bytes);
  if (mpispec_step_is_followed(at, bytes))
    mpispec_step_follow(collective, cell, to, shown, 0, wanted, readers);
  else
    mpispec_step_take(collective, to, shown, wanted, readers);
}

/* This rank has found that all members have reached this step: they have left all earlier ones. */
static inline void mpispec_step_met(struct mpispec_collective *collective) {
  collective->steps.completed = collective->steps.step;
}

/* Like mpispec_step_met if there are two members: the other member has shown this step. */
static inline void mpispec_step_met_of_two(struct mpispec_collective *collective) {
  if (collective->steps.members == 2)
    mpispec_step_met(collective);
}

/* Like mpispec_step_met, if ranks show a step before they read the previous one. Then other members
 * may still read the previous step. */
static inline void mpispec_step_met_ahead(struct mpispec_collective *collective) {
  collective->steps.completed = collective->steps.step - 1;
}

/* Leaves the step, after this rank has read all parts that it needs. If a member may have used a
 * long chunk in this step (`bytes`), the function publishes that at once: there are few of them. */
static inline void mpispec_step_end(struct mpispec_collective *collective, int64_t bytes) {
  const uint64_t step = collective->steps.step;
  const int uses_chunk = mpispec_step_places(collective, bytes) == MPISPEC_SLOT_CHUNKS;
  if (uses_chunk)
    collective->chunk_steps[step % MPISPEC_SLOT_CHUNKS] = step;
  mpispec_doorbell_note_word();
  mpispec_steps_end(&collective->steps, uses_chunk);
  if (uses_chunk && mpispec_lock_is_wanted() && mpispec_lock_can_be_released())
    mpispec_lock_pass(); /* to another thread, between two chunks */
}

#endif
