/* Which affinity masks oversubscribe a node: those that no assignment satisfies. Random masks are
 * compared with a search through all assignments, and many ranks must take no time. */
#include "check.h"
#include "mpispec/machine.h"
#include "progress/processors.h"

#include <stdlib.h>
#include <string.h>

static int suffice(int ranks, const uint64_t *masks) {
  return mpispec_processors_suffice(masks, ranks, 1);
}

#define SUFFICE(...)                                                                               \
  suffice(sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})

static void known_cases(void) {
  CHECK(!SUFFICE(1, 1, 0xfe, 0xfe));
  CHECK(SUFFICE(0xf, 0xf, 0xf, 0xf));
  CHECK(!SUFFICE(0xf, 0xf, 0xf, 0xf, 0xf));
  CHECK(SUFFICE(3, 1));       /* the first must leave processor 0 to the second */
  CHECK(SUFFICE(3, 6, 5));    /* a cycle */
  CHECK(SUFFICE(3, 3, 5));    /* two move */
  CHECK(!SUFFICE(3, 3, 3, 8));
  CHECK(SUFFICE(1));
  CHECK(!SUFFICE(1, 1));
}

/* All assignments. */
static int search(const uint64_t *masks, int ranks, uint64_t taken) {
  if (!ranks)
    return 1;
  for (uint64_t left = *masks & ~taken; left; left &= left - 1)
    if (search(masks + 1, ranks - 1, taken | (left & -left)))
      return 1;
  return 0;
}

static void random_cases(void) {
  int both[2] = {0, 0};
  srand(1);
  for (int i = 0; i < 20000; ++i) {
    uint64_t masks[6];
    const int ranks = 1 + rand() % 6, bits = 1 + rand() % 7;
    for (int rank = 0; rank < ranks; ++rank)
      masks[rank] = (uint64_t)(1 + rand() % ((1 << bits) - (bits > 1))) & (uint64_t)(rand() | rand());
    const int expected = search(masks, ranks, 0);
    CHECK(suffice(ranks, masks) == expected);
    ++both[expected];
  }
  CHECK(both[0] > 1000 && both[1] > 1000);
}

static void many_ranks(void) {
  enum { RANKS = 1024 };
  uint64_t *masks = malloc(RANKS * MPISPEC_PROCESSOR_WORDS * sizeof *masks);
  memset(masks, -1, RANKS * MPISPEC_PROCESSOR_WORDS * sizeof *masks);
  CHECK(mpispec_processors_suffice(masks, RANKS, MPISPEC_PROCESSOR_WORDS));
  memset(masks, 0, RANKS * MPISPEC_PROCESSOR_WORDS * sizeof *masks);
  for (int rank = 0; rank < RANKS; ++rank) /* each may have two; the last closes the circle */
    for (int i = 0; i < 2; ++i) {
      const int processor = (rank + i) % RANKS;
      masks[rank * MPISPEC_PROCESSOR_WORDS + processor / 64] |= UINT64_C(1) << processor % 64;
    }
  CHECK(mpispec_processors_suffice(masks, RANKS, MPISPEC_PROCESSOR_WORDS));
  free(masks);
}

/* Masks and quotas as ranks publish them; no bit means that the mask is not known. */
static struct mpispec_processors published[4];
static const struct mpispec_processors *const ranks[] = {&published[0], &published[1], &published[2], &published[3]};

static int are_oversubscribed(int count) { return mpispec_processors_are_oversubscribed(ranks, count); }
static int processors_of(int count) { return mpispec_processors_count(ranks, count); }
static int are_in_one_group(int count) { return mpispec_processors_are_in_one_group(ranks, count); }

static void quotas(void) {
  for (int rank = 0; rank < 4; ++rank) {
    published[rank].mask[0] = 0xf;
    published[rank].quota = (struct mpispec_quota){7, 4000, 0};
  }
  CHECK(!are_oversubscribed(4) && processors_of(4) == 4);
  for (int rank = 0; rank < 4; ++rank)
    published[rank].quota.thousandths = 3999;
  CHECK(are_oversubscribed(4) && !are_oversubscribed(3));
  for (int rank = 0; rank < 4; ++rank)
    published[rank].quota.thousandths = 1500;
  CHECK(are_oversubscribed(4) && processors_of(4) == 2 && processors_of(1) == 2);
  for (int rank = 0; rank < 4; ++rank)
    published[rank].quota.thousandths = 3;
  CHECK(are_oversubscribed(4) && processors_of(4) == 1);
  published[3].quota.thousandths = 0; /* no limit */
  CHECK(processors_of(4) == 4);
  for (int rank = 0; rank < 4; ++rank)
    published[rank].quota.thousandths = 3999;
  published[3].quota.group = 8; /* a container of its own */
  CHECK(!are_oversubscribed(4) && processors_of(4) == 4);
  published[0].mask[0] = published[1].mask[0] = 1;
  CHECK(are_oversubscribed(4));
  published[1].mask[0] = 0;
  CHECK(!are_oversubscribed(4));
}

static void groups(void) {
  for (int rank = 0; rank < 3; ++rank) {
    published[rank].quota = (struct mpispec_quota){0, 0, 7};
    published[rank].session = 0;
  }
  CHECK(are_in_one_group(3));
  published[2].quota.scheduled = 8;
  CHECK(!are_in_one_group(3) && are_in_one_group(2));
  published[2].quota.scheduled = 7;
  published[1].session = 4;
  CHECK(!are_in_one_group(3) && are_in_one_group(1));
  published[0].session = published[2].session = 4;
  CHECK(are_in_one_group(3));
}

int main(void) {
  known_cases();
  random_cases();
  many_ranks();
  quotas();
  groups();
  return passed();
}

// RUN: %mpicc -O2 %include -I%S %s -o %t %runtime
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
