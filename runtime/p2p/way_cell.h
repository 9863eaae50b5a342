/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The measured costs of both ways, for messages of one situation. One way is in use. The other way
 * is tried at intervals, which are longer if it costs much more. Therefore the tries take less than
 * 1 % of the time. After some tries, the other way comes into use if the way in use costs more by
 * an eighth, both on average and for the last message.
 *
 * A try has two messages. Only the second one is a sample. The first one finds the caches as the
 * way in use left them, or a pipe that has been filled before.
 *
 * A program's buffers may be in no cache at first, and in one later. This change makes the pipe
 * cheaper. If the pipe is in use, the next message tries the other way, whose cost is older. If no
 * message is a sample, for example because many come at once, the way of the model is used. */
#ifndef MPISPEC_RUNTIME_WAY_CELL_H
#define MPISPEC_RUNTIME_WAY_CELL_H

#include "p2p/cost_model.h"
#include "p2p/way_cost.h"

#include <stdint.h>

struct mpispec_way_cell {
  struct mpispec_cost cost[MPISPEC_WAYS];
  enum mpispec_way used; /* the way in use */
  uint32_t until_try;    /* messages until the other way is tried */
  uint32_t vain_tries;   /* in a row that gave no sample */
  int try_continues;     /* the next message is the second one of a try */
  uint32_t highest;      /* highest cost of the way in use since the last sample of the other way */
  uint32_t latest;       /* the last sample of the way in use */
  int other_is_past;     /* the other way's cost is outdated: a try replaces it */
  enum mpispec_way first; /* in use before the first sample */
  uint32_t unwritten;     /* shared way, buffers not written; 0: no cost of reading is added */
  uint32_t since_sample;  /* messages since the last sample */
};

/* The costs and the way in use of a model. `unwritten` is the cost of the shared way for buffers
 * that nobody has written, or 0 if no cost of reading is to be added. */
void mpispec_way_cell_fill_in(struct mpispec_way_cell *cell, const struct mpispec_way_costs *costs,
                              uint32_t unwritten);

/* The way of the next message: the way in use, or the other one if this message is a try. */
enum mpispec_way mpispec_way_cell_next(struct mpispec_way_cell *cell);

/* Records that a message by this way took so many picoseconds a byte. */
void mpispec_way_cell_record(struct mpispec_way_cell *cell, enum mpispec_way way,
                             uint32_t picoseconds);

#endif
