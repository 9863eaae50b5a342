/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Barrier: one step in which each rank shows an empty part and waits for all others. Cost: one
 * handoff of a line, and n - 1 lines read by each of n ranks. No rank waits for a rank that arrived
 * before it. Therefore a rank that shares its core runs at most twice: to arrive, and after the
 * last rank has arrived. */
#include "collective/operations.h"

void mpispec_collective_barrier(struct mpispec_collective *collective) {
  mpispec_step_put(collective, 0);
  mpispec_step_show(collective, 0);
  for (int i = 0; i < collective->steps.members; ++i)
    mpispec_step_await(collective, i);
  mpispec_step_met(collective);
  mpispec_step_end(collective, 0);
}
