/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The profile of a run, for MPISPEC_PROFILE=DIR: the call sites of MPI, with the number of calls,
 * their time and their arguments.
 *
 * While a profile is on, templates decline and the fast path of the ordinary calls is disabled.
 * Therefore every call passes the gate of its function:
 *
 *   site -> MPI_Send -> gate --on, not within another call--> mpispec_seen_Send --+
 *                        |  ^                                 begin .. end         |
 *                        |  +--------- MPI_Send again, fast path enabled ----------+
 *                        +--> the call
 *
 * Each call and its arguments are counted when the call begins. Two readings of the clock would
 * take as long as a short call itself. Therefore only some short calls are timed, and their times
 * count for the others (profile.c). Waiting time is measured in each call that waits.
 *
 * While no profile is on, the gate costs as much as the test for lanes that it replaces. */
#ifndef MPISPEC_RUNTIME_PROFILE_H
#define MPISPEC_RUNTIME_PROFILE_H

#include "abi/mpi.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "profile/profile_file.h"

#include <stddef.h>

/* Nonzero if there are lanes and no profile is on. Then calls skip the rest of the gate. */
extern int mpispec_gate;

extern int mpispec_profile_is_on;

/* Profiled calls that this thread is in. A variable of this TLS model is read without a call.
 * Therefore a gate occupies no register of its function. */
extern _Thread_local int mpispec_profile_depth __attribute__((tls_model("initial-exec")));

static inline int mpispec_profile_takes(void) {
  return mpispec_profile_is_on && !mpispec_profile_depth;
}

/* Passes the call to the profile if one is on. This macro stands at the head of an MPI function, or
 * of a function to which an MPI function jumps. The macro itself jumps, too. Therefore the return
 * address of the program's call stays in its place, where the profile finds it. */
#define MPISPEC_PROFILED(NAME, ...)                                                                \
  do {                                                                                             \
    if (__builtin_expect(!mpispec_gate, 0) && mpispec_profile_takes())                             \
      MPISPEC_JUMP mpispec_seen_##NAME(__VA_ARGS__);                                               \
  } while (0)

/* Like MPISPEC_PROFILED, and replaces the test for lanes. */
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

/* One call, from begin to end, on the stack of its thread. `bytes` is the length of the data that
 * this rank sends, or of the room that it receives into. mpispec_profile_begin fills in the second
 * part. */
struct mpispec_profile_call {
  const char *function;    /* without MPI_; a constant */
  const void *caller;      /* the address that the call returns to */
  const void *const *slot; /* where that is on the stack */
  enum mpispec_profile_waits waits_for;
  enum mpispec_profile_path path;
  uint64_t bytes;
  const void *buffer;
  int has_arguments, peer, tag;
  int sends, receives; /* `bytes` go to the peer; they come from it, or are awaited */
  MPI_Datatype datatype;
  MPI_Comm communicator;
  MPI_Op op; /* the operation of a reduction with a template */

  struct mpispec_profile_site *site; /* null: the profile is over */
  struct mpispec_profile_size *size;
  struct mpispec_profile_peer *of_peer; /* or null */
  uint32_t *untimed;    /* calls of this size that it stands for, if it is timed; or null */
  uint32_t *unmeasured; /* calls since the last whose computing time was measured */
  int is_timed;
  int marks_end;      /* it is not timed, but the next one may be */
  uint64_t begun;     /* ticks, if it is timed */
  uint64_t computing; /* ticks since the thread's last call, if this time was measured; else 0 */
};

void mpispec_profile_begin(struct mpispec_profile_call *call);
/* Returns `error`, the result of the call. */
int mpispec_profile_end(const struct mpispec_profile_call *call, int error);

/* Called once, in MPI_Init: makes DIR and this rank's file in it. After an error the program runs
 * without a profile, and the function prints a message. `frames`: as in MPISPEC_PROFILE_FRAMES. */
void mpispec_profile_open(const char *directory, unsigned frames, int thread_level);

/* These functions are called before and after an MPI function that is no site. If no profile is on,
 * the first one returns 0. The second one does nothing if `begun` is 0 or no profile is on. The
 * profile begins during MPI_Init, which passes the time of its own begin. */
static inline uint64_t mpispec_profile_setup_begin(void) {
  return mpispec_profile_is_on ? mpispec_ticks() : 0;
}
void mpispec_profile_setup_end(enum mpispec_profile_setup function, uint64_t begun);

/* Called when the ranks have decided whether there are lanes. */
void mpispec_profile_note_lanes(int lanes);

void mpispec_profile_close(enum mpispec_profile_end end);

/* Called when a communicator is freed, because its handle may denote another one afterwards. */
void mpispec_profile_forget(MPI_Comm communicator);

#endif
