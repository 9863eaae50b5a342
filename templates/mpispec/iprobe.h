/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* iprobe.h - MPI_Iprobe
 *
 * Tests whether a message has arrived, and leaves it where it is (MPI-4.0, section 3.8.1).
 *
 *   Iprobe [MPI_ANY_SOURCE, known at compile time: no message queued, no receive from any source
 *           waits, all lanes are empty, no other work is due] -> the flag 0
 *   Iprobe [from one rank: nothing queued, no receive from any source waits, its lane is empty, no
 *           other work is due] -> the flag 0
 *   Iprobe [otherwise] -> the ordinary call
 *
 * Programs that are driven by messages call MPI_Iprobe far more often than messages arrive. */
#ifndef MPISPEC_IPROBE_H
#define MPISPEC_IPROBE_H

#include "call.h"
#include "heads.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Iprobe(int peer, int tag, unsigned long comm, void *flag, const void *status) {
  const int any = __builtin_constant_p(peer) && peer == mpispec_any_source;
  const struct mpispec_route *route =
      any ? mpispec_call_heads(comm) : mpispec_call_route(comm, peer, mpispec_state.receive_size);
  if (!route || !flag || !mpispec_status_is_there(status) || !mpispec_state.empty_poll_budget ||
      !mpispec_call_has_pattern(tag) ||
      !(any ? mpispec_heads_are_empty()
            : mpispec_head_is_empty(route->readers[(unsigned int)peer])))
    return 0;
  --mpispec_state.empty_poll_budget;
  *(int *)flag = 0;
  return 1;
}

#endif
