/* Leaving the core to others. */
#ifndef MPISPEC_RUNTIME_YIELD_H
#define MPISPEC_RUNTIME_YIELD_H

/* Gives the core to others. Whoever yields forfeits the rest of its slice of time (Linux 6.6 and
 * later), and a slice is some 3 ms, where a rank has worked a microsecond: beside a program that
 * computes, ranks that wait for each other in turn would hardly run. So a thread that yields asks
 * for the shortest slices first; its share of the time stays what it was. */
void mpispec_yield(void);

#endif
