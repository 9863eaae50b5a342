/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See attached_buffer.h. */
#include "p2p/attached_buffer.h"

#include "abi/layout.h"
#include "job/node.h"
#include "mpispec/state.h"

static int64_t attached; /* bytes, or 0 */
static int has_others;   /* a communicator or session has its own buffer */

int mpispec_buffer_has_room(int64_t bytes) {
  return has_others || (attached && bytes <= attached) || bytes <= MPISPEC_SENT_UNBUFFERED;
}

void mpispec_buffer_attach(int64_t bytes) {
  attached = bytes;
  if (mpispec_node.size)
    mpispec_state.attached = bytes;
}

void mpispec_buffer_attach_other(void) { has_others = 1; }
