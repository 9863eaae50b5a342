/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sending side of long messages: fills slots of the pipe, and pushes pieces (rts.h). With the
 * lock held. */
#ifndef MPISPEC_RUNTIME_PUSH_H
#define MPISPEC_RUNTIME_PUSH_H

#include "p2p/request.h"
#include "p2p/rts.h"

/* Nonzero if the message will go by the pipe, as its receiver has planned. */
int mpispec_goes_by_pipe(const struct mpispec_request *request);

/* Fills slots while there is no receive, as far as that is permitted. */
void mpispec_pieces_fill_early(struct mpispec_request *request, struct mpispec_rts *rts);

/* Called once there is a receive: the slots that were filled early count no longer. */
void mpispec_pieces_end_early(struct mpispec_rts *rts, int peer);

/* Fills slots or pushes a piece, once there is a receive. */
void mpispec_pieces_help(struct mpispec_request *request, struct mpispec_rts *rts);

/* Called at Finalize. */
void mpispec_pushes_close(void);

#endif
