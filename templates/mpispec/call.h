/* call.h - what all templates share: words for what is known about a call, and the guard
 *
 * The variants of an operation are one always-inline body called with different constants of these
 * types, so that the compiler removes what a variant does not need. */
#ifndef MPISPEC_CALL_H
#define MPISPEC_CALL_H

#include "bounds.h"
#include "weak_state.h"

/* The bytes of the message, or of a rank's part in a collective, against mpispec_short_bytes. */
enum mpispec_size { mpispec_size_dynamic, mpispec_size_short, mpispec_size_long };

/* The peer against the calling process. */
enum mpispec_node { mpispec_node_dynamic, mpispec_node_remote, mpispec_node_local };

/* May a message to or from peer take the fast path? The one comparison also says no before
 * MPI_Init, when the runtime is absent or switched off, and to MPI_PROC_NULL and wildcards, which
 * are negative. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_call_is_fast(int peer) {
  return (unsigned int)peer < mpispec_state.fast_size;
}

/* Is there any lane at all? */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_call_has_lanes(void) {
  return mpispec_state.fast_size != 0;
}

#endif
