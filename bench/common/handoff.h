/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* handoff.h - the raw handoff of a cache line between two ranks. It bounds all that two processes
 * do together, and shows the state of a shared machine. */
#ifndef HANDOFF_H
#define HANDOFF_H

/* Nanoseconds one way, the best of several repetitions of a few thousand, some milliseconds in all.
 * Collective over MPI_COMM_WORLD; 0 unless that has two ranks on one node. */
double handoff_nanoseconds(void);

#endif
