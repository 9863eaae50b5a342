/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waiting within a step. Meanwhile the rank makes progress like all waiting calls, in the lanes and
 * in the MPI library. */
#include "collective/collective.h"
#include "collective/ended_members.h"
#include "collective/mismatch.h"
#include "mpispec/machine.h"
#include "progress/doorbell.h"
#include "progress/first_polls.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "progress/tuning.h"
#include "shm/copy.h"

/* The number of bytes of a chunk that a rank fetches before it writes there. In an exchange, more
 * bytes would evict data from the cache that the rank will read. */
static int64_t bytes_to_fetch(const struct mpispec_collective *collective) {
  const int64_t bytes = collective->put_bytes;
  return collective->put_step < collective->steps.step || bytes <= MPISPEC_FETCHED_WHOLE_BYTES
             ? bytes
             : MPISPEC_FETCHED_BYTES;
}

/* While a rank waits, it fetches the lines that it will probably write in the next step: its cell
 * and its chunk. Other members have read these lines, and therefore each write would wait for a
 * line. The rank does not fetch lines that others may still read. */
static void fetch_next(struct mpispec_collective *collective) {
  const struct mpispec_steps *steps = &collective->steps;
  const uint64_t last = collective->put_step > steps->step ? collective->put_step : steps->step;
  const uint64_t next = last + 1;
  const int writes_chunks = collective->put_bytes > MPISPEC_SLOT_PAYLOAD &&
                            last - collective->put_step <= (uint64_t)steps->members;
  const int is_free = next - steps->completed < MPISPEC_SLOT_CHUNKS;
  if (!writes_chunks || !is_free || collective->fetched_step == next || collective->oversubscribed)
    return;
  collective->fetched_step = next;
  const unsigned char *chunk =
      mpispec_step_chunk(collective, steps->own, next, collective->put_bytes);
  const unsigned char *end = chunk + bytes_to_fetch(collective);
  mpispec_prefetch(&steps->own->cells[next % mpispec_slot_cells]);
  for (; chunk < end; chunk += 64)
    mpispec_prefetch(chunk);
}

int mpispec_collective_owner(const struct mpispec_collective *collective, const void *word) {
  const struct mpispec_steps *steps = &collective->steps;
  for (int i = 0; i < steps->members; ++i)
    if ((uintptr_t)word - (uintptr_t)steps->slots[i] < sizeof(struct mpispec_slot))
      return i;
  return -1;
}

/* Whether every member shows every step of the current operation. */
static int all_show(const struct mpispec_collective *collective) {
  const uint64_t kind =
      collective->call.signature >> mpispec_signature_place >> mpispec_signature_details;
  return !collective->nodes && (kind == mpispec_is_Barrier || kind == mpispec_is_Allreduce);
}

/* Returns the cell on which this rank sleeps while it awaits `cell`. If it needs the parts of all
 * members, it sleeps on the cell of the last member that has not shown its part. Members that sleep
 * are woken in the order of their numbers, and arrive in that order at the next step. Therefore the
 * last one mostly arrives last, and each member sleeps once a step. */
static const struct mpispec_slot_cell *last_awaited(const struct mpispec_collective *collective,
                                                    const struct mpispec_slot_cell *cell,
                                                    uint64_t word) {
  const struct mpispec_steps *steps = &collective->steps;
  if (!mpispec_doorbells_used || !all_show(collective))
    return cell;
  for (int i = steps->members - 1; i >= 0; --i) {
    const struct mpispec_slot_cell *other = mpispec_steps_cell(steps, steps->slots[i]);
    if (i != steps->self && !mpispec_slot_cell_is_shown(other, word))
      return other;
  }
  return cell;
}

/* A word in a member's slot, and the value for which this rank waits. The word is that of a cell,
 * or the member's completed steps, whose number only grows. `parking` belongs to the whole wait. */
struct awaited_word {
  const uint64_t *word;
  uint64_t value;
  int only_grows;
  struct mpispec_awaited parking;
};

/* For a parked thread (progress/parking.h). Slots stay mapped while a member waits. */
static int has_come(const void *what) {
  const struct awaited_word *awaited = what;
  const uint64_t word = __atomic_load_n(awaited->word, __ATOMIC_RELAXED);
  return word == awaited->value || (awaited->only_grows && word > awaited->value);
}

/* Called between two polls of a word in a member's slot, which only that member writes. Members
 * that await a single member, such as a root, yield for longer before they sleep. Otherwise a root
 * that is many steps ahead would wake them in each step. */
static void relax(const struct mpispec_collective *collective, unsigned look,
                  struct awaited_word *awaited) {
  const unsigned round = mpispec_first_round() + look;
  const int may_sleep = mpispec_doorbells_used && (look > MPISPEC_SPINS || all_show(collective));
  const int owner = may_sleep ? mpispec_collective_owner(collective, awaited->word) : -1;
  awaited->parking.is_over = awaited->parking.has_news = has_come;
  awaited->parking.what = awaited;
  if (owner >= 0)
    mpispec_wait_backoff_or_sleep_for(round, collective->peers[owner], awaited->word,
                                      &awaited->parking);
  else if (mpispec_may_park(round))
    mpispec_wait_or_park(round, &awaited->parking);
  else
    mpispec_wait_backoff_awake(round);
}

/* Nonzero if the last part that this rank has put fits a cell, and belongs to no later step. */
static int is_in_cell(const struct mpispec_collective *collective) {
  return collective->put_bytes <= MPISPEC_SLOT_PAYLOAD &&
         collective->put_step <= collective->steps.step;
}

/* Returns 0 if members are in different operations. */
static int await(struct mpispec_collective *collective, const struct mpispec_slot_cell *cell,
                 uint64_t word) {
  if (collective->error)
    return 0;
  struct mpispec_vigil vigil = {0};
  struct awaited_word awaited = {.value = word};
  const struct mpispec_steps *steps = &collective->steps;
  fetch_next(collective);
  mpispec_first_polls(&cell->word, word, 0);
  for (unsigned look = 0; !mpispec_slot_cell_is_shown(cell, word); ++look) {
    mpispec_progress();
    awaited.word = (const uint64_t *)&last_awaited(collective, cell, word)->word;
    relax(collective, look, &awaited);
    if (mpispec_progress_is_time_to_check_peers(look) &&
        (mpispec_mismatch_poll(collective, cell, word) ||
         mpispec_members_check(collective, cell, &vigil)))
      return 0;
  }
  if (is_in_cell(collective)) /* members may already poll the cell of the next step */
    mpispec_prefetch(&steps->own->cells[(steps->step + 1) % mpispec_slot_cells]);
  return 1;
}

void mpispec_step_wait(struct mpispec_collective *collective,
                       const struct mpispec_slot_cell *cell) {
  await(collective, cell, mpispec_steps_word(&collective->steps, 0));
}

/* Like mpispec_step_wait, for a template, which passes only the steps. Its call is recorded here,
 * because only an error text needs it. */
int mpispec_steps_wait(const struct mpispec_steps *steps, const struct mpispec_slot_cell *cell,
                       unsigned long long word, const char *place) {
  struct mpispec_collective *collective = (struct mpispec_collective *)(uintptr_t)steps;
  const struct mpispec_slot_cell *own = mpispec_steps_cell(steps, steps->own);
  const int is_shown = mpispec_slot_cell_is_shown(own, word);
  collective->call = (struct mpispec_collective_call){
      .signature = word - mpispec_steps_word(steps, 0),
      .bytes = is_shown ? (int64_t)own->length : -1,
      .root = is_shown ? -1 : steps->self,
      .place = place,
  };
  collective->put_bytes = 0; /* a template's part is in the cell */
  return await(collective, cell, word);
}

/* --- chunks that are read while they are written -----------------------------------------------*/

/* Bytes that are in the chunk of a cell: the payload has no other use then. */
static uint64_t *filled_of(const struct mpispec_slot_cell *cell) {
  return (uint64_t *)(uintptr_t)cell->payload;
}

void mpispec_step_show_empty(struct mpispec_collective *collective, int64_t shown_length) {
  struct mpispec_slot_cell *cell = mpispec_steps_cell(&collective->steps, collective->steps.own);
  __atomic_store_n(filled_of(cell), 0, __ATOMIC_RELAXED);
  mpispec_step_show(collective, shown_length);
}

void mpispec_step_publish_filled(struct mpispec_collective *collective, int64_t bytes) {
  struct mpispec_slot_cell *cell = mpispec_steps_cell(&collective->steps, collective->steps.own);
  /* Pair V, release. */
  __atomic_store_n(filled_of(cell), (uint64_t)bytes, __ATOMIC_RELEASE);
}

void mpispec_step_fill(struct mpispec_collective *collective, unsigned char *chunk, int64_t at,
                       const void *from, int64_t length) {
  const int64_t most = MPISPEC_BLOCK_STEP;
  for (int64_t done = 0; done < length;) {
    const int64_t piece = length - done < most ? length - done : most;
    memcpy(chunk + at + done, (const unsigned char *)from + done, (size_t)piece);
    done += piece;
    mpispec_step_publish_filled(collective, at + done);
  }
}

/* The owner is in the same step. Therefore the next bytes arrive soon, unless the owner has lost
 * its core. In a wrong program it may be in another operation, which fills no chunk. */
int64_t mpispec_step_await_bytes(struct mpispec_collective *collective,
                                 const struct mpispec_slot_cell *cell, int64_t bytes) {
  struct mpispec_vigil vigil = {0};
  for (unsigned look = 0; !collective->error; ++look) {
    /* Pair V, acquire. */
    const int64_t filled = (int64_t)__atomic_load_n(filled_of(cell), __ATOMIC_ACQUIRE);
    if (filled >= bytes)
      return filled;
    if (look < MPISPEC_SLOT_POLLS) {
      mpispec_pause();
    } else {
      mpispec_progress();
      mpispec_wait_backoff(look);
      if (mpispec_progress_is_time_to_check_peers(look) &&
          !mpispec_mismatch_poll(collective, NULL, mpispec_steps_word(&collective->steps, 0)))
        mpispec_members_check(collective, cell, &vigil);
    }
  }
  return bytes;
}

void mpispec_step_follow(struct mpispec_collective *collective,
                         const struct mpispec_slot_cell *cell, void *to, const unsigned char *chunk,
                         int64_t at, int64_t length, int readers) {
  for (int64_t done = 0; done < length && !collective->error;) {
    const int64_t filled = mpispec_step_await_bytes(collective, cell, at + done + 1) - at;
    const int64_t there = filled < length ? filled : length;
    if (!collective->error) {
      mpispec_copy_from_peer((unsigned char *)to + done, chunk + at + done, there - done, length);
      mpispec_step_release(collective, chunk + at + done, there - done, readers);
    }
    done = there;
  }
}

void mpispec_step_release_lines(const unsigned char *bytes, int64_t length) {
  mpispec_lines_release((unsigned char *)(uintptr_t)bytes, length);
}

void mpispec_step_release_shown(struct mpispec_collective *collective, int member, int64_t bytes,
                                int64_t from, int64_t to) {
  if ((int64_t)mpispec_step_await(collective, member)->length == bytes && !collective->error)
    mpispec_step_release(collective, mpispec_step_get(collective, member, bytes) + from, to - from,
                         1);
}

/* --- room --------------------------------------------------------------------------------------*/

/* Returns the first step that a member has not yet published as left, or this rank's step. Sets
 * `*awaited` to the word in which that member publishes its completed steps. */
static uint64_t look_for_room(const struct mpispec_collective *collective,
                              const uint64_t **awaited) {
  uint64_t least = collective->steps.step;
  for (int i = 0; i < collective->steps.members; ++i) {
    if (i == collective->steps.self)
      continue;
    const uint64_t completed = mpispec_slot_completed(collective->steps.slots[i]);
    if (completed < least) {
      *awaited = (const uint64_t *)&collective->steps.slots[i]->completed;
      least = completed;
    }
  }
  return least;
}

/* Nonzero if all members have left the last step that used the chunk of this step. Steps since then
 * may have used cells, as that of a Barrier does. */
static int chunk_is_free(const struct mpispec_collective *collective) {
  const struct mpispec_steps *steps = &collective->steps;
  return collective->chunk_steps[steps->step % MPISPEC_SLOT_CHUNKS] < steps->completed &&
         steps->step - steps->completed < mpispec_slot_cells;
}

void mpispec_step_make_room(struct mpispec_collective *collective, uint64_t places) {
  if (collective->error || (places == MPISPEC_SLOT_CHUNKS && chunk_is_free(collective)))
    return;
  struct awaited_word awaited = {.value = collective->steps.step - places + 1, .only_grows = 1};
  struct mpispec_vigil vigil = {0};
  collective->steps.completed = look_for_room(collective, &awaited.word);
  for (unsigned look = 0; collective->steps.step - collective->steps.completed >= places; ++look) {
    mpispec_progress();
    relax(collective, look, &awaited);
    if (mpispec_progress_is_time_to_check_peers(look) &&
        (mpispec_mismatch_poll(collective, NULL, mpispec_steps_word(&collective->steps, 0)) ||
         mpispec_members_check(collective, awaited.word, &vigil)))
      return;
    collective->steps.completed = look_for_room(collective, &awaited.word);
  }
}
