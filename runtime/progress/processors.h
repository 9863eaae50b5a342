/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The processors on which ranks may run, and whether each rank can have one of its own.
 *
 * A processor is a hardware thread, as Linux numbers them. A rank may run on the processors of its
 * affinity mask, which launchers, batch systems and containers set. The number of processors does
 * not show whether each rank can have one. For example, four ranks with the masks {0}, {0}, {1-7}
 * and {1-7} have eight processors, and two of the ranks share one.
 *
 *   ranks                processors
 *   0 {0} -------------- 0
 *   1 {0}                             no assignment gives rank 1 a processor: oversubscribed
 *   2 {1-7} ------------ 1
 *   3 {1-7} ------------ 2 */
#ifndef MPISPEC_RUNTIME_PROCESSORS_H
#define MPISPEC_RUNTIME_PROCESSORS_H

#include "progress/quota.h"

#include <stdatomic.h>
#include <stdint.h>

enum {
  MPISPEC_MAXIMUM_PROCESSORS = 4096,
  MPISPEC_PROCESSOR_WORDS = MPISPEC_MAXIMUM_PROCESSORS / 64
};

/* The data of one rank, in shared memory. Only its owner writes it. A reader may read a mask that
 * is half written. `changes` increases after each write, and the reader then reads it again. */
struct mpispec_processors {
  _Atomic uint64_t changes;
  struct mpispec_quota quota; /* constant after MPI_Init */
  uint64_t session;           /* that Linux schedules as a unit; 0: none. Constant after MPI_Init */
  _Atomic uint64_t mask[MPISPEC_PROCESSOR_WORDS]; /* all zeros: unknown */
};

/* Writes this process's mask, quota and session. Called in MPI_Init. */
void mpispec_processors_publish(struct mpispec_processors *own);

/* Reads the mask of the process's first thread again, and writes it if it has changed. */
void mpispec_processors_refresh(struct mpispec_processors *own);

/* Nonzero if each of `ranks` ranks can have a processor of its own. Each mask has `words` words. */
int mpispec_processors_suffice(const uint64_t *masks, int ranks, int words);

/* Nonzero if these ranks of one node are oversubscribed. Either the processors of their masks do
 * not suffice, or a control group has less time than one processor for each of its ranks. A rank
 * with an unknown mask counts as a rank with a processor. */
int mpispec_processors_are_oversubscribed(const struct mpispec_processors *const ranks[],
                                          int count);

/* Nonzero if Linux schedules these ranks as members of one group. Only then does a rank that yields
 * pass its processor on to another one. A group is a control group or, with autogroups
 * (/proc/sys/kernel/sched_autogroup_enabled), a session of processes. */
int mpispec_processors_are_in_one_group(const struct mpispec_processors *const ranks[], int count);

/* The number of processors on which either of two processes may run; 0 if a mask is unknown. */
int mpispec_processors_of_processes(int one, int other);

/* The number of processors on which any of these ranks may run, or whose time their control groups
 * give them if that is less. 0 if a mask is unknown. */
int mpispec_processors_count(const struct mpispec_processors *const ranks[], int count);

#endif
