/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The best way of a long message depends on the processor and on whether its bytes are in caches.
 * It also depends on whether both ranks have bytes to copy. A constant choice is wrong on some
 * machines. On an AMD EPYC 7003, a pipe is faster than the system calls up to 4 MiB. On an Intel
 * Xeon, it takes up to twice as long, unless the bytes have just been written.
 *
 * Therefore the costs are measured. For each peer, size class and direction there is a cell
 * (way_cell.h) with the cost of each way. The costs begin with those of a cost model
 * (cost_model.h), and samples correct them (way_sample.c).
 *
 * Back-to-back messages have cells of their own, because no rank touches their bytes in between. If
 * all messages shared cells, a program that begins or stops touching its buffers would use the
 * wrong way for some hundred messages. Several messages that come at once are no samples, nor is
 * the next one. All but the first of them use these cells, too.
 *
 * Each node's first rank reads the model for all its ranks. The job's first rank alone writes the
 * measured costs: a thousand nodes must not replace one file at the same moment. */
#include "p2p/way.h"

#include "job/environment.h"
#include "job/memory.h"
#include "job/node.h"
#include "p2p/cost_model.h"
#include "p2p/cost_model_file.h"
#include "p2p/way_cell.h"
#include "progress/oversubscription.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/shm.h"

#include <stdlib.h>
#include <string.h>

/* The ways that both ranks expect. The plans do not depend on back_to_back, because the sender does
 * not have the receiver's value. */
struct plan {
  enum mpispec_way planned;   /* for the next message from the peer */
  enum mpispec_way peer_plan; /* for messages to the peer */
  enum mpispec_way sent;      /* the plan that was sent to the peer last */
  int peer_plan_lasts;        /* so many receives follow peer_plan; 0: the peer has not planned for
                                 messages of this class, or no longer does */
};

enum { FOLLOWED = 16 }; /* a peer that sends other sizes now plans no more */

static enum mpispec_way only; /* the user's choice, if any */
/* [node size], by class, one way or both; cells also by situation.back_to_back */
static struct mpispec_way_cell (*cells)[MPISPEC_SIZE_CLASSES][2][2];
static struct plan (*plans)[MPISPEC_SIZE_CLASSES][2];
static struct mpispec_cost_model
    model; /* the model that was read; in MPI_Finalize also the learned costs */
static char origin[MPISPEC_COST_MODEL_ORIGIN_BYTES];
static char users_path[MPISPEC_COST_MODEL_PATH_BYTES]; /* empty: nothing is written */

/* --- cells -------------------------------------------------------------------------------------*/

static struct mpispec_way_cell *cell_of(const struct mpispec_situation *situation) {
  const int class = mpispec_size_class(situation->bytes);
  return &cells[situation->peer][class][situation->both_ways][situation->back_to_back];
}
static struct plan *plan_of(const struct mpispec_situation *situation) {
  return &plans[situation->peer][mpispec_size_class(situation->bytes)][situation->both_ways];
}

/* --- Init and Finalize -------------------------------------------------------------------------*/

void mpispec_ways_load(const struct mpispec_environment *environment) {
  static_assert(sizeof model <= MPISPEC_NODE_BYTES, "the segment has room for a model");
  if (mpispec_node.rank != 0)
    return;
  mpispec_cost_model_load(&model, environment->cost_model, environment->cache, origin);
  memcpy(mpispec_shm_header(0)->for_node, &model, sizeof model);
  *users_path = 0;
  if (mpispec_node.world_rank == 0 && !environment->cost_model)
    mpispec_cost_model_users_path(environment->cache, users_path);
}

const char *mpispec_ways_origin(void) { return origin; }

static enum mpispec_distance distance_to(int peer) {
  return mpispec_distance_between(&mpispec_shm_header(mpispec_node.rank)->location,
                                  &mpispec_shm_header(peer)->location);
}

void mpispec_ways_open(enum mpispec_way always) {
  only = always;
  memcpy(&model, mpispec_shm_header(0)->for_node, sizeof model);
  cells = mpispec_check_allocation(calloc((size_t)mpispec_node.size, sizeof *cells));
  plans = mpispec_check_allocation(calloc((size_t)mpispec_node.size, sizeof *plans));
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways) {
        struct mpispec_way_cell *cell = cells[peer][class][both_ways];
        const struct mpispec_way_costs *costs = model.costs[distance_to(peer)][class][both_ways];
        const enum mpispec_way way = (enum mpispec_way)costs[0].used;
        plans[peer][class][both_ways] = (struct plan){way, way, way, 0};
        const int has_reading = mpispec_cost_includes_reading(class, both_ways);
        mpispec_way_cell_fill_in(&cell[0], &costs[0],
                                 has_reading ? costs[1].picoseconds[MPISPEC_WAY_SHARED] : 0);
        mpispec_way_cell_fill_in(&cell[1], &costs[1], 0);
      }
}

/* Nonzero if the model lacks measured costs, if the way in use has changed, or if the costs' ratio
 * has changed by an eighth. The choice depends mostly on this ratio. */
static int has_changed(const struct mpispec_way_costs *before,
                       const struct mpispec_way_cell *cell) {
  const uint64_t pipe = cell->cost[MPISPEC_WAY_PIPE].picoseconds,
                 shared = cell->cost[MPISPEC_WAY_SHARED].picoseconds,
                 one = pipe * before->picoseconds[MPISPEC_WAY_SHARED],
                 other = shared * before->picoseconds[MPISPEC_WAY_PIPE];
  return !before->is_measured || before->used != cell->used || one > other + other / 8 ||
         other > one + one / 8;
}

/* Stores the costs of a cell in the model. Returns 0 if they are not measured or have not
 * changed. */
static int take_over(struct mpispec_way_costs *costs, const struct mpispec_way_cell *cell) {
  for (int way = MPISPEC_WAY_PIPE; way < MPISPEC_WAYS; ++way)
    if (cell->cost[way].messages < MPISPEC_WAY_SAMPLES)
      return 0;
  if (!has_changed(costs, cell))
    return 0;
  for (int way = MPISPEC_WAY_PIPE; way < MPISPEC_WAYS; ++way)
    costs->picoseconds[way] = mpispec_picoseconds(cell->cost[way].picoseconds);
  costs->used = (uint8_t)cell->used;
  costs->is_measured = 1;
  return 1;
}

/* If ranks shared cores, their samples contain waits for each other, and nothing is saved. */
static void save(void) {
  int news = 0;
  if (!*users_path || only || mpispec_progress_was_oversubscribed())
    return;
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways)
        for (int back_to_back = 0; back_to_back < 2; ++back_to_back)
          news |= take_over(&model.costs[distance_to(peer)][class][both_ways][back_to_back],
                            &cells[peer][class][both_ways][back_to_back]);
  if (news)
    mpispec_cost_model_save(&model, users_path, 0600); /* a failure costs only time */
}

void mpispec_ways_close(void) {
  if (cells)
    save();
  free(cells);
  free(plans);
  cells = NULL;
  plans = NULL;
}

enum mpispec_way mpispec_way_of_model(int peer, int64_t bytes) {
  return only ? only : cells[peer][mpispec_size_class(bytes)][0][1].first;
}

/* --- the choice --------------------------------------------------------------------------------*/

static long preemptions_before; /* when the last way was chosen */

/* The thread's involuntary context switches, or 0 for a message below MPISPEC_WAY_COUNTED_BYTES. A
 * short message is an outlier anyway if the rank lost its core, and the call would be 5 % of it. */
static long preemptions(int64_t bytes) {
  return bytes < MPISPEC_WAY_COUNTED_BYTES ? 0 : mpispec_oversubscription_switches();
}

/* The way of messages for which costs are not compared, or MPISPEC_WAY_OPEN. Ranks that share cores
 * must not wait for each other at each slot of a pipe. Short messages take the pipe: its second
 * copy costs less than the slower reading of pulled bytes, which no sample contains. */
static enum mpispec_way settled_way(const struct mpispec_situation *situation) {
  if (only)
    return only;
  if (mpispec_progress_was_oversubscribed())
    return MPISPEC_WAY_SHARED;
  return situation->bytes <= MPISPEC_BLOCK_BYTES ? MPISPEC_WAY_PIPE : MPISPEC_WAY_OPEN;
}

/* In an exchange both directions use the same way, because a rank that pulls does not fill the pipe
 * meanwhile. The rank with the lower node rank chooses the way. The choice is published at the end
 * of a message. Therefore it holds only if both directions have the same size class. */
static int leads(const struct mpispec_situation *situation) {
  return situation->both_ways && situation->peer > mpispec_node.rank;
}
static int follows(const struct mpispec_situation *situation) {
  return situation->both_ways && situation->peer < mpispec_node.rank &&
         plan_of(situation)->peer_plan_lasts;
}

/* Each plan is for one message; after it, the way in use is planned. A message is a sample only if
 * no other one is received meanwhile. Therefore preemptions_before belongs to the next sample. */
enum mpispec_way mpispec_way_choose(const struct mpispec_situation *situation) {
  struct plan *plan = plan_of(situation);
  preemptions_before = preemptions(situation->bytes);
  const enum mpispec_way planned = follows(situation) ? plan->peer_plan : plan->planned;
  plan->planned = cell_of(situation)->used;
  plan->peer_plan_lasts -= plan->peer_plan_lasts > 0;
  return settled_way(situation) ? settled_way(situation) : planned;
}

/* The plan is published ahead, because a sender that expects the pipe fills it before the receiver
 * has chosen. */
enum mpispec_way mpispec_way_plan(const struct mpispec_situation *situation) {
  struct plan *plan = plan_of(situation);
  if (settled_way(situation))
    return settled_way(situation);
  plan->planned = mpispec_way_cell_next(cell_of(situation));
  plan->sent = follows(situation) ? plan->peer_plan : plan->planned;
  return plan->sent;
}

void mpispec_way_note_plan(const struct mpispec_situation *situation, enum mpispec_way planned) {
  plan_of(situation)->peer_plan = planned;
  plan_of(situation)->peer_plan_lasts = FOLLOWED;
}

/* A receiver that cannot choose has published the pipe as its plan. */
enum mpispec_way mpispec_way_of_peer(const struct mpispec_situation *situation) {
  const struct plan *plan = plan_of(situation);
  if (settled_way(situation))
    return settled_way(situation);
  return leads(situation) && plan->sent == MPISPEC_WAY_PIPE ? plan->sent : plan->peer_plan;
}

/* --- samples -----------------------------------------------------------------------------------*/

void mpispec_way_record(const struct mpispec_situation *situation, enum mpispec_way way,
                        uint64_t ticks) {
  struct mpispec_way_cell *cell = cell_of(situation);
  const uint64_t picoseconds = ticks * 1024 / mpispec_ticks_rate * 1000;
  const uint64_t cost = picoseconds / (uint64_t)situation->bytes;
  cell->since_sample = 0;
  if (preemptions(situation->bytes) == preemptions_before)
    mpispec_way_cell_record(cell, way, cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX);
}
