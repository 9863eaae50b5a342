/* The switch by which the MPI library yields, with several threads. It is on while at least one of them is in a
 * blocking function, and off while the runtime polls. The test has the counters alone, over a switch that a thread
 * may turn late. */
#include "check.h"
#include "progress/library_polls.h"
#include "progress/oversubscription.h"

#include <pthread.h>
#include <stdint.h>
#include <sched.h>
#include <stdlib.h>

enum { ROUNDS = 20000 };

_Atomic int mpispec_oversubscribed = 1;
uint64_t mpispec_ticks_rate = 1024;
int mpispec_biased_lock_has_several_threads(void) { return 0; }
int mpispec_nap_in_wait(uint64_t begin) { return !begin; }
void mpispec_oversubscription_yield(void) {}
void mpispec_oversubscription_check(void) {}
void mpispec_origin_asks(void) {}

static _Atomic _Bool is_on;
static _Thread_local unsigned seed;
static _Bool own_switch(_Bool yields) {
  if (seed && rand_r(&seed) % 4 == 0)
    sched_yield(); /* the other thread may turn the switch first */
  return atomic_exchange(&is_on, yields);
}

static pthread_barrier_t next;
static void *cross(void *unused) {
  mpispec_library_enter();
  pthread_barrier_wait(&next);
  pthread_barrier_wait(&next);
  mpispec_library_leave();
  pthread_barrier_wait(&next);
  return unused;
}

/* Another thread enters first, and leaves while this one is in a blocking function, or polls. */
static void check_crossing(int polls) {
  pthread_t other;
  CHECK(!pthread_create(&other, NULL, cross, NULL));
  pthread_barrier_wait(&next);
  if (!polls)
    mpispec_library_enter();
  const _Bool yields = polls && mpispec_library_yields_off();
  CHECK(is_on == !polls);
  pthread_barrier_wait(&next);
  pthread_barrier_wait(&next);
  CHECK(is_on == !polls);
  mpispec_library_yields_restore(yields);
  if (!polls)
    mpispec_library_leave();
  CHECK(!is_on);
  CHECK(!pthread_join(other, NULL));
}

/* Polls while this thread is in a blocking function. */
static void check_poll(void) {
  mpispec_library_enter();
  const _Bool yields = mpispec_library_yields_off(), again = mpispec_library_yields_off();
  CHECK(!is_on);
  mpispec_library_yields_restore(again); /* a callback's poll, in the poll of before */
  CHECK(!is_on);
  mpispec_library_yields_restore(yields);
  CHECK(is_on);
  mpispec_library_leave();
  CHECK(!is_on);
}

/* Two threads enter and leave at the same time, and one polls. In each round the switch must be on if one of them
 * has stayed in a blocking function. */
static void *enter_and_leave(void *polls) {
  seed = polls ? 1 : 2;
  for (int round = 0; round < ROUNDS; ++round) {
    const int stays = polls ? round & 1 : round & 2;
    if (polls && round & 4)
      mpispec_library_yields_restore(mpispec_library_yields_off());
    mpispec_library_enter();
    if (!stays)
      mpispec_library_leave();
    pthread_barrier_wait(&next);
    CHECK(is_on == ((round & 3) != 0));
    pthread_barrier_wait(&next);
    if (stays)
      mpispec_library_leave();
  }
  pthread_barrier_wait(&next);
  CHECK(!is_on);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_barrier_init(&next, NULL, 2);
  mpispec_library_polls_open();
  mpispec_library_polls_use_switch(own_switch, 0);
  check_crossing(0);
  check_crossing(1);
  check_poll();
  CHECK(!pthread_create(&other, NULL, enter_and_leave, NULL));
  enter_and_leave(&other);
  CHECK(!pthread_join(other, NULL));
  mpispec_library_polls_close();
  return passed();
}

// RUN: %mpicc %include -I%S %s %sources/progress/library_polls.c -o %t -lpthread
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
