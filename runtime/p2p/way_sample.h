/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples of the cost of a way, which the receiver takes from its long messages. All functions are
 * called with the lock held. */
#ifndef MPISPEC_RUNTIME_WAY_SAMPLE_H
#define MPISPEC_RUNTIME_WAY_SAMPLE_H

#include "p2p/request.h"
#include "p2p/way.h"

/* The situation of a receive whose way is chosen. */
struct mpispec_situation mpispec_situation_of(const struct mpispec_request *request);

/* Called when a message is complete. Records the cost of its way if the message is a sample.
 * Returns the planned way of the next message, for its sender. `may_choose`: the receiver may
 * choose the way. */
enum mpispec_way mpispec_way_learn(const struct mpispec_request *request, int may_choose);

#endif
