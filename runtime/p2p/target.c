/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See target.h. */
#include "p2p/target.h"

#include "shm/copy.h"

void mpispec_target_put(struct mpispec_target *target, const void *bytes, int64_t length,
                        int64_t message) {
  if (target->cursor) {
    mpispec_cursor_unpack(target->cursor, bytes, length);
    return;
  }
  mpispec_copy_from_peer(target->bytes, bytes, length, message);
  target->bytes += length;
}
