/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Context ids: the numbers in envelopes that distinguish communicators.
 *
 * Two communicators with a common member must not have the same number. Therefore members agree on
 * numbers. One agreement gives a whole range of them. The numbers of a range, counted from its
 * first:
 *
 *   range    share 0         share 1         ...  share 31
 *            0 1 2 ... 7    8 9 ... 15          248 ... 255
 *
 * A communicator that is made out of a parent gets one share of the parent's range. All members of
 * the parent call its collective constructors in the same order, including those that are not
 * members of the result. Therefore all members give the same share without a message. Only group
 * members call MPI_Comm_create_group. Therefore they agree on a new range for the new communicator.
 *
 * The first number of a share is the new communicator's own. MPI_Comm_idup on this communicator
 * takes the others, until the communicator has a range of its own. MPI_Comm_idup cannot agree on a
 * range: the agreement would have to wait for other members, and they may wait elsewhere for this
 * rank.
 *
 * When no new numbers are left, members agree on shares of the parent's range whose communicators
 * all members have freed, and use these shares again. If the parent has no range, or no such share,
 * the new communicator is not adopted. The result of MPI_Comm_create_group is not adopted, either,
 * because its members cannot use shares of the parent again. */
#ifndef MPISPEC_RUNTIME_CONTEXT_H
#define MPISPEC_RUNTIME_CONTEXT_H

#include "abi/mpi.h"

#include <stdint.h>

struct mpispec_context_range;

struct mpispec_context {
  uint32_t id;                          /* at least 1, below MPISPEC_CONTEXTS; 0: there is none */
  struct mpispec_context_range *origin; /* the range that contains its share */
  int share;                            /* the number of the share in this range */
  int spares;                           /* unused numbers of this share, for MPI_Comm_idup */
  struct mpispec_context_range *own;    /* the range for communicators made out of it, or null */
};

/* Makes all context ids available. Called in MPI_Init. */
void mpispec_contexts_open(void);

/* Returns a context for a communicator that a collective constructor has made out of
 * `communicator`, whose context is `parent`. Its id is 0 if no number is left. Collective over
 * `communicator`, and in some calls synchronizing. Called without the lock. */
struct mpispec_context mpispec_context_take(struct mpispec_context *parent, MPI_Comm communicator);

/* Like mpispec_context_take, for MPI_Comm_idup: never communicates. Called with the lock held. */
struct mpispec_context mpispec_context_take_at_once(struct mpispec_context *parent);

/* Returns a context for `communicator`. Only members of `communicator` take part in the agreement
 * on its id. Collective over `communicator`. Called without the lock. */
struct mpispec_context mpispec_context_agree(MPI_Comm communicator);

/* The first call returns a context for MPI_COMM_WORLD, the second call one for MPI_COMM_SELF.
 * Called in MPI_Init, after mpispec_contexts_open. All ranks have reserved the same numbers before
 * these calls. Therefore they take the same numbers without a message. */
struct mpispec_context mpispec_context_predefined(void);

/* Called when the communicator is freed and has no pending requests. On a rank that is not a member
 * of the new communicator, it is called at once. The caller holds the lock, except in
 * MPI_Finalize. */
void mpispec_context_drop(struct mpispec_context *context);

#endif
