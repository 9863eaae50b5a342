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

enum {
  MPISPEC_PROFILE_KNOWN = 8,    /* arguments of a site; a halo has six neighbours */
  MPISPEC_PROFILE_ARGUMENTS = 5 /* that have a table */
};

struct mpispec_profile_known {
  int peer, tag;
  MPI_Datatype datatype;
  MPI_Comm communicator;
  uint64_t bytes;
  const void *buffer; /* of the last call that had the others */
  int is_counted;     /* the rows are there */
  struct mpispec_profile_value *rows[MPISPEC_PROFILE_ARGUMENTS];
  struct mpispec_profile_peer *in_world; /* null if the peer is none of MPI_COMM_WORLD's ranks */
};

/* Of a site. All zero is none. */
struct mpispec_profile_arguments {
  const struct mpispec_profile_known *last; /* those of the last call */
  struct mpispec_profile_known known[MPISPEC_PROFILE_KNOWN];
};

/* Counts a call, and returns the rank of MPI_COMM_WORLD that it names, or null. */
struct mpispec_profile_peer *mpispec_profile_arguments_count(
    struct mpispec_profile_mapping *mapping, struct mpispec_profile_site *site,
    struct mpispec_profile_arguments *arguments, const struct mpispec_profile_call *call);

/* The handle may stand for another communicator, whose ranks are others. */
void mpispec_profile_arguments_forget(struct mpispec_profile_arguments *arguments,
                                      MPI_Comm communicator);

#endif
