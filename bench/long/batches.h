/* batches.h - how messages.c and long-collectives.c measure: a body runs in batches of rounds, and
 * the median batch counts. A batch takes as long as its slowest rank.
 *
 * A measurement is a line "name bytes microseconds before after", then the microseconds of each
 * batch. Before and after are the raw handoff (handoff.h) in nanoseconds, before the measurement
 * and after it: a machine that others share moves its cores away from each other and back. They are
 * 0 unless there are two ranks. The first line is "handoff nanoseconds" if there are.
 *
 * All functions are collective over MPI_COMM_WORLD: all ranks pass the same arguments. */
#ifndef BATCHES_H
#define BATCHES_H

#include <stddef.h>

/* What the command line asks for. */
struct batches_options {
  double seconds;   /* a batch */
  const char *only; /* part of the names of those rows that are measured; "" for all */
  int factor;       /* from each size to the next: 2 or 4 */
};

/* MPI_Init; binds each rank to a core if there are enough. Options:
 * -t milliseconds of a batch, -o part of a name, -d for sizes that double. Anything else is an
 * error that ends the job. */
struct batches_options batches_begin(int *argc, char ***argv);

/* Whether ranks are more than cores: the system's turns are then most of the time. */
int batches_are_oversubscribed(void);

/* Measures `body` and prints a line. `parts` is how many messages of `bytes` bytes a round has that
 * follow one another: the line is for one. */
void batches_measure(const char *name, size_t bytes, int parts, void (*body)(int rounds));

#endif
