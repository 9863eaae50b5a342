/* Progress: what a waiting call does between two looks, and everything once round.
 *
 * This room knows nothing of messages. Whatever can be under way is an engine; init.c, which knows
 * all rooms, lists them. All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_PROGRESS_H
#define MPISPEC_RUNTIME_PROGRESS_H

#include "mpispec/state.h"

#include <stddef.h>
#include <stdint.h>

/* Who may let an engine make progress, beside a call of the program. */
enum mpispec_engine_caller {
  MPISPEC_ANYBODY,        /* also the helper (helper.h) */
  MPISPEC_LIBRARY_CALLER, /* also the helper, if it may call the MPI library */
  MPISPEC_PROGRAM_ALONE   /* nobody: it may call back into the program */
};

struct mpispec_engine {
  const size_t *under_way;  /* operations; while there are none, it is not asked */
  const uint64_t *advanced; /* changes when it has done something for one that goes on; or null */
  void (*progress)(void);   /* looks at each of them once */
  enum mpispec_engine_caller caller;
};

/* In the order in which they are asked, the one that drains lanes first; the last one has no
 * `progress`. Defined in init.c. */
extern const struct mpispec_engine mpispec_engines[];

/* Once, at Init and Finalize. `crowded`: ranks outnumber cores on this machine, and who waits soon
 * gives its core away. `now_and_then` is for what may be done while a call waits for long. */
void mpispec_progress_open(int crowded, void (*now_and_then)(void));
void mpispec_progress_close(void);

void mpispec_progress(void);

/* What the helper thread may do. */
void mpispec_progress_help(int may_call_library);

/* Changes whenever progress has done something for others. */
uint64_t mpispec_progress_account(void);

/* Nonzero if others may need our progress while we are away in the MPI library. Where there are
 * several threads, another may start something meanwhile. */
int mpispec_progress_is_needed(void);

/* Nonzero if something is under way that takes more than looks at lanes. */
int mpispec_progress_is_busy(void);

int mpispec_progress_is_crowded(void);

/* How often a call looks at an empty lane before it waits in earnest. */
unsigned mpispec_progress_looks(void);

/* Between two looks of a waiting call: lets the core, the lock and the MPI library have their turn.
 * `round` counts from 0. */
void mpispec_progress_relax(unsigned round);

/* After a look that found nothing, in a call that does not wait: now and then, yields. */
void mpispec_progress_idle(void);

/* The same in a call that has looked at its own lanes and found them empty. All else has its turn
 * now and then; each time, while something is under way that takes more than a look. */
void mpispec_progress_after_glances(void);
static inline void mpispec_progress_glance(void) {
  if (mpispec_state.idle)
    --mpispec_state.idle;
  else
    mpispec_progress_after_glances();
}

/* When an engine comes to have something under way, but for the first. */
static inline void mpispec_progress_begins(void) { mpispec_state.idle = 0; }

/* In a receive that found its message at once. Templates make no progress, but every 64th message
 * of a lane comes to the runtime for a credit: so a program whose receives never wait makes some.
 */
void mpispec_progress_in_passing(void);

#endif
