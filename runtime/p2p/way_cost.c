/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See way_cost.h. */
#include "p2p/way_cost.h"

#include "progress/tuning.h"

/* The first sample of a cost in a job is ignored, because the pages of its message are new. The
 * second one replaces a built-in cost, unless it is many times as large. From two counted samples
 * on, a message that takes several times the known cost is an outlier, because most likely a rank
 * was away. Outliers are ignored, unless there are many in a row. Other messages count as at most
 * twice the known cost: most likely, something else delayed them. */
void mpispec_cost_sample(struct mpispec_cost *cost, uint32_t sample, int memory) {
  const uint32_t known = cost->picoseconds;
  const uint64_t times = MPISPEC_WAY_OUTLIER * (cost->samples > 1 ? 1 : MPISPEC_WAY_OUTLIER);
  const int is_outlier = cost->samples && sample > times * known;
  if (is_outlier && cost->outliers++ < MPISPEC_WAY_OUTLIER)
    return;
  cost->outliers = 0;
  if (cost->samples == 1) {
    cost->picoseconds = sample + 1;
  } else if (cost->samples > 1 && cost->messages) {
    const int64_t counted = is_outlier || sample < 2 * known ? sample : 2 * known;
    const int64_t more = counted - known, step = more / memory;
    cost->picoseconds = (uint32_t)(known + (step ? step : (more > 0) - (more < 0)));
  }
  cost->samples += cost->samples < MPISPEC_WAY_SAMPLES;
  cost->messages += cost->messages < UINT32_MAX;
}
