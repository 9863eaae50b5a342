/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the doorbells in segments. See node_doorbells.h. */
#include "shm/node_doorbells.h"

#include "job/memory.h"
#include "progress/doorbell.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/node_processors.h"
#include "shm/shm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct mpispec_doorbell **bells; /* [node size] */

void mpispec_node_doorbells_open(int sleeps) {
  const size_t size = (size_t)mpispec_node.size;
  if (!mpispec_shm_header(0)->uses_doorbells)
    return;
  bells = mpispec_check_allocation(malloc(size * sizeof(struct mpispec_doorbell *)));
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    bells[peer] = &mpispec_shm_header(peer)->doorbell;
  mpispec_doorbells_open(bells, mpispec_node.size, mpispec_node.rank, sleeps);
  const int processors = mpispec_node_processors(); /* 0 if a rank's mask is unknown */
  mpispec_progress_shares(mpispec_node.size, processors ? processors : 1,
                          mpispec_node_is_in_one_group());
  mpispec_lock_at_release(mpispec_doorbells_ring);
}

void mpispec_node_doorbells_close(int reports) {
  const struct mpispec_doorbell_counts *counts = &mpispec_doorbell_counts;
  if (!bells)
    return;
  mpispec_lock_at_release(NULL);
  mpispec_doorbells_close();
  free(bells);
  bells = NULL;
  if (reports)
    fprintf(stderr,
            "mpispec: sleeps on the doorbell: %" PRIu64 ", of which nobody ended %" PRIu64
            "; rings: %" PRIu64 "\n",
            counts->sleeps, counts->timeouts, counts->rings);
}
