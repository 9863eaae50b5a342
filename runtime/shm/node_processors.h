/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The processors on which this node's ranks may run, from the mask in each rank's segment. */
#ifndef MPISPEC_RUNTIME_NODE_PROCESSORS_H
#define MPISPEC_RUNTIME_NODE_PROCESSORS_H

/* Called in MPI_Init, when all segments are mapped. Returns nonzero if the ranks of this node are
 * oversubscribed. All ranks get the same result, unless a rank already waits and publishes another
 * mask. */
int mpispec_node_is_oversubscribed(void);

/* Called in MPI_Init, when all segments are mapped and before mpispec_node_agree. The node's first
 * rank writes two decisions for all ranks: whether they are oversubscribed, and whether they use
 * doorbells. Ranks that are not oversubscribed do not use doorbells. */
void mpispec_node_decide(int may_use_doorbells);

/* The number of processors on which any rank of this node may run; 0 if it is unknown. */
int mpispec_node_processors(void);

/* Nonzero if Linux schedules this node's ranks as members of one group (processors.h). */
int mpispec_node_is_in_one_group(void);

/* Called in a long wait. Publishes this rank's mask again if it has changed. Returns nonzero if the
 * ranks of this node are oversubscribed. */
int mpispec_node_refresh_processors(void);

#endif
