/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Adopted communicators: all members of such a communicator have agreed that messages between
 * members on one node go through lanes. The MPI library alone serves all other communicators.
 *
 * All members of an intracommunicator that is made out of an adopted one have the runtime.
 * Therefore the new communicator is adopted, too, as long as context ids are left (context.h).
 * Intercommunicators are not adopted. */
#ifndef MPISPEC_RUNTIME_COMMUNICATOR_H
#define MPISPEC_RUNTIME_COMMUNICATOR_H

#include "abi/mpi.h"
#include "comm/context.h"
#include "mpispec/state.h"

#include <stddef.h>
#include <stdint.h>

struct mpispec_communicator {
  MPI_Comm handle;
  struct mpispec_context context;
  int rank, size;
  int *peer_of;               /* [size] a member's node rank, or -1 if it is on another node */
  struct mpispec_route route; /* the same communicator, for templates */
  int spans_nodes;            /* some members are on other nodes */
  int uses;                   /* pending requests, plus 1 until the communicator is freed */
  struct mpispec_collective *collective; /* state of collectives; null: the library executes them */
  int collective_known;                  /* `collective` is final, even if it is null */
};

/* Adopts MPI_COMM_WORLD and MPI_COMM_SELF. `when_freed` is called when the program frees an adopted
 * communicator. `at_end` is called after the communicator's last request, before its memory is
 * freed. Both are called with the lock held, except for `at_end` in MPI_Finalize. */
void mpispec_communicators_open(void (*when_freed)(struct mpispec_communicator *),
                                void (*at_end)(struct mpispec_communicator *));
void mpispec_communicators_close(void);

/* Enumerates all adopted communicators. `*place` is 0 before the first call. Returns null after the
 * last one. Called with the lock held. */
struct mpispec_communicator *mpispec_communicator_each(size_t *place);

/* The communicator that was last found, or last got steps. When a communicator is removed from the
 * table, the pointer is reset to a communicator of size 0. */
extern struct mpispec_communicator *mpispec_communicator_last __attribute__((visibility("hidden")));

struct mpispec_communicator *mpispec_communicator_search(MPI_Comm handle);

/* Stores in `peers` the node ranks of `count` members of the group, from its rank `first` on. The
 * node rank is -1 if the member is on another node, or not in this rank's MPI_COMM_WORLD. */
void mpispec_communicator_find_peers(MPI_Group group, int first, int count, int peers[]);

/* Permits templates to execute steps of the communicator's collective operations, or forbids it if
 * `steps` is null. */
void mpispec_communicator_show_steps(struct mpispec_communicator *communicator,
                                     struct mpispec_steps *steps);

/* Returns the adopted communicator whose context has this id (comm/context.h), or null. */
struct mpispec_communicator *mpispec_communicator_of_context(uint32_t id);

/* Returns the adopted communicator with this handle, or null. */
static inline struct mpispec_communicator *mpispec_communicator_find(MPI_Comm handle) {
  struct mpispec_communicator *last = mpispec_communicator_last;
  return last->handle == handle && last->size ? last : mpispec_communicator_search(handle);
}

/* Called by all members of `parent` after a collective constructor. Adopts `made` if `parent` is
 * adopted. `made` is MPI_COMM_NULL on ranks that are not its members. */
void mpispec_communicator_adopt(MPI_Comm parent, MPI_Comm made);

/* Called by the members of `made` only, after MPI_Comm_create_group. */
void mpispec_communicator_adopt_alone(MPI_Comm parent, MPI_Comm made);

/* For MPI_Comm_idup: `made` can be adopted when the MPI library has completed the operation. */
struct mpispec_adoption {
  struct mpispec_context context;
  const MPI_Comm *made; /* the program's variable for the new handle */
  MPI_Comm at_once;     /* its value when MPI_Comm_idup of the library returns (abi/layout.h) */
};

/* Called with the lock held, after MPI_Comm_idup of the library has returned. Returns null if
 * `made` will not be adopted. */
struct mpispec_adoption *mpispec_communicator_adopt_later(struct mpispec_communicator *parent,
                                                          const MPI_Comm *made);

/* Called after the library has completed the operation. An `error` cancels the adoption. */
void mpispec_communicator_adopt_now(struct mpispec_adoption *adoption, int error);

static inline void mpispec_communicator_use(struct mpispec_communicator *communicator) {
  ++communicator->uses;
}
void mpispec_communicator_drop(struct mpispec_communicator *communicator);

#endif
