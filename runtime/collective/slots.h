/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* This rank's slots. Members agree on a slot over the MPI library (slot_agreement.c) or over the
 * parent's slot (child_slot.c). All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_SLOTS_H
#define MPISPEC_RUNTIME_COLLECTIVE_SLOTS_H

#include "collective/collective.h"
#include "collective/knowledge.h"

enum {
  MPISPEC_SLOT_WORDS = MPISPEC_SLOTS / 64,
  /* The most children (communicators with a slot by child_slot.h) that have had no operation yet.
   * Further children agree on a slot at their first operation. Therefore communicators without
   * collective operations leave most of the large slots to others. */
  MPISPEC_MOST_UNUSED_CHILDREN = 8
};

/* Returns the state of a communicator that has no slot yet, or null if there is no memory. */
struct mpispec_collective *
mpispec_collective_describe(const struct mpispec_communicator *communicator);
void mpispec_collective_destroy(struct mpispec_collective *collective);

/* Stores the state in the communicator. */
void mpispec_collective_assign(struct mpispec_communicator *communicator,
                               struct mpispec_collective *collective);

struct mpispec_slot *mpispec_slot_of(int peer, unsigned number);

/* Points the state at the members' slots with this number. */
void mpispec_slot_occupy(struct mpispec_collective *collective, unsigned number,
                         uint64_t first_step);

/* Points the state at private memory, for a rank that waits for no other member. */
void mpispec_slot_occupy_none(struct mpispec_collective *collective);

/* Writes a bit for each number that is free on this rank. */
void mpispec_slots_free(uint64_t numbers[MPISPEC_SLOT_WORDS]);

/* The part of a member's proposal that both agreements have: at the first operation
 * (slot_agreement.c), and in a constructor (child_slot.h). The terms of all members are combined
 * bit by bit with AND. */
struct mpispec_slot_terms {
  uint64_t is_able;        /* this member can agree: 1 or 0 */
  uint64_t has_processors; /* this member's node is not oversubscribed: 1 or 0 */
  struct mpispec_knowledge_digests digests;
};

/* Writes this rank's terms. `collective` is a state without a slot, or null. */
void mpispec_slot_terms_propose(struct mpispec_slot_terms *mine,
                                const struct mpispec_collective *collective,
                                struct mpispec_knowledge *knowledge);

/* Stores in the state what `all` members have agreed on. */
void mpispec_slot_terms_take(const struct mpispec_slot_terms *mine,
                             const struct mpispec_slot_terms *all,
                             struct mpispec_collective *collective,
                             struct mpispec_knowledge *knowledge);

/* Takes the number, and returns nonzero if it was free. `*first_step` is beyond all steps that the
 * number has had on this rank. */
int mpispec_slot_take(unsigned number, uint64_t *first_step);
void mpispec_slot_release(unsigned number);

/* Requests the slot's memory from the system now, because a later refusal would be a signal.
 * Returns 0 if the system refuses. */
int mpispec_slot_request_memory(unsigned number);

/* The large slots that a child can have: a bit for each number that is free on this rank and has
 * memory. 0 if too many children have no operation yet. No other communicator gets these numbers
 * before mpispec_slots_withdraw. `parent` is the number of the parent's slot. With several threads,
 * the numbers in the result depend on it. */
uint64_t mpispec_slots_offer(unsigned parent);
void mpispec_slots_withdraw(uint64_t numbers);

/* A step beyond all steps that the slots of this rank have had. */
uint64_t mpispec_slots_next_step(void);

/* Occupies a slot that all members of the child have offered. Called after
 * mpispec_slots_withdraw, without a release of the lock in between. */
void mpispec_slot_take_for_child(struct mpispec_collective *collective, unsigned number,
                                 uint64_t first_step);

#endif
