/* The doorbells of this node's ranks (progress/doorbell.h), each in its rank's segment. */
#ifndef MPISPEC_RUNTIME_NODE_DOORBELLS_H
#define MPISPEC_RUNTIME_NODE_DOORBELLS_H

/* At Init, after mpispec_node_agree and mpispec_lock_open: uses doorbells if the node's first rank
 * has decided so (node_processors.h). With `sleeps`, threads of this rank may sleep. */
void mpispec_node_doorbells_open(int sleeps);

/* At Finalize, before segments are unmapped. With `says`, tells how often this rank slept, if it
 * did. */
void mpispec_node_doorbells_close(int says);

#endif
