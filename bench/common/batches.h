/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* batches.h - how bench/long/messages.c and bench/collectives/by-size.c measure: a body runs in
 * batches of rounds, and the median batch counts. A batch takes as long as its slowest rank.
 *
 * A measurement is a line "name bytes microseconds before after", then the microseconds of each
 * batch. Before and after are the raw handoff (handoff.h) in nanoseconds, before the measurement
 * and after it. They differ where a shared machine moves its cores away from each other. They are 0
 * unless there are two ranks. The first line is "handoff nanoseconds" if there are.
 *
 * All functions are collective over MPI_COMM_WORLD: all ranks pass the same arguments. */
#ifndef BATCHES_H
#define BATCHES_H

#include <stddef.h>

/* The choices that a command line can make. */
struct batches_options {
  double seconds;     /* a batch */
  int batches;        /* a row has at most; 0 for nine */
  const char *only;   /* parts of the names of those rows that are measured, with commas between; ""
                         for all */
  int factor;         /* from each size to the next: what the program said, or 2 by -d */
  size_t least, most; /* bytes */
  int late;           /* measure calls beside a rank that comes late */
};

/* MPI_Init; binds each rank to a core if there are enough. Returns `usual` with the changes of
 * the command line. -t is milliseconds of a batch, -o parts of names, -s least and -m most bytes,
 * -d sizes that double, -l late ranks. Anything else is an error that ends the job. */
struct batches_options batches_begin(int *argc, char ***argv, struct batches_options usual);

/* Whether the command line asks for a row of that name. */
int batches_are_wanted(const char *name);

/* Whether ranks are more than cores: the system's turns are then most of the time. */
int batches_are_oversubscribed(void);

/* Measures `body` and prints a line. `parts` is how many messages of `bytes` bytes a round has that
 * follow one another: the line is for one. */
void batches_measure(const char *name, size_t bytes, int parts, void (*body)(int rounds));

/* Prints a line whose microseconds are the median of the given ones, on the rank where it is
 * largest. */
void batches_print_slowest(const char *name, size_t bytes, double *microseconds, int count);

#endif
