/* Lost wakes of doorbells, where no sleep ends by itself. Processes wait for each other's messages,
 * for each other's words, and for one process several threads of which sleep on one doorbell. A
 * process that watches them counts a lost wake when nothing has happened for three seconds, wakes
 * all, and goes on. The argument says whether there may be any. */
#define _GNU_SOURCE
#include "check.h"
#include "progress/doorbell.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 3, THREADS = 3, WATCH = 100 * 1000 /* us */, QUIET = 30 /* watches */ };

struct counter {
  _Alignas(64) uint64_t number;
  uint64_t payload; /* written before the number */
};

static struct shared {
  struct mpispec_doorbell bells[RANKS];
  struct counter words[RANKS];           /* the words that the rank shows to all */
  struct counter messages[RANKS];        /* to the rank */
  struct counter to[THREADS], from[THREADS]; /* the threads of rank 0 */
  _Atomic uint64_t happened;
} *shared;

static struct mpispec_doorbell *bells[RANKS];
static int rank;
static uint64_t rounds;

static uint64_t look(const struct counter *counter) {
  return __atomic_load_n(&counter->number, __ATOMIC_ACQUIRE);
}

static void show(struct counter *counter, uint64_t number) {
  counter->payload = ~number;
  __atomic_store_n(&counter->number, number, __ATOMIC_RELEASE);
}

/* Short delays of all lengths, so that writes meet each moment of a sleeper; or none. */
static void linger(unsigned *state) {
  if (!state)
    return;
  *state = *state * 1103515245 + 12345;
  for (volatile unsigned left = *state >> 16 & 127; left; --left)
    ;
}

/* The same sequence as in mpispec_wait_backoff_or_sleep. `writer` is -1 where messages are awaited. */
static void await(const struct counter *counter, uint64_t number, int writer, unsigned *state) {
  while (look(counter) < number) {
    linger(state);
    const uint32_t armed = writer < 0 ? mpispec_doorbell_arm()
                                      : mpispec_doorbell_arm_for(writer, &counter->number);
    if (look(counter) >= number)
      break;
    linger(state);
    mpispec_doorbell_sleep(armed, 0);
  }
  CHECK(writer >= 0 || counter->payload == ~number);
  atomic_fetch_add_explicit(&shared->happened, 1, memory_order_relaxed);
}

/* --- what the ranks do -------------------------------------------------------------------------*/

/* Rank 1 writes messages while rank 0 is about to sleep, at each moment of that step. It polls for the answer, waits
 * for a few nanoseconds more or fewer, and writes. */
static void run_messages(void) {
  unsigned state = 1;
  for (uint64_t i = 1; i <= rounds * 10 && rank < 2; ++i) {
    if (rank == 0) {
      await(&shared->messages[0], i, -1, NULL);
      show(&shared->messages[1], i);
      continue;
    }
    show(&shared->messages[0], i);
    mpispec_doorbell_note(0);
    mpispec_doorbells_ring();
    for (unsigned polls = 1; look(&shared->messages[1]) < i; ++polls)
      if (polls % 1024 == 0)
        sched_yield();
    linger(&state);
  }
}

/* A barrier: each rank shows a word, and waits for the words of the others in turn. Another rank may have shown the
 * next word by then. */
static void run_words(void) {
  unsigned state = (unsigned)rank;
  for (uint64_t i = 1; i <= rounds; ++i) {
    linger(&state);
    show(&shared->words[rank], i);
    mpispec_doorbell_note_word();
    mpispec_doorbells_ring();
    for (int k = 0; k < RANKS; ++k)
      await(&shared->words[k], i, k, &state);
  }
}

/* Rank 0 awaits a number that rank 1 shows after others. Each of these rings in vain, at each moment of the step from
 * registering to sleeping, and must leave rank 0 registered or awake. */
static void run_later_words(void) {
  enum { NUMBERS = 4 };
  unsigned state = (unsigned)rank;
  for (uint64_t i = 1; i <= rounds * 20 && rank < 2; ++i) {
    if (rank == 0)
      await(&shared->words[1], NUMBERS * i, 1, NULL);
    for (uint64_t k = rank == 0 ? NUMBERS : 1; k <= NUMBERS; ++k) {
      if (rank == 1)
        linger(&state);
      show(&shared->words[rank], rank == 0 ? i : NUMBERS * (i - 1) + k);
      mpispec_doorbell_note_word();
      mpispec_doorbells_ring();
    }
    for (unsigned polls = 1; rank == 1 && look(&shared->words[0]) < i; ++polls)
      if (polls % 1024 == 0)
        sched_yield();
  }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run_thread(void *argument) {
  const int k = (int)(intptr_t)argument;
  unsigned state = (unsigned)k;
  for (uint64_t i = 1; i <= rounds; ++i) {
    await(&shared->to[k], i, -1, &state);
    show(&shared->from[k], i);
    pthread_mutex_lock(&lock);
    mpispec_doorbell_note(1);
    mpispec_doorbells_ring();
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void run_threads(void) {
  pthread_t threads[THREADS];
  unsigned state = 7;
  if (rank == 0) {
    for (intptr_t k = 0; k < THREADS; ++k)
      CHECK(!pthread_create(&threads[k], NULL, run_thread, (void *)k));
    for (int k = 0; k < THREADS; ++k)
      pthread_join(threads[k], NULL);
  }
  for (uint64_t i = 1; rank == 1 && i <= rounds; ++i) {
    for (int k = 0; k < THREADS; ++k) { /* each by itself, while the others sleep */
      show(&shared->to[k], i);
      mpispec_doorbell_note(0);
      mpispec_doorbells_ring();
      linger(&state);
    }
    for (int k = 0; k < THREADS; ++k)
      await(&shared->from[k], i, -1, &state);
  }
}

/* --- the watch ---------------------------------------------------------------------------------*/

static int watch(int left) {
  uint64_t before = 0;
  int lost = 0;
  for (int quiet = 0; left;) {
    for (int status; left && waitpid(-1, &status, WNOHANG) > 0; --left)
      CHECK(status == 0);
    usleep(WATCH);
    const uint64_t happened = atomic_load_explicit(&shared->happened, memory_order_relaxed);
    quiet = happened == before ? quiet + 1 : 0;
    before = happened;
    if (quiet < QUIET)
      continue;
    quiet = 0;
    for (int k = 0; k < RANKS; ++k)
      lost += syscall(SYS_futex, &shared->bells[k].word, FUTEX_WAKE, 1 << 30, NULL, NULL, 0) > 0;
  }
  return lost;
}

static int lost_while(void (*run)(void)) {
  memset(shared, 0, sizeof *shared);
  for (rank = 0; rank < RANKS; ++rank)
    if (!fork()) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      mpispec_doorbells_open(bells, RANKS, rank, 1);
      memset(&mpispec_doorbell_counts, 0, sizeof mpispec_doorbell_counts);
      run();
      CHECK(mpispec_doorbell_counts.timeouts == 0);
      _exit(0);
    }
  return watch(RANKS);
}

/* Where nobody has written, or nobody has armed, nobody is woken; and a ring after arming ends the
 * sleep that follows. */
static void rings_where_needed(void) {
  mpispec_doorbells_open(bells, RANKS, 0, 1);
  mpispec_doorbell_note(1);
  mpispec_doorbells_ring();
  CHECK(mpispec_doorbell_counts.rings == 0);
  const uint32_t armed = mpispec_doorbell_arm();
  mpispec_doorbells_ring();
  CHECK(mpispec_doorbell_counts.rings == 0);
  mpispec_doorbell_note(0);
  mpispec_doorbells_ring();
  mpispec_doorbells_ring();
  CHECK(mpispec_doorbell_counts.rings == 1);
  mpispec_doorbell_arm(); /* by another thread */
  mpispec_doorbell_sleep(armed, 0);
  CHECK(mpispec_doorbell_counts.sleeps == 1 && mpispec_doorbell_counts.timeouts == 0);
  const uint32_t for_word = mpispec_doorbell_arm_for(0, &shared->words[0].number);
  mpispec_doorbell_note_word();
  mpispec_doorbells_ring();
  CHECK(mpispec_doorbell_counts.rings == 1);
  show(&shared->words[0], 1);
  mpispec_doorbells_ring();
  CHECK(mpispec_doorbell_counts.rings == 1); /* nothing noted */
  mpispec_doorbell_note_word();
  mpispec_doorbells_ring();
  CHECK(mpispec_doorbell_counts.rings == 2);
  mpispec_doorbell_sleep(for_word, 0);
  CHECK(mpispec_doorbell_counts.timeouts == 0);
  mpispec_doorbell_sleep(mpispec_doorbell_arm(), 1000 * 1000); /* ends by itself */
  CHECK(mpispec_doorbell_counts.timeouts == 1);
  mpispec_doorbells_close();
  CHECK(!mpispec_doorbells_used && !mpispec_doorbells_sleep());
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  rounds = strtoul(argv[1], NULL, 10);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  for (int k = 0; k < RANKS; ++k)
    bells[k] = &shared->bells[k];
  rings_where_needed();
  tell("lost with messages: %d", lost_while(run_messages));
  tell("lost with words: %d", lost_while(run_words));
  tell("lost with later words: %d", lost_while(run_later_words));
  tell("lost with threads: %d", lost_while(run_threads));
  return passed();
}

// RUN: %mpicc -w %include -I%S %s %sources/progress/doorbell.c -o %t -lpthread
// ThreadSanitizer refuses threads in a forked process otherwise.
// RUN: env TSAN_OPTIONS=die_after_fork=0 timeout 100 %t 5000 | FileCheck %s
// CHECK: lost with messages: 0
// CHECK-NEXT: lost with words: 0
// CHECK-NEXT: lost with later words: 0
// CHECK-NEXT: lost with threads: 0
// CHECK-NEXT: passed
