/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cost of one way of long messages, a running average of samples. way.c compares the costs. */
#ifndef MPISPEC_RUNTIME_WAY_COST_H
#define MPISPEC_RUNTIME_WAY_COST_H

#include <stdint.h>

struct mpispec_cost {
  uint32_t picoseconds; /* a byte, of one message */
  uint16_t samples;     /* at most MPISPEC_WAY_SAMPLES are counted; below 2: the cost is built in */
  uint16_t outliers;    /* outliers in a row that were ignored */
  uint32_t messages;    /* messages of this job that have been samples */
};

/* Records a sample, in picoseconds a byte. Its weight in the running average is 1 / `memory`. */
void mpispec_cost_sample(struct mpispec_cost *cost, uint32_t sample, int memory);

#endif
