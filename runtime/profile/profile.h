/* The profile of a run, for MPISPEC_PROFILE=DIR: which call sites, how often, how long, with what.
 *
 * With a profile on, templates decline and the fast path of the ordinary calls is disabled; so
 * every call comes to the gate of its function:
 *
 *   site -> MPI_Send -> gate --on, not within another call--> mpispec_seen_Send --+
 *                        |  ^                                 begin .. end         |
 *                        |  +--------- MPI_Send again, fast path enabled ----------+
 *                        +--> the call
 *
 * How often, with what: each call is counted when it begins. How long: a call that takes a few tens
 * of nanoseconds would take twice that with the clock read twice, so of those only some are timed,
 * and stand for the others (profile.c). Waiting is seen where a call waits, timed or not.
 *
 * With it off, the gate costs what the test "are there any lanes" costs, which it replaces. */
#ifndef MPISPEC_RUNTIME_PROFILE_H
#define MPISPEC_RUNTIME_PROFILE_H

#include "abi/mpi.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "profile/profile_file.h"

#include <stddef.h>

/* Nonzero while calls need not look at the rest of the gate: there are lanes, and no profile. */
extern int mpispec_gate;

extern int mpispec_profile_is_on;

/* Profiled calls that this thread is in. Reached without a call, so that a gate needs no register
 * of its function's. */
extern _Thread_local int mpispec_profile_depth __attribute__((tls_model("initial-exec")));

static inline int mpispec_profile_takes(void) {
  return mpispec_profile_is_on && !mpispec_profile_depth;
}

/* Hands the call to the profile, if that is on. At the head of a function of MPI, or where that
 * jumps to; and it jumps on, so that the profile sees what the program's call returns to. */
#define MPISPEC_PROFILED(NAME, ...)                                                                \
  do {                                                                                             \
    if (__builtin_expect(!mpispec_gate, 0) && mpispec_profile_takes())                             \
      MPISPEC_JUMP mpispec_seen_##NAME(__VA_ARGS__);                                               \
  } while (0)

/* The same in place of the test whether there are lanes. */
#define MPISPEC_GATE(NAME, ...)                                                                    \
  do {                                                                                             \
    if (__builtin_expect(!mpispec_gate, 0)) {                                                      \
      if (mpispec_profile_takes())                                                                 \
        MPISPEC_JUMP mpispec_seen_##NAME(__VA_ARGS__);                                             \
      if (!mpispec_node.size)                                                                      \
        return mpispec_next.NAME(__VA_ARGS__);                                                     \
    }                                                                                              \
  } while (0)

#define PROFILED(NAME) __typeof__(MPI_##NAME) mpispec_seen_##NAME;
#include "profile/Profiled.def"
#undef PROFILED

/* One call, from begin to end; on the stack of the thread that makes it. `bytes` is what this rank
 * gives, or has room for. The second part is filled in by mpispec_profile_begin. */
struct mpispec_profile_call {
  const char *function; /* without MPI_; a constant */
  const void *caller;   /* the address that the call returns to */
  enum mpispec_profile_waits waits_for;
  enum mpispec_profile_path path;
  uint64_t bytes;
  const void *buffer;
  int has_arguments, peer, tag;
  int sends, receives; /* the peer gets `bytes`; or they come from it, or the call waits for them */
  MPI_Datatype datatype;
  MPI_Comm communicator;

  struct mpispec_profile_site *site; /* null: the profile is over */
  struct mpispec_profile_size *size;
  struct mpispec_profile_peer *of_peer; /* or null */
  uint32_t *untimed; /* calls of this size that it stands for, if it is timed; or null */
  int is_timed;
  uint64_t begun; /* ticks, if it is timed */
};

void mpispec_profile_begin(struct mpispec_profile_call *call);
/* Returns `error`, the result of the call. */
int mpispec_profile_end(const struct mpispec_profile_call *call, int error);

/* Once, in MPI_Init: makes DIR and this rank's file in it. Without, all goes on as if nobody had
 * asked, and a line says so. */
void mpispec_profile_open(const char *directory, int thread_level);

/* When it is settled whether there are lanes. */
void mpispec_profile_note_lanes(int lanes);

void mpispec_profile_close(enum mpispec_profile_end end);

/* The handle may stand for another communicator from now on. */
void mpispec_profile_forget(MPI_Comm communicator);

#endif
