/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parks and notifies threads, polls the heads of lanes, and naps. See parking.h.
 *
 * A parked thread has a record on its stack. The record is in a list that only the holder of the
 * lock reads. The thread leaves the list with the lock held, therefore no other thread reads a
 * record that is gone. */
#include "progress/parking.h"

#include "mpispec/machine.h"
#include "progress/doorbell.h"
#include "progress/lock.h"
#include "progress/oversubscription.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AWAKE, NAPPING, AT_DOORBELL, NOTIFIED };

struct mpispec_parked {
  _Atomic uint32_t word; /* a futex; one of the above */
  const struct mpispec_awaited *awaited;
  struct mpispec_parked *next;
  /* The following members are this thread's alone. Times are in ticks. */
  uint64_t begin, since;           /* when it parked; when the library's progress was last due */
  uintptr_t heads;                 /* `*heads` of mpispec_engine.has_news, when last read */
  uint64_t look_at;                /* when `heads` is to be read next */
  uint64_t pause;                  /* between two reads of `heads`; 0 if it did not change */
  int had_news;                    /* at the last read */
  int64_t rounds, rounds_when_due; /* mpispec_progress_rounds: in should_poll, and in is_due */
};

struct mpispec_parked *mpispec_parked_threads;
struct mpispec_parking_counts mpispec_parking_counts;

/* The parked thread that polls the lanes for all parked threads, and does not nap. Null if there is
 * none. */
static struct mpispec_parked *_Atomic poller;

_Atomic int64_t mpispec_progress_rounds;

static void count(_Atomic uint64_t *counter) {
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* --- other threads -----------------------------------------------------------------------------*/

static void notify(struct mpispec_parked *parked) {
  /* Pair K, release: the awaited operation is complete before this store. */
  const uint32_t word = atomic_exchange_explicit(&parked->word, NOTIFIED, memory_order_release);
  if (word != NAPPING && word != AT_DOORBELL)
    return;
  count(&mpispec_parking_counts.wakes);
  if (word == NAPPING)
    syscall(SYS_futex, &parked->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  else
    mpispec_doorbell_ring_own();
}

/* If no thread sleeps on the doorbell, and none has been notified, one of those that nap must do
 * so. */
static void find_poller(void) {
  if (atomic_load_explicit(&poller, memory_order_relaxed))
    return;
  for (struct mpispec_parked *parked = mpispec_parked_threads; parked; parked = parked->next)
    if (atomic_load_explicit(&parked->word, memory_order_relaxed) == NOTIFIED)
      return;
  if (mpispec_parked_threads)
    notify(mpispec_parked_threads);
}

void mpispec_parked_notify_all(void) {
  for (struct mpispec_parked *parked = mpispec_parked_threads; parked; parked = parked->next)
    if (atomic_load_explicit(&parked->word, memory_order_relaxed) != NOTIFIED &&
        parked->awaited->is_over(parked->awaited->what))
      notify(parked);
  if (mpispec_doorbells_used)
    find_poller();
}

/* --- the parked thread -------------------------------------------------------------------------*/

static void enter_list(struct mpispec_parked *parked) {
  parked->next = mpispec_parked_threads;
  mpispec_parked_threads = parked;
}

static void leave_list(struct mpispec_parked *parked) {
  struct mpispec_parked **place = &mpispec_parked_threads;
  while (*place != parked)
    place = &(*place)->next;
  *place = parked->next;
}

static int is_notified(const struct mpispec_parked *parked) {
  /* Pair K, acquire. */
  return atomic_load_explicit(&parked->word, memory_order_acquire) == NOTIFIED;
}

static int is_poller(const struct mpispec_parked *parked) {
  return atomic_load_explicit(&poller, memory_order_relaxed) == parked;
}

/* Nonzero if this thread polls the lanes for all. If no other thread does so, this thread begins
 * to. */
static int becomes_poller(struct mpispec_parked *parked) {
  struct mpispec_parked *found = atomic_load_explicit(&poller, memory_order_relaxed);
  return found == parked ||
         (!found && atomic_compare_exchange_strong_explicit(
                        &poller, &found, parked, memory_order_relaxed, memory_order_relaxed));
}

static void stop_polling(struct mpispec_parked *parked) {
  if (is_poller(parked))
    atomic_store_explicit(&poller, NULL, memory_order_relaxed);
}

/* For `length` nanoseconds at most, unless that is 0. */
static void nap(struct mpispec_parked *parked, long length) {
  const struct timespec time = {0, length};
  uint32_t awake = AWAKE;
  if (!atomic_compare_exchange_strong_explicit(&parked->word, &awake, NAPPING, memory_order_relaxed,
                                               memory_order_relaxed))
    return;
  count(&mpispec_parking_counts.naps);
  syscall(SYS_futex, &parked->word, FUTEX_WAIT_PRIVATE, NAPPING, length ? &time : NULL, NULL, 0);
  uint32_t napping = NAPPING;
  atomic_compare_exchange_strong_explicit(&parked->word, &napping, AWAKE, memory_order_relaxed,
                                          memory_order_relaxed);
}

/* Returns how often threads that are not parked have polled the lanes since `*rounds` was read.
 * Then updates `*rounds`. */
static int64_t rounds_since(int64_t *rounds) {
  const int64_t before = *rounds;
  *rounds = atomic_load_explicit(&mpispec_progress_rounds, memory_order_relaxed);
  return *rounds - before;
}

static void yield_or_nap(struct mpispec_parked *parked, struct mpispec_awaited *awaited) {
  if (!mpispec_is_oversubscribed() || ++awaited->yields <= MPISPEC_PARKED_YIELDS) {
    mpispec_oversubscription_yield();
    return;
  }
  const int polled = rounds_since(&awaited->rounds) >= MPISPEC_ROUNDS_OF_OTHERS;
  if (!polled && (becomes_poller(parked) || awaited->has_news)) {
    awaited->yields = 0;
    awaited->nap = 0;
    return;
  }
  if (polled)
    stop_polling(parked);
  awaited->nap = awaited->nap ? awaited->nap : MPISPEC_NAP_SHORTEST;
  nap(parked, awaited->nap);
  if (awaited->nap < MPISPEC_NAP_PARKED)
    awaited->nap *= 2;
}

/* Nonzero if this thread should acquire the lock and poll. Where threads share processors, the
 * thread has mostly yielded before, which costs more than to read the heads. There any message is a
 * reason to poll, for whichever thread it is; the poller only makes the library's progress and does
 * not nap. Elsewhere, while the heads of the lanes move, most likely another thread receives, and
 * each read of its lines delays that thread. Therefore the time between two reads then doubles. A
 * message that comes while another thread holds the lock is left to that thread until the next
 * read. Then this thread polls, because the other thread may only send. */
static int should_poll(struct mpispec_parked *parked, const struct mpispec_awaited *awaited) {
  if (awaited->has_news && awaited->has_news(awaited->what))
    return 1;
  const int polls_for_all = becomes_poller(parked);
  if (mpispec_threads_share_processors)
    return mpispec_engines[0].has_news(&parked->heads);
  if (!polls_for_all || (parked->pause && mpispec_ticks() < parked->look_at))
    return 0;
  const uintptr_t before = parked->heads;
  const int has_news = mpispec_engines[0].has_news(&parked->heads);
  if (parked->heads == before) {
    const int found = has_news && !rounds_since(&parked->rounds);
    const int goes = found && (parked->had_news || !mpispec_biased_lock_is_held());
    parked->had_news = found;
    parked->pause = 0;
    return goes;
  }
  parked->had_news = 0;
  parked->pause = parked->pause ? parked->pause * 2 : mpispec_ticks_in(MPISPEC_LOOK_FIRST);
  if (parked->pause > mpispec_ticks_in(MPISPEC_LOOK_LONGEST))
    parked->pause = mpispec_ticks_in(MPISPEC_LOOK_LONGEST);
  parked->look_at = mpispec_ticks() + parked->pause;
  return 0;
}

/* Nonzero if the MPI library's progress is due. The poller makes it for all parked threads. If
 * another thread polls, that thread makes it. In either case, each other parked thread makes it
 * after MPISPEC_SLEEP. */
static int is_due(struct mpispec_parked *parked) {
  const uint64_t now = mpispec_ticks();
  if (now - parked->since < mpispec_ticks_in(mpispec_library_pause()))
    return 0;
  parked->since = now;
  return now - parked->begin >= mpispec_ticks_in(MPISPEC_SLEEP) ||
         (is_poller(parked) && !parked->pause &&
          !(rounds_since(&parked->rounds_when_due) && mpispec_biased_lock_is_held()));
}

/* A thread makes one round between two times of being parked. This round is subtracted, because
 * mpispec_progress_rounds counts only threads that are not parked. */
static void enter(struct mpispec_parked *parked, struct mpispec_awaited *awaited) {
  if (awaited->was_parked)
    mpispec_progress_add_rounds(-1);
  else
    rounds_since(&awaited->rounds);
  awaited->was_parked = 1;
  enter_list(parked);
}

static void park(struct mpispec_awaited *awaited) {
  struct mpispec_parked parked = {.word = AWAKE, .awaited = awaited};
  parked.begin = parked.since = mpispec_ticks();
  mpispec_engines[0].has_news(&parked.heads);
  rounds_since(&parked.rounds);
  rounds_since(&parked.rounds_when_due);
  count(&mpispec_parking_counts.parks);
  mpispec_thread_fails();
  enter(&parked, awaited);
  mpispec_lock_release();
  do
    yield_or_nap(&parked, awaited);
  while (!is_notified(&parked) && !should_poll(&parked, awaited) && !is_due(&parked));
  stop_polling(&parked);
  mpispec_lock_acquire();
  leave_list(&parked);
}

/* --- threads that sleep ------------------------------------------------------------------------*/

/* A thread whose wait may end without a notification naps for a shorter time. */
static long longest_nap(const struct mpispec_awaited *awaited, long longest) {
  return awaited->has_news && (!longest || longest > MPISPEC_NAP_PARKED) ? MPISPEC_NAP_PARKED
                                                                         : longest;
}

void mpispec_parked_sleep(const struct mpispec_awaited *awaited, uint32_t armed, long longest) {
  struct mpispec_parked parked = {.word = AWAKE, .awaited = awaited};
  enter_list(&parked);
  const int polls = becomes_poller(&parked);
  if (polls)
    atomic_store_explicit(&parked.word, AT_DOORBELL, memory_order_relaxed);
  mpispec_lock_release();
  if (polls)
    mpispec_doorbell_sleep(armed, longest);
  else
    nap(&parked, longest_nap(awaited, longest));
  mpispec_lock_acquire();
  leave_list(&parked);
  stop_polling(&parked);
}

/* --- polls before a thread parks ---------------------------------------------------------------*/

_Thread_local struct mpispec_thread_wait mpispec_thread_wait = {.polls = MPISPEC_THREAD_POLLS,
                                                                .one_in = MPISPEC_THREAD_CHOICE};

int mpispec_threads_take_turns(void) {
  return (mpispec_is_oversubscribed() || mpispec_parked_threads) &&
         mpispec_threads_share_processors && !mpispec_oversubscription_at_init();
}

void mpispec_thread_choose_polls(void) {
  struct mpispec_thread_wait *wait = &mpispec_thread_wait;
  if (wait->failures < MPISPEC_THREAD_FAILURES) {
    wait->polls = MPISPEC_THREAD_POLLS;
    wait->one_in = MPISPEC_THREAD_CHOICE;
    return;
  }
  if (wait->polls == MPISPEC_THREAD_POLLS && wait->one_in < MPISPEC_THREAD_CHOICE_RAREST)
    wait->one_in *= 2;
  /* A linear congruential generator (Numerical Recipes), of which the upper bits are used. The
   * address differs by thread. */
  wait->random = wait->random * 1664525 + 1013904223 + (uint32_t)(uintptr_t)wait;
  const int chosen = (wait->random >> 16) % wait->one_in == 0;
  wait->polls = chosen ? MPISPEC_THREAD_POLLS : MPISPEC_SPINS_OVERSUBSCRIBED;
}

void mpispec_thread_fails(void) {
  mpispec_thread_wait.failures += !mpispec_thread_wait.has_failed;
  mpispec_thread_wait.has_failed = 1;
}

/* A thread in a callback does not park: it has acquired the lock twice and cannot release it. With
 * doorbells no thread parks, because threads sleep instead, and each release of the lock rings. The
 * only thread that has called MPI does not park, either: no other one needs the lock, and a parked
 * thread polls the MPI library less often. */
int mpispec_may_park(unsigned round) {
  return mpispec_wait_has_polled(round) && mpispec_lock_is_shared() && !mpispec_doorbells_used &&
         mpispec_biased_lock_depth() == 1 && mpispec_biased_lock_has_several_threads() &&
         !mpispec_progress_is_busy();
}

void mpispec_wait_or_park(unsigned round, struct mpispec_awaited *awaited) {
  if (!mpispec_may_park(round)) {
    mpispec_wait_backoff_or_sleep(round, awaited);
    return;
  }
  mpispec_progress_before_parking();
  mpispec_progress_waits();
  park(awaited);
  mpispec_progress_waits();
}
