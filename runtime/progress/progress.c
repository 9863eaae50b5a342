/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs the engines that have pending operations. Chooses the work of a waiting call between two
 * polls: spin, yield the core, sleep, or let the MPI library make progress. See progress.h. */
#include "progress/progress.h"

#include "mpispec/machine.h"
#include "progress/doorbell.h"
#include "progress/library_polls.h"
#include "progress/library_progress.h"
#include "progress/lock.h"
#include "progress/origin.h"
#include "progress/oversubscription.h"
#include "progress/parking.h"
#include "progress/test_row.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "progress/yield.h"

#include <assert.h>

/* Nonzero if an engine from `engine` on, with callers up to `most`, has pending operations. */
static inline int has_pending(const struct mpispec_engine *engine,
                              enum mpispec_engine_caller most) {
  size_t under_way = 0;
  for (; engine->progress; ++engine)
    under_way |= engine->caller <= most ? *engine->under_way : 0;
  return under_way != 0;
}

int mpispec_progress_is_busy(void) {
  return has_pending(mpispec_engines + 1, MPISPEC_PROGRAM_ALONE);
}

int mpispec_progress_is_pending(void) {
  return has_pending(mpispec_engines, MPISPEC_LIBRARY_CALLER);
}

/* Runs the same engines. */
static inline void run(const struct mpispec_engine *engine, enum mpispec_engine_caller most) {
  for (; engine->progress; ++engine)
    if (*engine->under_way && engine->caller <= most)
      engine->progress();
}

void mpispec_progress(void) { run(mpispec_engines, MPISPEC_PROGRAM_ALONE); }

/* Runs all of these engines, and sets the budget of empty polls before the next round. The budget
 * is 0 if an engine other than the first has pending operations, or has begun one meanwhile
 * (mpispec_progress_begins). */
static inline void run_and_grant(enum mpispec_engine_caller most, unsigned calls) {
  mpispec_state.empty_poll_budget = calls;
  run(mpispec_engines, most);
  if (has_pending(mpispec_engines + 1, most))
    mpispec_state.empty_poll_budget = 0;
}

uint64_t mpispec_progress_epoch(void) {
  uint64_t epoch = 0;
  for (const struct mpispec_engine *engine = mpispec_engines; engine->progress; ++engine)
    if (engine->caller == MPISPEC_ANYBODY)
      epoch += *engine->under_way + (engine->advanced ? *engine->advanced : 0);
  return epoch;
}

int mpispec_progress_is_needed(void) {
  return mpispec_progress_is_pending() ||
         (mpispec_lock_is_shared() && mpispec_biased_lock_has_several_threads());
}

static void (*now_and_then)(void);

/* Fewer if the rank shares its processor: it may hold the core that the awaited rank needs. */
static unsigned polls_of_rank(void) {
  return mpispec_is_oversubscribed() ? MPISPEC_SPINS_OVERSUBSCRIBED : MPISPEC_SPINS;
}

int mpispec_wait_has_polled(unsigned round) {
  if (round <= MPISPEC_SPINS_OVERSUBSCRIBED)
    return 0;
  return round > (mpispec_threads_take_turns() ? mpispec_thread_wait.polls : polls_of_rank());
}

static unsigned shown_polls; /* stored in mpispec_state.polls, where a value of a test stays */
static void show_polls(void) {
  const unsigned polls = polls_of_rank();
  if (polls == shown_polls)
    return;
  if (mpispec_state.polls == shown_polls)
    mpispec_state.polls = polls;
  shown_polls = polls;
}

void mpispec_progress_open(int oversubscribed, int (*read_masks)(void), void (*then)(void)) {
  mpispec_oversubscription_open(oversubscribed, read_masks);
  mpispec_state.polls = shown_polls = polls_of_rank();
  now_and_then = then;
  mpispec_library_progress_open();
}

void mpispec_progress_close(void) {
  mpispec_oversubscription_close();
  mpispec_library_progress_close();
}

/* The rare work of a waiting call, after every MPISPEC_LIBRARY_PROGRESS_EVERY polls: progress of
 * the MPI library, a check for oversubscription, and a call of `now_and_then`. */
static uint64_t slow_progress_at; /* the last time, in ticks */
static void slow_progress(void) {
  mpispec_library_progress();
  slow_progress_at = mpispec_library_progress_at;
  if (!mpispec_is_oversubscribed())
    mpispec_oversubscription_check();
  now_and_then();
}

static int slow_progress_is_due(uint64_t pause) {
  return mpispec_ticks() - slow_progress_at > mpispec_ticks_in(pause);
}

int mpispec_progress_was_oversubscribed(void) { return mpispec_oversubscription_at_init(); }

/* Yields the core, or naps if the wait has yielded since `begin`; 0: it must not nap. Afterwards
 * this rank may have detected that it shares its processor. Meanwhile a shared lock is released. */
static void yield(uint64_t begin) {
  mpispec_thread_fails();
  if (mpispec_lock_is_shared())
    mpispec_lock_release();
  if (!begin || !mpispec_nap_in_wait(begin))
    mpispec_oversubscription_yield();
  if (mpispec_lock_is_shared())
    mpispec_lock_acquire();
  show_polls();
}

_Thread_local struct mpispec_waiting mpispec_waiting;
int mpispec_progress_is_timed;

void mpispec_progress_note_waiting(void) {
  mpispec_waiting.last = mpispec_ticks();
  if (!mpispec_waiting.first)
    mpispec_waiting.first = mpispec_waiting.last;
}

static void ring_before_waiting(void) {
  if (mpispec_doorbells_used)
    mpispec_doorbells_ring();
}

void mpispec_progress_after_sleeping(void) {
  if (slow_progress_is_due(MPISPEC_SLEEP)) /* a single sleep may have been as long */
    slow_progress();
  else if (mpispec_progress_has_windows())
    mpispec_library_progress(); /* an origin may have woken this rank */
  mpispec_oversubscription_refresh();
  show_polls();
}

void mpispec_progress_before_parking(void) {
  show_polls();
  if (slow_progress_is_due(MPISPEC_LIBRARY_PROGRESS_PAUSE))
    slow_progress();
  else if (mpispec_library_progress_is_due(mpispec_library_pause()))
    mpispec_library_progress();
}

uint64_t mpispec_pause_of_yields = MPISPEC_LIBRARY_PROGRESS_PAUSE;

/* Returns when this thread first yielded in its wait, in ticks. A wait in which engines make
 * progress, or polls of the MPI library find something, counts as a new one. */
static uint64_t begin_of_yields(unsigned round) {
  static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    unsigned round;
    uint64_t begin, epoch;
  } last;
  const uint64_t epoch = mpispec_progress_epoch() + mpispec_library_events();
  if (round != last.round + MPISPEC_POLLS_PER_YIELD || epoch != last.epoch)
    last.begin = mpispec_ticks();
  last.round = round;
  last.epoch = epoch;
  return last.begin;
}

static int may_nap(void) {
  return mpispec_doorbells_sleep() && mpispec_is_oversubscribed() && mpispec_lock_can_be_released();
}

/* Nonzero in one of `rounds` rounds. */
static int is_last_of(unsigned rounds, unsigned round) { return round % rounds == rounds - 1; }

/* Nonzero if a wait polls the library in this round because of windows. A short wait does not. */
static int serves_origins(unsigned round) {
  return is_last_of(MPISPEC_WINDOW_PROGRESS_EVERY, round) && round > MPISPEC_SPINS / 8 &&
         mpispec_progress_has_windows();
}

/* A round that yields may last for a whole time slice of another process. Therefore rounds that
 * yield read the clock to find out whether the library must be polled.
 *
 * A ring costs a full fence. Therefore only one in MPISPEC_POLLS_PER_YIELD rounds rings. These
 * include the first round of a wait and each round that yields. */
static void back_off(unsigned round, int naps) {
  if (round == 0)
    mpispec_thread_begin_wait();
  else if (round == MPISPEC_SPINS_OVERSUBSCRIBED && mpispec_threads_take_turns())
    mpispec_thread_choose_polls();
  if (round % MPISPEC_POLLS_PER_YIELD == 0)
    ring_before_waiting();
  const int yields = mpispec_wait_has_polled(round) && round % MPISPEC_POLLS_PER_YIELD == 0;
  if (is_last_of(MPISPEC_LIBRARY_PROGRESS_EVERY, round) ||
      (yields && slow_progress_is_due(mpispec_pause_of_yields)))
    slow_progress();
  else if (serves_origins(round))
    mpispec_library_progress();
  mpispec_progress_waits();
  if (yields) {
    yield(naps && may_nap() ? begin_of_yields(round) : 0);
    mpispec_progress_waits(); /* the yield may have been long */
  } else if (mpispec_lock_is_wanted()) {
    mpispec_lock_pass();
  } else {
    mpispec_parked_notify(); /* the last poll may have drained the message of a parked thread */
    if (!mpispec_progress_was_oversubscribed())
      mpispec_pause();
  }
}

int mpispec_progress_yield(void) {
  if (slow_progress_is_due(mpispec_pause_of_yields))
    return 0;
  ring_before_waiting();
  yield(0);
  mpispec_progress_waits(); /* the yield may have been long */
  return 1;
}

void mpispec_wait_backoff(unsigned round) { back_off(round, 1); }
void mpispec_wait_backoff_awake(unsigned round) { back_off(round, 0); }

void mpispec_wait_backoff_for_library(unsigned round) {
  const unsigned times = round / MPISPEC_POLLS_PER_YIELD;
  if (round % MPISPEC_POLLS_PER_YIELD == 0 && round > MPISPEC_SPINS_OVERSUBSCRIBED &&
      !(times & (times - 1)) && mpispec_origin_has_targets())
    mpispec_doorbells_ask(MPISPEC_ALL_TARGETS);
  back_off(round, 1);
}

/* --- calls that do not wait --------------------------------------------------------------------*/

void (*mpispec_progress_when_idle)(void);

static void yield_in_test(void) {
  if (slow_progress_is_due(mpispec_pause_of_yields))
    slow_progress();
  ring_before_waiting(); /* the yield may be long */
  yield(0);
}

static void idle(void) {
  slow_progress();
  if (mpispec_progress_when_idle)
    mpispec_progress_when_idle();
  yield_in_test();
}

/* Counts tests in vain. One of MPISPEC_LIBRARY_PROGRESS_EVERY tests does the rare work of a waiting
 * call. An oversubscribed rank yields sooner if its program waits by tests (test_row.h). Returns
 * nonzero in this case. */
static int count_tests(unsigned tests) {
  static unsigned calls;
  static struct mpispec_test_row row;
  calls += tests;
  const int waits = mpispec_is_oversubscribed() && mpispec_test_row_is_full(&row, tests);
  if (calls >= MPISPEC_LIBRARY_PROGRESS_EVERY) {
    calls = 0;
    idle();
  } else if (waits) {
    yield_in_test();
  } else {
    return 0;
  }
  mpispec_test_row_restart(&row);
  return waits;
}

void mpispec_progress_idle(void) { (void)count_tests(1); }

/* Nonzero if the program does nothing but poll. Called after an empty poll. The `calls` calls since
 * the previous call of this function took `took` ticks. A single late call of a program that only
 * polls does not change the result, because its poll may have missed the cache, or the program may
 * have exchanged a message. */
static int program_only_polls(unsigned calls, uint64_t took) {
  static unsigned late;
  if (calls > 1) {
    late = took < mpispec_ticks_in(calls * MPISPEC_POLLING_AVERAGE) ? 0 : MPISPEC_POLLING_LATE;
    return !late;
  }
  late = took < mpispec_ticks_in(MPISPEC_POLLING_CALL) ? 0 : late + 1;
  return late < MPISPEC_POLLING_LATE;
}

/* Polls a few nanoseconds apart delay the awaited message, because the processor executes many of
 * them when the line changes. Therefore each call of a program that only polls enters this
 * function, which spaces the polls. The exception is an oversubscribed rank, which yields after a
 * number of calls. Each test between long pieces of work enters, too, and makes progress. */
void mpispec_progress_after_empty_polls(void) {
  static uint64_t last, left; /* when this function was entered last, and left if that took long */
  static unsigned empty_polls, granted;
  const unsigned calls = granted + 1;
  const uint64_t now = mpispec_ticks();
  const int polls_only = program_only_polls(calls, now - last) && !mpispec_is_oversubscribed(),
            are_rare = now - left > calls * mpispec_ticks_in(MPISPEC_RARE_TEST);
  last = left = now;
  empty_polls += calls;
  granted = 0;
  if (polls_only && empty_polls < MPISPEC_EMPTY_POLL_BUDGET && !mpispec_progress_is_busy())
    return;
  const unsigned tests = empty_polls;
  empty_polls = 0; /* the next function may release the lock */
  const int waits = count_tests(tests);
  if (are_rare && mpispec_library_progress_is_due(mpispec_library_pause()))
    mpispec_library_progress();
  run_and_grant(MPISPEC_PROGRAM_ALONE, polls_only || are_rare ? 0
                                       : waits                ? MPISPEC_TEST_ROW - 1
                                                              : MPISPEC_EMPTY_POLL_BUDGET - 1);
  granted = mpispec_state.empty_poll_budget;
  if (are_rare || waits)
    left = mpispec_ticks();
}

static void run_opportunistically(void) {
  static unsigned calls;
  if (++calls % MPISPEC_OPPORTUNISTIC_EVERY) {
    if (!mpispec_state.empty_poll_budget)
      run(mpispec_engines + 1, MPISPEC_LIBRARY_CALLER);
    return;
  }
  run_and_grant(MPISPEC_LIBRARY_CALLER, MPISPEC_EMPTY_POLL_BUDGET - 1);
  if (mpispec_library_progress_is_due(mpispec_library_pause()))
    mpispec_library_progress_with_lock();
}

/* The caller may have found a message, and does not expect that the lock is released. It may be a
 * fast path. The library may call functions of the program, which may call MPI. */
void mpispec_progress_opportunistic(void) {
  const int entered = mpispec_biased_lock_begin_callbacks();
  run_opportunistically();
  mpispec_biased_lock_end_callbacks(entered);
}
