/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bcast: the root shows the bytes, and all others read them. Short ones are in one cell, long ones
 * in a sequence of chunks, which the root fills again while others read. Cost: one handoff; for
 * long ones the copying of the slower side, because root and readers copy at the same time.
 *
 * The root shows a large first chunk before it fills it, and readers copy the bytes as they arrive.
 * Otherwise readers would wait for the whole chunk. The root fills the later chunks while
 * readers copy the earlier ones.
 *
 * If there is only one reader, portions that do not fit a chunk mostly go as a message
 * (long_parts.h, suits_chunks). If there are more readers, it costs less if the root copies into
 * chunks once than if all readers access the root's memory.
 *
 * Readers take the number of bytes, and therefore of steps, from the root's first cell. A program
 * whose ranks pass different lengths gets an error. */
#include "collective/long_parts.h"
#include "collective/operations.h"
#include "mpispec/machine.h"

static void show(struct mpispec_collective *collective, const unsigned char *buffer,
                 int64_t length) {
  const int64_t piece = collective->chunk_bytes;
  for (int64_t at = 0; at < length; at += piece) {
    const int64_t now = length - at < piece ? length - at : piece;
    unsigned char *place = mpispec_step_put(collective, now);
    mpispec_step_fetch_own(collective, now);
    mpispec_step_show_bytes(collective, place, at, buffer + at, now, length);
    mpispec_step_end(collective, now);
  }
}

/* The communicator of the last Bcast that did not fit a chunk, if this rank was the only reader's
 * root. */
static const struct mpispec_collective *led;

/* For a root with one reader: whether portions that do not fit a chunk go in a sequence of chunks.
 * On Intel's processors, bytes that the root has just written get to the reader's cache faster by
 * chunks, which the root copies them into, than by system calls. The other way round if nobody has
 * written them. A root that leads one Bcast after the other has written them, unless there was no
 * time for that since the last one. */
static int suits_chunks(const struct mpispec_collective *collective, int64_t length) {
  return length <= MPISPEC_LATE_BYTES && collective->chunk_bytes == MPISPEC_LARGE_CHUNK &&
         !collective->oversubscribed && led == collective &&
         mpispec_processor_family() == MPISPEC_INTEL && mpispec_long_parts_may_be_written(length);
}

/* Shows bytes that do not fit a chunk to the only reader. Out of line, because its code makes short
 * operations slower. */
static __attribute__((noinline)) void show_long(struct mpispec_collective *collective, void *buffer,
                                                int64_t length) {
  if (suits_chunks(collective, length)) {
    show(collective, buffer, length);
  } else {
    const struct mpispec_portions portions = mpispec_same_portion(buffer, length);
    mpispec_long_parts_show(collective, &portions, length, -1);
    mpispec_step_end(collective, length);
  }
  led = collective;
  mpispec_long_parts_left();
}

/* A root that has shown this step early may be many steps ahead. Between distant cores its cells
 * arrive late. Therefore this rank prefetches one that a later call will read. */
static void fetch_ahead(const struct mpispec_collective *collective, int root) {
  const uint64_t later = collective->steps.step + MPISPEC_FETCHED_STEPS;
  if (mpispec_step_is_shown(collective, root))
    __builtin_prefetch(&collective->steps.slots[root]->cells[later % mpispec_slot_cells]);
}

static int64_t read(struct mpispec_collective *collective, unsigned char *buffer, int64_t room,
                    int root) {
  if (mpispec_goes_in_parts(collective, room))
    led = NULL;
  fetch_ahead(collective, root);
  const struct mpispec_slot_cell *cell = mpispec_step_await(collective, root);
  const int64_t length = mpispec_shown_length(cell);
  const int64_t piece = collective->chunk_bytes;
  mpispec_step_met_of_two(collective);
  if (mpispec_is_in_parts(cell)) {
    mpispec_long_parts_read(collective, root, buffer, room);
    mpispec_long_parts_finish(collective);
    mpispec_step_end(collective, length);
    return length;
  }
  for (int64_t at = 0; at < length; at += piece) {
    const int64_t now = length - at < piece ? length - at : piece;
    const int64_t left = room > at ? room - at : 0;
    mpispec_step_read_bytes(collective, root, at, buffer + at, now, left < now ? left : now,
                            collective->steps.members - 1);
    mpispec_step_end(collective, now);
  }
  return length;
}

int64_t mpispec_collective_bcast(struct mpispec_collective *collective, void *buffer,
                                 int64_t length, int root) {
  if (collective->steps.members == 1)
    return length;
  if (root != collective->steps.self)
    return read(collective, buffer, length, root);
  if (mpispec_goes_in_parts(collective, length))
    show_long(collective, buffer, length);
  else
    show(collective, buffer, length);
  return length;
}
