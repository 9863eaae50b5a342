/* For tests under a limit of file sizes (`ulimit -f`), which makes arenas of 32 MiB or less. */
#ifndef MPISPEC_TEST_SMALL_ARENA_H
#define MPISPEC_TEST_SMALL_ARENA_H

#include "check.h"
#include "shm/shm.h"

/* Lanes are open, and the arena is as small as the test needs. */
static inline void check_arena_is_small(void) {
  const uint64_t bytes = mpispec_shm.arena.end - mpispec_shm.arena.begin;
  CHECK(bytes && bytes < (uint64_t)35 << 20);
}

#endif
