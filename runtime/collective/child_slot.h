/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The slot of a communicator that a blocking constructor has made. All members of the parent are in
 * the constructor. Therefore they can agree in a step on the parent's slot. The step takes one
 * handoff of a line, and replaces two operations of the MPI library.
 *
 *   parent's step     member 0    member 1    member 2    member 3
 *     show            proposal    proposal    proposal    proposal
 *     read            0 1 2       0 1 2       0 1 2       none: MPI_COMM_NULL
 *
 * Each member shows a proposal, even if it gets MPI_COMM_NULL or nothing can be agreed, because all
 * members count the parent's steps. A member of a child reads the proposals of the child's members
 * alone, and combines them. All members of one child combine the same proposals, and therefore get
 * the same result. With several threads, a rank may be in several constructors at once. Numbers
 * that a proposal offers are not offered in another constructor before the agreement has ended.
 *
 * A parent without a slot gets one first (slot_agreement.c). In these cases the child's members
 * agree at its first collective operation, over the MPI library:
 *
 * - The parent has members on several nodes, has failed (mismatch.h), or could not get a slot.
 * - Not all members of the parent call the constructor (MPI_Comm_create_group), or it must not wait
 *   for them (MPI_Comm_idup).
 * - The members have no free large slot in common, or a member has many children without
 *   operations. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_CHILD_SLOT_H
#define MPISPEC_RUNTIME_COLLECTIVE_CHILD_SLOT_H

#include "abi/mpi.h"
#include "collective/slot.h"
#include "collective/slots.h"

#include <assert.h>
#include <stdint.h>

/* In a chunk of the parent's slot. */
struct mpispec_slot_proposal {
  struct mpispec_slot_terms terms;
  uint64_t numbers;   /* mpispec_slots_offer */
  uint64_t next_step; /* mpispec_slots_next_step */
};
static_assert(sizeof(struct mpispec_slot_proposal) <= MPISPEC_SMALL_CHUNK / 4,
              "a proposal fits the smallest chunk");

/* Called by all members of `parent` after a blocking constructor without an error. `made` is
 * MPI_COMM_NULL on ranks that are not its members. `caller` is the return address of the program's
 * call. Returns an error code if members of the parent are in different operations, else 0. Called
 * without the lock. */
int mpispec_child_slot_agree(MPI_Comm parent, MPI_Comm made, const void *caller);

#endif
