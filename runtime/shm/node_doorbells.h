/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Connects the doorbells of this node's ranks (progress/doorbell.h). Each rank's doorbell is in its
 * segment. */
#ifndef MPISPEC_RUNTIME_NODE_DOORBELLS_H
#define MPISPEC_RUNTIME_NODE_DOORBELLS_H

/* Called in MPI_Init, after mpispec_node_agree and mpispec_lock_open. Opens the doorbells if the
 * node's first rank has decided to use them (node_processors.h). `sleeps`: threads of this rank may
 * sleep. */
void mpispec_node_doorbells_open(int sleeps);

/* Called in MPI_Finalize, before segments are unmapped. `reports`: print how often this rank slept,
 * if doorbells are in use. */
void mpispec_node_doorbells_close(int reports);

#endif
