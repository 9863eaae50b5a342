/* The helper thread. It sleeps on a condition until somebody is away with things under way, then
 * makes progress at growing intervals for as long as that lasts.
 *
 * Below MPI_THREAD_MULTIPLE, going away releases the lock that the program's thread holds otherwise
 * (lock.h); the helper takes it for one round of progress at a time. */
#include "helper.h"

#include "transfer.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t wanted;
  pthread_t thread;
  _Atomic int away; /* threads of the program that are away with things under way */
  _Atomic int ends;
  int exists, may_call_library;
} helper = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wanted = PTHREAD_COND_INITIALIZER};

static const long shortest_nap = 50 * 1000, longest_nap = 1000 * 1000; /* nanoseconds */

static void nap(long nanoseconds) {
  const struct timespec time = {0, nanoseconds};
  nanosleep(&time, NULL);
}

/* Sleeps until somebody is away. Returns 0 when the helper shall end. */
static int await_work(void) {
  pthread_mutex_lock(&helper.mutex);
  while (!helper.ends && !atomic_load_explicit(&helper.away, memory_order_relaxed))
    pthread_cond_wait(&helper.wanted, &helper.mutex);
  const int ends = helper.ends;
  pthread_mutex_unlock(&helper.mutex);
  return !ends;
}

static void *help(void *unused) {
  while (await_work()) {
    long length = shortest_nap;
    while (atomic_load_explicit(&helper.away, memory_order_relaxed) && !helper.ends) {
      nap(length);
      if (length < longest_nap)
        length += length / 4;
      if (!mpispec_lock_try())
        continue;
      (helper.may_call_library ? mpispec_progress : mpispec_progress_lanes)();
      mpispec_lock_release();
    }
  }
  return unused;
}

/* The thread takes no signal: those are the program's. */
static void create(void) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  helper.exists = !pthread_create(&helper.thread, NULL, help, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static _Thread_local int counted;

void mpispec_away(void) {
  mpispec_lock();
  counted = mpispec_progress_is_needed() || (mpispec_lock_is_shared() && mpispec_node.size);
  mpispec_unlock();
  if (!counted)
    return;
  pthread_mutex_lock(&helper.mutex);
  if (!helper.exists)
    create();
  atomic_fetch_add_explicit(&helper.away, 1, memory_order_relaxed);
  pthread_cond_signal(&helper.wanted);
  pthread_mutex_unlock(&helper.mutex);
  if (!mpispec_lock_is_shared())
    mpispec_lock_release();
}

void mpispec_back(void) {
  if (!counted)
    return;
  counted = 0;
  if (!mpispec_lock_is_shared())
    mpispec_lock_acquire();
  atomic_fetch_sub_explicit(&helper.away, 1, memory_order_relaxed);
}

void mpispec_helper_open(int library_is_threaded) { helper.may_call_library = library_is_threaded; }

void mpispec_helper_close(void) {
  if (!helper.exists)
    return;
  pthread_mutex_lock(&helper.mutex);
  helper.ends = 1;
  pthread_cond_signal(&helper.wanted);
  pthread_mutex_unlock(&helper.mutex);
  pthread_join(helper.thread, NULL);
  helper.exists = helper.ends = 0;
}
