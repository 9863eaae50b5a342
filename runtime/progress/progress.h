/* Progress: what a waiting call does between two polls, and one round over all engines.
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
  void (*progress)(void);   /* polls each of them once */
  enum mpispec_engine_caller caller;
};

/* The engines, in the order in which a round asks them: the one that drains lanes is the first. The
 * array ends with an engine without `progress`. Defined in init.c. */
extern const struct mpispec_engine mpispec_engines[];

/* Once, at Init and Finalize. `oversubscribed` and `read_masks` are those of oversubscription.h.
 * `now_and_then` is for what may be done while a call waits for long. Sets mpispec_state.polls. */
void mpispec_progress_open(int oversubscribed, int (*read_masks)(void), void (*now_and_then)(void));
void mpispec_progress_close(void);

/* One round: asks each engine that has operations under way for progress. */
void mpispec_progress(void);

/* One round over the engines that the helper thread may ask (helper.h). */
void mpispec_progress_help(int may_call_library);

/* Changes whenever progress has done something for others. */
uint64_t mpispec_progress_account(void);

/* Nonzero if others may need our progress while we are away in the MPI library. Where there are
 * several threads, another may start something meanwhile. */
int mpispec_progress_is_needed(void);

/* Nonzero if an engine beside the first, which drains lanes, has operations under way. */
int mpispec_progress_is_busy(void);

/* Nonzero if the ranks of this node were oversubscribed at Init. It does not change. */
int mpispec_progress_is_crowded(void);

/* Between two polls of a waiting call: releases the lock for other threads, yields the core once
 * the call has polled often, lets the MPI library make progress. `round` counts the polls from 0.
 */
void mpispec_progress_relax(unsigned round);

/* So many ranks of the node share so many processors: a wait of few ranks yields some times before
 * it sleeps. Where doorbells are used, at Init. */
void mpispec_progress_shares(int ranks, int processors);

/* The same in a wait that ends by what ranks of the node write for this one: messages, and what
 * belongs to long ones. Where doorbells are used (doorbell.h) the thread sleeps, once it has
 * yielded in vain. The caller polls once between any two calls. */
void mpispec_progress_relax_or_sleep(unsigned round);

/* The same in a wait for a word in the segment of `writer`, a rank of the node. Only that rank
 * writes it. */
void mpispec_progress_relax_or_sleep_for(unsigned round, int writer, const uint64_t *word);

/* In ns: MPISPEC_SLEEP, except in a test, where 0 is without end. */
extern long mpispec_longest_sleep __attribute__((visibility("hidden")));

/* Wakes the ranks for which this one has written something. Where doorbells are used, each call of
 * the program ends with this. */
void mpispec_progress_ring(void);

/* Makes the MPI library poll once all that it has under way. */
void mpispec_progress_poke_library(void);

/* For a profile: when the call that this thread is in was first and last seen to wait, in ticks.
 * Kept only while `mpispec_progress_is_timed`. */
struct mpispec_waiting {
  uint64_t first, last;
};
extern _Thread_local struct mpispec_waiting mpispec_waiting
    __attribute__((tls_model("initial-exec")));
extern int mpispec_progress_is_timed;

/* In each loop that waits, after a poll that found nothing. mpispec_progress_relax
 * calls it, too. */
void mpispec_progress_note_waiting(void);
static inline void mpispec_progress_waits(void) {
  if (__builtin_expect(mpispec_progress_is_timed, 0))
    mpispec_progress_note_waiting();
}

/* After a poll that found nothing, in a call that does not wait (MPI_Test): now
 * and then, yields. */
void mpispec_progress_idle(void);

/* The same, in a call that has polled only the lanes that it needs and found them empty. All
 * engines get a round every MPISPEC_GLANCES such calls; each time, while mpispec_progress_is_busy.
 * A program that does nothing but poll enters the runtime each time, and so polls less often.
 */
void mpispec_progress_after_glances(void);
static inline void mpispec_progress_glance(void) {
  if (mpispec_state.idle)
    --mpispec_state.idle;
  else
    mpispec_progress_after_glances();
}

/* An engine other than the first calls this when it gets an operation under way. */
static inline void mpispec_progress_begins(void) { mpispec_state.idle = 0; }

/* Called by a receive that found its message at once, so that a program whose receives never wait
 * still makes progress for others. Templates make none; every 64th message of a lane goes through
 * the runtime, which returns credit to the sender, and calls this. */
void mpispec_progress_in_passing(void);

#endif
