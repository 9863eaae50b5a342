/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts polls in vain, and yields. See library_polls.h. */
#include "progress/library_polls.h"

#include "mpispec/machine.h"
#include "progress/biased_lock.h"
#include "progress/origin.h"
#include "progress/oversubscription.h"
#include "progress/test_row.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "progress/yield.h"

#include <assert.h>
#include <stdatomic.h>

#define THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

static int is_open, has_initialized;
static _Bool (*own_switch)(_Bool yields);
static int is_chosen; /* the user has chosen the switch's value */
static _Bool usual;   /* the switch's value outside blocking functions */
static _Atomic unsigned long yields, all_events;
static _Atomic int are_reported; /* a poll in vain has been */

static _Atomic int inside;        /* threads in blocking functions that need the switch */
static _Atomic int runtime_polls; /* polls by the runtime during which the switch is off */

THREAD unsigned depth;              /* blocking functions that this thread is in */
THREAD unsigned empty;              /* polls in a row that found nothing */
THREAD uint64_t begin;              /* when the thread first yielded in this row, in ticks, or 0 */
THREAD struct mpispec_test_row row; /* polls outside blocking functions */
THREAD _Bool is_inside;             /* this thread is counted in `inside` */

void mpispec_library_polls_open(void) {
  is_open = 1;
  atomic_store_explicit(&yields, 0, memory_order_relaxed);
}

void mpispec_library_polls_end_init(void) { has_initialized = 1; }

void mpispec_library_polls_close(void) {
  is_open = has_initialized = 0;
  own_switch = 0;
}

int mpispec_library_polls_use_switch(_Bool (*found)(_Bool yields), int chosen) {
  own_switch = found;
  usual = found && found(0);
  if (usual)
    found(1);
  is_chosen = chosen || usual;
  return is_chosen;
}

static _Bool must_be_on(void) {
  return !atomic_load_explicit(&runtime_polls, memory_order_relaxed) &&
         (usual || atomic_load_explicit(&inside, memory_order_relaxed));
}

/* Called after each change of a counter that may change the result of must_be_on. Another thread
 * may change a counter between the read here and the write of the switch. Therefore this thread
 * reads the counters again after the write. The fences of both threads form a pair: either this
 * thread reads the other one's change, or the other thread writes the switch later. Thus the last
 * write agrees with the counters. */
static void turn_switch(void) {
  _Bool is_on;
  atomic_thread_fence(memory_order_seq_cst);
  do {
    is_on = must_be_on();
    own_switch(is_on);
    atomic_thread_fence(memory_order_seq_cst);
  } while (is_on != must_be_on());
}

_Bool mpispec_library_yields_off(void) {
  if (!own_switch || !must_be_on())
    return 0;
  atomic_fetch_add_explicit(&runtime_polls, 1, memory_order_relaxed);
  turn_switch();
  return 1;
}

void mpispec_library_yields_restore(_Bool was_on) {
  if (!was_on)
    return;
  atomic_fetch_sub_explicit(&runtime_polls, 1, memory_order_relaxed);
  if (own_switch)
    turn_switch();
}

/* Something has been found, or a function begins or ends. */
static void begin_row(void) {
  empty = row.tests = 0;
  begin = 0;
}

void mpispec_library_enter(void) {
  if (depth++)
    return;
  begin_row();
  is_inside = own_switch && !is_chosen && mpispec_is_oversubscribed() && is_open;
  if (is_inside && !atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed))
    turn_switch();
}

void mpispec_library_leave(void) {
  if (!depth || --depth)
    return;
  begin_row();
  if (!is_inside)
    return;
  is_inside = 0;
  if (atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed) == 1 && own_switch)
    turn_switch();
}

static void yield(void) {
  atomic_fetch_add_explicit(&yields, 1, memory_order_relaxed);
  mpispec_oversubscription_yield();
}

/* The library may hold a lock of its own meanwhile, for which another thread waits. */
static int may_nap(void) { return !mpispec_biased_lock_has_several_threads(); }

static void yield_or_nap(void) {
  if (!begin)
    begin = mpispec_ticks();
  if (!may_nap() || !mpispec_nap_in_wait(begin))
    yield();
}

/* The number only has to change. Therefore it may lose events of simultaneous threads, and a poll
 * takes no atomic operation. */
static void count_events(unsigned events) {
  const unsigned long before = atomic_load_explicit(&all_events, memory_order_relaxed);
  atomic_store_explicit(&all_events, before + events, memory_order_relaxed);
}

/* Nonzero after MPISPEC_EMPTY_ASK polls in vain, and whenever their number has doubled. A message
 * that the library sends later follows a poll that found something. */
static int is_time_to_ask(void) {
  static_assert((MPISPEC_EMPTY_ASK & (MPISPEC_EMPTY_ASK - 1)) == 0, "it is doubled");
  return depth && empty >= MPISPEC_EMPTY_ASK && !(empty & (empty - 1));
}

void mpispec_library_polled(unsigned events) {
  if (events)
    count_events(events);
  if (events || !is_open) {
    begin_row();
    return;
  }
  if (!mpispec_library_polls_are_reported())
    atomic_store_explicit(&are_reported, 1, memory_order_relaxed);
  ++empty;
  if (is_time_to_ask())
    mpispec_origin_asks();
  if (!mpispec_is_oversubscribed()) {
    if (depth && empty % MPISPEC_EMPTY_CHECK == 0)
      mpispec_oversubscription_check();
  } else if (depth) {
    if (empty > MPISPEC_EMPTY_POLLS)
      yield_or_nap();
  } else if (mpispec_test_row_is_full(&row, 1) || empty > MPISPEC_EMPTY_TESTS) {
    empty %= MPISPEC_EMPTY_TESTS + 1;
    yield();
    mpispec_test_row_restart(&row);
  }
}

int mpispec_library_polls_are_reported(void) {
  return atomic_load_explicit(&are_reported, memory_order_relaxed);
}

int mpispec_library_waits_yield(void) {
  return has_initialized && is_open && mpispec_is_oversubscribed() &&
         (usual || is_inside || mpispec_library_polls_are_reported());
}

int mpispec_library_tests_spin(void) {
  return mpispec_is_oversubscribed() && !usual && !mpispec_library_polls_are_reported();
}

int mpispec_library_never_yields(void) {
  return has_initialized && mpispec_is_oversubscribed() && !own_switch &&
         !mpispec_library_polls_are_reported();
}

unsigned long mpispec_library_events(void) {
  return atomic_load_explicit(&all_events, memory_order_relaxed);
}

unsigned long mpispec_library_yields(void) {
  return atomic_load_explicit(&yields, memory_order_relaxed);
}
