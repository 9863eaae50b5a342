/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The biased lock. See biased_lock.h.
 *
 * Two words decide who holds the lock: the owner, and the holder. A thread holds the lock if
 *
 *   it is the holder (compare-and-exchange), and no other thread is the owner and inside; or
 *   it is the owner, and has stored that it is inside before it has read that it is the owner.
 *
 * Only the holder changes the owner. It revokes a bias in three steps, and each side stores before
 * it loads:
 *
 *   the owner      entered := 1      compiler fence     continues only if it is still the owner
 *   the holder     owner := nobody   membarrier         waits until the former owner is not inside
 *
 * membarrier(2) makes each running thread of this process execute a full fence at some point of its
 * program. A thread that is not running has executed one when it lost its core. If this point
 * follows the owner's store, the holder loads that word and waits. If the point precedes the store,
 * it precedes the load as well. Then the owner loads `nobody` and does not continue. If a former
 * owner stores 1 meanwhile and then 0, it only prolongs the wait.
 *
 * A thread is inside if one of its two words is not 0. `entered` is 1 during a fast path, and while
 * the owner changes `depth` from 0. A fast path that calls other code is in `depth` meanwhile, and
 * in `entered` again afterwards. Each change sets one word before it clears the other. Therefore
 * others read `entered` before and after `depth`. A thread that moves twice meanwhile would still
 * be missed. Therefore they also compare the number of its moves. All these are words of the
 * thread, not of the lock. Otherwise a former owner could overwrite the word of the next owner.
 *
 * Memory order pairs:
 *
 *   L  holder   release when the lock is released, acquire when it is acquired
 *   I  inside   release when the owner leaves, acquire when a bias is revoked
 *   O  owner    release when a bias is given or given back, acquire when the owner enters
 *
 * Without membarrier no thread is ever the owner. */
#define _GNU_SOURCE
#include "progress/biased_lock.h"

#include "mpispec/machine.h"
#include "progress/membarrier.h"
#include "progress/oversubscription.h"
#include "progress/tuning.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Added to the depth of a thread that is the holder. The owner is never the holder, except between
 * two steps of one function. */
enum { HOLDER = 1 << 16 };

static struct mpispec_lock_thread nobody;
struct mpispec_lock_thread *_Atomic mpispec_lock_owner = &nobody;
_Atomic int mpispec_lock_waiting;

static struct mpispec_lock_thread *_Atomic holder;
static struct mpispec_lock_thread *_Atomic last_holder;
static struct mpispec_lock_thread *lender; /* the owner before the lock was borrowed */
static _Atomic int is_biasable;
int mpispec_threads_share_processors;

/* Ends this process, and with it the job, because the lock can no longer protect the state. */
static _Noreturn void end_process(const char *reason) {
  fprintf(stderr, "mpispec: %s\n", reason);
  abort();
}

/* --- bias --------------------------------------------------------------------------------------*/

static struct mpispec_lock_thread *read_owner(void) {
  /* Pair O, acquire. */
  return atomic_load_explicit(&mpispec_lock_owner, memory_order_acquire);
}

static void set_owner(struct mpispec_lock_thread *thread) {
  /* Pair O, release. */
  atomic_store_explicit(&mpispec_lock_owner, thread, memory_order_release);
}

void mpispec_biased_lock_open(int threads_share) {
  mpispec_threads_share_processors = threads_share;
  is_biasable = mpispec_membarrier_register();
  if (!mpispec_lock_thread_self()->has_acquired)
    mpispec_lock_thread_count(mpispec_lock_thread_self());
  set_owner(is_biasable ? mpispec_lock_thread_self() : &nobody);
}

void mpispec_biased_lock_admit(int admits) {
  set_owner(admits ? mpispec_lock_thread_self() : &nobody);
}

void mpispec_biased_lock_end_bias(void) {
  if (!is_biasable)
    return; /* several threads may be here at once: nothing is stored again */
  is_biasable = 0;
  set_owner(&nobody);
}

static int is_inside(const struct mpispec_lock_thread *thread) {
  /* Pair I, acquire, in this order. */
  const unsigned moves = atomic_load_explicit(&thread->moves, memory_order_acquire);
  return atomic_load_explicit(&thread->entered, memory_order_acquire) ||
         atomic_load_explicit(&thread->depth, memory_order_acquire) ||
         atomic_load_explicit(&thread->entered, memory_order_acquire) ||
         atomic_load_explicit(&thread->moves, memory_order_acquire) != moves;
}

/* The first two steps of revoking a bias. A forked process may have lost the registration for
 * membarrier. */
static void keep_out(void) {
  set_owner(&nobody);
  if (!mpispec_membarrier() && !(mpispec_membarrier_register() && mpispec_membarrier()))
    end_process("membarrier is refused, which was allowed in MPI_Init");
}

void mpispec_lock_yield(unsigned round) {
  enum { YIELDS_PER_QUESTION = 16 };
  const struct timespec moment = {.tv_nsec = 20 * 1000};
  const int policy =
      round % YIELDS_PER_QUESTION ? SCHED_OTHER : sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  if (policy == SCHED_FIFO || policy == SCHED_RR)
    syscall(SYS_nanosleep, &moment, NULL); /* unlike nanosleep, no cancellation point */
  else
    sched_yield();
}

/* Waits between two reads of a word of the lock. Each read takes the word's line away from the
 * thread that holds the lock. Therefore the waits become longer, and after MPISPEC_LOCK_SPINS reads
 * the thread also yields. Where threads or ranks share processors, the holder may need the
 * processor of this thread. There, the thread does not pause, and yields after MPISPEC_LOCK_LOOKS
 * reads. */
static void relax(unsigned round) {
  if (mpispec_threads_share_processors || mpispec_is_oversubscribed()) {
    if (round > MPISPEC_LOCK_LOOKS)
      mpispec_lock_yield(round);
    return;
  }
  unsigned pauses = 1;
  for (unsigned i = 0; i < round && pauses < MPISPEC_LOCK_PAUSES; ++i)
    pauses *= 2;
  while (pauses--)
    mpispec_pause();
  if (round > MPISPEC_LOCK_SPINS)
    mpispec_lock_yield(round);
}

/* --- holder ------------------------------------------------------------------------------------*/

static int try_hold(struct mpispec_lock_thread *self) {
  struct mpispec_lock_thread *free_of_holder = NULL;
  /* Pair L, acquire. */
  return !atomic_load_explicit(&holder, memory_order_relaxed) &&
         atomic_compare_exchange_strong_explicit(&holder, &free_of_holder, self,
                                                 memory_order_acquire, memory_order_relaxed);
}

static void let_go(void) {
  /* Pair L, release. */
  atomic_store_explicit(&holder, NULL, memory_order_release);
}

static void set_depth(struct mpispec_lock_thread *self, unsigned depth) {
  /* Pair I, release. */
  atomic_store_explicit(&self->depth, depth, memory_order_release);
}

static int was_last(const struct mpispec_lock_thread *self) {
  return atomic_load_explicit(&last_holder, memory_order_relaxed) == self;
}

/* At the end of its turn a thread waits for a moment and yields, so that another thread can acquire
 * the lock. Without this pause, threads that wait would seldom find the lock free. If no other
 * thread has come, the next call pauses again. A turn has several calls, because the next thread
 * must first fetch all protected cache lines from this thread's core. Where threads share
 * processors, a turn is one call, and its end is only a yield. */
static void give_way(struct mpispec_lock_thread *self) {
  if (!mpispec_biased_lock_is_wanted() || !was_last(self) ||
      self->turn < (mpispec_threads_share_processors ? 1U : MPISPEC_LOCK_TURN))
    return;
  for (int i = 0; i < MPISPEC_LOCK_SPINS && !mpispec_threads_share_processors; ++i) {
    if (atomic_load_explicit(&holder, memory_order_relaxed) || !was_last(self))
      return;
    mpispec_pause();
  }
  sched_yield();
}

void mpispec_biased_lock_end_turn(void) { mpispec_lock_self->turn = MPISPEC_LOCK_TURN; }

static void count_waiting(int change) {
  atomic_fetch_add_explicit(&mpispec_lock_waiting, change, memory_order_relaxed);
}

static void await_holder(struct mpispec_lock_thread *self) {
  count_waiting(1);
  for (unsigned round = 0; !try_hold(self); ++round)
    relax(round);
  count_waiting(-1);
}

/* The holder counts as waiting until the owner has left: an owner that polls leaves then. */
static void revoke_bias(const struct mpispec_lock_thread *owner) {
  count_waiting(1);
  keep_out();
  for (unsigned round = 0; is_inside(owner); ++round)
    relax(round);
  count_waiting(-1);
}

/* After this thread has become the holder, it is also the owner only if a borrower has given the
 * bias back meanwhile. Then it ceases to be the holder. */
static void acquire_slowly(struct mpispec_lock_thread *self) {
  give_way(self);
  if (!try_hold(self))
    await_holder(self);
  struct mpispec_lock_thread *owner = read_owner();
  if (owner == self) {
    set_depth(self, 1);
    let_go();
    return;
  }
  if (owner != &nobody)
    revoke_bias(owner);
  set_depth(self, HOLDER + 1);
}

void mpispec_biased_lock_acquire(void) {
  struct mpispec_lock_thread *self = mpispec_lock_thread_self();
  if (!self->has_acquired)
    mpispec_lock_thread_count(self);
  if (is_inside(self)) {
    set_depth(self, atomic_load_explicit(&self->depth, memory_order_relaxed) + 1);
  } else if (mpispec_biased_lock_enter()) {
    set_depth(self, 1);
    mpispec_biased_lock_leave();
  } else {
    acquire_slowly(self);
  }
}

int mpispec_biased_lock_begin_callbacks(void) {
  struct mpispec_lock_thread *self = mpispec_lock_thread_self();
  const int entered = atomic_load_explicit(&self->entered, memory_order_relaxed) != 0;
  if (entered) {
    const unsigned moves = atomic_load_explicit(&self->moves, memory_order_relaxed);
    /* Pair I, release. */
    atomic_store_explicit(&self->moves, moves + 1, memory_order_release);
    set_depth(self, atomic_load_explicit(&self->depth, memory_order_relaxed) + 1);
    mpispec_biased_lock_leave();
  }
  return entered;
}

/* The thread is inside all the time, even if it has lost the bias meanwhile. */
void mpispec_biased_lock_end_callbacks(int entered) {
  struct mpispec_lock_thread *self = mpispec_lock_thread_self();
  if (!entered)
    return;
  atomic_store_explicit(&self->entered, 1, memory_order_relaxed);
  set_depth(self, atomic_load_explicit(&self->depth, memory_order_relaxed) - 1);
}

/* A bias that another thread revokes soon costs both of them more than it saves. */
static int deserves_bias(struct mpispec_lock_thread *self) {
  const int again = was_last(self);
  self->turn = again ? self->turn + 1 : 1;
  self->in_a_row = again ? self->in_a_row + 1 : 1;
  if (self->in_a_row < MPISPEC_BIAS_AFTER || !is_biasable || mpispec_biased_lock_is_wanted())
    return 0;
  self->in_a_row = 0;
  return 1;
}

void mpispec_biased_lock_release(void) {
  struct mpispec_lock_thread *self = mpispec_lock_self;
  const unsigned depth = atomic_load_explicit(&self->depth, memory_order_relaxed);
  if (depth != HOLDER + 1) {
    set_depth(self, depth - 1);
    return;
  }
  const int becomes_owner = deserves_bias(self);
  atomic_store_explicit(&last_holder, self, memory_order_relaxed);
  set_depth(self, 0);
  if (becomes_owner)
    set_owner(self);
  let_go();
}

/* --- borrower ----------------------------------------------------------------------------------*/

/* The bias may have ended meanwhile. */
static void return_to_lender(void) {
  set_owner(is_biasable ? lender : &nobody);
  let_go();
}

int mpispec_biased_lock_try_borrow(void) {
  struct mpispec_lock_thread *self = mpispec_lock_thread_self();
  if (is_inside(read_owner()) || !try_hold(self))
    return 0;
  lender = read_owner();
  if (lender != &nobody)
    keep_out();
  if (is_inside(lender)) {
    return_to_lender();
    return 0;
  }
  set_depth(self, HOLDER + 1);
  return 1;
}

void mpispec_biased_lock_return(void) {
  set_depth(mpispec_lock_self, 0);
  return_to_lender();
}

int mpispec_biased_lock_is_held(void) {
  return atomic_load_explicit(&holder, memory_order_relaxed) || is_inside(read_owner());
}

unsigned mpispec_biased_lock_depth(void) {
  const struct mpispec_lock_thread *self = mpispec_lock_thread_self();
  return atomic_load_explicit(&self->entered, memory_order_relaxed) +
         atomic_load_explicit(&self->depth, memory_order_relaxed) % HOLDER;
}
