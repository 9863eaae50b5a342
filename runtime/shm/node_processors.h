/* The processors of this node's ranks, as each rank has published them in its segment. */
#ifndef MPISPEC_RUNTIME_NODE_PROCESSORS_H
#define MPISPEC_RUNTIME_NODE_PROCESSORS_H

/* At Init, when all segments are mapped: nonzero if the ranks of this node are oversubscribed. The
 * same on all ranks, unless one of them has begun to wait and publishes another mask. */
int mpispec_node_is_oversubscribed(void);

/* At Init, when all segments are mapped and before mpispec_node_agree: the node's first rank writes
 * for all whether they are oversubscribed, and whether they use doorbells if they are. */
void mpispec_node_decide(int may_use_doorbells);

/* The processors that any rank of this node may run on; 0 if that is not known. */
int mpispec_node_processors(void);

/* In a long wait: publishes this rank's mask again if it has changed, and returns the same. */
int mpispec_node_refresh_processors(void);

#endif
