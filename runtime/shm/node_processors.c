/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the masks that the ranks of the node have published. See node_processors.h. */
#include "shm/node_processors.h"

#include "job/launcher.h"
#include "job/memory.h"
#include "progress/processors.h"
#include "shm/shm.h"

#include <stdlib.h>

static int last_answer;
static uint64_t changes_then; /* the sum over all ranks when the answer was computed */

static uint64_t count_changes(void) {
  uint64_t changes = 0;
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    changes +=
        atomic_load_explicit(&mpispec_shm_header(peer)->processors.changes, memory_order_acquire);
  return changes;
}

/* The MPI library may treat a machine as several nodes, whose ranks cannot read each other's masks.
 * Therefore the launcher's number of ranks is also compared with the processors of this node's
 * ranks. */
static int compare(const struct mpispec_processors *const ranks[]) {
  const int processors = mpispec_processors_count(ranks, mpispec_node.size);
  return (processors && mpispec_launcher_ranks_here() > processors) ||
         mpispec_processors_are_oversubscribed(ranks, mpispec_node.size);
}

/* Lists the data that each rank of the node has published. The caller frees the array. */
static const struct mpispec_processors **list_ranks(void) {
  const size_t size = (size_t)mpispec_node.size;
  const struct mpispec_processors **ranks = mpispec_check_allocation(malloc(size * sizeof *ranks));
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    ranks[peer] = &mpispec_shm_header(peer)->processors;
  return ranks;
}

int mpispec_node_processors(void) {
  const struct mpispec_processors **ranks = list_ranks();
  const int processors = mpispec_processors_count(ranks, mpispec_node.size);
  free(ranks);
  return processors;
}

int mpispec_node_is_in_one_group(void) {
  const struct mpispec_processors **ranks = list_ranks();
  const int is_one = mpispec_processors_are_in_one_group(ranks, mpispec_node.size);
  free(ranks);
  return is_one;
}

int mpispec_node_is_oversubscribed(void) {
  const struct mpispec_processors **ranks = list_ranks();
  changes_then = count_changes();
  last_answer = compare(ranks);
  free(ranks);
  return last_answer;
}

void mpispec_node_decide(int may_use_doorbells) {
  if (mpispec_node.rank)
    return;
  struct mpispec_segment_header *own = mpispec_shm_header(0);
  own->is_oversubscribed = mpispec_node_is_oversubscribed();
  own->uses_doorbells = own->is_oversubscribed && may_use_doorbells;
}

int mpispec_node_refresh_processors(void) {
  mpispec_processors_refresh(&mpispec_shm_header(mpispec_node.rank)->processors);
  return count_changes() == changes_then ? last_answer : mpispec_node_is_oversubscribed();
}
