/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Flags, fences and futexes. See doorbell.h. */
#include "progress/doorbell.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int mpispec_doorbells_used, mpispec_doorbells_noted, mpispec_doorbells_word_noted;
struct mpispec_doorbell_counts mpispec_doorbell_counts;

enum { ARMED = 1 };

static struct {
  struct mpispec_doorbell *const *bells;
  struct mpispec_doorbell *own;
  int rank, ranks, sleeps;
  uint64_t noted[MPISPEC_DOORBELL_WORDS];
} doorbells;

void mpispec_doorbells_open(struct mpispec_doorbell *const *bells, int ranks, int rank,
                            int sleeps) {
  memset(&doorbells, 0, sizeof doorbells);
  doorbells.bells = bells;
  doorbells.own = bells[rank];
  doorbells.rank = rank;
  doorbells.ranks = ranks;
  doorbells.sleeps = sleeps;
  mpispec_doorbells_used = 1;
}

void mpispec_doorbells_close(void) {
  mpispec_doorbells_used = mpispec_doorbells_noted = mpispec_doorbells_word_noted = 0;
  doorbells.sleeps = 0;
}

int mpispec_doorbells_sleep(void) { return doorbells.sleeps; }

/* --- ranks that are asleep ---------------------------------------------------------------------*/

/* Each change of `is_asleep` is counted once, whoever makes it. */
static void set_asleep(struct mpispec_doorbell *bell, uint32_t is) {
  if (atomic_exchange_explicit(&bell->is_asleep, is, memory_order_relaxed) != is)
    atomic_fetch_add_explicit(&doorbells.bells[0]->asleep, is ? 1 : -1, memory_order_relaxed);
}

int mpispec_doorbells_asleep(void) {
  return atomic_load_explicit(&doorbells.bells[0]->asleep, memory_order_relaxed);
}

static void count(_Atomic uint64_t *counter) {
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* --- writer ------------------------------------------------------------------------------------*/

void mpispec_doorbell_note_peer(int peer) {
  doorbells.noted[peer / 64] |= UINT64_C(1) << peer % 64;
  mpispec_doorbells_noted = 1;
}

/* Clears the flag and counts the ring in one atomic step, then wakes the sleepers. The rank that
 * clears the flag must wake them. */
static void ring(struct mpispec_doorbell *bell) {
  uint32_t word = atomic_load_explicit(&bell->word, memory_order_relaxed);
  while (word & ARMED)
    if (atomic_compare_exchange_weak_explicit(&bell->word, &word, word + 1, memory_order_relaxed,
                                              memory_order_relaxed)) {
      count(&mpispec_doorbell_counts.rings);
      set_asleep(bell, 0);
      syscall(SYS_futex, &bell->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
      return;
    }
}

void mpispec_doorbell_ring_own(void) { ring(doorbells.own); }

/* The rank that is asked reads `asked` after it has armed its doorbell. */
static void ask(struct mpispec_doorbell *bell) {
  atomic_fetch_add_explicit(&bell->asked, 1, memory_order_relaxed);
  /* Pair D: `asked` and the library's message are stored before this rank loads the flag. */
  atomic_thread_fence(memory_order_seq_cst);
  ring(bell);
}

void mpispec_doorbells_ask(int peer) {
  if (peer >= 0)
    ask(doorbells.bells[peer]);
  for (int rank = 0; peer < 0 && rank < doorbells.ranks; ++rank)
    if (rank != doorbells.rank)
      ask(doorbells.bells[rank]);
}

/* Nonzero if this rank has written the word that a waiter awaits. The result may be wrong while the
 * waiter changes to another word. Then the waiter has not executed its fence yet. After that fence
 * it polls, and reads all that this rank wrote before the fence in mpispec_doorbells_ring. */
static int is_written_for(const struct mpispec_doorbell *waiter) {
  const int64_t offset = atomic_load_explicit(&waiter->offset, memory_order_relaxed);
  const uint64_t *word = (const uint64_t *)((const unsigned char *)doorbells.own + offset);
  return __atomic_load_n(word, __ATOMIC_RELAXED) !=
         atomic_load_explicit(&waiter->seen, memory_order_relaxed);
}

static void ring_waiters(int word) {
  _Atomic uint64_t *waiters = &doorbells.own->waiters[word];
  /* Pair W, acquire: the waiter stores `offset` and `seen` before its bit. */
  uint64_t left = atomic_load_explicit(waiters, memory_order_acquire);
  for (; left; left &= left - 1) {
    struct mpispec_doorbell *waiter = doorbells.bells[word * 64 + __builtin_ctzll(left)];
    if (!is_written_for(waiter))
      continue;
    /* Pair W, acquire: the waiter has set its flag before its bit. */
    atomic_fetch_and_explicit(waiters, ~(left & -left), memory_order_acquire);
    ring(waiter);
    /* The waiter may have changed to another word before its bit was cleared. */
    if (!is_written_for(waiter))
      atomic_fetch_or_explicit(waiters, left & -left, memory_order_relaxed);
  }
}

static void ring_noted(int word) {
  uint64_t left = doorbells.noted[word];
  doorbells.noted[word] = 0;
  for (; left; left &= left - 1)
    ring(doorbells.bells[word * 64 + __builtin_ctzll(left)]);
}

void mpispec_doorbells_ring(void) {
  if (!mpispec_doorbells_noted && !mpispec_doorbells_word_noted)
    return;
  /* Pair D: this rank's data are stored before it loads the flags. */
  atomic_thread_fence(memory_order_seq_cst);
  mpispec_doorbells_noted = mpispec_doorbells_word_noted = 0;
  for (int word = 0; word * 64 < doorbells.ranks; ++word) {
    ring_noted(word);
    ring_waiters(word);
  }
}

/* --- sleeper -----------------------------------------------------------------------------------*/

static uint32_t set_armed(void) {
  return atomic_fetch_or_explicit(&doorbells.own->word, ARMED, memory_order_relaxed) | ARMED;
}

uint32_t mpispec_doorbell_arm(void) {
  const uint32_t word = set_armed();
  /* Pair D: the flag is stored before cells are read again. */
  atomic_thread_fence(memory_order_seq_cst);
  return word;
}

/* The flag comes first. Otherwise the writer could clear the bit and find no flag. If its number
 * were not yet the awaited one, this rank would sleep without its bit. */
uint32_t mpispec_doorbell_arm_for(int writer, const uint64_t *word) {
  struct mpispec_doorbell *bell = doorbells.bells[writer], *own = doorbells.own;
  const uint32_t armed = set_armed();
  const int64_t offset = (const unsigned char *)word - (const unsigned char *)bell;
  atomic_store_explicit(&own->offset, offset, memory_order_relaxed);
  atomic_store_explicit(&own->seen, __atomic_load_n(word, __ATOMIC_RELAXED), memory_order_relaxed);
  /* Pair W, release. */
  atomic_fetch_or_explicit(&bell->waiters[doorbells.rank / 64], UINT64_C(1) << doorbells.rank % 64,
                           memory_order_release);
  /* Pair D: the flag and the bit are stored before the word is read again. */
  atomic_thread_fence(memory_order_seq_cst);
  return armed;
}

uint32_t mpispec_doorbell_asked(void) {
  return atomic_load_explicit(&doorbells.own->asked, memory_order_relaxed);
}

void mpispec_doorbell_sleep(uint32_t armed, long longest) {
  const struct timespec time = {0, longest};
  count(&mpispec_doorbell_counts.sleeps);
  set_asleep(doorbells.own, 1);
  if (syscall(SYS_futex, &doorbells.own->word, FUTEX_WAIT, armed, longest ? &time : NULL, NULL,
              0) &&
      errno == ETIMEDOUT)
    count(&mpispec_doorbell_counts.timeouts);
  set_asleep(doorbells.own, 0);
}
