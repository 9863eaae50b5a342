/* The processors that ranks may run on, and whether each rank can have one of its own.
 *
 * A processor is what Linux numbers: a hardware thread. A rank may run on the processors of its
 * affinity mask, which launchers, batch systems and containers set. Counting processors does not
 * suffice: ranks with the masks {0}, {0}, {1-7} and {1-7} are four on eight processors, and two of
 * them share one.
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

/* One rank's, in shared memory. Its owner alone writes it. A reader may see a mask half written;
 * the number of changes increases after each write, and the reader then reads the mask again. */
struct mpispec_processors {
  _Atomic uint64_t changes;
  struct mpispec_quota quota;                     /* constant after Init */
  _Atomic uint64_t mask[MPISPEC_PROCESSOR_WORDS]; /* no bit: not known */
};

/* Writes this process's mask and quota. At Init. */
void mpispec_processors_publish(struct mpispec_processors *own);

/* Reads the mask of the process's first thread again, and writes it if it has changed. */
void mpispec_processors_refresh(struct mpispec_processors *own);

/* Nonzero if each of `ranks` masks of `words` words can be given a processor of its own. */
int mpispec_processors_suffice(const uint64_t *masks, int ranks, int words);

/* Nonzero if these ranks of one node are oversubscribed: the processors of their masks do not
 * suffice, or a control group has less time than one processor for each rank in it. Ranks with an
 * unknown mask count as having a processor. */
int mpispec_processors_are_oversubscribed(const struct mpispec_processors *const ranks[],
                                          int count);

/* How many processors one of the two processes may run on; 0 if a mask is not known. */
int mpispec_processors_of_processes(int one, int other);

/* How many processors any of these ranks may run on; 0 if a mask is not known. */
int mpispec_processors_count(const struct mpispec_processors *const ranks[], int count);

#endif
