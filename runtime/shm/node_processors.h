/* The processors of this node's ranks, as each rank has published them in its segment. */
#ifndef MPISPEC_RUNTIME_NODE_PROCESSORS_H
#define MPISPEC_RUNTIME_NODE_PROCESSORS_H

/* At Init, when all segments are mapped: nonzero if the ranks of this node are oversubscribed. The
 * same on all ranks, unless one of them has begun to wait and publishes another mask. */
int mpispec_node_is_oversubscribed(void);

/* In a long wait: publishes this rank's mask again if it has changed, and returns the same. */
int mpispec_node_refresh_processors(void);

#endif
