/* When a poll of the MPI library that finds nothing yields: the counter alone, over a yield that
 * only counts. */
#include "check.h"
#include "mpispec/machine.h"
#include "progress/library_polls.h"
#include "progress/oversubscription.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <pthread.h>
#include <stdint.h>

_Atomic int mpispec_oversubscribed;
uint64_t mpispec_ticks_rate = 1024;
static int yields, looks, asks;
void mpispec_oversubscription_yield(void) { ++yields; }
void mpispec_oversubscription_check(void) { ++looks; }
void mpispec_origin_asks(void) { ++asks; }

static int naps_from; /* the number of polls in a row that yield, after which a poll naps; 0: none naps */
static int naps, has_several;
static uint64_t began;
int mpispec_biased_lock_has_several_threads(void) { return has_several; }
int mpispec_nap_in_wait(uint64_t begin) {
  began = begin;
  if (!naps_from || yields < naps_from)
    return 0;
  ++naps;
  return 1;
}

static _Bool is_on;
static int changes;
static _Bool own_switch(_Bool yields_now) {
  const _Bool was = is_on;
  changes += was != yields_now;
  is_on = yields_now;
  return was;
}

static int yields_of(int polls, unsigned events) {
  const int before = yields;
  for (int i = 0; i < polls; ++i)
    mpispec_library_polled(events);
  return yields - before;
}

/* Like yields_of, for a program that works between its tests. */
static int yields_between_work(int polls) {
  const int before = yields;
  for (int i = 0; i < polls; ++i) {
    for (const uint64_t begin = mpispec_ticks(); mpispec_ticks() - begin < mpispec_ticks_in(2 * MPISPEC_TEST);)
      ;
    mpispec_library_polled(0);
  }
  return yields - before;
}

/* The targets of one-sided operations are asked whenever the number of polls has doubled. */
static void for_targets(void) {
  mpispec_library_enter();
  CHECK(yields_of(MPISPEC_EMPTY_ASK - 1, 0) > 0 && !asks);
  CHECK(yields_of(1, 0) == 1 && asks == 1);
  CHECK(yields_of(MPISPEC_EMPTY_ASK - 1, 0) > 0 && asks == 1);
  CHECK(yields_of(1, 0) == 1 && asks == 2);
  CHECK(yields_of(1, 1) == 0 && yields_of(MPISPEC_EMPTY_ASK - 1, 0) > 0 && asks == 2);
  mpispec_library_leave();
}

static void in_blocking_functions(void) {
  mpispec_library_enter();
  CHECK(yields_of(MPISPEC_EMPTY_POLLS, 0) == 0 && yields_of(10, 0) == 10);
  CHECK(yields_of(10, 1) == 0); /* something was found: count anew */
  CHECK(yields_of(MPISPEC_EMPTY_POLLS, 0) == 0 && yields_of(1, 0) == 1);
  mpispec_library_enter(); /* a callback that calls MPI */
  CHECK(yields_of(1, 0) == 1);
  mpispec_library_leave();
  CHECK(yields_of(1, 0) == 1);
  mpispec_library_leave();
  mpispec_library_enter();
  CHECK(yields_of(MPISPEC_EMPTY_POLLS, 0) == 0); /* each function counts by itself */
  CHECK(yields_of(2 * MPISPEC_EMPTY_TESTS, 0) == 2 * MPISPEC_EMPTY_TESTS);
  mpispec_library_leave();
  CHECK(yields_between_work(1) == 0);
}

/* A poll naps instead of a yield. The time since the first yield decides, until something is found. */
static void in_long_waits(void) {
  mpispec_library_enter();
  naps_from = yields + 10;
  CHECK(yields_of(MPISPEC_EMPTY_POLLS + 20, 0) == 10 && naps == 10);
  const uint64_t first = began;
  has_several = 1; /* another thread may wait for a lock that the library holds */
  CHECK(yields_of(1, 0) == 1 && naps == 10);
  has_several = 0;
  CHECK(yields_of(1, 0) == 0 && began == first);
  CHECK(yields_of(1, 1) == 0);
  naps_from = 0;
  CHECK(yields_of(MPISPEC_EMPTY_POLLS + 1, 0) == 1 && began > first);
  mpispec_library_leave();
  naps = 0;
  mpispec_oversubscribed = 0;
  naps_from = 1;
  CHECK(yields_of(100, 0) == 0 && naps == 0);
  mpispec_oversubscribed = 1;
  CHECK(yields_between_work(MPISPEC_EMPTY_TESTS / 2) == 0 && naps == 0); /* in no blocking function */
  naps_from = 0;
}

static void in_tests(void) {
  const int before = asks;
  mpispec_library_polled(1);
  CHECK(yields_between_work(MPISPEC_EMPTY_TESTS) == 0);
  CHECK(yields_between_work(1) == 1);
  CHECK(yields_between_work(10 * (MPISPEC_EMPTY_TESTS + 1)) == 10);
  mpispec_library_polled(1);
  CHECK(yields_of(MPISPEC_TEST_ROW - 1, 0) == 0);
  CHECK(yields_of(MPISPEC_TEST_ROW * 20, 0) >= 15); /* the thread may lose its processor */
  CHECK(asks == before);
}

static void with_own_processor(void) {
  mpispec_oversubscribed = 0;
  mpispec_library_enter();
  CHECK(yields_of(10 * MPISPEC_EMPTY_CHECK, 0) == 0 && looks == 10);
  mpispec_library_leave();
  CHECK(yields_of(10 * MPISPEC_EMPTY_CHECK, 0) == 0 && looks == 10);
  mpispec_oversubscribed = 1;
}

static void *in_another_thread(void *unused) {
  CHECK(yields_of(MPISPEC_EMPTY_POLLS + 1, 0) == 0); /* that thread is in no blocking function */
  return unused;
}

static void by_threads(void) {
  pthread_t thread;
  mpispec_library_enter();
  CHECK(pthread_create(&thread, NULL, in_another_thread, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  mpispec_library_leave();
}

static void by_the_switch(void) {
  CHECK(!mpispec_library_polls_use_switch(own_switch, 0));
  mpispec_library_enter();
  mpispec_library_enter();
  CHECK(is_on);
  mpispec_library_leave();
  CHECK(is_on);
  mpispec_library_leave();
  CHECK(!is_on && changes == 2);
  mpispec_oversubscribed = 0;
  mpispec_library_enter();
  CHECK(!is_on);
  mpispec_oversubscribed = 1; /* noticed meanwhile */
  mpispec_library_leave();
  mpispec_library_leave(); /* one too many does no harm */
  CHECK(!is_on && changes == 2);
}

/* A switch that is on already, or whose value the user has chosen, changes only while the runtime polls. */
static void by_the_user(void) {
  for (int chosen = 0; chosen < 2; ++chosen)
    for (int before = 0; before < 2; ++before) {
      is_on = before;
      CHECK(mpispec_library_polls_use_switch(own_switch, chosen) == (chosen || before));
      CHECK(is_on == before);
      const _Bool was_on = mpispec_library_yields_off();
      CHECK(was_on == before && !is_on);
      mpispec_library_yields_restore(was_on);
      CHECK(is_on == before);
      mpispec_library_enter();
      CHECK(is_on == (before || !chosen));
      mpispec_library_leave();
      CHECK(is_on == before);
    }
  is_on = 0;
  mpispec_library_polls_use_switch(NULL, 0);
  mpispec_library_yields_restore(mpispec_library_yields_off());
}

int main(void) {
  mpispec_oversubscribed = 1;
  mpispec_library_enter();
  CHECK(yields_of(100, 0) == 0); /* not open */
  mpispec_library_leave();
  mpispec_library_polls_open();
  for_targets();
  in_blocking_functions();
  in_long_waits();
  in_tests();
  with_own_processor();
  by_threads();
  by_the_switch();
  by_the_user();
  mpispec_library_polls_close();
  mpispec_library_enter();
  CHECK(yields_of(100, 0) == 0 && !is_on);
  mpispec_library_leave();
  return passed();
}

// RUN: %mpicc %include -I%S %s %sources/progress/library_polls.c -o %t -lpthread
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
