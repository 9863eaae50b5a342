/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waits that sleep, where ranks share processors. See doorbell.h and progress.h. */
#include "progress/doorbell.h"
#include "progress/library_progress.h"
#include "progress/lock.h"
#include "progress/oversubscription.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "progress/tuning.h"

#include <assert.h>
#include <stddef.h>

unsigned mpispec_rounds_per_peer_check = MPISPEC_SPINS;
static_assert((MPISPEC_SPINS & (MPISPEC_SPINS - 1)) == 0, "rounds are compared by their low bits");

unsigned mpispec_awake_rounds;
long mpispec_longest_sleep = MPISPEC_SLEEP;
static int ranks_here, processors_here;

static unsigned yields_before_sleep(int ranks, int processors, int in_one_group) {
  if (ranks <= 2 * processors)
    return MPISPEC_YIELDS_OF_TWO;
  if (ranks <= processors * (in_one_group ? MPISPEC_FEW_IN_GROUP : MPISPEC_FEW_RANKS))
    return MPISPEC_YIELDS_BEFORE_SLEEP;
  if (in_one_group)
    return ranks <= processors * MPISPEC_YIELDING_IN_GROUP ? MPISPEC_YIELDS_IN_GROUP : 0;
  return ranks <= processors * MPISPEC_YIELDING_RANKS ? MPISPEC_YIELDS_OF_MANY : 0;
}

/* The rounds of a wait that yields this often before it sleeps. */
static unsigned rounds_with(unsigned yields) {
  return MPISPEC_SPINS_OVERSUBSCRIBED + yields * MPISPEC_POLLS_PER_YIELD;
}

static long longest_sleep_of(int ranks, int processors) {
  int times = ranks / (MPISPEC_RANKS_OF_SLEEP * processors);
  if (times < 1)
    times = 1;
  if (times > MPISPEC_LONGER_SLEEPS)
    times = MPISPEC_LONGER_SLEEPS;
  return (long)MPISPEC_SLEEP * times;
}

void mpispec_progress_shares(int ranks, int processors, int in_one_group) {
  ranks_here = ranks;
  processors_here = processors;
  mpispec_longest_sleep = longest_sleep_of(ranks, processors);
  mpispec_awake_rounds = rounds_with(yields_before_sleep(ranks, processors, in_one_group));
  mpispec_rounds_per_peer_check = MPISPEC_SPINS / 8;
  mpispec_pause_of_yields =
      (uint64_t)MPISPEC_LIBRARY_PROGRESS_PAUSE * (unsigned)((ranks - 1) / processors + 1);
}

_Atomic int mpispec_windows_made;

void mpispec_progress_note_window(void) {
  atomic_store_explicit(&mpispec_windows_made, 1, memory_order_relaxed);
  if (mpispec_longest_sleep > MPISPEC_SLEEP)
    mpispec_longest_sleep = MPISPEC_SLEEP;
}

/* --- whether a wait may sleep ------------------------------------------------------------------*/

/* Nonzero if an operation is pending that only the MPI library's progress ends. The library rings
 * no doorbell. */
static int library_is_awaited(void) {
  for (const struct mpispec_engine *engine = mpispec_engines; engine->progress; ++engine)
    if (engine->caller == MPISPEC_LIBRARY_CALLER && *engine->under_way)
      return 1;
  return 0;
}

/* Rounds of a wait before it sleeps. While each rank that is awake can have a processor, this rank
 * takes none from the others, and an answer comes sooner than the end of a sleep. */
static unsigned awake_rounds(void) {
  return ranks_here - mpispec_doorbells_asleep() <= processors_here
             ? rounds_with(MPISPEC_YIELDS_OF_TWO)
             : mpispec_awake_rounds;
}

/* Returns until which round this wait stays awake because an origin has woken it (origin.h): the
 * origin may need several polls, and will most likely call again. */
static unsigned awake_for_origin(unsigned round) {
  static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    uint32_t asked;
    unsigned round, end;
  } last;
  const uint32_t asked = mpispec_doorbell_asked();
  if (asked != last.asked) {
    last.end = round + rounds_with(MPISPEC_YIELDS_OF_TWO);
    mpispec_library_progress(); /* the wait may end before its next poll */
  } else if (round < last.round) {
    last.end = 0; /* another wait */
  }
  last.asked = asked;
  last.round = round;
  return last.end;
}

static int may_sleep(unsigned round) {
  return mpispec_doorbells_sleep() && mpispec_is_oversubscribed() &&
         round > MPISPEC_SPINS_OVERSUBSCRIBED && round > awake_rounds() &&
         round > awake_for_origin(round) && !library_is_awaited() && mpispec_lock_can_be_released();
}

/* --- one sleep ---------------------------------------------------------------------------------*/

/* A wait arms in one round, polls, and sleeps in the next round. It does not sleep if an engine has
 * made progress between the two rounds. The reason is that no other rank rings for operations that
 * this rank ends itself, for example a long message that it pulls. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
  unsigned round; /* the round in which this thread may sleep; 0: it has not armed */
  uint32_t word;
  const uint64_t *awaited; /* a member's word; null: messages */
  int is_registered;       /* with the member */
  uint64_t epoch;
  unsigned sleeps; /* since an engine has made progress */
} armed;

/* Threads of this rank that sleep and are registered with the member whose word they await. The
 * rank's doorbell has room for one such word. Written with the lock held. */
static int registered_sleepers;

/* The longest sleep. If the other rank is away, this rank completes a long message alone, but only
 * after MPISPEC_PIPE_WAIT. Therefore sleeps are short at first while a long message is pending.
 * Nobody rings for a member's word if this thread is not registered. */
static long longest_sleep(void) {
  if (armed.awaited && !armed.is_registered)
    return MPISPEC_NAP_PARKED;
  if (!mpispec_progress_is_busy() || armed.sleeps > 6)
    return mpispec_longest_sleep;
  const long length = (long)MPISPEC_PIPE_WAIT << armed.sleeps;
  return length < mpispec_longest_sleep ? length : mpispec_longest_sleep;
}

static void arm(int writer, const uint64_t *word) {
  armed.epoch = mpispec_progress_epoch();
  armed.awaited = word;
  armed.is_registered = writer >= 0 && !registered_sleepers;
  armed.word =
      armed.is_registered ? mpispec_doorbell_arm_for(writer, word) : mpispec_doorbell_arm();
}

static int never(const void *unused) {
  (void)unused;
  return 0;
}

/* If the wait seems to be over already, or nobody can find out whether it is, nobody notifies this
 * thread. */
static void sleep_once(const struct mpispec_awaited *awaited) {
  static const struct mpispec_awaited unknown = {.is_over = never, .has_news = never};
  if (!mpispec_lock_is_shared()) {
    mpispec_doorbell_sleep(armed.word, longest_sleep());
    return;
  }
  const int is_registered = armed.is_registered;
  registered_sleepers += is_registered;
  const int is_known = awaited && !awaited->is_over(awaited->what);
  mpispec_parked_sleep(is_known ? awaited : &unknown, armed.word, longest_sleep());
  registered_sleepers -= is_registered;
}

/* Both steps of a sleep. `writer` is -1 if messages are awaited. */
static void arm_or_sleep(unsigned round, int writer, const uint64_t *word,
                         const struct mpispec_awaited *awaited) {
  mpispec_doorbells_ring();
  mpispec_progress_waits();
  if (armed.round != round || armed.awaited != word || armed.epoch != mpispec_progress_epoch()) {
    if (armed.epoch != mpispec_progress_epoch())
      armed.sleeps = 0;
    armed.round = round + 1;
    arm(writer, word);
    return;
  }
  armed.round = 0;
  sleep_once(awaited);
  ++armed.sleeps;
  mpispec_progress_after_sleeping();
  mpispec_progress_waits();
}

static void stay_awake(unsigned round) {
  armed.round = armed.sleeps = 0;
  if (library_is_awaited() || !mpispec_lock_can_be_released())
    mpispec_wait_backoff(round);
  else
    mpispec_wait_backoff_awake(round);
}

void mpispec_wait_backoff_or_sleep(unsigned round, const struct mpispec_awaited *awaited) {
  mpispec_wait_backoff_or_sleep_for(round, -1, NULL, awaited);
}

void mpispec_wait_backoff_or_sleep_for(unsigned round, int writer, const uint64_t *word,
                                       const struct mpispec_awaited *awaited) {
  if (may_sleep(round))
    arm_or_sleep(round, writer, word, awaited);
  else
    stay_awake(round);
}
