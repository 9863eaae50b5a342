/* How often a thread polls before it yields or parks, where threads of a rank share a processor
 * (progress/parking.h). It polls often while its waits end in time. After failures, it polls often
 * only in waits that are chosen at random, which become rarer. Ranks that share a processor poll
 * seldom, and so does a program below MPI_THREAD_MULTIPLE whose processor another job shares. */
#include "check.h"
#include "progress/lock.h"
#include "progress/oversubscription.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "progress/tuning.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { WAITS = 20000, FEW = MPISPEC_SPINS_OVERSUBSCRIBED, MANY = MPISPEC_THREAD_POLLS };

/* A wait that takes `polls` polls. Returns how many it may make before it yields. */
static unsigned wait_for(unsigned polls) {
  mpispec_thread_begin_wait();
  if (polls < FEW)
    return 0;
  mpispec_thread_choose_polls();
  const unsigned most = mpispec_thread_wait.polls;
  CHECK(most == FEW || most == MANY);
  for (unsigned yields = 0; most + yields < polls && yields < 3; ++yields)
    mpispec_thread_fails();
  return most;
}

/* Returns how many of the waits poll long. */
static int long_ones(int waits, unsigned polls) {
  int found = 0;
  for (int i = 0; i < waits; ++i)
    found += wait_for(polls) == MANY;
  return found;
}

static void check_choice(void) {
  /* The first waits poll long, although they yield. */
  for (int i = 0; i < MPISPEC_THREAD_FAILURES; ++i)
    CHECK(wait_for(MANY + 1) == MANY);
  /* In vain: at first one of 16, at last one of 256. */
  const int chosen = long_ones(WAITS, MANY + 1);
  CHECK(chosen > WAITS / MPISPEC_THREAD_CHOICE_RAREST / 3);
  CHECK(chosen < WAITS / MPISPEC_THREAD_CHOICE_RAREST * 3);
  /* After a wait that ends in time, they poll long again, as often as they end in time. */
  wait_for(FEW - 1);
  CHECK(long_ones(WAITS, MANY) == WAITS);
  while (wait_for(MANY + 1) == MANY)
    ;
  while (wait_for(MANY / 2) == FEW)
    ;
  CHECK(long_ones(WAITS, MANY / 2) == WAITS);
  /* A single wait that fails changes nothing. More do, and then one of 16 is long again. */
  for (int i = 0; i < WAITS; ++i)
    CHECK(wait_for(i % 2 ? FEW : MANY + 1) == MANY);
  CHECK(long_ones(MPISPEC_THREAD_FAILURES, MANY + 1) == MPISPEC_THREAD_FAILURES);
  CHECK(long_ones(10 * MPISPEC_THREAD_CHOICE, MANY + 1) < 5 * MPISPEC_THREAD_CHOICE);
}

static void *check_in_thread(void *unused) {
  /* The first choice of this thread comes after failures. */
  mpispec_thread_wait.failures = 2 * MPISPEC_THREAD_FAILURES;
  mpispec_thread_choose_polls();
  return unused;
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  const int is_multiple = !strcmp(argv[1], "multiple"), is_shared = !strcmp(argv[2], "shared");
  int provided;
  MPI_Init_thread(0, 0, is_multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED, &provided);
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, check_in_thread, NULL) && !pthread_join(thread, NULL));
  check_choice();
  const int share = mpispec_threads_share_processors;
  CHECK(!share || is_multiple);
  mpispec_oversubscribed = 1;
  mpispec_threads_share_processors = is_multiple;
  CHECK(mpispec_threads_take_turns() == (is_multiple && !is_shared));
  if (!is_multiple || is_shared)
    for (int i = 0; i < 3 * MPISPEC_THREAD_CHOICE_RAREST; ++i)
      CHECK(!mpispec_wait_has_polled(FEW) && mpispec_wait_has_polled(FEW + 1));
  mpispec_oversubscribed = 0;
  CHECK(!mpispec_threads_take_turns());
  CHECK(!mpispec_wait_has_polled(MPISPEC_SPINS) && mpispec_wait_has_polled(MPISPEC_SPINS + 1));
  mpispec_oversubscribed = is_shared;
  mpispec_threads_share_processors = share;
  MPI_Finalize();
  return passed();
}
// LABEL: core
// RUN: %mpicc -w %include -I%S %s -o %t %runtime -lpthread
// RUN: %mpirun -n 1 %t multiple alone | FileCheck %s
// RUN: %mpirun -n 1 %t serialized alone | FileCheck %s
// RUN: %mpirun -n 2 taskset -c 0 %t multiple shared | FileCheck %s
// RUN: %mpirun -n 2 taskset -c 0 %t serialized shared | FileCheck %s
// CHECK: passed
