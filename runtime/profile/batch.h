/* A batch: calls of a site with the same arguments, counted by one addition each, until they are
 * added to their site. What is mostly so (the call before was alike) is not counted, but what is
 * not: stores to memory wait for a lane's line, of which another core must let go, and there are
 * not many places to wait. The runtime does that when the place of a batch is needed for another,
 * and at the end; the reader of a file does, for a run that was cut short. */
#ifndef MPISPEC_RUNTIME_PROFILE_BATCH_H
#define MPISPEC_RUNTIME_PROFILE_BATCH_H

#include "profile/profile_file.h"

/* Is it one that the runtime has written? For the reader, who trusts no number of a file. */
static inline int mpispec_profile_batch_is_sound(const struct mpispec_profile_batch *batch) {
  int is_sound = batch->size < MPISPEC_PROFILE_SIZES && batch->path < MPISPEC_PATHS &&
                 batch->late <= batch->calls && batch->changes <= batch->calls &&
                 batch->breaks <= batch->calls;
  for (int i = 0; i < MPISPEC_PROFILE_ARGUMENTS; ++i)
    is_sound &= batch->rows[i] < MPISPEC_PROFILE_VALUES;
  return is_sound;
}

/* Adds the calls of a sound batch to its site and to the peers of MPI_COMM_WORLD, of which there
 * are `world_size`. Then it has none. */
static inline void mpispec_profile_batch_add(struct mpispec_profile_batch *batch,
                                             struct mpispec_profile_site *site,
                                             struct mpispec_profile_peer *peers,
                                             uint32_t world_size) {
  struct mpispec_profile_values *const tables[MPISPEC_PROFILE_ARGUMENTS] = {
      &site->peers, &site->tags, &site->lengths, &site->datatypes, &site->communicators};
  const uint64_t calls = batch->calls, bytes = calls * batch->bytes;
  site->calls += calls;
  site->bytes += bytes;
  site->paths[batch->path] += calls - batch->late;
  site->paths[MPISPEC_PATH_NOT_THERE] += batch->late;
  site->same += calls - batch->changes;
  if (batch->sends)
    site->run_on += calls - batch->breaks;
  site->sizes[batch->size].calls += calls;
  site->sizes[batch->size].bytes += bytes;
  for (int i = 0; i < MPISPEC_PROFILE_ARGUMENTS; ++i) {
    tables[i]->kept[batch->rows[i]].calls += calls;
    tables[i]->kept[batch->rows[i]].bytes += bytes;
  }
  if (batch->sends && batch->peer < world_size) {
    peers[batch->peer].messages += calls;
    peers[batch->peer].bytes += bytes;
  }
  batch->calls = batch->late = batch->changes = batch->breaks = 0;
}

#endif
