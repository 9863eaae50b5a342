/* The user's switches: MPISPEC_* of the environment, read once in MPI_Init.
 *
 * Environment.def lists them. All ranks must agree on the mode; node.c checks that. */
#ifndef MPISPEC_RUNTIME_ENVIRONMENT_H
#define MPISPEC_RUNTIME_ENVIRONMENT_H

enum mpispec_mode {
  MPISPEC_MODE_OFF,   /* every call goes to MPI: exactly plain MPI */
  MPISPEC_MODE_LANES, /* messages within the node go through lanes, templates take their slow path
                       */
  MPISPEC_MODE_FULL   /* lanes, and templates use them inline */
};

/* How the bytes of long messages go (p2p/way.h). */
enum mpispec_long_messages { MPISPEC_LONG_MEASURED, MPISPEC_LONG_PIPE, MPISPEC_LONG_SHARED };

struct mpispec_environment {
  enum mpispec_mode mode;
  int verbose;       /* 0 or 1 */
  int in_rank_order; /* 0 or 1: floating-point reductions, whatever the MPI library does */
  enum mpispec_long_messages long_messages;
  const char *cost_model; /* a file, or "built-in", in the environment itself; or null */
  const char *cache;      /* a directory, or "off", likewise */
  int yields_in_library;  /* 0 or 1 (progress/library_polls.h) */
  int sleeps;             /* 0 or 1 (progress/doorbell.h) */
  int ptracer;            /* 0 or 1: the ranks permit each other to read and write their memory */
  int everywhere;         /* 0 or 1: the user's word that every rank has the runtime */
  const char *profile;    /* a directory, in the environment itself; or null */
};

/* Fills `result` from `variables` (as `environ`). With `report`, unknown names and values are told
 * on stderr, a line each; an unknown value of MPISPEC_MODE means off. */
void mpispec_environment_read(struct mpispec_environment *result, char *const variables[],
                              int report);

#endif
