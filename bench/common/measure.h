/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* measure.h - the common part of programs that measure messages between two ranks: cores, clock,
 * the best of several repetitions, and memory that both ranks see.
 *
 * A measured body does `rounds` rounds with messages of `bytes` bytes. Results are lines
 * "name-bytes nanoseconds" on rank 0's output. */
#ifndef MEASURE_H
#define MEASURE_H

#include <mpi.h>

/* The sizes in bytes that tables and plots have, from nothing to MEASURE_LARGEST. */
/* clang-format off */
#define MEASURE_SIZES(ROW)                                                                         \
  ROW(0) ROW(8) ROW(64) ROW(512) ROW(1024) ROW(4096) ROW(16384) ROW(65536) ROW(262144)             \
  ROW(1048576) ROW(4194304)
/* clang-format on */
enum { MEASURE_LARGEST = 4194304 };

/* MPI_Init, the two ranks bound to cores 0 and 1; `milliseconds` is the budget of one repetition.
 * Any other number of ranks is an error that ends the job. Begin and end print the raw handoff
 * (handoff.h) as "handoff-before" and "handoff". */
void measure_begin(int *argc, char ***argv, double milliseconds);
void measure_end(void);

/* The best time of one round, in seconds, on rank 0. All ranks call it with the same arguments. */
double measure_best(void (*body)(int rounds, int bytes), int bytes);

/* Prints one result: seconds for what the name says. */
void measure_tell(const char *name, int bytes, double seconds);

/* Memory that both ranks see, page aligned, zero at first; the same for both. Collective. */
void *measure_shared(MPI_Aint bytes);

#endif
