/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The agreement on a slot at a communicator's first collective operation, over the MPI library.
 *
 * Each member proposes the numbers that are free on its side, and the members take the lowest
 * number that is free on all. If there is none, the MPI library executes the operations. */
#include "collective/leaders/leaders.h"
#include "collective/slots.h"
#include "comm/communicator.h"
#include "job/agreement.h"
#include "progress/helper.h"
#include "progress/lock.h"

/* Combined with MPI_BAND. */
struct proposal {
  struct mpispec_slot_terms terms;
  uint64_t numbers[MPISPEC_SLOT_WORDS];
};

static void propose(struct proposal *mine, const struct mpispec_collective *collective,
                    struct mpispec_knowledge *knowledge) {
  mpispec_lock();
  mpispec_slots_free(mine->numbers);
  mpispec_slot_terms_propose(&mine->terms, collective, knowledge);
  mpispec_unlock();
}

/* Returns the lowest number that is free on all members, or MPISPEC_SLOTS if there is none. With
 * several threads, two simultaneous agreements may choose the same number. Then each repeats its
 * search, from another number on. */
static unsigned choose(const struct proposal *all, unsigned begin) {
  for (unsigned i = 0; i < MPISPEC_LARGE_SLOTS; ++i) {
    const unsigned number = (begin + i) % MPISPEC_LARGE_SLOTS;
    if (all->numbers[number / 64] >> number % 64 & 1)
      return number;
  }
  enum { FIRST = MPISPEC_LARGE_SLOTS / 64, WORDS = MPISPEC_SLOT_WORDS - FIRST };
  for (unsigned i = 0; i < WORDS; ++i) {
    const unsigned word = FIRST + (begin + i) % WORDS;
    if (all->numbers[word])
      return word * 64 + (unsigned)__builtin_ctzll(all->numbers[word]);
  }
  return MPISPEC_SLOTS;
}

static void release(unsigned number) {
  mpispec_lock();
  mpispec_slot_release(number);
  mpispec_unlock();
}

/* Takes the number if all members can. Returns the first step, or 0. `*has_memory` is 0 if a member
 * had no memory. */
static uint64_t take_together(MPI_Comm handle, unsigned number, int *has_memory) {
  enum { TAKEN, REFUSED, STEP, WORRIES };
  uint64_t first_step;
  mpispec_lock();
  const int taken = mpispec_slot_take(number, &first_step);
  const int is_refused = !mpispec_slot_request_memory(number);
  mpispec_unlock();
  uint64_t mine[WORRIES] = {!taken, (uint64_t)is_refused, first_step};
  uint64_t worst[WORRIES];
  if (mpispec_agreement_allreduce(mine, worst, WORRIES, MPI_UINT64_T, MPI_MAX, handle))
    worst[TAKEN] = worst[REFUSED] = 1; /* no further attempt */
  *has_memory = !worst[REFUSED];
  if (!worst[TAKEN] && !worst[REFUSED])
    return worst[STEP];
  if (taken)
    release(number);
  return 0;
}

/* Finds a slot for all members and occupies it. Returns 0 if there is none. Over several nodes only
 * large slots are used, because leaders need a communicator of the MPI library, and their number is
 * limited. */
static int find_slot(const struct mpispec_communicator *communicator,
                     struct mpispec_collective *collective, struct mpispec_knowledge *knowledge) {
  const MPI_Comm handle = communicator->handle;
  int has_memory = 1;
  for (unsigned attempt = 0; has_memory; ++attempt) {
    struct proposal mine, all;
    propose(&mine, collective, knowledge);
    if (mpispec_agreement_allreduce(&mine, &all, sizeof mine / sizeof(uint64_t), MPI_UINT64_T,
                                    MPI_BAND, handle) ||
        !all.terms.is_able)
      return 0;
    const unsigned number = choose(&all, attempt ? communicator->context.id + attempt * 7 : 0);
    if (number >= (communicator->spans_nodes ? MPISPEC_LARGE_SLOTS : MPISPEC_SLOTS))
      return 0;
    const uint64_t first_step = take_together(handle, number, &has_memory);
    if (first_step) {
      mpispec_slot_occupy(collective, number, first_step);
      mpispec_slot_terms_take(&mine.terms, &all.terms, collective, knowledge);
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

static void open_singleton(struct mpispec_collective *collective) {
  mpispec_slot_occupy_none(collective);
  collective->chunk_bytes = MPISPEC_LARGE_CHUNK;
  collective->most_bytes = INT64_MAX;
  collective->steps.step = collective->steps.completed = 1;
}

/* Agrees on a slot with the other members. Returns null if the MPI library is to execute the
 * operations. */
static struct mpispec_collective *settle(const struct mpispec_communicator *communicator) {
  struct mpispec_collective *collective = mpispec_collective_describe(communicator);
  if (collective && communicator->size == 1) {
    open_singleton(collective);
    return collective;
  }
  if (!agree(communicator, collective)) {
    mpispec_collective_destroy(collective);
    return NULL;
  }
  if (communicator->spans_nodes && !mpispec_leaders_open(communicator, collective)) {
    release(collective->number);
    mpispec_collective_destroy(collective);
    return NULL;
  }
  return collective;
}

struct mpispec_collective *mpispec_collective_open(struct mpispec_communicator *communicator) {
  mpispec_library_call_begin();
  struct mpispec_collective *collective = settle(communicator);
  mpispec_library_call_end();
  mpispec_lock();
  mpispec_collective_assign(communicator, collective);
  mpispec_unlock();
  return collective;
}
