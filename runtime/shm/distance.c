/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See distance.h. */
#define _GNU_SOURCE
#include "shm/distance.h"

#include "shm/core_list.h"

#include <stdio.h>

enum { PATH_BYTES = 512, LAST_CACHE_INDEX = 3 };

/* Returns the lowest core of the list in <cores>/cpu<core>/<name> if the list contains all cores of
 * the process, else -1. Sets `is_there` if there is a list. */
static int lowest(const char *cores, const char *name, const cpu_set_t *own, int *is_there) {
  char path[PATH_BYTES];
  cpu_set_t listed, both;
  snprintf(path, sizeof path, "%s/cpu%d/%s", cores, mpispec_core_list_first(own), name);
  *is_there = mpispec_core_list_read(path, &listed);
  CPU_AND(&both, &listed, own);
  return *is_there && CPU_EQUAL(&both, own) ? mpispec_core_list_first(&listed) : -1;
}

/* The cache with the highest index is the last one. */
static int lowest_behind_cache(const char *cores, const cpu_set_t *own) {
  int is_there = 0, found = -1;
  for (int index = LAST_CACHE_INDEX; index >= 0 && !is_there; --index) {
    char name[64];
    snprintf(name, sizeof name, "cache/index%d/shared_cpu_list", index);
    found = lowest(cores, name, own, &is_there);
  }
  return found;
}

static struct mpispec_location location_of(const char *cores, const cpu_set_t *own) {
  int is_there;
  return (struct mpispec_location){
      .core = lowest(cores, "topology/thread_siblings_list", own, &is_there),
      .cache = lowest_behind_cache(cores, own),
      .package = lowest(cores, "topology/core_siblings_list", own, &is_there)};
}

struct mpispec_location mpispec_location_here(const char *cores) {
  cpu_set_t own;
  if (sched_getaffinity(0, sizeof own, &own))
    return (struct mpispec_location){-1, -1, -1};
  return location_of(cores, &own);
}

struct mpispec_location mpispec_location_of_core(const char *cores, int core) {
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(core, &own);
  return location_of(cores, &own);
}

static int is_shared(int one, int other) { return one >= 0 && one == other; }

enum mpispec_distance mpispec_distance_between(const struct mpispec_location *one,
                                               const struct mpispec_location *other) {
  return is_shared(one->core, other->core)         ? MPISPEC_SAME_CORE
         : is_shared(one->cache, other->cache)     ? MPISPEC_SAME_CACHE
         : is_shared(one->package, other->package) ? MPISPEC_SAME_PACKAGE
                                                   : MPISPEC_SAME_MACHINE;
}
