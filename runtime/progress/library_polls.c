/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts polls in vain, and yields. See library_polls.h. */
#include "progress/library_polls.h"

#include "mpispec/machine.h"
#include "progress/oversubscription.h"
#include "progress/tuning.h"
#include "progress/yield.h"

#include <stdatomic.h>

#define THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

static int is_open;
static _Bool (*own_switch)(_Bool yields);
static int is_chosen; /* the user has chosen the switch's value */
static _Atomic unsigned long yields;

THREAD unsigned depth;    /* blocking functions that this thread is in */
THREAD unsigned empty;    /* polls in a row that found nothing */
THREAD uint64_t begin;    /* when the thread first yielded in this row, in ticks */
THREAD _Bool switched_on; /* by this thread, for its current blocking function */

void mpispec_library_polls_open(void) {
  is_open = 1;
  atomic_store_explicit(&yields, 0, memory_order_relaxed);
}

void mpispec_library_polls_close(void) {
  is_open = 0;
  own_switch = 0;
}

void mpispec_library_polls_use_switch(_Bool (*found)(_Bool yields), int chosen) {
  own_switch = found;
  is_chosen = chosen;
}

_Bool mpispec_library_yields_off(void) { return own_switch && own_switch(0); }

void mpispec_library_yields_restore(_Bool yields) {
  if (yields && own_switch)
    own_switch(1);
}

void mpispec_library_enter(void) {
  if (depth++)
    return;
  empty = 0;
  if (own_switch && !is_chosen && mpispec_is_oversubscribed() && is_open)
    switched_on = !own_switch(1);
}

void mpispec_library_leave(void) {
  if (!depth || --depth || !switched_on)
    return;
  switched_on = 0;
  if (own_switch)
    own_switch(0);
}

static void yield(void) {
  atomic_fetch_add_explicit(&yields, 1, memory_order_relaxed);
  mpispec_oversubscription_yield();
}

void mpispec_library_polled(unsigned events) {
  if (events || !is_open) {
    empty = 0;
    return;
  }
  ++empty;
  if (!mpispec_is_oversubscribed()) {
    if (depth && empty % MPISPEC_EMPTY_CHECK == 0)
      mpispec_oversubscription_check();
  } else if (depth) {
    if (empty == MPISPEC_EMPTY_POLLS + 1)
      begin = mpispec_ticks();
    if (empty > MPISPEC_EMPTY_POLLS && !mpispec_nap_in_wait(begin))
      yield();
  } else if (empty > MPISPEC_EMPTY_TESTS) {
    empty = 0;
    yield();
  }
}

unsigned long mpispec_library_yields(void) {
  return atomic_load_explicit(&yields, memory_order_relaxed);
}
