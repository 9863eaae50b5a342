/* The arguments that calls of a site had, counted in its tables of values. Arguments that come
 * again are known by a look at one place, with the rows where they are counted:
 *
 *   arguments known    -> an addition to each of their rows
 *   otherwise          -> each value is looked up (values.h), and if all have rows, they are known
 *
 * The caller holds the profile's lock. */
#ifndef MPISPEC_RUNTIME_PROFILE_ARGUMENTS_H
#define MPISPEC_RUNTIME_PROFILE_ARGUMENTS_H

#include "profile/mapping.h"

struct mpispec_profile_call;

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
  uint64_t timed_at,
      timed_last;      /* calls of the batch before the next that is timed, and the last */
  uint64_t late_timed; /* late ones before the last late one that was timed */
  uint32_t *untimed;   /* calls of this size since the last that was timed */
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

/* Counts a call, and returns what is known of its arguments. */
struct mpispec_profile_known *mpispec_profile_arguments_count(
    struct mpispec_profile_mapping *mapping, struct mpispec_profile_site *site,
    struct mpispec_profile_arguments *arguments, const struct mpispec_profile_call *call);

/* From now on calls may be counted in the batch: their size is one of the site's sizes. What is
 * known has rows. */
void mpispec_profile_batch_begin(const struct mpispec_profile_mapping *mapping,
                                 struct mpispec_profile_known *known, unsigned size, int sends);

/* Adds what is in batches of the site to it. */
void mpispec_profile_arguments_settle(struct mpispec_profile_mapping *mapping,
                                      struct mpispec_profile_arguments *arguments);

/* The handle may stand for another communicator, whose ranks are others. */
void mpispec_profile_arguments_forget(struct mpispec_profile_arguments *arguments,
                                      MPI_Comm communicator);

#endif
