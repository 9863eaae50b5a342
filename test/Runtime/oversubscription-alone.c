/* Samples of yields, and masks that are read again, switch waiting over and back. yield and the system are replaced,
 * and do what the test needs. */
#define _GNU_SOURCE
#include "check.h"
#include "mpispec/machine.h"
#include "progress/oversubscription.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <sys/resource.h>
#include <unistd.h>

static long switches;
static int yields, others_run, masks_say, masks_read;

void mpispec_yield(void) {
  ++yields;
  switches += others_run;
}

int getrusage(__rusage_who_t who, struct rusage *usage) {
  *usage = (struct rusage){.ru_nivcsw = switches};
  return 0;
}

static int read_masks(void) {
  ++masks_read;
  return masks_say;
}

static int after_samples(int count) {
  for (int i = 0; i < count * MPISPEC_YIELDS_PER_SAMPLE; ++i)
    mpispec_oversubscription_yield();
  return mpispec_is_oversubscribed();
}

static void by_yields(void) {
  CHECK(!after_samples(3));
  others_run = 1;
  CHECK(!after_samples(MPISPEC_SAMPLES_SHARED - 1));
  others_run = 0;
  CHECK(!after_samples(1)); /* not in a row */
  others_run = 1;
  CHECK(!after_samples(MPISPEC_SAMPLES_SHARED - 1) && after_samples(1) && after_samples(5));
  others_run = 0;
  CHECK(after_samples(MPISPEC_SAMPLES_ALONE - 1) && !after_samples(1));
  CHECK(!mpispec_oversubscription_at_init());
}

/* Checks of one sample, most of them without a switch since the one before. Returns 0 if the system was late. */
static int look(int others) {
  const uint64_t begin = mpispec_ticks(), pause = mpispec_ticks_in(MPISPEC_MASKS_PAUSE);
  switches += others;
  for (int i = 0; i < 4; ++i) {
    mpispec_oversubscription_check();
    usleep(MPISPEC_MASKS_PAUSE / 20 / 1000);
  }
  const uint64_t end = mpispec_ticks();
  while (mpispec_ticks() - begin < pause * 6 / 10)
    usleep(MPISPEC_MASKS_PAUSE / 50 / 1000);
  return end - begin < pause / 2 && mpispec_ticks() - end < pause / 2;
}

/* Returns 0 if the system was late. */
static int look_in_vain(void) {
  return look(0) && look(1) && look(0) && look(1) && look(0);
}
/* The first sample may not count: its wait begins with it. */
static int look_in_a_row(void) { return look(1) && look(1) && look(1); }

static void by_looks(void) {
  while (!look_in_vain())
    after_samples(MPISPEC_SAMPLES_ALONE);
  CHECK(!mpispec_is_oversubscribed());
  while (!look_in_a_row())
    after_samples(MPISPEC_SAMPLES_ALONE);
  CHECK(mpispec_is_oversubscribed());
  CHECK(!after_samples(MPISPEC_SAMPLES_ALONE));
}

static void by_masks(void) {
  masks_say = 1;
  const int read = masks_read;
  usleep(MPISPEC_MASKS_PAUSE / 1000 + 1000);
  CHECK(after_samples(1) && masks_read == read + 1);
  CHECK(after_samples(2 * MPISPEC_SAMPLES_ALONE)); /* yields that let nobody run do not matter then */
  masks_say = 0;
  usleep(MPISPEC_MASKS_PAUSE / 1000 + 1000);
  CHECK(!after_samples(1));
}

int main(void) {
  mpispec_ticks_begin();
  mpispec_ticks_calibrate();
  mpispec_oversubscription_open(0, read_masks);
  by_yields();
  by_looks();
  by_masks();
  mpispec_oversubscription_open(1, read_masks);
  CHECK(mpispec_is_oversubscribed() && mpispec_oversubscription_at_init());
  mpispec_oversubscription_close();
  CHECK(after_samples(1)); /* the library's Finalize still yields */
  return passed();
}

// RUN: %mpicc -w %include -I%S %s %sources/progress/oversubscription.c %sources/progress/ticks.c -o %t
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
