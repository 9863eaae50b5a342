/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cost model of long messages: what each way costs, by distance between the ranks, size class
 * and direction, and which way is used first. It only ever costs time if it is wrong.
 *
 *   cost_model.c        this table, the built-in figures, the text form
 *   cost_model_file.c   which file a model is read from, and how one is replaced
 *   machine_key.c       the machine that a file is for
 *   way.c               what a rank makes of it
 *
 * `mpispec tune` writes the text form, and so does the runtime, which has learned from messages:
 *
 *   mpispec cost model 1
 *   machine <the line of machine_key.h>
 *   # distance, largest bytes, direction; ps a byte by pipe, shared; used first
 *   cache 131072 one-way 44 31 shared
 *   cache 131072 both-ways 108 52 shared
 *   end
 *
 * The largest class has all longer messages, too. A row that is missing is as built in. A text
 * without `end`, or with anything that is not of this form, is damaged and not used at all. */
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

/* No text is longer, the byte for its end included. */
enum { MPISPEC_COST_MODEL_BYTES = 8192 };

struct mpispec_way_costs {
  uint32_t picoseconds[MPISPEC_WAYS]; /* a byte of one message, by way */
  uint16_t used;                      /* the way of the first messages: pipe or shared */
  uint16_t is_measured;               /* on this machine: it stands in the text form */
};

struct mpispec_cost_model {
  struct mpispec_way_costs costs[MPISPEC_DISTANCES][MPISPEC_SIZE_CLASSES][2]; /* one way, both */
};

/* The class of a message of at least one byte. */
int mpispec_size_class(int64_t bytes);

/* The figures that are built in, and what they are of: "Intel processors". */
void mpispec_cost_model_build_in(struct mpispec_cost_model *model);
const char *mpispec_cost_model_family(void);

/* Takes the rows of a text that is for the machine with that key. Costs are put into the range of
 * what can be. Returns null, or why the text is not used; then the model is as before. */
const char *mpispec_cost_model_parse(struct mpispec_cost_model *model, const char *text,
                                     const char *key);

/* Writes the rows that are measured. Returns the length. */
size_t mpispec_cost_model_print(const struct mpispec_cost_model *model, const char *key,
                                char text[MPISPEC_COST_MODEL_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
