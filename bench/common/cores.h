/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cores.h - a rank's core */
#ifndef CORES_H
#define CORES_H

#include <sched.h>

/* From now on the calling thread runs on that core alone. Needs _GNU_SOURCE. */
static inline void bind_to_core(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

#endif
