/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The best way of a long message depends on the processor and on whether its bytes are in caches.
 * It also depends on whether both ranks have bytes to copy. A constant choice is wrong on some
 * machines. On an AMD EPYC 7003, a pipe is faster than the system calls up to 4 MiB. On an Intel
 * Xeon, it takes up to twice as long, unless the bytes have just been written.
 *
 * Therefore the costs are measured. For each peer, size class and direction there is a `struct
 * cell` with the cost of each way. The costs begin with those of a cost model (cost_model.h), and
 * samples correct them (way_sample.c). One way is in use. The other way is tried at intervals,
 * which are longer if it costs much more. Therefore the tries take less than 1 % of the time. After
 * some tries, the other way comes into use if the way in use costs more by an eighth. A try has two
 * messages. Only the second one is a sample. The first one finds the caches as the way in use left
 * them, or a pipe that has been filled before.
 *
 * Back-to-back messages have cells of their own, because no rank touches their bytes in between. If
 * all messages shared cells, a program that begins or stops touching its buffers would use the
 * wrong way for some hundred messages.
 *
 * A program's buffers may be in no cache at first, and in one later. This change makes the pipe
 * cheaper. If the pipe is in use, the next message tries the other way, whose cost is older. If no
 * message is a sample, for example because many come at once, the way of the model is used.
 *
 * Each node's first rank reads the model for all its ranks. The job's first rank alone writes the
 * measured costs: a thousand nodes must not replace one file at the same moment. */
#include "p2p/way.h"

#include "job/environment.h"
#include "job/memory.h"
#include "job/node.h"
#include "p2p/cost_model.h"
#include "p2p/cost_model_file.h"
#include "p2p/way_cost.h"
#include "progress/oversubscription.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/shm.h"

#include <stdlib.h>
#include <string.h>

struct cell {
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

/* The ways that both ranks expect. The plans do not depend on back_to_back, because the sender does
 * not have the receiver's value. */
struct plan {
  enum mpispec_way planned;   /* for the next message from the peer */
  enum mpispec_way peer_plan; /* for messages to the peer */
  enum mpispec_way sent;      /* the plan that was sent to the peer last */
  int peer_has_planned;       /* the peer has planned for messages of this class */
};

static enum mpispec_way only; /* the user's choice, if any */
/* [node size], by class, one way or both; cells also by situation.back_to_back */
static struct cell (*cells)[MPISPEC_SIZE_CLASSES][2][2];
static struct plan (*plans)[MPISPEC_SIZE_CLASSES][2];
static struct mpispec_cost_model
    model; /* the model that was read; in MPI_Finalize also the learned costs */
static char origin[MPISPEC_COST_MODEL_ORIGIN_BYTES];
static char users_path[MPISPEC_COST_MODEL_PATH_BYTES]; /* empty: nothing is written */

/* --- cells -------------------------------------------------------------------------------------*/

static enum mpispec_way other_than(enum mpispec_way way) {
  return way == MPISPEC_WAY_PIPE ? MPISPEC_WAY_SHARED : MPISPEC_WAY_PIPE;
}

/* The cost of a message, plus the cost of reading it afterwards if `unwritten` is not 0. Bytes that
 * came by the pipe are in the cache of the receiver's core, if they fit. Pulled bytes are in more
 * distant caches. No message's time contains this reading. Its cost is estimated: a program that
 * reads messages most likely writes them, too. Then the cost of pulling exceeds that of buffers
 * that were not written. The additional cost of reading is about twice the excess. It is limited,
 * because bytes in memory make both ways expensive. */
static uint32_t with_reading(const struct cell *cell, enum mpispec_way way, uint32_t picoseconds) {
  if (way != MPISPEC_WAY_SHARED || picoseconds < cell->unwritten)
    return picoseconds;
  const uint32_t more = 2 * (picoseconds - cell->unwritten), most = cell->unwritten * 3 / 2;
  return picoseconds + (more < most ? more : most);
}

/* Grows with the cost of a try. The number is small while the other way has few samples or an
 * outdated cost, but each try without a sample doubles it. */
static uint32_t messages_until_try(const struct cell *cell) {
  const enum mpispec_way other_way = other_than(cell->used);
  const uint32_t used = cell->cost[cell->used].picoseconds,
                 other = cell->cost[other_way].picoseconds;
  const uint32_t quarters = (other > used ? other - used : 0) / (used / 4 + 1),
                 factor = 1 + (quarters < 400 ? quarters : 400);
  const int is_soon = cell->cost[other_way].samples < MPISPEC_WAY_SAMPLES || cell->other_is_past;
  const uint32_t known = MPISPEC_WAY_TRIES * factor,
                 soon = MPISPEC_WAY_FIRST_TRIES * factor
                        << (cell->vain_tries < 16 ? cell->vain_tries : 16);
  return is_soon && soon < known ? soon : known;
}

static void use(struct cell *cell, enum mpispec_way way) {
  cell->used = way;
  cell->highest = 0;
  cell->latest = cell->cost[way].picoseconds;
}

/* Measured costs count as MPISPEC_WAY_SAMPLES samples, so that new samples only correct them. */
static void fill_in(struct cell *cell, const struct mpispec_way_costs *costs, uint32_t unwritten) {
  cell->unwritten = unwritten;
  for (int way = MPISPEC_WAY_PIPE; way < MPISPEC_WAYS; ++way) {
    cell->cost[way].picoseconds = costs->picoseconds[way];
    cell->cost[way].samples = costs->is_measured ? MPISPEC_WAY_SAMPLES : 0;
  }
  cell->first = (enum mpispec_way)costs->used;
  use(cell, cell->first);
  cell->until_try = messages_until_try(cell);
}

static struct cell *cell_of(const struct mpispec_situation *situation) {
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
        struct cell *cell = cells[peer][class][both_ways];
        const struct mpispec_way_costs *costs = model.costs[distance_to(peer)][class][both_ways];
        const enum mpispec_way way = (enum mpispec_way)costs[0].used;
        plans[peer][class][both_ways] = (struct plan){way, way, way, 0};
        const int has_reading = mpispec_cost_includes_reading(class, both_ways);
        fill_in(&cell[0], &costs[0], has_reading ? costs[1].picoseconds[MPISPEC_WAY_SHARED] : 0);
        fill_in(&cell[1], &costs[1], 0);
      }
}

/* Nonzero if the model lacks measured costs, if the way in use has changed, or if the costs' ratio
 * has changed by an eighth. The choice depends mostly on this ratio. */
static int has_changed(const struct mpispec_way_costs *before, const struct cell *cell) {
  const uint64_t pipe = cell->cost[MPISPEC_WAY_PIPE].picoseconds,
                 shared = cell->cost[MPISPEC_WAY_SHARED].picoseconds,
                 one = pipe * before->picoseconds[MPISPEC_WAY_SHARED],
                 other = shared * before->picoseconds[MPISPEC_WAY_PIPE];
  return !before->is_measured || before->used != cell->used || one > other + other / 8 ||
         other > one + one / 8;
}

/* Stores the costs of a cell in the model. Returns 0 if they are not measured or have not
 * changed. */
static int take_over(struct mpispec_way_costs *costs, const struct cell *cell) {
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
  return only ? only : cells[peer][mpispec_size_class(bytes)][0][0].first;
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
         plan_of(situation)->peer_has_planned;
}

/* Each plan is for one message; after it, the way in use is planned. A message is a sample only if
 * no other one is received meanwhile. Therefore preemptions_before belongs to the next sample. */
enum mpispec_way mpispec_way_choose(const struct mpispec_situation *situation) {
  struct plan *plan = plan_of(situation);
  preemptions_before = preemptions(situation->bytes);
  const enum mpispec_way planned = follows(situation) ? plan->peer_plan : plan->planned;
  plan->planned = cell_of(situation)->used;
  return settled_way(situation) ? settled_way(situation) : planned;
}

/* The plan is published ahead, because a sender that expects the pipe fills it before the receiver
 * has chosen. */
enum mpispec_way mpispec_way_plan(const struct mpispec_situation *situation) {
  struct cell *cell = cell_of(situation);
  struct plan *plan = plan_of(situation);
  if (settled_way(situation))
    return settled_way(situation);
  if (++cell->since_sample == MPISPEC_WAY_UNSAMPLED)
    use(cell, cell->first);
  const int is_second = cell->try_continues, is_first = !is_second && !--cell->until_try;
  plan->planned = is_first || is_second ? other_than(cell->used) : cell->used;
  cell->try_continues = is_first;
  if (is_first) {
    ++cell->vain_tries;
    cell->until_try = messages_until_try(cell);
  }
  plan->sent = follows(situation) ? plan->peer_plan : plan->planned;
  return plan->sent;
}

void mpispec_way_note_plan(const struct mpispec_situation *situation, enum mpispec_way planned) {
  plan_of(situation)->peer_plan = planned;
  plan_of(situation)->peer_has_planned = 1;
}

/* A receiver that cannot choose has published the pipe as its plan. */
enum mpispec_way mpispec_way_of_peer(const struct mpispec_situation *situation) {
  const struct plan *plan = plan_of(situation);
  if (settled_way(situation))
    return settled_way(situation);
  return leads(situation) && plan->sent == MPISPEC_WAY_PIPE ? plan->sent : plan->peer_plan;
}

/* --- samples -----------------------------------------------------------------------------------*/

/* If the pipe has become much cheaper since the last sample of the other way, the next message
 * tries the other way. */
static void notice_fall(struct cell *cell) {
  const uint32_t now = cell->cost[cell->used].picoseconds;
  cell->highest = now > cell->highest ? now : cell->highest;
  if (cell->used != MPISPEC_WAY_PIPE || now >= cell->highest - cell->highest / 4)
    return;
  cell->other_is_past = 1;
  cell->until_try = 1;
  cell->highest = now;
}

/* While the cost of the way in use falls, its average is too high. Therefore the last sample must
 * exceed the cost of the other way, too. */
static void reconsider(struct cell *cell) {
  const enum mpispec_way other = other_than(cell->used);
  const uint32_t cost = cell->cost[other].picoseconds, least = cost + cost / 8;
  if (cell->cost[other].samples >= MPISPEC_WAY_SAMPLES && least < cell->latest &&
      least < cell->cost[cell->used].picoseconds)
    use(cell, other);
}

void mpispec_way_record(const struct mpispec_situation *situation, enum mpispec_way way,
                        uint64_t ticks) {
  struct cell *cell = cell_of(situation);
  cell->since_sample = 0;
  if (preemptions(situation->bytes) != preemptions_before ||
      (way != cell->used && cell->try_continues))
    return;
  const uint64_t picoseconds = ticks * 1024 / mpispec_ticks_rate * 1000;
  const uint32_t sample =
      with_reading(cell, way, (uint32_t)(picoseconds / (uint64_t)situation->bytes));
  if (way != cell->used && cell->other_is_past) {
    cell->cost[way].picoseconds = sample + 1;
    cell->other_is_past = 0;
  }
  mpispec_cost_sample(&cell->cost[way], sample,
                      way == cell->used ? MPISPEC_WAY_MEMORY : MPISPEC_WAY_MEMORY_OF_TRIES);
  if (way == cell->used) {
    cell->latest = sample;
    notice_fall(cell);
  } else {
    const int is_cheaper = sample < cell->cost[cell->used].picoseconds / 4 * 3;
    cell->vain_tries = cell->highest = 0;
    cell->until_try = is_cheaper ? MPISPEC_WAY_FIRST_TRIES : messages_until_try(cell);
  }
  reconsider(cell);
}
