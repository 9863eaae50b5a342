/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See shown_parts.h. */
#include "collective/shown_parts.h"

#include "collective/order.h"

void mpispec_parts_combine_in_order(struct mpispec_collective *collective,
                                    const struct mpispec_reduction *reduction,
                                    const struct mpispec_shown_parts *parts, void *out, int64_t at,
                                    int64_t count) {
  for (int i = 0; i < parts->members; ++i)
    reduction->order->parts[i] = mpispec_parts_get(collective, parts, i);
  if (count)
    mpispec_order_combine(reduction->order, reduction, collective->steps.self, out, at, count,
                          reduction->total);
}
