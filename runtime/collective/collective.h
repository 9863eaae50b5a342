/* Collective operations of ours: on an adopted communicator whose members agreed on a slot.
 *
 * Which algorithm runs depends only on what MPI makes equal on all ranks: the communicator, the
 * bytes, and for reductions datatype and operation; never on a call site, a count or a buffer. So
 * a rank in a rewritten call meets one in a library's plain call.
 *
 *   slot.h       the shared memory, and what a step is
 *   slots.c      how members agree on a slot, and when it may serve others
 *   step.c       waiting for others within a step
 *   long_parts   parts that members fetch from each other's memory
 *   mismatch     members that are in different operations
 *   reduction    the arithmetic
 *   order algorithms trees trial discovery   in which order parts are combined
 *   leaders/     communicators over several nodes: leaders
 *   barrier.c bcast.c allreduce.c scan.c reduce_scatter.c gather.c alltoall.c
 *
 * An algorithm in terms of steps: put (a place to write what this rank shows), show, get (waits for
 * a member, says where its part is), end. All functions are called with the lock held; waiting ones
 * give way in between (mpispec_progress_relax), so a communicator's state stays where it is.
 *
 * Memory order pairs:
 *   S  word of a cell   release in mpispec_slot_cell_show, acquire in mpispec_slot_cell_look
 *   V  filled           release in mpispec_step_show_and_fill, acquire in mpispec_step_follow
 *   E  left             release in mpispec_slot_tell, acquire in mpispec_slot_told_left
 * (mpispec/steps.h, for templates take the same steps). */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_COLLECTIVE_H
#define MPISPEC_RUNTIME_COLLECTIVE_COLLECTIVE_H

#include "abi/mpi.h"
#include "collective/slot.h"
#include "comm/communicator.h"
#include "progress/tuning.h"

#include <string.h>

/* What the program has called, for the message that others have called something else. */
struct mpispec_collective_call {
  uint64_t signature; /* mpispec/signature.h */
  int64_t bytes;      /* that this rank gives, or -1 */
  int root;           /* or -1 */
  const char *place;  /* "file:line" of a specialised call, or null: */
  const void *caller; /* where it returns to */
};

struct mpispec_request;

struct mpispec_collective {
  struct mpispec_steps steps; /* what a short operation touches, here and in templates */
  int rank, size;             /* in the communicator */
  int error;                  /* members are in different operations: an error code; or 0 */
  int64_t chunk_bytes;
  int64_t most_bytes; /* that a rank may show in one operation; beyond, the MPI library does it */
  unsigned number;    /* of the slots */
  int64_t put_bytes;  /* that this rank last wrote to show them, and the step; */
  uint64_t put_step;
  uint64_t
      fetched_step; /* and the last step whose chunk it took hold of while it waited (step.c) */
  uint64_t last_chunk[2];            /* the last step that wrote a short one, a long one (below) */
  struct mpispec_request **requests; /* [2 * members], of long parts */
  int requests_under_way;
  int crowded;    /* the node has more ranks than cores: who waits gives way soon */
  int *peers;     /* [members] node ranks */
  int *member_of; /* [size] of the communicator: member with this rank, or -1: on another node */
  struct mpispec_nodes *nodes;   /* null if all members are on this node */
  struct mpispec_orders *orders; /* what is known of the library's (discovery.h), or null */
  struct mpispec_communicator *communicator;
  uint64_t first_step;
  struct mpispec_collective_call call; /* under way */
  int is_left;                         /* freed */
};

/* --- slots.c -----------------------------------------------------------------------------------*/

/* The state of a communicator's collective operations, or null if they are the MPI library's. The
 * first call is collective over the communicator and is made without the lock. */
struct mpispec_collective *mpispec_collective_open(struct mpispec_communicator *communicator);

/* When a communicator is freed; and when all are, at MPI_Finalize. */
void mpispec_collective_close(struct mpispec_communicator *communicator);
void mpispec_collectives_close(void);

/* Members are in different operations, which the communicator's errors are from now on: what this
 * rank shows nobody sees, what it reads is nothing, and it waits for nobody. So the operation under
 * way comes to its end without a look at each wait. */
void mpispec_collective_fail(struct mpispec_collective *collective, int error);

/* --- steps -------------------------------------------------------------------------------------*/

/* step.c: waits until all members have left the step whose place is to be used again. */
void mpispec_step_make_room(struct mpispec_collective *collective, uint64_t places);

/* step.c: the same as mpispec_step_wait, for templates, which have a word and a place of their own.
 * `steps` are those of a collective. Returns 0 if members are in different operations. */
int mpispec_steps_wait(const struct mpispec_steps *steps, const struct mpispec_slot_cell *cell,
                       unsigned long long word, const char *place);

/* step.c: waits for a cell; not where members are in different operations. */
void mpispec_step_wait(struct mpispec_collective *collective, const struct mpispec_slot_cell *cell);

/* Begins an operation: to its end its words have this signature; `bytes` and `root` may be -1. The
 * end is to return collective->error. */
static inline void mpispec_collective_begin(struct mpispec_collective *collective,
                                            uint64_t signature, int64_t bytes, int root) {
  collective->steps.history += signature;
  collective->call.signature = signature;
  collective->call.bytes = bytes;
  collective->call.root = root;
}

/* Four chunks of all the room or, where ranks share cores and what fits is short, sixteen of a
 * fourth: a rank that sends and sends gets further before it has to give its core away. With a core
 * for each rank that would be slower: four chunks stay nearer. */
static inline int mpispec_step_is_long(const struct mpispec_collective *collective, int64_t bytes) {
  return !collective->crowded || bytes > collective->chunk_bytes / 4;
}

static inline unsigned char *mpispec_step_chunk(const struct mpispec_collective *collective,
                                                const struct mpispec_slot *slot, uint64_t step,
                                                int64_t bytes) {
  const uint64_t room = (uint64_t)collective->chunk_bytes;
  return (unsigned char *)(slot + 1) + (mpispec_step_is_long(collective, bytes)
                                            ? step % MPISPEC_SLOT_CHUNKS * room
                                            : step % MPISPEC_SLOT_CELLS * (room / 4));
}

/* How many steps may be under way when this one writes a chunk: none that wrote chunks of the other
 * kind, which lie elsewhere in the same room. */
static inline uint64_t mpispec_step_places(struct mpispec_collective *collective, int64_t bytes) {
  const int is_long = mpispec_step_is_long(collective, bytes);
  const uint64_t most = is_long ? MPISPEC_SLOT_CHUNKS : MPISPEC_SLOT_CELLS;
  const uint64_t apart = collective->steps.step - collective->last_chunk[!is_long];
  collective->last_chunk[is_long] = collective->steps.step;
  return apart < most ? apart : most;
}

/* Copies what is often a word or two. */
static inline void mpispec_step_copy(void *restrict to, const void *restrict from, int64_t bytes) {
  if (bytes == 8)
    memcpy(to, from, 8);
  else
    memcpy(to, from, (size_t)bytes);
}

/* Where to write `bytes` bytes to show in this step. */
static inline unsigned char *mpispec_step_put(struct mpispec_collective *collective,
                                              int64_t bytes) {
  collective->put_bytes = bytes;
  collective->put_step = collective->steps.step;
  const uint64_t places =
      bytes > MPISPEC_SLOT_PAYLOAD ? mpispec_step_places(collective, bytes) : MPISPEC_SLOT_CELLS;
  if (__builtin_expect(collective->steps.step - collective->steps.left >= places, 0))
    mpispec_step_make_room(collective, places);
  return bytes > MPISPEC_SLOT_PAYLOAD
             ? mpispec_step_chunk(collective, collective->steps.own, collective->steps.step, bytes)
             : mpispec_steps_cell(&collective->steps, collective->steps.own)->payload;
}

static inline void mpispec_step_show(struct mpispec_collective *collective, int64_t length) {
  mpispec_slot_cell_show(mpispec_steps_cell(&collective->steps, collective->steps.own),
                         mpispec_steps_word(&collective->steps, 0), (uint64_t)length);
}

/* Has `member` shown its part of this step? */
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

/* The same, and where the `bytes` bytes are that it shows. */
static inline const unsigned char *mpispec_step_get(struct mpispec_collective *collective,
                                                    int member, int64_t bytes) {
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, member);
  return bytes > MPISPEC_SLOT_PAYLOAD
             ? mpispec_step_chunk(collective, collective->steps.slots[member],
                                  collective->steps.step, bytes)
             : cell->payload;
}

/* A chunk that is read while it is written, in step.c. The writer shows the step first, whose chunk
 * holds nothing yet, then copies `length` bytes into the chunk and stores in the payload of the
 * cell how many are there. */
void mpispec_step_show_and_fill(struct mpispec_collective *collective, unsigned char *chunk,
                                const void *from, int64_t length, int64_t shown_length);

/* A reader copies the first `length` bytes of such a chunk, whose cell is shown, as they come; not
 * where members are in different operations. */
void mpispec_step_follow(struct mpispec_collective *collective,
                         const struct mpispec_slot_cell *cell, void *to, const unsigned char *chunk,
                         int64_t length);

/* This rank has seen that all members have come to this step; so they have left all before. */
static inline void mpispec_step_met(struct mpispec_collective *collective) {
  collective->steps.left = collective->steps.step;
}

/* Where members are two, the other one has shown this step; so it has left all before. */
static inline void mpispec_step_met_of_two(struct mpispec_collective *collective) {
  if (collective->steps.members == 2)
    mpispec_step_met(collective);
}

/* The same where ranks show a step ahead of the one they read: then they may still read the one
 * before this. */
static inline void mpispec_step_met_ahead(struct mpispec_collective *collective) {
  collective->steps.left = collective->steps.step - 1;
}

/* Leaves the step, having read what it needs. After one with chunks of `bytes` bytes, says so. */
static inline void mpispec_step_end(struct mpispec_collective *collective, int64_t bytes) {
  mpispec_steps_end(&collective->steps, bytes > MPISPEC_SLOT_PAYLOAD);
}

#endif
