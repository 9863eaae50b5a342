/* Chooses the slot of a communicator, and determines when another communicator may use the slot.
 *
 * The choice is made at a communicator's first collective operation. All members are in the same
 * operation then and can exchange messages, and communicators without collective operations need no
 * slot. Each member proposes the numbers that are free on its side, and the members take the lowest
 * number that is free on all. If there is none, the MPI library executes the operations.
 *
 * The first step of a communicator is higher than all steps that the slot has had on any member.
 * Therefore members never take words of earlier communicators for new ones.
 *
 * A slower member may still read the slot of a freed communicator. Therefore each member stores its
 * final number of steps in `left`. A member frees the number when it has read the final number of
 * all members. */
#include "collective/collective.h"
#include "collective/discovery.h"
#include "collective/knowledge.h"
#include "collective/leaders/leaders.h"
#include "collective/mismatch.h"
#include "comm/communicator.h"
#include "job/agreement.h"
#include "job/memory.h"
#include "job/node.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/arena.h"
#include "shm/shm.h"

#include <stdlib.h>

enum {
  WORDS = MPISPEC_SLOTS / 64,
  APART = 1 << 20 /* steps, at most, between members after an error */
};

struct retired {
  struct retired *next;
  struct mpispec_collective *collective;
};

static struct {
  uint64_t taken[WORDS];             /* by a communicator, or retired */
  uint64_t next_step[MPISPEC_SLOTS]; /* beyond all steps that the number has seen here */
  struct retired *retired;
} table;

/* A communicator of one rank shows things to itself, and so does a rank that has failed. */
static _Alignas(4096) unsigned char lonely[sizeof(struct mpispec_slot) +
                                           MPISPEC_SLOT_CHUNKS * MPISPEC_LARGE_CHUNK];

static struct mpispec_slot *slot_of(int peer, unsigned number) {
  return (struct mpispec_slot *)(mpispec_shm_reserved(peer) + mpispec_slot_offset(number));
}

static void point_at_slots(struct mpispec_collective *collective) {
  for (int i = 0; i < collective->steps.members; ++i)
    collective->steps.slots[i] = slot_of(collective->peers[i], collective->number);
  collective->steps.own = collective->steps.slots[collective->steps.self];
}

/* --- retired slots -----------------------------------------------------------------------------*/

static void destroy(struct mpispec_collective *collective) {
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
    if (mpispec_slot_told_left(collective->steps.slots[i]) < collective->steps.step)
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
    destroy(entry->collective);
    free(entry);
  }
}

static void retire(struct mpispec_collective *collective) {
  struct retired *entry = mpispec_must_have(malloc(sizeof *entry));
  point_at_slots(collective);
  /* Members that were in different operations are not in the same step. */
  const uint64_t last = collective->steps.step + (collective->error ? APART : 0);
  table.next_step[collective->number] = last;
  mpispec_slot_tell(collective->steps.own, last); /* our last words */
  *entry = (struct retired){table.retired, collective};
  table.retired = entry;
}

void mpispec_collective_close(struct mpispec_communicator *communicator) {
  struct mpispec_collective *collective = communicator->collective;
  communicator->collective = NULL;
  if (!collective)
    return;
  mpispec_mismatch_leave(collective, mpispec_is_Comm_free);
  mpispec_orders_close(collective);
  mpispec_leaders_close(collective);
  if (collective->size == 1)
    destroy(collective);
  else
    retire(collective);
}

void mpispec_collectives_close(void) {
  for (struct retired *entry = table.retired, *next; entry; entry = next) {
    next = entry->next;
    destroy(entry->collective);
    free(entry);
  }
  memset(&table, 0, sizeof table);
}

/* --- the members -------------------------------------------------------------------------------*/

static struct mpispec_collective *describe(const struct mpispec_communicator *communicator) {
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
    destroy(collective);
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

static void occupy(struct mpispec_collective *collective, unsigned number, uint64_t first_step) {
  collective->number = number;
  point_at_slots(collective);
  collective->chunk_bytes = mpispec_slot_chunk_bytes(number);
  collective->most_bytes = number < MPISPEC_LARGE_SLOTS ? INT64_MAX : MPISPEC_SMALL_MOST;
  collective->steps.step = collective->steps.left = collective->first_step = first_step;
  mpispec_slot_tell(collective->steps.own, first_step);
}

static void point_at_nothing(struct mpispec_collective *collective) {
  for (int i = 0; i < collective->steps.members; ++i)
    collective->steps.slots[i] = (struct mpispec_slot *)lonely;
  collective->steps.own = (struct mpispec_slot *)lonely;
}

void mpispec_collective_fail(struct mpispec_collective *collective, int error) {
  collective->error = error;
  point_at_nothing(collective);
  memset(lonely, 0, sizeof lonely);
  mpispec_communicator_show_steps(collective->communicator, NULL); /* templates decline */
}

static void live_alone(struct mpispec_collective *collective) {
  point_at_nothing(collective);
  collective->chunk_bytes = MPISPEC_LARGE_CHUNK;
  collective->most_bytes = INT64_MAX;
  collective->steps.step = collective->steps.left = 1;
}

/* --- the agreement -----------------------------------------------------------------------------*/

/* Combined with MPI_BAND. */
struct proposal {
  uint64_t able, uncrowded;
  struct mpispec_knowledge_digests digests;
  uint64_t numbers[WORDS];
};

static void propose(struct proposal *mine, const struct mpispec_collective *collective,
                    struct mpispec_knowledge *knowledge) {
  *mine = (struct proposal){.able = collective && collective->steps.members <= MPISPEC_MOST_MEMBERS,
                            .uncrowded = !mpispec_progress_is_crowded()};
  mpispec_lock();
  release_retired();
  for (unsigned word = 0; word < WORDS; ++word)
    mine->numbers[word] = ~table.taken[word];
  mpispec_knowledge_propose(knowledge, &mine->digests);
  mpispec_unlock();
}

/* The lowest number, or none: MPISPEC_SLOTS. With several threads, two agreements at once may come
 * to the same number; then each begins its search elsewhere. */
static unsigned choose(const struct proposal *all, unsigned begin) {
  for (unsigned i = 0; i < MPISPEC_LARGE_SLOTS; ++i) {
    const unsigned number = (begin + i) % MPISPEC_LARGE_SLOTS;
    if (all->numbers[number / 64] >> number % 64 & 1)
      return number;
  }
  for (unsigned word = MPISPEC_LARGE_SLOTS / 64; word < WORDS; ++word)
    if (all->numbers[word])
      return word * 64 + (unsigned)__builtin_ctzll(all->numbers[word]);
  return MPISPEC_SLOTS;
}

/* Takes the number if it is free; `*first_step` is this rank's first step with it. */
static int take(unsigned number, uint64_t *first_step) {
  const uint64_t bit = UINT64_C(1) << number % 64;
  mpispec_lock();
  const int is_free = !(table.taken[number / 64] & bit);
  table.taken[number / 64] |= bit;
  *first_step = table.next_step[number] + 1;
  mpispec_unlock();
  return is_free;
}

static void give_back(unsigned number) {
  mpispec_lock();
  table.taken[number / 64] &= ~(UINT64_C(1) << number % 64);
  mpispec_unlock();
}

/* Asked for now: later the system's refusal would be a signal. */
static int ask_for_memory(unsigned number) {
  return mpispec_memory_ask(slot_of(mpispec_node.rank, number),
                            mpispec_slot_offset(number + 1) - mpispec_slot_offset(number));
}

/* Takes the number if all members can. Returns the first step, or 0; `has_memory` says whether it
 * was not for memory. */
static uint64_t take_together(MPI_Comm handle, unsigned number, int *has_memory) {
  enum { TAKEN, REFUSED, STEP, WORRIES };
  uint64_t first_step;
  const int taken = take(number, &first_step);
  uint64_t mine[WORRIES] = {!taken, !ask_for_memory(number), first_step};
  uint64_t worst[WORRIES];
  mpispec_agreement_allreduce(mine, worst, WORRIES, MPI_UINT64_T, MPI_MAX, handle);
  *has_memory = !worst[REFUSED];
  if (!worst[TAKEN] && !worst[REFUSED])
    return worst[STEP];
  if (taken)
    give_back(number);
  return 0;
}

/* Finds a slot for all members and occupies it. Returns 0 if there is none. Leaders need a
 * communicator of the MPI library, which has not many: so over several nodes only the large slots
 * can be had. */
static int find_slot(const struct mpispec_communicator *communicator,
                     struct mpispec_collective *collective, struct mpispec_knowledge *knowledge) {
  const MPI_Comm handle = communicator->handle;
  int has_memory = 1;
  for (unsigned attempt = 0; has_memory; ++attempt) {
    struct proposal mine, all;
    propose(&mine, collective, knowledge);
    if (mpispec_agreement_allreduce(&mine, &all, sizeof mine / sizeof(uint64_t), MPI_UINT64_T,
                                    MPI_BAND, handle) ||
        !all.able)
      return 0;
    const unsigned number = choose(&all, attempt ? communicator->context.id + attempt * 7 : 0);
    if (number >= (communicator->spans_nodes ? MPISPEC_LARGE_SLOTS : MPISPEC_SLOTS))
      return 0;
    const uint64_t first_step = take_together(handle, number, &has_memory);
    if (first_step) {
      occupy(collective, number, first_step);
      collective->crowded = !all.uncrowded;
      mpispec_knowledge_take(knowledge, collective, &mine.digests, &all.digests);
      return 1;
    }
  }
  return 0;
}

static int agree(const struct mpispec_communicator *communicator,
                 struct mpispec_collective *collective) {
  struct mpispec_knowledge knowledge = mpispec_knowledge_open(communicator);
  const int is_agreed = find_slot(communicator, collective, &knowledge);
  mpispec_knowledge_close(&knowledge);
  return is_agreed;
}

/* Agrees with the others; null if the MPI library is to do it. */
static struct mpispec_collective *settle(const struct mpispec_communicator *communicator) {
  struct mpispec_collective *collective = describe(communicator);
  if (collective && communicator->size == 1) {
    live_alone(collective);
    return collective;
  }
  if (!agree(communicator, collective)) {
    destroy(collective);
    return NULL;
  }
  if (communicator->spans_nodes && !mpispec_leaders_open(communicator, collective)) {
    give_back(collective->number);
    destroy(collective);
    return NULL;
  }
  return collective;
}

struct mpispec_collective *mpispec_collective_open(struct mpispec_communicator *communicator) {
  mpispec_away();
  struct mpispec_collective *collective = settle(communicator);
  mpispec_back();
  mpispec_lock();
  communicator->collective = collective;
  communicator->collective_known = 1;
  if (collective)
    collective->communicator = communicator;
  if (collective && !collective->nodes)
    mpispec_communicator_show_steps(communicator, &collective->steps);
  mpispec_unlock();
  return collective;
}
