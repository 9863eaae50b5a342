/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The user's settings: the variables MPISPEC_* of the environment, read in MPI_Init.
 *
 * Environment.def is their table. All ranks must have the same MPISPEC_MODE and MPISPEC_REDUCTIONS.
 * node.c checks it. */
#ifndef MPISPEC_RUNTIME_ENVIRONMENT_H
#define MPISPEC_RUNTIME_ENVIRONMENT_H

#ifdef __cplusplus
extern "C" {
#endif

enum mpispec_mode {
  MPISPEC_MODE_OFF,   /* the MPI library executes every call, as without mpispec */
  MPISPEC_MODE_LANES, /* messages within the node go through lanes, templates decline all calls */
  MPISPEC_MODE_FULL   /* like LANES, and templates take their fast path */
};

/* The way of long messages (p2p/way.h). */
enum mpispec_long_messages { MPISPEC_LONG_MEASURED, MPISPEC_LONG_PIPE, MPISPEC_LONG_SHARED };

struct mpispec_environment {
  enum mpispec_mode mode;
  int verbose;       /* 0 or 1 */
  int in_rank_order; /* 0 or 1: floating-point reductions combine parts in the order of ranks */
  enum mpispec_long_messages long_messages;
  const char *cost_model;  /* a file, or "built-in"; points into the environment; or null */
  const char *cache;       /* a directory, or "off"; points into the environment; or null */
  int yields_in_library;   /* 0 or 1 (progress/library_polls.h, progress/yield.h) */
  int sleeps;              /* 0 or 1 (progress/doorbell.h) */
  int ptracer;             /* 0 or 1: the ranks permit each other to read and write their memory */
  int everywhere;          /* 0 or 1: the user guarantees that every rank has the runtime */
  int buffers_are_host;    /* 0 or 1: the user guarantees that no buffer is an accelerator's */
  const char *profile;     /* a directory; points into the environment; or null */
  unsigned profile_frames; /* frames of a call path above the call; 0 to 8 */
};

/* Fills `result` from `variables`, which has the form of `environ`. With `report`, the function
 * prints a line on stderr for each unknown name or value. An unknown value of MPISPEC_MODE means
 * off. */
void mpispec_environment_read(struct mpispec_environment *result, char *const variables[],
                              int report);

/* Returns the value that is used instead of that of `variable` ("MPISPEC_YIELD=x"). Null: the value
 * is valid, or the table has no such variable. */
const char *mpispec_environment_instead(const char *variable);

#ifdef __cplusplus
}
#endif

#endif
