/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slots of this rank: which communicator has which, and when another communicator may use the slot.
 *
 * A communicator that a blocking constructor makes gets its slot there, mostly (child_slot.h).
 * Other communicators agree on a slot at their first collective operation (slot_agreement.c). All
 * members are in the same operation then and can exchange messages, and communicators without
 * collective operations need no slot.
 *
 * The first step of a communicator is higher than all steps that the slot has had on any member.
 * Therefore members never take words of earlier communicators for new ones.
 *
 * A slower member may still read the slot of a freed communicator. Therefore each member stores its
 * final number of steps in `completed`. A member frees the number when it has read the final number
 * of all members. */
#include "collective/slots.h"

#include "collective/discovery.h"
#include "collective/leaders/leaders.h"
#include "collective/mismatch.h"
#include "comm/communicator.h"
#include "job/memory.h"
#include "job/node.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/arena.h"
#include "shm/shm.h"

#include <stdlib.h>

enum { APART = 1 << 20 /* upper bound of the distance of members after an error, in steps */ };

struct retired {
  struct retired *next;
  struct mpispec_collective *collective;
};

static struct {
  uint64_t taken[MPISPEC_SLOT_WORDS]; /* by a communicator, or retired, or offered to a child */
  uint64_t next_step[MPISPEC_SLOTS];  /* beyond all steps that the number has had on this rank */
  uint64_t last_step;                 /* the highest value of next_step */
  uint64_t with_memory;               /* large slots whose memory the system has given */
  struct retired *retired;
  struct mpispec_collective *unused[MPISPEC_MOST_UNUSED_CHILDREN]; /* null, or a child's */
  int offers; /* agreements of constructors in which this rank offers numbers */
} table;

/* The slot of a communicator of one rank, and of a rank that has failed. */
static _Alignas(4096) unsigned char self_slot[sizeof(struct mpispec_slot) +
                                              MPISPEC_SLOT_CHUNKS * MPISPEC_LONG_CHUNK +
                                              MPISPEC_SLOT_SHORT_CHUNKS * MPISPEC_SHORT_CHUNK];

/* The same on all ranks of the node. If they share its processors, each step costs switches of a
 * processor. Longer chunks then save more steps than they cost by leaving caches. */
static int use_long_chunks(void) {
  return mpispec_progress_was_oversubscribed() && mpispec_node.size <= MPISPEC_LONG_CHUNK_RANKS;
}

struct mpispec_slot *mpispec_slot_of(int peer, unsigned number) {
  return (struct mpispec_slot *)mpispec_shm_reserved(peer, mpispec_slot_offset(number));
}

static void point_at_slots(struct mpispec_collective *collective) {
  for (int i = 0; i < collective->steps.members; ++i)
    collective->steps.slots[i] = mpispec_slot_of(collective->peers[i], collective->number);
  collective->steps.own = collective->steps.slots[collective->steps.self];
}

/* --- retired slots -----------------------------------------------------------------------------*/

void mpispec_collective_destroy(struct mpispec_collective *collective) {
  if (!collective)
    return;
  free(collective->steps.slots);
  free(collective->requests);
  free(collective->peers);
  free(collective->member_of);
  free(collective);
}

static int all_have_left(const struct mpispec_collective *collective) {
  for (int i = 0; i < collective->steps.members; ++i)
    if (mpispec_slot_completed(collective->steps.slots[i]) < collective->steps.step)
      return 0;
  return 1;
}

static void release_retired(void) {
  for (struct retired **at = &table.retired; *at;) {
    struct retired *entry = *at;
    const unsigned number = entry->collective->number;
    if (!all_have_left(entry->collective)) {
      at = &entry->next;
      continue;
    }
    table.taken[number / 64] &= ~(UINT64_C(1) << number % 64);
    *at = entry->next;
    mpispec_collective_destroy(entry->collective);
    free(entry);
  }
}

static void retire(struct mpispec_collective *collective) {
  struct retired *entry = mpispec_check_allocation(malloc(sizeof *entry));
  point_at_slots(collective);
  /* Members that were in different operations are not in the same step. */
  const uint64_t last = collective->steps.step + (collective->error ? APART : 0);
  table.next_step[collective->number] = last;
  table.last_step = last > table.last_step ? last : table.last_step;
  mpispec_doorbell_note_word();
  mpispec_slot_publish_completed(collective->steps.own, last); /* the final number */
  *entry = (struct retired){table.retired, collective};
  table.retired = entry;
}

static void forget_unused(const struct mpispec_collective *collective) {
  for (int i = 0; i < MPISPEC_MOST_UNUSED_CHILDREN; ++i)
    if (table.unused[i] == collective)
      table.unused[i] = NULL;
}

void mpispec_collective_close(struct mpispec_communicator *communicator) {
  struct mpispec_collective *collective = communicator->collective;
  communicator->collective = NULL;
  if (!collective)
    return;
  forget_unused(collective);
  mpispec_mismatch_leave(collective, mpispec_is_Comm_free);
  mpispec_orders_close(collective);
  mpispec_leaders_close(collective);
  if (collective->size == 1)
    mpispec_collective_destroy(collective);
  else
    retire(collective);
}

void mpispec_collectives_close(void) {
  for (struct retired *entry = table.retired, *next; entry; entry = next) {
    next = entry->next;
    mpispec_collective_destroy(entry->collective);
    free(entry);
  }
  memset(&table, 0, sizeof table);
}

/* --- the members -------------------------------------------------------------------------------*/

struct mpispec_collective *
mpispec_collective_describe(const struct mpispec_communicator *communicator) {
  const size_t size = (size_t)communicator->size;
  struct mpispec_collective *collective = calloc(1, sizeof *collective);
  if (!collective)
    return NULL;
  collective->steps.slots = malloc(size * sizeof(struct mpispec_slot *));
  collective->peers = malloc(size * sizeof(int));
  collective->member_of = malloc(size * sizeof(int));
  collective->requests = malloc(2 * size * sizeof(struct mpispec_request *));
  if (!collective->steps.slots || !collective->peers || !collective->member_of ||
      !collective->requests) {
    mpispec_collective_destroy(collective);
    return NULL;
  }
  collective->rank = communicator->rank;
  collective->size = communicator->size;
  for (int rank = 0; rank < communicator->size; ++rank) {
    const int peer = communicator->peer_of[rank];
    if (rank == communicator->rank)
      collective->steps.self = collective->steps.members;
    collective->member_of[rank] = peer < 0 ? -1 : collective->steps.members;
    if (peer >= 0)
      collective->peers[collective->steps.members++] = peer;
  }
  return collective;
}

void mpispec_slot_occupy(struct mpispec_collective *collective, unsigned number,
                         uint64_t first_step) {
  collective->number = number;
  point_at_slots(collective);
  collective->chunk_bytes = mpispec_slot_chunk_bytes(number, 0);
  collective->most_bytes = number < MPISPEC_LARGE_SLOTS ? INT64_MAX : MPISPEC_SMALL_MOST;
  collective->steps.step = collective->steps.completed = collective->first_step = first_step;
  mpispec_slot_publish_completed(collective->steps.own, first_step); /* nobody awaits it yet */
}

void mpispec_slot_occupy_none(struct mpispec_collective *collective) {
  for (int i = 0; i < collective->steps.members; ++i)
    collective->steps.slots[i] = (struct mpispec_slot *)self_slot;
  collective->steps.own = (struct mpispec_slot *)self_slot;
}

void mpispec_collective_fail(struct mpispec_collective *collective, int error) {
  collective->error = error;
  mpispec_slot_occupy_none(collective);
  memset(self_slot, 0, sizeof self_slot);
  mpispec_communicator_show_steps(collective->communicator, NULL); /* templates decline */
}

/* --- terms -------------------------------------------------------------------------------------*/

void mpispec_slot_terms_propose(struct mpispec_slot_terms *mine,
                                const struct mpispec_collective *collective,
                                struct mpispec_knowledge *knowledge) {
  mine->is_able = collective && collective->steps.members <= MPISPEC_MOST_MEMBERS;
  mine->has_processors = !mpispec_progress_was_oversubscribed();
  mpispec_knowledge_propose(knowledge, &mine->digests);
}

void mpispec_slot_terms_take(const struct mpispec_slot_terms *mine,
                             const struct mpispec_slot_terms *all,
                             struct mpispec_collective *collective,
                             struct mpispec_knowledge *knowledge) {
  collective->oversubscribed = !all->has_processors;
  const int may_use_long = collective->oversubscribed && use_long_chunks();
  collective->chunk_bytes = mpispec_slot_chunk_bytes(
      collective->number, may_use_long && collective->steps.members == collective->size);
  mpispec_knowledge_take(knowledge, collective, &mine->digests, &all->digests);
}

/* --- numbers -----------------------------------------------------------------------------------*/

void mpispec_slots_free(uint64_t numbers[MPISPEC_SLOT_WORDS]) {
  release_retired();
  for (unsigned word = 0; word < MPISPEC_SLOT_WORDS; ++word)
    numbers[word] = ~table.taken[word];
}

int mpispec_slot_take(unsigned number, uint64_t *first_step) {
  const uint64_t bit = UINT64_C(1) << number % 64;
  const int is_free = !(table.taken[number / 64] & bit);
  table.taken[number / 64] |= bit;
  *first_step = table.next_step[number] + 1;
  return is_free;
}

void mpispec_slot_release(unsigned number) {
  table.taken[number / 64] &= ~(UINT64_C(1) << number % 64);
}

/* Without the short chunks, which many communicators do not use. Where the system may refuse pages,
 * the rank has requested them in MPI_Init (shm/segment.c). */
int mpispec_slot_request_memory(unsigned number) {
  const int64_t chunk = mpispec_slot_chunk_bytes(number, use_long_chunks());
  const int has_memory =
      mpispec_memory_populate(mpispec_slot_of(mpispec_node.rank, number),
                              sizeof(struct mpispec_slot) + MPISPEC_SLOT_CHUNKS * (uint64_t)chunk);
  if (has_memory && number < MPISPEC_LARGE_SLOTS)
    table.with_memory |= UINT64_C(1) << number;
  return has_memory;
}

void mpispec_collective_assign(struct mpispec_communicator *communicator,
                               struct mpispec_collective *collective) {
  communicator->collective = collective;
  communicator->collective_known = 1;
  if (collective)
    collective->communicator = communicator;
  if (collective && !collective->nodes)
    mpispec_communicator_show_steps(communicator, &collective->steps);
}

/* --- children ----------------------------------------------------------------------------------*/

/* Returns the number of places for children without operations. `*place` is one, or null. */
static int find_unused(struct mpispec_collective ***place) {
  int count = 0;
  *place = NULL;
  for (int i = 0; i < MPISPEC_MOST_UNUSED_CHILDREN; ++i) {
    const struct mpispec_collective *child = table.unused[i];
    if (child && child->steps.step == child->first_step)
      continue;
    *place = &table.unused[i];
    ++count;
  }
  return count;
}

/* Returns free numbers for children of this parent. With several threads, parents may have
 * constructors at the same time. Therefore each parent begins its search at one of eight groups of
 * numbers. Parents with neighbouring numbers begin at different groups, and so do the children of
 * one parent, whose numbers differ by multiples of eight. */
static uint64_t free_for_children_of(unsigned parent) {
  const uint64_t numbers = ~table.taken[0];
  if (!mpispec_lock_is_shared())
    return numbers;
  for (unsigned group = parent + parent / 8, i = 0; i < 8; ++i) {
    const uint64_t some = numbers & UINT64_C(0x0101010101010101) << (group + i) % 8;
    if (some)
      return some;
  }
  return 0;
}

uint64_t mpispec_slots_offer(unsigned parent) {
  struct mpispec_collective **place;
  release_retired();
  uint64_t numbers = free_for_children_of(parent);
  if (find_unused(&place) <= table.offers)
    return 0;
  if (numbers && !(numbers & table.with_memory))
    mpispec_slot_request_memory((unsigned)__builtin_ctzll(numbers));
  numbers &= table.with_memory;
  table.taken[0] |= numbers;
  table.offers += numbers != 0;
  return numbers;
}

void mpispec_slots_withdraw(uint64_t numbers) {
  table.taken[0] &= ~numbers;
  table.offers -= numbers != 0;
}

uint64_t mpispec_slots_next_step(void) { return table.last_step + 1; }

void mpispec_slot_take_for_child(struct mpispec_collective *collective, unsigned number,
                                 uint64_t first_step) {
  struct mpispec_collective **place;
  find_unused(&place);
  table.taken[0] |= UINT64_C(1) << number;
  *place = collective;
  mpispec_slot_occupy(collective, number, first_step);
}
