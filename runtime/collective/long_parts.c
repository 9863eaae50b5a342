/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See long_parts.h. */
#include "collective/long_parts.h"

#include "collective/ended_members.h"
#include "collective/mismatch.h"
#include "job/memory.h"
#include "p2p/block.h"
#include "p2p/push.h"
#include "p2p/rendezvous.h"
#include "p2p/request.h"
#include "p2p/room.h"
#include "p2p/target.h"
#include "progress/progress.h"
#include "progress/ticks.h"

/* A part that the owner shows to one member. */
struct part {
  int64_t length;
  uint64_t kind;     /* MPISPEC_BLOCK, MPISPEC_RTS; or MPISPEC_INLINE: the bytes follow */
  uint64_t words[2]; /* like those of a block or an RTS in a cell */
};

const int64_t mpispec_no_offsets[MPISPEC_MOST_MEMBERS];

static int others_of(const struct mpispec_collective *collective) {
  return collective->steps.members - 1;
}

/* Bytes from part to part. A chunk has room for 64 bytes for each rank (collective_call.h). */
static int64_t pitch_of(const struct mpispec_collective *collective) {
  const int64_t least = sizeof(struct part), line = 64;
  const int64_t most = mpispec_portions_room(collective) / others_of(collective) / line * line;
  return others_of(collective) == 1 || most < line ? least : most;
}

static int64_t shown_bytes(const struct mpispec_collective *collective) {
  return pitch_of(collective) * others_of(collective);
}

static struct part *part_at(const struct mpispec_collective *collective, unsigned char *shown,
                            int from, int to) {
  return (struct part *)(shown + pitch_of(collective) * mpispec_place_of(to, from));
}

/* The k-th other member, in the order in which a rank writes its parts. In an Alltoall, a rank
 * reads first from the member before it. Therefore it writes first for the member behind it. */
static int reader_at(const struct mpispec_collective *collective, int k) {
  return (collective->steps.self + k) % collective->steps.members;
}

/* --- requests ----------------------------------------------------------------------------------*/

/* The mode is synchronous, so that a sender waits until its receiver has emptied the pipe.
 * Otherwise two ranks that exchange 64 KiB through the pipe take 1.15 times as long. */
static struct mpispec_call call_of(const void *buffer, int64_t bytes) {
  return (struct mpispec_call){.buffer = (void *)(uintptr_t)buffer,
                               .count = bytes,
                               .bytes = bytes,
                               .mode = mpispec_synchronous,
                               .contiguous = 1,
                               .blocking = 1};
}

static struct mpispec_request *make_request(struct mpispec_collective *collective,
                                            enum mpispec_request_kind kind, int member,
                                            const void *buffer, int64_t bytes) {
  struct mpispec_request *request = mpispec_check_allocation(mpispec_request_new(kind));
  request->peer = collective->peers[member];
  request->call = call_of(buffer, bytes);
  return request;
}

static void note_request(struct mpispec_collective *collective, struct mpispec_request *request) {
  collective->requests[collective->requests_under_way++] = request;
}

/* --- owner -------------------------------------------------------------------------------------*/

/* The length of the portion for a member. */
static int64_t length_for(const struct mpispec_portions *portions, int member, int only) {
  return only < 0 || member == only ? mpispec_portion_length(portions, member) : 0;
}

/* Nonzero if the owner waits for a member in any case, because it expects bytes from it. */
static int is_awaited(const struct mpispec_portions *awaited, int member) {
  return awaited && mpispec_portion_length(awaited, member);
}

/* The bytes for members that may be late. */
static int64_t bytes_for_late(const struct mpispec_collective *collective,
                              const struct mpispec_portions *portions, int only,
                              const struct mpispec_portions *awaited) {
  int64_t sum = 0;
  for (int k = 1; k < collective->steps.members; ++k) {
    const int i = reader_at(collective, k);
    sum += is_awaited(awaited, i) ? 0 : length_for(portions, i, only);
  }
  return sum;
}

/* The length up to which a portion goes in a block. `bytes` is the sum of all portions, and `most`
 * the length of messages in blocks. A rank that alone has portions does not copy many long ones
 * itself, because its readers can copy at the same time. */
static int64_t most_in_block(int64_t bytes, int64_t most, int is_alone) {
  if (!is_alone)
    return most;
  return most > MPISPEC_BLOCK_BYTES || bytes <= MPISPEC_LATE_BYTES ? MPISPEC_BLOCK_BYTES
                                                                   : MPISPEC_SCATTERED_BYTES;
}

/* The same for a portion whose reader may be late. Where ranks share processors, and blocks are
 * longer than elsewhere, owners do not wait, because the awaited ranks would not run meanwhile. */
static int64_t most_in_block_for_late(int64_t in_block, int64_t most) {
  return most > MPISPEC_BLOCK_BYTES && in_block < MPISPEC_LATE_BYTES ? MPISPEC_LATE_BYTES
                                                                     : in_block;
}

/* Announces a part by RTS. If there is no memory, the function waits, as a send does. `leaves_at`:
 * see struct mpispec_transfer. */
static void send_by_rts(struct mpispec_collective *collective, struct part *part, int member,
                        const void *bytes, uint64_t leaves_at) {
  struct mpispec_request *request =
      make_request(collective, MPISPEC_SEND, member, bytes, part->length);
  part->kind = MPISPEC_RTS;
  part->words[1] = request->transfer.address = (uint64_t)(uintptr_t)bytes;
  for (unsigned round = 0; !(part->words[0] = mpispec_rendezvous_rts(request, 1)); ++round)
    mpispec_room_wait(round);
  mpispec_room_found();
  request->transfer.leaves_at = leaves_at;
  note_request(collective, request);
}

/* Lends a block, which is filled when the step is shown. */
static int send_in_block(struct part *part, const void *bytes) {
  const struct mpispec_call call = call_of(bytes, part->length);
  part->kind = MPISPEC_BLOCK;
  return mpispec_block_lend(&call, part->words).offset != 0;
}

static void send(struct mpispec_collective *collective, struct part *part, int member,
                 const void *bytes, int64_t most, uint64_t leaves_at) {
  if (part->length + (int64_t)sizeof *part <= pitch_of(collective)) {
    mpispec_step_copy((unsigned char *)(part + 1), bytes, part->length);
    return;
  }
  if (part->length > most || !send_in_block(part, bytes))
    send_by_rts(collective, part, member, bytes, leaves_at);
}

static void fill_blocks(const struct mpispec_collective *collective,
                        const struct mpispec_portions *portions, unsigned char *shown) {
  for (int k = 1; k < collective->steps.members; ++k) {
    const int i = reader_at(collective, k);
    const struct part *part = part_at(collective, shown, collective->steps.self, i);
    if (part->kind != MPISPEC_BLOCK)
      continue;
    const struct mpispec_call call = call_of(mpispec_portion_at(portions, i), part->length);
    mpispec_block_fill(&call, part->words);
  }
}

void mpispec_long_parts_begin(struct mpispec_collective *collective,
                              const struct mpispec_portions *portions, int64_t longest, int only,
                              const struct mpispec_portions *awaited) {
  unsigned char *shown = mpispec_step_put(collective, shown_bytes(collective));
  const int64_t bytes = bytes_for_late(collective, portions, only, awaited),
                most = mpispec_block_most_bytes(collective->peers[reader_at(collective, 1)]),
                in_block = most_in_block(bytes, most, !awaited && only < 0),
                in_block_for_late = most_in_block_for_late(in_block, most);
  const uint64_t then = mpispec_ticks() + mpispec_ticks_in((uint64_t)bytes / MPISPEC_ARRIVAL_BYTES);
  if (collective->error)
    return;
  for (int k = 1; k < collective->steps.members; ++k) {
    const int i = reader_at(collective, k);
    const int leaves = !is_awaited(awaited, i) && bytes <= MPISPEC_LATE_BYTES;
    struct part *part = part_at(collective, shown, collective->steps.self, i);
    *part = (struct part){.length = length_for(portions, i, only), .kind = MPISPEC_INLINE};
    if (part->length)
      send(collective, part, i, mpispec_portion_at(portions, i),
           leaves ? in_block_for_late : in_block, leaves ? then : 0);
  }
  mpispec_step_show(collective, (int64_t)((uint64_t)longest | MPISPEC_IN_PARTS));
  fill_blocks(collective, portions, shown);
}

void mpispec_long_parts_show(struct mpispec_collective *collective,
                             const struct mpispec_portions *portions, int64_t longest, int only) {
  mpispec_long_parts_begin(collective, portions, longest, only, NULL);
  mpispec_long_parts_finish(collective);
}

/* --- reader ------------------------------------------------------------------------------------*/

/* Called if the owner has left after an error. Waits until this rank has found the error, which the
 * owner has published before. */
static void find_error(struct mpispec_collective *collective) {
  const uint64_t word = mpispec_steps_word(&collective->steps, 0);
  for (unsigned look = 0; !collective->error; ++look) {
    mpispec_mismatch_poll(collective, NULL, word);
    mpispec_wait_backoff(look);
  }
}

static void receive(struct mpispec_collective *collective, int member, const struct part *part,
                    void *to, int64_t wanted) {
  struct mpispec_request *request = make_request(collective, MPISPEC_RECEIVE, member, to, wanted);
  if (mpispec_rendezvous_pull(request, wanted, request->peer, part->words[0], part->words[1])) {
    note_request(collective, request);
    return;
  }
  mpispec_request_delete(request);
  find_error(collective);
}

static void receive_block(struct mpispec_collective *collective, int member,
                          struct mpispec_target *target, int64_t wanted, const struct part *part) {
  const int peer = collective->peers[member];
  if (!mpispec_block_receive(target, wanted, part->length, part->words, peer))
    mpispec_members_fail(collective);
}

int64_t mpispec_long_parts_read(struct mpispec_collective *collective, int member, void *to,
                                int64_t room) {
  unsigned char *shown =
      (unsigned char *)(uintptr_t)mpispec_step_get(collective, member, shown_bytes(collective));
  if (collective->error)
    return 0;
  const struct part *part = part_at(collective, shown, member, collective->steps.self);
  const int64_t length = part->length, wanted = length < room ? length : room;
  struct mpispec_target target = {to, NULL};
  if (part->kind == MPISPEC_RTS)
    receive(collective, member, part, to, wanted);
  else if (part->kind == MPISPEC_BLOCK)
    receive_block(collective, member, &target, wanted, part);
  else if (wanted)
    mpispec_step_copy(to, (const unsigned char *)(part + 1), wanted);
  return length;
}

/* --- waiting -----------------------------------------------------------------------------------*/

/* Searches for a mismatch, because a member in another operation never begins to receive. */
static void look_for_error(struct mpispec_collective *collective) {
  if (!collective->error)
    mpispec_mismatch_poll(collective, NULL, mpispec_steps_word(&collective->steps, 0));
}

/* Nonzero if a peer has left this step. That occurs only in a wrong program, which sends to a
 * member that expects no bytes and therefore does not wait. */
static int has_left(const struct mpispec_collective *collective, int peer) {
  for (int i = 0; i < collective->steps.members; ++i)
    if (collective->peers[i] == peer)
      return mpispec_slot_completed(collective->steps.slots[i]) > collective->steps.step;
  return 0;
}

static void check_peer(struct mpispec_collective *collective, struct mpispec_request *request) {
  if (!mpispec_peer_has_ended(request->peer))
    return;
  mpispec_rendezvous_abandon(request);
  mpispec_members_fail(collective);
}

static void await(struct mpispec_collective *collective, struct mpispec_request *request) {
  struct mpispec_vigil vigil = {0};
  mpispec_progress();
  for (unsigned look = 0; !request->complete; ++look) {
    if (request->transfer.leaves_at && !mpispec_push_leaves(request))
      mpispec_wait_backoff_awake(look);
    else
      mpispec_wait_backoff_or_sleep(look, NULL);
    const int is_check_due = mpispec_progress_is_time_to_check_peers(look);
    if (is_check_due)
      look_for_error(collective);
    if (request->kind == MPISPEC_SEND && !request->complete &&
        (collective->error || (is_check_due && has_left(collective, request->peer))))
      mpispec_rendezvous_withdraw(request);
    if (is_check_due && !request->complete && mpispec_vigil_is_due(&vigil))
      check_peer(collective, request);
    if (!request->complete)
      mpispec_progress();
  }
}

void mpispec_long_parts_finish(struct mpispec_collective *collective) {
  for (int i = 0; i < collective->requests_under_way; ++i) {
    await(collective, collective->requests[i]);
    mpispec_request_delete(collective->requests[i]);
  }
  collective->requests_under_way = 0;
}

/* --- what the program has done meanwhile -------------------------------------------------------*/

static uint64_t left_at; /* in ticks */

void mpispec_long_parts_left(void) { left_at = mpispec_ticks(); }

int mpispec_long_parts_may_be_written(int64_t bytes) {
  return mpispec_ticks() - left_at > mpispec_ticks_in((uint64_t)bytes / MPISPEC_WRITTEN_BYTES);
}
