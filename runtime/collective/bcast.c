/* Bcast: the root shows the bytes, everybody else reads them: short ones out of one cell, long ones
 * out of a sequence of chunks, which the root refills while others read. Cost: one handoff; for
 * long ones the copying of the slower side, since root and readers copy at the same time.
 *
 * How much there is, and so the number of steps, is read out of the root's first cell: a program
 * that says different lengths on different ranks is told so. */
#include "collective/operations.h"

static void show(struct mpispec_collective *collective, const unsigned char *buffer,
                 int64_t length) {
  const int64_t piece = collective->chunk_bytes;
  for (int64_t at = 0; at < length; at += piece) {
    const int64_t now = length - at < piece ? length - at : piece;
    mpispec_step_copy(mpispec_step_put(collective, now), buffer + at, now);
    mpispec_step_show(collective, length);
    mpispec_step_end(collective, now);
  }
}

static int64_t read(struct mpispec_collective *collective, unsigned char *buffer, int64_t room,
                    int root) {
  const int64_t length = (int64_t)mpispec_step_await(collective, root)->length;
  const int64_t piece = collective->chunk_bytes;
  for (int64_t at = 0; at < length; at += piece) {
    const int64_t now = length - at < piece ? length - at : piece;
    const unsigned char *shown = mpispec_step_get(collective, root, now);
    if (at < room)
      mpispec_step_copy(buffer + at, shown, room - at < now ? room - at : now);
    mpispec_step_end(collective, now);
  }
  return length;
}

int64_t mpispec_collective_bcast(struct mpispec_collective *collective, void *buffer,
                                 int64_t length, int root) {
  if (root != collective->steps.self)
    return read(collective, buffer, length, root);
  show(collective, buffer, length);
  return length;
}
