/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The helper thread. It polls at intervals. If a thread of the program is away (in a blocking
 * function of the MPI library) and operations are pending, it makes progress. Threads do not wake
 * the helper each time they enter the library, because a program may enter and leave it very often.
 * After some polls with nothing to do, the helper sleeps until a thread wakes it.
 *
 * The program's only thread is away while the lock is released to the helper (lock.h). With
 * MPI_THREAD_MULTIPLE, mpispec_lock_threads_away counts them. */
#include "progress/helper.h"

#include "mpispec/machine.h"
#include "progress/doorbell.h"
#include "progress/library_polls.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t wanted;
  pthread_t thread;
  _Atomic int awake; /* it polls at intervals */
  _Atomic int ends;
  int exists, serves, may_call_library;
  _Atomic unsigned calls; /* lock not shared: blocking functions that the program has called */
  void (*on_library_call)(int is_away);
} helper = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wanted = PTHREAD_COND_INITIALIZER};

void (*mpispec_helper_tends)(void);

enum outcome {
  NOTHING_TO_DO, /* no thread is away, or no operation is pending */
  NOTHING_NEW,   /* there are both, but a poll found nothing, or the lock was taken */
  SOMETHING_NEW
};

static void nap(long nanoseconds) {
  const struct timespec time = {0, nanoseconds};
  nanosleep(&time, NULL);
}

static int is_any_thread_away(void) {
  return mpispec_lock_is_shared()
             ? atomic_load_explicit(&mpispec_lock_threads_away, memory_order_relaxed) > 0
             : mpispec_lock_is_with_helper();
}

/* In the library, the helper may execute functions of the program, such as an MPI_Op of a pending
 * MPI_Iallreduce. A program of one thread expects them in that thread, which executes them itself
 * if it is in the library. Therefore the helper waits before it calls the library. It must call it
 * in the end: the call that the program waits in may depend on a message that only the helper can
 * receive meanwhile. */
static int is_away_for_long(void) {
  static unsigned call;
  static uint64_t since;
  const unsigned now = atomic_load_explicit(&helper.calls, memory_order_relaxed);
  if (now == call)
    return mpispec_ticks() - since > mpispec_ticks_in(MPISPEC_AWAY);
  call = now;
  since = mpispec_ticks();
  return 0;
}

/* One round over the engines that this thread may run. */
static void run_engines(int may_call_library) {
  const enum mpispec_engine_caller most =
      may_call_library ? MPISPEC_LIBRARY_CALLER : MPISPEC_ANYBODY;
  for (const struct mpispec_engine *engine = mpispec_engines; engine->progress; ++engine)
    if (*engine->under_way && engine->caller <= most)
      engine->progress();
}

static enum outcome poll_once(void) {
  enum outcome found = NOTHING_TO_DO;
  if (!is_any_thread_away())
    return found;
  if (!mpispec_lock_helper_try_acquire())
    return mpispec_lock_is_shared() ? NOTHING_NEW : NOTHING_TO_DO;
  const uint64_t before = mpispec_progress_epoch();
  if (mpispec_progress_is_needed()) {
    run_engines(helper.may_call_library && (mpispec_lock_is_shared() || is_away_for_long()));
    if (mpispec_helper_tends)
      mpispec_helper_tends();
    if (mpispec_doorbells_used)
      mpispec_doorbells_ring();
    found = mpispec_progress_epoch() == before ? NOTHING_NEW : SOMETHING_NEW;
  }
  mpispec_lock_helper_release();
  return found;
}

/* Sleeps until a thread wakes it, unless there is work already. The fences here and in
 * mpispec_library_call_begin form a pair. Either the helper reads that a thread is away, or that
 * thread reads that the helper is not awake. */
static void sleep_till_woken(void) {
  atomic_store_explicit(&helper.awake, 0, memory_order_relaxed);
  mpispec_lock_heavy_fence();
  if (poll_once() != NOTHING_TO_DO) {
    atomic_store_explicit(&helper.awake, 1, memory_order_relaxed);
    return;
  }
  pthread_mutex_lock(&helper.mutex);
  while (!helper.ends && !atomic_load_explicit(&helper.awake, memory_order_relaxed))
    pthread_cond_wait(&helper.wanted, &helper.mutex);
  pthread_mutex_unlock(&helper.mutex);
}

static long next_nap(long length, enum outcome found) {
  if (found == SOMETHING_NEW)
    return MPISPEC_NAP_SHORTEST;
  return length + length / 4 < MPISPEC_NAP_LONGEST ? length + length / 4 : MPISPEC_NAP_LONGEST;
}

static void *help(void *unused) {
  long length = MPISPEC_NAP_FIRST;
  int in_vain = 0;
  prctl(PR_SET_TIMERSLACK, 1);
  while (!helper.ends) {
    nap(length);
    const enum outcome found = poll_once();
    length = next_nap(length, found);
    in_vain = found == NOTHING_TO_DO ? in_vain + 1 : 0;
    if (in_vain < MPISPEC_NAPS_IN_VAIN)
      continue;
    sleep_till_woken();
    length = MPISPEC_NAP_FIRST;
    in_vain = 0;
  }
  return unused;
}

/* All signals are blocked in the new thread, because they are for the program's threads. */
static void create(void) {
  enum { LARGE_STACK = 64 << 20 };
  sigset_t all, old;
  pthread_attr_t attributes;
  struct rlimit stack;
  sigfillset(&all);
  if (!mpispec_lock_is_shared())
    mpispec_lock_prepare_fences();
  pthread_attr_init(&attributes);
  if (!getrlimit(RLIMIT_STACK, &stack) && stack.rlim_cur == RLIM_INFINITY)
    pthread_attr_setstacksize(&attributes, LARGE_STACK); /* by default it would be small */
  pthread_sigmask(SIG_SETMASK, &all, &old);
  helper.exists = !pthread_create(&helper.thread, &attributes, help, NULL);
  pthread_attr_destroy(&attributes);
  if (!helper.exists)
    atomic_store_explicit(&helper.awake, 0, memory_order_relaxed); /* the next call tries again */
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void wake(void) {
  if (atomic_load_explicit(&helper.awake, memory_order_relaxed))
    return;
  pthread_mutex_lock(&helper.mutex);
  atomic_store_explicit(&helper.awake, 1, memory_order_relaxed);
  if (!helper.exists)
    create();
  else
    pthread_cond_signal(&helper.wanted);
  pthread_mutex_unlock(&helper.mutex);
}

/* The number of nested blocking calls that this thread is in. It is too high after a jump out of an
 * error handler. */
static _Thread_local int nesting;

void mpispec_library_call_begin(void) {
  mpispec_library_enter();
  if (!helper.serves)
    return;
  if (nesting && !mpispec_lock_is_shared() && !mpispec_lock_is_lent())
    nesting = 0; /* another thread has made a blocking call since the jump */
  if (nesting++) {
    if (mpispec_lock_is_shared())
      wake(); /* this may be the first call */
    return;
  }
  if (!mpispec_lock_is_shared()) {
    helper.on_library_call(1);
    atomic_store_explicit(&helper.calls, helper.calls + 1, memory_order_relaxed);
    mpispec_lock_release_to_helper();
    return;
  }
  mpispec_lock();
  const int is_pending = mpispec_progress_is_pending();
  mpispec_unlock();
  atomic_fetch_add_explicit(&mpispec_lock_threads_away, 1, memory_order_relaxed);
  mpispec_lock_light_fence();
  /* Another thread may begin an operation while this one is away. */
  if (is_pending || mpispec_biased_lock_has_several_threads())
    wake();
}

/* Called before another thread calls MPI for the first time. */
static void wake_if_away(void) {
  if (is_any_thread_away())
    wake();
}

void mpispec_library_call_end(void) {
  mpispec_library_leave();
  if (!nesting || --nesting)
    return;
  if (mpispec_lock_is_shared())
    atomic_fetch_sub_explicit(&mpispec_lock_threads_away, 1, memory_order_relaxed);
  else {
    mpispec_lock_reclaim_from_helper();
    helper.on_library_call(0);
  }
}

/* Without several threads, nothing becomes pending during the wait. */
void mpispec_library_wait_begin(void) {
  if (mpispec_lock_is_shared())
    mpispec_library_call_begin();
  else
    mpispec_library_enter();
}

void mpispec_library_wait_end(void) {
  if (mpispec_lock_is_shared())
    mpispec_library_call_end();
  else
    mpispec_library_leave();
}

void mpispec_helper_open(int library_is_threaded, void (*on_library_call)(int is_away)) {
  helper.may_call_library = library_is_threaded;
  helper.on_library_call = on_library_call;
  helper.serves = 1;
  if (mpispec_lock_is_shared())
    mpispec_lock_prepare_fences(); /* several threads may read what it writes */
  mpispec_lock_on_release_to_helper(wake);
  mpispec_biased_lock_on_another_thread(wake_if_away);
}

void mpispec_helper_close(void) {
  helper.serves = 0;
  mpispec_lock_on_release_to_helper(NULL);
  mpispec_biased_lock_on_another_thread(NULL);
  if (!helper.exists)
    return;
  pthread_mutex_lock(&helper.mutex);
  helper.ends = 1;
  pthread_cond_signal(&helper.wanted);
  pthread_mutex_unlock(&helper.mutex);
  pthread_join(helper.thread, NULL);
  helper.exists = helper.ends = 0;
  atomic_store_explicit(&helper.awake, 0, memory_order_relaxed);
}
