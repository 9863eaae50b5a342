/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See child_slot.h. */
#include "collective/child_slot.h"

#include "comm/communicator.h"
#include "progress/lock.h"

struct constructor {
  struct mpispec_collective *parent;
  struct mpispec_communicator *child; /* null if this rank makes no proposal for one */
  struct mpispec_collective *made;    /* the child's state, without a slot yet; or null */
  struct mpispec_knowledge knowledge;
  struct mpispec_slot_proposal mine;
};

/* Returns the parent's state if its members agree in its slot, else null. All members get the same
 * result. */
static struct mpispec_collective *parent_of(MPI_Comm handle) {
  const struct mpispec_communicator *parent = mpispec_communicator_find(handle);
  struct mpispec_collective *collective = parent ? parent->collective : NULL;
  const int can_agree =
      collective && collective->size > 1 && !collective->nodes && !collective->error;
  return can_agree ? collective : NULL;
}

static struct mpispec_communicator *child_of(MPI_Comm handle) {
  struct mpispec_communicator *child =
      handle == MPI_COMM_NULL ? NULL : mpispec_communicator_find(handle);
  return child && child->size > 1 && !child->collective_known ? child : NULL;
}

static void propose(struct constructor *constructor) {
  struct mpispec_slot_proposal *mine = &constructor->mine;
  *mine = (struct mpispec_slot_proposal){0};
  if (!constructor->child)
    return;
  constructor->made = mpispec_collective_describe(constructor->child);
  mpispec_slot_terms_propose(&mine->terms, constructor->made, &constructor->knowledge);
  mine->numbers = mpispec_slots_offer(constructor->parent->number);
  mine->next_step = mpispec_slots_next_step();
}

static void show(const struct constructor *constructor, const void *caller) {
  enum { BYTES = sizeof constructor->mine };
  static_assert((int)BYTES < (int)MPISPEC_RELEASED_BYTES, "no reader erases a proposal");
  struct mpispec_collective *parent = constructor->parent;
  mpispec_collective_begin(parent, mpispec_signature(mpispec_is_constructor, 0), -1, -1);
  parent->call.caller = caller;
  parent->call.place = NULL;
  memcpy(mpispec_step_put(parent, BYTES), &constructor->mine, BYTES);
  mpispec_step_show(parent, BYTES);
}

/* --- reading -----------------------------------------------------------------------------------*/

static void combine(struct mpispec_slot_proposal *all, const struct mpispec_slot_proposal *one) {
  all->terms.is_able &= one->terms.is_able;
  all->terms.has_processors &= one->terms.has_processors;
  all->numbers &= one->numbers;
  all->next_step = all->next_step > one->next_step ? all->next_step : one->next_step;
  mpispec_knowledge_combine(&all->terms.digests, &one->terms.digests);
}

/* Combines what the child's members have shown. */
static struct mpispec_slot_proposal collect(const struct constructor *constructor) {
  struct mpispec_collective *parent = constructor->parent;
  const struct mpispec_communicator *child = constructor->child;
  struct mpispec_slot_proposal all = constructor->mine;
  for (int rank = 0; rank < child->size; ++rank) {
    struct mpispec_slot *slot = mpispec_slot_of(child->peer_of[rank], parent->number);
    const struct mpispec_slot_cell *cell = mpispec_steps_cell(&parent->steps, slot);
    mpispec_step_wait(parent, cell);
    if (parent->error)
      return (struct mpispec_slot_proposal){0};
    combine(&all, (const struct mpispec_slot_proposal *)mpispec_step_chunk(
                      parent, slot, parent->steps.step, sizeof all));
  }
  return all;
}

/* All members of the child do the same, because all have the same proposals. */
static void settle(struct constructor *constructor, const struct mpispec_slot_proposal *all) {
  mpispec_slots_withdraw(constructor->mine.numbers);
  if (!all->terms.is_able || !all->numbers) {
    mpispec_collective_destroy(constructor->made);
    return;
  }
  const unsigned number = (unsigned)__builtin_ctzll(all->numbers);
  mpispec_slot_take_for_child(constructor->made, number, all->next_step);
  mpispec_slot_terms_take(&constructor->mine.terms, &all->terms, constructor->made,
                          &constructor->knowledge);
  mpispec_collective_assign(constructor->child, constructor->made);
}

/* The step on the parent's slot. */
static void agree(struct constructor *constructor, const void *caller) {
  struct mpispec_collective *parent = constructor->parent;
  propose(constructor);
  show(constructor, caller);
  if (constructor->child) {
    const struct mpispec_slot_proposal all = collect(constructor);
    if (constructor->child->size == parent->size)
      mpispec_step_met(parent);
    settle(constructor, &all);
  }
  mpispec_step_end(parent, sizeof constructor->mine);
}

/* The members of a parent without a slot agree on one over the MPI library, as in a first
 * collective operation. Otherwise the members of each of its children would do so. */
static void open_parent(MPI_Comm handle) {
  mpispec_lock();
  struct mpispec_communicator *parent = mpispec_communicator_find(handle);
  const int has_none =
      parent && parent->size > 1 && !parent->spans_nodes && !parent->collective_known;
  mpispec_unlock();
  if (has_none)
    mpispec_collective_open(parent);
}

int mpispec_child_slot_agree(MPI_Comm parent, MPI_Comm made, const void *caller) {
  struct constructor constructor = {0};
  int error = 0;
  open_parent(parent);
  mpispec_lock();
  constructor.parent = parent_of(parent);
  if (constructor.parent)
    constructor.child = child_of(made);
  mpispec_unlock();
  if (!constructor.parent)
    return 0;
  if (constructor.child)
    constructor.knowledge = mpispec_knowledge_open(constructor.child);
  mpispec_lock();
  agree(&constructor, caller);
  error = constructor.parent->error;
  mpispec_unlock();
  mpispec_knowledge_close(&constructor.knowledge);
  return error;
}
