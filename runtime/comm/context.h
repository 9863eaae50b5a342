/* Context ids: the numbers in envelopes that tell communicators apart.
 *
 * Two communicators that share two ranks, or one, must not have the same. So members agree on
 * numbers; but not for each communicator. They agree on a range at a time:
 *
 *   range    share 0         share 1         ...  share 31
 *            0 1 2 ... 7    8 9 ... 15          248 ... 255
 *
 * and give share after share to what is made out of the communicator. All members call its
 * collective constructors in the same order, those that get no part in the result too, so all give
 * the same share without a word. The first number of a share is the new communicator's own. The
 * other seven are for MPI_Comm_idup on it, as long as it has no range: an agreement is not to be
 * had there, since it could only go on in later calls, for which a member may be waiting elsewhere.
 *
 * When numbers run out, shares are used again whose communicators are gone on all members. If there
 * is none, what is made is not adopted. */
#ifndef MPISPEC_RUNTIME_CONTEXT_H
#define MPISPEC_RUNTIME_CONTEXT_H

#include "abi/mpi.h"

#include <stdint.h>

struct mpispec_context_range;

struct mpispec_context {
  uint32_t id;                          /* 1 to 2^24 - 1; 0 for none */
  struct mpispec_context_range *origin; /* whose share it comes from, */
  int share;                            /* and which */
  int spares;                           /* numbers of that share that are left for MPI_Comm_idup */
  struct mpispec_context_range *own;    /* for what is made out of the communicator, or null */
};

/* Forgets all agreements. At Init. */
void mpispec_contexts_open(void);

/* A context for what a collective constructor has made out of `communicator`, which has `parent`.
 * Collective over it; sometimes synchronises. Its id is 0 if there is none. Called without the
 * lock. */
struct mpispec_context mpispec_context_take(struct mpispec_context *parent, MPI_Comm communicator);

/* The same for MPI_Comm_idup: never communicates. Called with the lock held. */
struct mpispec_context mpispec_context_take_at_once(struct mpispec_context *parent);

/* A context for `communicator` on which its members, and nobody else, agree. Collective over it.
 * Called without the lock. */
struct mpispec_context mpispec_context_agree(MPI_Comm communicator);

/* The communicator is gone, and all requests on it. Called with the lock held. */
void mpispec_context_drop(struct mpispec_context *context);

#endif
