/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affinity masks, and a matching of ranks to processors. See processors.h.
 *
 * The matching is Kuhn's algorithm. Each rank in turn takes a free processor of its mask. If there
 * is none, it moves another rank to a different processor. The masks of a node are usually equal or
 * disjoint, and then no rank moves. */
#define _GNU_SOURCE
#include "progress/processors.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- matching ----------------------------------------------------------------------------------*/

struct matching {
  const uint64_t *masks;
  int words;
  int rank_on[MPISPEC_MAXIMUM_PROCESSORS]; /* for taken processors */
  uint64_t taken[MPISPEC_PROCESSOR_WORDS];
  uint64_t visited[MPISPEC_PROCESSOR_WORDS]; /* processors that were tried for the rank that is
                                                being placed */
};

static void place(struct matching *matching, int rank, int word, uint64_t bit) {
  matching->taken[word] |= bit;
  matching->rank_on[word * 64 + __builtin_ctzll(bit)] = rank;
}

static int take_free(struct matching *matching, int rank) {
  const uint64_t *mask = matching->masks + (size_t)rank * (size_t)matching->words;
  for (int word = 0; word < matching->words; ++word) {
    const uint64_t free_ones = mask[word] & ~matching->taken[word];
    if (!free_ones)
      continue;
    place(matching, rank, word, free_ones & -free_ones);
    return 1;
  }
  return 0;
}

/* Assigns a processor to a rank, and moves other ranks if necessary. Returns 0 if no assignment has
 * a processor for the rank. */
static int assign(struct matching *matching, int rank) {
  if (take_free(matching, rank))
    return 1;
  const uint64_t *mask = matching->masks + (size_t)rank * (size_t)matching->words;
  for (int word = 0; word < matching->words; ++word)
    for (uint64_t left; (left = mask[word] & ~matching->visited[word]);) {
      const uint64_t bit = left & -left;
      matching->visited[word] |= bit;
      if (!assign(matching, matching->rank_on[word * 64 + __builtin_ctzll(bit)]))
        continue;
      place(matching, rank, word, bit);
      return 1;
    }
  return 0;
}

static int count_bits(const uint64_t *words, int count) {
  int bits = 0;
  for (int word = 0; word < count; ++word)
    bits += __builtin_popcountll(words[word]);
  return bits;
}

/* The processors of all masks together. */
static int count_union(const uint64_t *masks, int ranks, int words) {
  uint64_t all[MPISPEC_PROCESSOR_WORDS] = {0};
  for (int rank = 0; rank < ranks; ++rank)
    for (int word = 0; word < words; ++word)
      all[word] |= masks[(size_t)rank * (size_t)words + (size_t)word];
  return count_bits(all, words);
}

int mpispec_processors_suffice(const uint64_t *masks, int ranks, int words) {
  if (count_union(masks, ranks, words) < ranks)
    return 0;
  struct matching *matching = calloc(1, sizeof *matching);
  if (!matching)
    return 1;
  matching->masks = masks;
  matching->words = words;
  int suffice = 1;
  for (int rank = 0; rank < ranks && suffice; ++rank) {
    memset(matching->visited, 0, sizeof matching->visited);
    suffice = assign(matching, rank);
  }
  free(matching);
  return suffice;
}

/* --- what ranks have published -----------------------------------------------------------------*/

/* Copies the masks of ranks to `masks` [count][MPISPEC_PROCESSOR_WORDS], without those that are
 * unknown. Returns the number of copied masks. */
static int copy_known(const struct mpispec_processors *const ranks[], int count, uint64_t *masks) {
  int known = 0;
  for (int rank = 0; rank < count; ++rank) {
    uint64_t *mask = masks + (size_t)known * MPISPEC_PROCESSOR_WORDS;
    for (int word = 0; word < MPISPEC_PROCESSOR_WORDS; ++word)
      mask[word] = atomic_load_explicit(&ranks[rank]->mask[word], memory_order_relaxed);
    known += count_bits(mask, MPISPEC_PROCESSOR_WORDS) > 0;
  }
  return known;
}

static uint64_t *allocate_masks(int count) {
  return calloc((size_t)count * MPISPEC_PROCESSOR_WORDS, sizeof(uint64_t));
}

/* Thousandths of a processor that a rank may use if its control group gives each of these ranks the
 * same; 0: no limit. */
static uint64_t share_of_quota(const struct mpispec_processors *const ranks[], int count,
                               int rank) {
  const struct mpispec_quota *quota = &ranks[rank]->quota;
  uint64_t members = 0;
  for (int other = 0; quota->thousandths && other < count; ++other)
    members += ranks[other]->quota.group == quota->group;
  return members ? (quota->thousandths > members ? quota->thousandths / members : 1) : 0;
}

static int is_group_exceeded(const struct mpispec_processors *const ranks[], int count, int rank) {
  const uint64_t share = share_of_quota(ranks, count, rank);
  return share && share < 1000;
}

/* The number of processors whose time the control groups of these ranks give them; 0: no limit. */
static int count_by_quota(const struct mpispec_processors *const ranks[], int count) {
  uint64_t thousandths = 0;
  for (int rank = 0; rank < count; ++rank) {
    const uint64_t share = share_of_quota(ranks, count, rank);
    if (!share)
      return 0;
    thousandths += share;
  }
  return thousandths < 1000 ? 1 : (int)((thousandths + 500) / 1000);
}

int mpispec_processors_are_oversubscribed(const struct mpispec_processors *const ranks[],
                                          int count) {
  for (int rank = 0; rank < count; ++rank)
    if (is_group_exceeded(ranks, count, rank))
      return 1;
  uint64_t *masks = allocate_masks(count);
  if (!masks)
    return 0;
  const int known = copy_known(ranks, count, masks);
  const int suffice = mpispec_processors_suffice(masks, known, MPISPEC_PROCESSOR_WORDS);
  free(masks);
  return !suffice;
}

int mpispec_processors_count(const struct mpispec_processors *const ranks[], int count) {
  uint64_t *masks = allocate_masks(count);
  if (!masks)
    return 0;
  const int known = copy_known(ranks, count, masks);
  const int processors = count_union(masks, known, MPISPEC_PROCESSOR_WORDS);
  free(masks);
  const int by_quota = count_by_quota(ranks, count);
  if (known != count)
    return 0;
  return by_quota && by_quota < processors ? by_quota : processors;
}

/* --- this process ------------------------------------------------------------------------------*/

/* Reads the affinity mask of a process. It is all zeros if the system returns an error. */
static void read_mask(int process, uint64_t mask[MPISPEC_PROCESSOR_WORDS]) {
  const size_t bytes = MPISPEC_PROCESSOR_WORDS * sizeof(uint64_t);
  memset(mask, 0, bytes);
  if (sched_getaffinity(process, bytes, (cpu_set_t *)(void *)mask))
    memset(mask, 0, bytes);
}

int mpispec_processors_of_processes(int one, int other) {
  uint64_t masks[2][MPISPEC_PROCESSOR_WORDS];
  read_mask(one, masks[0]);
  read_mask(other, masks[1]);
  for (int i = 0; i < 2; ++i)
    if (!count_bits(masks[i], MPISPEC_PROCESSOR_WORDS))
      return 0;
  return count_union(masks[0], 2, MPISPEC_PROCESSOR_WORDS);
}

/* The first thread's mask, whichever thread reads it: in most programs this thread calls MPI, and
 * other threads are bound elsewhere. */
void mpispec_processors_refresh(struct mpispec_processors *own) {
  uint64_t mask[MPISPEC_PROCESSOR_WORDS], differs = 0;
  read_mask(getpid(), mask);
  for (int word = 0; word < MPISPEC_PROCESSOR_WORDS; ++word) {
    differs |= mask[word] ^ atomic_load_explicit(&own->mask[word], memory_order_relaxed);
    atomic_store_explicit(&own->mask[word], mask[word], memory_order_relaxed);
  }
  if (differs)
    atomic_fetch_add_explicit(&own->changes, 1, memory_order_release);
}

/* With autogroups, Linux schedules each session as a unit. Exceptions are processes in a control
 * group that is itself a unit. */
static uint64_t scheduled_session(const struct mpispec_quota *quota) {
  FILE *file = fopen("/proc/sys/kernel/sched_autogroup_enabled", "re");
  const int has_autogroups = file && fgetc(file) == '1';
  if (file)
    fclose(file);
  return has_autogroups && !quota->scheduled ? (uint64_t)getsid(0) : 0;
}

int mpispec_processors_are_in_one_group(const struct mpispec_processors *const ranks[], int count) {
  for (int rank = 1; rank < count; ++rank)
    if (ranks[rank]->session != ranks[0]->session ||
        ranks[rank]->quota.scheduled != ranks[0]->quota.scheduled)
      return 0;
  return 1;
}

void mpispec_processors_publish(struct mpispec_processors *own) {
  mpispec_quota_read("/sys/fs/cgroup", "/proc/self/cgroup", &own->quota);
  own->session = scheduled_session(&own->quota);
  mpispec_processors_refresh(own);
}
