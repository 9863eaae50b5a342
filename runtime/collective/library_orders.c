/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of MPICH 4.0 (library_orders.h).
 *
 * MPICH contains its choice as JSON text. The choice depends on the operation, then on the average
 * or total size of messages, then on the number of elements. This number is compared with the
 * largest power of two that does not exceed the number of ranks. test/Runtime/library-orders.c
 * compares the table with trials. */
#include "collective/library_orders.h"

#include "abi/mpi.h"
#include "collective/trees.h"
#include "job/cache_file.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

extern char **environ;

/* The order `few` is for at most `most_bytes` bytes, the order `many` for more. If
 * `power_of_ranks` is 1, `few` is also for fewer elements than the largest power of two that does
 * not exceed the number of ranks. */
struct rule {
  enum mpispec_reducing operation;
  const char *few, *many;
  int64_t most_bytes;
  int power_of_ranks;
};

static const struct rule mpich_4_0[] = {
    {MPISPEC_ALLREDUCE, "recursive doubling", "halves", 8, 1},
    {MPISPEC_REDUCE, "binomial", "halves to root", 2048, 1},
    {MPISPEC_SCAN, "scan by doubling", "scan by doubling", 0, 0},
    {MPISPEC_EXSCAN, "exscan by doubling", "exscan by doubling", 0, 0},
    {MPISPEC_REDUCE_SCATTER, "recursive halving", "pairwise", 524287, 0},
    {MPISPEC_REDUCE_SCATTER_BLOCK, "recursive halving", "pairwise", 524287, 0},
};

/* --- which library -----------------------------------------------------------------------------*/

/* A variable of MPICH that may change the algorithms of reductions, or their thresholds. */
static int is_setting(const char *variable) {
  static const char *const marks[] = {"REDUCE", "SCAN", "COLL", "SMP"};
  const char *value = strchr(variable, '=');
  if (strncmp(variable, "MPIR_", 5) && strncmp(variable, "MPICH_", 6))
    return 0;
  for (unsigned i = 0; value && i < sizeof marks / sizeof marks[0]; ++i) {
    const char *mark = strstr(variable, marks[i]);
    if (mark && mark < value)
      return 1;
  }
  return 0;
}

/* A sum, because the order of variables does not matter. */
uint64_t mpispec_library_orders_settings(void) {
  uint64_t digest = 0;
  for (char **variable = environ; variable && *variable; ++variable)
    if (is_setting(*variable))
      digest += mpispec_cache_number(*variable);
  return digest;
}

static uint64_t find_table(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length, major = 0, minor = 0;
  PMPI_Get_library_version(version, &length);
  if (sscanf(version, "MPICH Version: %d.%d", &major, &minor) != 2)
    return 0;
  return major == 4 && minor == 0 && !mpispec_library_orders_settings() ? 400 : 0;
}

static uint64_t table;

static void find_table_once(void) {
  if (mpispec_known_orders_are_kept())
    table = find_table();
}

/* Called with and without the lock, also by several threads. */
uint64_t mpispec_library_orders_table(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_table_once);
  return table;
}

/* --- what it does ------------------------------------------------------------------------------*/

static uint32_t tree_named(const char *name) {
  for (int tree = 0; mpispec_trees[tree].name; ++tree)
    if (!strcmp(mpispec_trees[tree].name, name))
      return UINT32_C(1) << tree;
  return 0;
}

static const struct rule *rule_of(int operation) {
  for (unsigned i = 0; i < sizeof mpich_4_0 / sizeof mpich_4_0[0]; ++i)
    if ((int)mpich_4_0[i].operation == operation)
      return &mpich_4_0[i];
  return NULL;
}

/* The largest count for which the order `few` is expected. */
static int64_t few_of(const struct rule *rule, int size, int64_t bytes) {
  const int64_t fewer =
      rule->power_of_ranks ? (INT64_C(1) << (31 - __builtin_clz((unsigned)size))) : 1;
  const int is_block = rule->operation == MPISPEC_REDUCE_SCATTER_BLOCK;
  const int64_t by_bytes = rule->most_bytes / (bytes * (is_block ? size : 1));
  return by_bytes > fewer - 1 ? by_bytes : fewer - 1;
}

void mpispec_library_orders_expect(int size, const struct mpispec_known_key *key,
                                   struct mpispec_octave octaves[MPISPEC_OCTAVES]) {
  const struct rule *rule = rule_of(key->operation);
  if (!rule)
    return;
  const int64_t few = few_of(rule, size, key->element);
  const uint32_t order_of_few = tree_named(rule->few), order_of_many = tree_named(rule->many);
  for (int number = 0; number < MPISPEC_OCTAVES; ++number) {
    const int64_t first = mpispec_octave_first(number), last = mpispec_octave_last(number);
    const int has_few = first <= few, has_many = last > few;
    if (octaves[number].is_known || octaves[number].expectation)
      continue;
    octaves[number] = (struct mpispec_octave){
        .expectation = MPISPEC_FROM_TABLE,
        .low = has_few ? order_of_few : order_of_many,
        .high = has_many ? order_of_many : order_of_few,
        .low_count = has_few && has_many ? few : first,
        .high_count = has_few && has_many ? few + 1 : last,
    };
  }
}
