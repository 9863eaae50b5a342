/* The arguments that calls of a site had, counted in its tables of values. Arguments that come
 * again are known by a look at one place, with the rows where they are counted:
 *
 *   known, their batch is open, on its path   -> an addition to the batch (batch.h)
 *   known                                     -> an addition to each of their rows
 *   otherwise                                 -> each value is looked up (values.h), and if all
 * have rows, they are known
 *
 * The caller holds the profile's lock. */
#ifndef MPISPEC_RUNTIME_PROFILE_ARGUMENTS_H
#define MPISPEC_RUNTIME_PROFILE_ARGUMENTS_H

#include "profile/mapping.h"
#include "profile/profile.h"

struct mpispec_profile_known {
  /* Of calls that short_calls.h counts: what they return to, null if it may not, and their count of
   * elements. */
  const void *caller;
  MPI_Count count;

  int peer, tag;
  MPI_Datatype datatype;
  MPI_Comm communicator;
  uint64_t bytes;
  const void *buffer; /* of the last call that had the others */

  struct mpispec_profile_batch *batch; /* of its own; null before the first call */
  struct mpispec_profile_site *site;
  struct mpispec_profile_arguments *of_site; /* where it is one of */
  int is_open;                               /* calls may be counted in it */
  int is_sampled;                            /* and not all of them are timed */
  uint64_t timed_at;                         /* calls of the batch before the next that is timed */
  uint64_t timed_last;                       /* up to the last that was */
  uint64_t late_timed; /* late ones whose waiting is accounted for, up to the last that was timed */
  uint64_t work;       /* ticks that the last few timed ones took, without waiting */
  uint32_t *untimed;   /* calls of this size since the last that was timed, but those in batches */
  uint32_t times;      /* how often one was */
  enum mpispec_profile_waits waits_for;
  int is_send; /* by MPI_Send: half of an exchange */

  int is_counted; /* the rows are there */
  struct mpispec_profile_value *rows[MPISPEC_PROFILE_ARGUMENTS];
  struct mpispec_profile_peer *in_world; /* null if the peer is none of MPI_COMM_WORLD's ranks */
};

/* Of a site. All zero is none. */
struct mpispec_profile_arguments {
  const struct mpispec_profile_known *last; /* those of the last call */
  struct mpispec_profile_known known[MPISPEC_PROFILE_BATCHES];
};

static inline struct mpispec_profile_known *
mpispec_profile_known_at(struct mpispec_profile_arguments *arguments,
                         const struct mpispec_profile_call *call) {
  return &arguments
              ->known[((unsigned)call->peer ^ (unsigned)call->tag ^ (unsigned)(call->bytes >> 3)) %
                      MPISPEC_PROFILE_BATCHES];
}

static inline int mpispec_profile_known_is_of(const struct mpispec_profile_known *known,
                                              const struct mpispec_profile_call *call) {
  return known->peer == call->peer && known->tag == call->tag && known->bytes == call->bytes &&
         known->datatype == call->datatype && known->communicator == call->communicator;
}

/* Counts a call in an open batch, after the call before at this site. */
static inline void mpispec_profile_batch_count(struct mpispec_profile_known *known,
                                               const void *buffer) {
  struct mpispec_profile_batch *batch = known->batch;
  ++batch->calls;
  if (known->of_site->last != known || known->buffer != buffer) {
    ++batch->changes;
    known->of_site->last = known;
    known->buffer = buffer;
  }
}

/* Counts a call, and returns what is known of its arguments; `*came_before`: they had rows. */
struct mpispec_profile_known *
mpispec_profile_arguments_count(struct mpispec_profile_mapping *mapping,
                                struct mpispec_profile_site *site,
                                struct mpispec_profile_arguments *arguments,
                                const struct mpispec_profile_call *call, int *came_before);

/* From now on calls on this path, or late ones, may be counted in the batch, and those that are in
 * it are added to the site. Their size is one of the site's sizes; what is known has rows. */
void mpispec_profile_batch_open(struct mpispec_profile_mapping *mapping,
                                struct mpispec_profile_known *known, unsigned size,
                                enum mpispec_profile_path path, int sends);

/* Adds what is in batches of the site to it. */
void mpispec_profile_arguments_settle(struct mpispec_profile_mapping *mapping,
                                      struct mpispec_profile_arguments *arguments);

/* The handle may stand for another communicator, whose ranks are others. */
void mpispec_profile_arguments_forget(struct mpispec_profile_arguments *arguments,
                                      MPI_Comm communicator);

#endif
