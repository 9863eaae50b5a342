/* Yielding the core to other threads of the machine. */
#ifndef MPISPEC_RUNTIME_YIELD_H
#define MPISPEC_RUNTIME_YIELD_H

/* Yields the core. A thread that yields forfeits the rest of its time slice (Linux 6.6 and later).
 * A slice is some 3 ms, of which a polling rank has used a microsecond: ranks that wait for each
 * other would hardly run beside a program that computes. So a thread asks for the shortest slices
 * before it first yields; its share of the processor stays the same. */
void mpispec_yield(void);

#endif
