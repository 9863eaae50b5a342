/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cost model of long messages. It contains the cost of each way by distance between the ranks,
 * size class, direction, and whether messages are back to back (way.c). It also contains the way
 * that is used first. A wrong model costs only time.
 *
 *   cost_model.c        this table, the built-in figures, the text form
 *   cost_model_file.c   which file a model is read from, and how one is replaced
 *   machine_key.c       the machine that a file is for
 *   way.c               chooses ways by the model
 *
 * `mpispec tune` writes the text form. The runtime writes it, too, with costs that it has measured:
 *
 *   mpispec cost model 2
 *   machine <the line of machine_key.h>
 *   # distance, largest bytes, direction, succession; ps a byte by pipe, shared; used first
 *   cache 131072 one-way apart 61 66 pipe
 *   cache 131072 one-way back-to-back 44 31 shared
 *   end
 *
 * The last size class has all longer messages, too. If a row is missing, its built-in costs are
 * used. A text without `end`, or with a line of another form, is damaged and not used at all. */
#ifndef MPISPEC_RUNTIME_COST_MODEL_H
#define MPISPEC_RUNTIME_COST_MODEL_H

#include "p2p/way.h"
#include "shm/distance.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Class 0 has messages up to 64 KiB. Each further class has messages up to twice as many bytes, and
 * the last class has all longer ones. */
enum { MPISPEC_SIZE_CLASSES = 9, MPISPEC_FIRST_CLASS_LOG = 16 };

/* Nonzero if the cost of the shared way includes the slower reading of pulled bytes afterwards, for
 * messages that are not back to back. */
int mpispec_cost_includes_reading(int size_class, int both_ways);

/* The length of the longest text, with its terminating null byte. */
enum { MPISPEC_COST_MODEL_BYTES = 16384 };

/* The range of costs. */
enum { MPISPEC_LEAST_PICOSECONDS = 5, MPISPEC_MOST_PICOSECONDS = 20000 };
static inline uint16_t mpispec_picoseconds(uint64_t cost) {
  const uint64_t least = MPISPEC_LEAST_PICOSECONDS, most = MPISPEC_MOST_PICOSECONDS;
  return (uint16_t)(cost < least ? least : cost > most ? most : cost);
}

struct mpispec_way_costs {
  uint16_t picoseconds[MPISPEC_WAYS]; /* per byte of one message, for each way */
  uint8_t used;                       /* the way of the first messages: pipe or shared */
  uint8_t is_measured;                /* on this machine; the text form has a row for it */
};

struct mpispec_cost_model {
  /* Indices: distance, class, 1 if messages go in both directions at the same time, 1 if they are
   * back to back. mpispec_cost_includes_reading tells what the costs of other messages include. */
  struct mpispec_way_costs costs[MPISPEC_DISTANCES][MPISPEC_SIZE_CLASSES][2][2];
};

/* The class of a message of at least one byte. */
int mpispec_size_class(int64_t bytes);

/* The built-in figures, and the name of the processors for which they hold, for example "Intel
 * processors". */
void mpispec_cost_model_build_in(struct mpispec_cost_model *model);
const char *mpispec_cost_model_family(void);

/* Reads the rows of a text into the model if the text is for the machine with this key. Implausible
 * costs are replaced by the nearest plausible ones. Returns null, or the reason why the text is not
 * used. In this case the model does not change. */
const char *mpispec_cost_model_parse(struct mpispec_cost_model *model, const char *text,
                                     const char *key);

/* Writes the rows that are measured. Returns the length. */
size_t mpispec_cost_model_print(const struct mpispec_cost_model *model, const char *key,
                                char text[MPISPEC_COST_MODEL_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
