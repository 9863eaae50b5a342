/* The biased lock (progress/biased_lock.h) alone: never two threads inside, whoever is the owner.
 * No thread waits for an owner that has exited, has lost its core, or only polls. */
#include "check.h"
#include "progress/biased_lock.h"
#include "progress/oversubscription.h"
#include "progress/tuning.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Atomic int mpispec_oversubscribed; /* as the runtime finds it */

enum { THREADS = 3, TURNS = 32, MANY = 2 * MPISPEC_BIAS_AFTER };

static unsigned long rounds;

/* With -Wl,--wrap: the system refuses. */
int __wrap_mpispec_membarrier_register(void) { return 0; }

/* Plain memory, which only the lock protects. */
static int inside;
static unsigned long entries;
static _Atomic unsigned long violations, counted;

static void be_inside(void) {
  violations += inside != 0;
  inside = 1;
  ++entries;
  violations += inside != 1;
  inside = 0;
  ++counted;
}

static void nest(void) {
  mpispec_biased_lock_acquire();
  CHECK(mpispec_biased_lock_depth() == 1);
  if (mpispec_biased_lock_enter()) {
    CHECK(mpispec_biased_lock_depth() == 2);
    mpispec_biased_lock_leave();
  }
  mpispec_biased_lock_acquire();
  CHECK(mpispec_biased_lock_depth() == 2);
  mpispec_biased_lock_release();
  be_inside();
  mpispec_biased_lock_release();
  CHECK(mpispec_biased_lock_depth() == 0);
}

/* A fast path calls code with a fast path of its own, several times, and acquires the lock once more. It holds the lock
 * all the time. */
static void nest_in_fast_path(void) {
  if (!mpispec_biased_lock_enter())
    return;
  for (int i = 0; i < 3; ++i) {
    const int entered = mpispec_biased_lock_begin_callbacks();
    if (mpispec_biased_lock_enter()) {
      be_inside();
      mpispec_biased_lock_leave();
    }
    be_inside();
    CHECK(mpispec_biased_lock_depth() == 1);
    mpispec_biased_lock_end_callbacks(entered);
    CHECK(mpispec_biased_lock_depth() == 1);
    be_inside();
  }
  mpispec_biased_lock_acquire();
  CHECK(mpispec_biased_lock_depth() == 2);
  mpispec_biased_lock_release();
  CHECK(mpispec_biased_lock_depth() == 1);
  be_inside();
  mpispec_biased_lock_leave();
  CHECK(mpispec_biased_lock_depth() == 0);
}

/* One call of a program: by the fast path if this thread is the owner. */
static void call(unsigned long i) {
  if (i % 64 == 0) {
    nest();
  } else if (i % 8 == 4) {
    nest_in_fast_path();
  } else if (mpispec_biased_lock_enter()) {
    be_inside();
    mpispec_biased_lock_leave();
  } else {
    mpispec_biased_lock_acquire();
    be_inside();
    mpispec_biased_lock_release();
  }
}

static void *call_often(void *often) {
  for (unsigned long i = 1; i <= *(unsigned long *)often; ++i)
    call(i);
  return NULL;
}

static _Atomic int ends;
static void *borrow_often(void *unused) {
  while (!ends)
    if (mpispec_biased_lock_try_borrow()) {
      be_inside();
      mpispec_biased_lock_return();
    } else {
      sched_yield();
    }
  return unused;
}

static pthread_t start(void *(*work)(void *), void *argument) {
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, work, argument));
  return thread;
}

/* The owner's threads lose their core at any instruction. */
static void lose_core(int signal) {
  (void)signal;
  sched_yield();
}

static void interrupt_every(int microseconds) {
  const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  signal(SIGALRM, lose_core);
  setitimer(ITIMER_REAL, &timer, NULL);
}

/* Each opening gives the lock its bias again, which is revoked soon. */
static void compete(void) {
  pthread_t threads[THREADS];
  for (unsigned long i = 0; i < rounds / 100; ++i) {
    unsigned long few = 20 + i % (4 * MANY);
    mpispec_biased_lock_open(0);
    for (int t = 0; t < THREADS; ++t)
      threads[t] = start(call_often, &few);
    call_often(&few);
    for (int t = 0; t < THREADS; ++t)
      pthread_join(threads[t], NULL);
  }
}

/* The owner stays the same all the time, and another thread borrows the lock from it. */
static void lend(void) {
  mpispec_biased_lock_open(0);
  const struct mpispec_lock_thread *owner = mpispec_lock_owner;
  const pthread_t borrower = start(borrow_often, NULL);
  unsigned long often = rounds * 100;
  call_often(&often);
  ends = 1;
  pthread_join(borrower, NULL);
  CHECK(mpispec_lock_owner == owner);
}

/* Threads that exit as owners, one after the other. */
static void exit_as_owners(void) {
  unsigned long few = MANY;
  mpispec_biased_lock_open(0);
  for (int i = 0; i < TURNS; ++i)
    pthread_join(start(call_often, &few), NULL);
  call_often(&few);
}

static void *call_and_pause(void *unused) {
  unsigned long few = MANY;
  call_often(&few);
  for (;;)
    pause();
  return unused;
}

static void cancel_an_owner(void) {
  unsigned long few = MANY;
  mpispec_biased_lock_open(0);
  const pthread_t owner = start(call_and_pause, NULL);
  usleep(1000);
  pthread_cancel(owner);
  call_often(&few);
  pthread_join(owner, NULL);
}

/* Whether this thread owns the lock after so many calls. */
static void *own_after(void *calls) {
  call_often(calls);
  return (void *)(intptr_t)(mpispec_lock_owner == mpispec_lock_self);
}

static int owns_after(unsigned long calls) {
  void *owns;
  pthread_join(start(own_after, &calls), &owns);
  return owns != NULL;
}

/* The bias moves any number of times, but not to a thread that calls a few times between others. */
static void move_bias(void) {
  mpispec_biased_lock_open(0);
  const int is_biasable = mpispec_lock_owner == mpispec_lock_self;
  for (int i = 0; i < TURNS; ++i) {
    unsigned long many = MANY, few = MPISPEC_BIAS_AFTER / 2;
    CHECK(owns_after(many) == is_biasable);
    call_often(&few);
    CHECK(!owns_after(few));
    call_often(&many);
    CHECK((mpispec_lock_owner == mpispec_lock_self) == is_biasable);
  }
}

/* A child has only the thread that has forked it, which need not be the owner. */
static void *fork_and_call(void *unused) {
  unsigned long few = MANY;
  int status = 1;
  const pid_t child = fork();
  if (!child) {
    call_often(&few);
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  return unused;
}

/* An owner that polls while it holds the lock. */
static void *poll_inside(void *polls) {
  mpispec_biased_lock_acquire();
  *(_Atomic int *)polls = 1;
  while (!mpispec_biased_lock_is_wanted())
    ;
  be_inside();
  mpispec_biased_lock_release();
  return NULL;
}

static void want_what_is_held(void) {
  _Atomic int polls = 0;
  mpispec_biased_lock_open(0);
  mpispec_biased_lock_acquire();
  const pthread_t other = start(poll_inside, &polls); /* becomes the owner, or the holder */
  mpispec_biased_lock_release();
  while (!polls)
    sched_yield();
  mpispec_biased_lock_acquire();
  be_inside();
  mpispec_biased_lock_release();
  pthread_join(other, NULL);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  rounds = strtoul(argv[1], NULL, 10);
  exit_as_owners();
  cancel_an_owner();
  move_bias();
  want_what_is_held();
  mpispec_biased_lock_open(0);
  pthread_join(start(fork_and_call, NULL), NULL);
  interrupt_every(500);
  compete();
  lend();
  tell("two inside: %lu, not counted: %ld", violations, (long)(counted - entries));
  return passed();
}

// DEFINE: %{lock} = %sources/progress/biased_lock.c %sources/progress/lock_thread.c %sources/progress/membarrier.c
// RUN: %mpicc -w %include -I%S %s %{lock} -o %t -lpthread
// RUN: env TSAN_OPTIONS=die_after_fork=0 timeout 100 %t %if quick %{ 5000 %} %else %{ 20000 %} | FileCheck %s
// RUN: %mpicc -w %include -I%S %s %{lock} -o %t -lpthread -Wl,--wrap=mpispec_membarrier_register
// RUN: env TSAN_OPTIONS=die_after_fork=0 timeout 100 %t 2000 | FileCheck %s
// CHECK: two inside: 0, not counted: 0
// CHECK-NEXT: passed
