/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* probe.h - MPI_Probe
 *
 * Waits for a message and leaves it where it is (MPI-4.0, section 3.8.1).
 *
 *   Probe [MPI_ANY_SOURCE, known at compile time: no message queued, no receive from any source
 *          waits, the next message of a lane matches and has kind inline] -> fill in the status
 *   Probe [from one rank: nothing queued, no receive from any source waits, its next message
 *          matches and has kind inline] -> fill in the status
 *   Probe [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_PROBE_H
#define MPISPEC_PROBE_H

#include "call.h"
#include "heads.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Probe(int peer, int tag, unsigned long comm, void *status) {
  const int any = __builtin_constant_p(peer) && peer == mpispec_any_source;
  const struct mpispec_route *route =
      any ? mpispec_call_heads(comm) : mpispec_call_route(comm, peer, mpispec_state.receive_size);
  struct mpispec_reader *reader;
  struct mpispec_wanted wanted;
  int found;
  if (!route || !mpispec_status_is_there(status) || !mpispec_call_has_pattern(tag))
    return 0;
  wanted = mpispec_wanted_on(mpispec_route_key(route, comm), tag);
  if (any) {
    found = mpispec_heads_peek(wanted, mpispec_to_see, &reader);
  } else {
    reader = route->readers[(unsigned int)peer];
    found = mpispec_head_peek(reader, wanted, mpispec_to_take);
  }
  return found >= 0 &&
         mpispec_head_fill_status(
             reader,
             any ? mpispec_head_source(mpispec_route_key(route, comm), reader->next->header, found)
                 : peer,
             mpispec_status_wanted(status));
}

#endif
