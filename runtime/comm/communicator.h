/* Adopted communicators: those whose members all know that messages between members on one node go
 * through lanes. All others belong to the MPI library alone.
 *
 * What is made out of an adopted communicator is adopted, as long as there are context ids
 * (context.h): so all that take part have the runtime. */
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
  int *peer_of;               /* [size] node rank of a member, or -1 if it is on another node */
  struct mpispec_route route; /* the same for templates */
  int spans_nodes;            /* some members are on other nodes */
  int uses;                   /* requests under way, plus 1 until freed */
  struct mpispec_collective *collective; /* collective.h; null: the MPI library's */
  int collective_known;                  /* whether that is settled */
};

/* Adopts MPI_COMM_WORLD and MPI_COMM_SELF. Returns nonzero if there was memory on every rank.
 * With the lock held, `when_freed` is called when the program has freed one, and `at_end` before it
 * is forgotten, which is when nobody uses it any more. */
int mpispec_communicators_open(void (*when_freed)(struct mpispec_communicator *),
                               void (*at_end)(struct mpispec_communicator *));
void mpispec_communicators_close(void);

/* One after the other: `place` is 0 at first; null after the last. With the lock held. */
struct mpispec_communicator *mpispec_communicator_each(size_t *place);

/* The one that was found last, until a handle comes or goes; at first one of nobody, of size 0. */
extern struct mpispec_communicator *mpispec_communicator_last __attribute__((visibility("hidden")));

struct mpispec_communicator *mpispec_communicator_search(MPI_Comm handle);

/* From now on templates may take steps in the communicator's collective operations. */
void mpispec_communicator_show_steps(struct mpispec_communicator *communicator,
                                     struct mpispec_steps *steps);

/* The adopted communicator with this handle, or null. */
static inline struct mpispec_communicator *mpispec_communicator_find(MPI_Comm handle) {
  struct mpispec_communicator *last = mpispec_communicator_last;
  return last->handle == handle && last->size ? last : mpispec_communicator_search(handle);
}

/* After a collective constructor, by all members of `parent`: adopts `made`, which may be
 * MPI_COMM_NULL here, if `parent` is adopted. */
void mpispec_communicator_adopt(MPI_Comm parent, MPI_Comm made);

/* After MPI_Comm_create_group, of which only the members of `made` know. */
void mpispec_communicator_adopt_alone(MPI_Comm parent, MPI_Comm made);

/* MPI_Comm_idup: `made` may be adopted as soon as the library is done. */
struct mpispec_adoption {
  struct mpispec_context context;
  const MPI_Comm *made; /* the program's variable, */
  MPI_Comm at_once;     /* or what stood there when the library had begun (abi/layout.h) */
};

/* When the library has begun. Null if `made` will not be adopted. With the lock held. */
struct mpispec_adoption *mpispec_communicator_adopt_later(struct mpispec_communicator *parent,
                                                          const MPI_Comm *made);

/* When the library has ended, with or without error. */
void mpispec_communicator_adopt_now(struct mpispec_adoption *adoption, int error);

static inline void mpispec_communicator_use(struct mpispec_communicator *communicator) {
  ++communicator->uses;
}
void mpispec_communicator_drop(struct mpispec_communicator *communicator);

#endif
