/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The best way of a long message depends on the processor and on the place of its bytes. It also
 * depends on whether both ranks have bytes to copy. A constant that was measured on one machine is
 * wrong on the next one. On an AMD EPYC 7003, a pipe is faster than the system's calls up to 4 MiB.
 * On Intel's Xeon 6, it takes twice as long, unless the bytes have just been written.
 *
 * Therefore the costs are measured. For each peer, size class and direction there is a cell with
 * the cost of each way. The cost begins with a cost model (cost_model.h), and follows the messages.
 * If both ranks wait for a message, its time is a sample of its way. One way is in use. The other
 * way is tried at intervals, which are longer if it costs much more. Therefore the trials take less
 * than 1 % of the time. The other way comes into use when it was tried some times and has cost less
 * by an eighth. If the messages fit a cache, a try has two messages, and only the second one
 * counts. The first one finds caches as the way in use has left them.
 *
 * A program's buffers may be in no cache for some time, and in one later. The pipe in use then
 * costs less than it did, and the other way, whose cost is of that time, is tried at once. If no
 * message is a sample, for example because many come at once, the way of the model is used.
 *
 * Few ranks read and write a model. Each node's first rank reads it for all ranks of the node. The
 * job's first rank alone writes the measured costs: a thousand nodes must not replace one file at
 * the same moment. */
#define _GNU_SOURCE
#include "p2p/way.h"

#include "job/environment.h"
#include "job/memory.h"
#include "job/node.h"
#include "p2p/cost_model.h"
#include "p2p/cost_model_file.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/shm.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct cost {
  uint32_t picoseconds; /* a byte, of one message */
  uint16_t samples;     /* that count, at most MPISPEC_WAY_SAMPLES; none: it is as built in */
  uint16_t outliers;    /* samples left out since the last one that was not */
  uint32_t messages;    /* messages of this job that have been samples */
};

struct cell {
  struct cost cost[MPISPEC_WAYS];
  enum mpispec_way used, planned; /* by this rank's messages from the peer; for the next of them */
  enum mpispec_way peer_plan;     /* for messages to the peer */
  enum mpispec_way sent;          /* the plan that the peer got last */
  int peer_has_planned;           /* the peer has planned for messages of this class */
  uint32_t until_try;             /* messages until the other way is tried */
  uint32_t tries;                 /* in a row that gave no sample */
  int try_continues;              /* the next message is the second one of a try */
  uint32_t before;        /* most that the way in use has cost since the last sample of the other */
  int other_is_past;      /* the other way's cost is of another time: a try replaces it */
  enum mpispec_way first; /* in use before anything is learned */
  uint32_t unwritten;     /* the model's cost of the shared way; 0: messages fit no cache */
  uint32_t since_sample;  /* messages */
};

enum { FIRST_CLASS_BEYOND_CACHES = 4 }; /* messages of 1 MiB do not stay in second-level caches */

static enum mpispec_way only;                         /* the user's choice, if any */
static struct cell (*cells)[MPISPEC_SIZE_CLASSES][2]; /* [node size], by class, one way or both */
static struct mpispec_cost_model
    model; /* the model that was read; in MPI_Finalize also the learned costs */
static char origin[MPISPEC_COST_MODEL_ORIGIN_BYTES];
static char users_path[MPISPEC_COST_MODEL_PATH_BYTES]; /* empty: nothing is written */

/* --- cells -------------------------------------------------------------------------------------*/

static enum mpispec_way other_than(enum mpispec_way way) {
  return way == MPISPEC_WAY_PIPE ? MPISPEC_WAY_SHARED : MPISPEC_WAY_PIPE;
}

/* The cost of a way, with the reading of the message afterwards. A program that reads its
 * messages finds bytes that came by the pipe in its core's cache, if they fit, and pulled bytes
 * further off. No sample contains this reading. But a program that reads has most likely written,
 * too. Then pulling costs more than in the model, whose buffers nobody wrote, and the reading costs
 * about twice as much more. Bytes from memory make both ways dear. */
static uint32_t with_reading(const struct cell *cell, enum mpispec_way way, uint32_t picoseconds) {
  if (way != MPISPEC_WAY_SHARED || picoseconds < cell->unwritten)
    return picoseconds;
  const uint32_t more = 2 * (picoseconds - cell->unwritten), most = cell->unwritten * 3 / 2;
  return picoseconds + (more < most ? more : most);
}
static uint32_t cost_of(const struct cell *cell, enum mpispec_way way) {
  return with_reading(cell, way, cell->cost[way].picoseconds);
}

/* Soon, until it is known. Later the dearer a try, the longer. A message that one rank did not wait
 * for has told nothing. If what is known is of another time, it is tried again soon, but not for
 * ever. */
static uint32_t messages_until_try(const struct cell *cell) {
  const enum mpispec_way other_way = other_than(cell->used);
  const uint32_t used = cost_of(cell, cell->used), other = cost_of(cell, other_way);
  const uint32_t quarters = (other > used ? other - used : 0) / (used / 4 + 1);
  const uint32_t known = MPISPEC_WAY_TRIES * (1 + (quarters < 400 ? quarters : 400));
  const int is_soon = cell->cost[other_way].samples < MPISPEC_WAY_SAMPLES || cell->other_is_past;
  const uint32_t soon = MPISPEC_WAY_FIRST_TRIES << (cell->tries < 16 ? cell->tries : 16);
  return is_soon && soon < known ? soon : known;
}

/* Costs measured on this machine count as known, and messages correct them. */
static void fill_in(struct cell *cell, const struct mpispec_way_costs *costs, uint32_t unwritten) {
  cell->unwritten = unwritten;
  for (int way = MPISPEC_WAY_PIPE; way < MPISPEC_WAYS; ++way) {
    cell->cost[way].picoseconds = costs->picoseconds[way];
    cell->cost[way].samples = costs->is_measured ? MPISPEC_WAY_SAMPLES : 0;
  }
  cell->used = cell->planned = cell->peer_plan = cell->sent = cell->first =
      (enum mpispec_way)costs->used;
  cell->until_try = messages_until_try(cell);
}

static struct cell *cell_of(const struct mpispec_situation *situation) {
  return &cells[situation->peer][mpispec_size_class(situation->bytes)][situation->both_ways];
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
  struct mpispec_cost_model unwritten;
  memcpy(&model, mpispec_shm_header(0)->for_node, sizeof model);
  mpispec_cost_model_build_in(&unwritten);
  cells = mpispec_check_allocation(calloc((size_t)mpispec_node.size, sizeof *cells));
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways) {
        struct cell *cell = &cells[peer][class][both_ways];
        const int distance = distance_to(peer);
        fill_in(cell, &model.costs[distance][class][both_ways],
                class < FIRST_CLASS_BEYOND_CACHES
                    ? unwritten.costs[distance][class][both_ways].picoseconds[MPISPEC_WAY_SHARED]
                    : 0);
      }
}

/* Has the quotient of the two ways' costs changed by more than an eighth? The choice depends on
 * nothing else. */
static int has_changed(const struct mpispec_way_costs *before, const struct cell *cell) {
  const uint64_t pipe = cell->cost[MPISPEC_WAY_PIPE].picoseconds,
                 shared = cell->cost[MPISPEC_WAY_SHARED].picoseconds,
                 one = pipe * before->picoseconds[MPISPEC_WAY_SHARED],
                 other = shared * before->picoseconds[MPISPEC_WAY_PIPE];
  return !before->is_measured || before->used != cell->used || one > other + other / 8 ||
         other > one + one / 8;
}

/* Takes the costs of a cell into the model. Returns whether they are news. */
static int take_over(struct mpispec_way_costs *costs, const struct cell *cell) {
  for (int way = MPISPEC_WAY_PIPE; way < MPISPEC_WAYS; ++way)
    if (cell->cost[way].messages < MPISPEC_WAY_SAMPLES)
      return 0;
  if (!has_changed(costs, cell))
    return 0;
  for (int way = MPISPEC_WAY_PIPE; way < MPISPEC_WAYS; ++way)
    costs->picoseconds[way] = cell->cost[way].picoseconds;
  costs->used = (uint16_t)cell->used;
  costs->is_measured = 1;
  return 1;
}

/* Ranks that shared cores have measured each other. */
static void save(void) {
  int news = 0;
  if (!*users_path || only || mpispec_progress_was_oversubscribed())
    return;
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways)
        news |= take_over(&model.costs[distance_to(peer)][class][both_ways],
                          &cells[peer][class][both_ways]);
  if (news)
    mpispec_cost_model_save(&model, users_path, 0600); /* without it, the next job learns again */
}

void mpispec_ways_close(void) {
  if (cells)
    save();
  free(cells);
  cells = NULL;
}

/* --- the choice --------------------------------------------------------------------------------*/

static long preemptions_before; /* when the last way was chosen */

/* How often another process or thread has had this one's core since MPI_Init, or 0 for a short
 * message. A short message during which the rank lost its core is an outlier anyway. The system
 * call would take some 5 % of its time. */
static long preemptions(int64_t bytes) {
  struct rusage usage;
  return bytes < MPISPEC_WAY_COUNTED_BYTES || getrusage(RUSAGE_THREAD, &usage) ? 0
                                                                               : usage.ru_nivcsw;
}

/* The way that is not to be questioned, if any. A rank that shares its core must not depend on the
 * other one for each slot. Bytes that were pulled are slower to read afterwards, which no message
 * tells: of a short one that is more than the pipe costs. */
static enum mpispec_way settled_way(const struct mpispec_situation *situation) {
  if (only)
    return only;
  if (mpispec_progress_was_oversubscribed())
    return MPISPEC_WAY_SHARED;
  return situation->bytes <= MPISPEC_BLOCK_BYTES ? MPISPEC_WAY_PIPE : MPISPEC_WAY_OPEN;
}

/* In an exchange both directions go the same way, which the rank with the lower number chooses. A
 * rank that pulls does not fill the pipe meanwhile. That rank says what it has chosen with the end
 * of a message, so both directions must be of one size class. */
static int leads(const struct mpispec_situation *situation) {
  return situation->both_ways && situation->peer > mpispec_node.rank;
}
static int follows(const struct mpispec_situation *situation) {
  return situation->both_ways && situation->peer < mpispec_node.rank &&
         cell_of(situation)->peer_has_planned;
}

/* A try takes one message at a time: others under way go the way that is in use. A message is a
 * sample if no other one is received meanwhile, so the last choice is that of the next sample. */
enum mpispec_way mpispec_way_choose(const struct mpispec_situation *situation) {
  struct cell *cell = cell_of(situation);
  preemptions_before = preemptions(situation->bytes);
  const enum mpispec_way planned = follows(situation) ? cell->peer_plan : cell->planned;
  cell->planned = cell->used;
  return settled_way(situation) ? settled_way(situation) : planned;
}

/* Planned ahead and published, because a sender that expects the pipe fills it before the receiver
 * has chosen. */
enum mpispec_way mpispec_way_plan(const struct mpispec_situation *situation) {
  struct cell *cell = cell_of(situation);
  if (settled_way(situation))
    return settled_way(situation);
  if (++cell->since_sample == MPISPEC_WAY_UNSAMPLED)
    cell->used = cell->first;
  const int is_second = cell->try_continues, is_first = !is_second && !--cell->until_try;
  cell->planned = is_first || is_second ? other_than(cell->used) : cell->used;
  cell->try_continues = is_first && cell->unwritten;
  if (is_first) {
    ++cell->tries;
    cell->until_try = messages_until_try(cell);
  }
  cell->sent = follows(situation) ? cell->peer_plan : cell->planned;
  return cell->sent;
}

void mpispec_way_note_plan(const struct mpispec_situation *situation, enum mpispec_way planned) {
  cell_of(situation)->peer_plan = planned;
  cell_of(situation)->peer_has_planned = 1;
}

/* A receiver that cannot choose has said that it needs the pipe. */
enum mpispec_way mpispec_way_of_peer(const struct mpispec_situation *situation) {
  const struct cell *cell = cell_of(situation);
  if (settled_way(situation))
    return settled_way(situation);
  return leads(situation) && cell->sent == MPISPEC_WAY_PIPE ? cell->sent : cell->peer_plan;
}

/* --- what messages tell ------------------------------------------------------------------------*/

/* The first message of a job says little: its pages are fresh. The second one takes the place of a
 * cost that is built in. After the second one, a message that took several times as long as
 * expected is an outlier: a rank was away. Many outliers in a row count. A message that took longer
 * than twice the cost counts as twice: most likely, something else delayed it. */
static void take_sample(struct cost *cost, uint32_t sample, int memory) {
  const uint32_t known = cost->picoseconds;
  const int is_outlier = cost->samples > 1 && sample > MPISPEC_WAY_OUTLIER * known;
  if (is_outlier && cost->outliers++ < MPISPEC_WAY_OUTLIER)
    return;
  cost->outliers = 0;
  if (cost->samples == 1) {
    cost->picoseconds = sample + 1;
  } else if (cost->samples > 1 && cost->messages) {
    const int64_t counted = is_outlier || sample < 2 * known ? sample : 2 * known;
    const int64_t more = counted - known, step = more / memory;
    cost->picoseconds = (uint32_t)(known + (step ? step : (more > 0) - (more < 0)));
  }
  cost->samples += cost->samples < MPISPEC_WAY_SAMPLES;
  cost->messages += cost->messages < UINT32_MAX;
}

/* Has the pipe come to cost much less than at some time since the other way has told something? */
static void notice_fall(struct cell *cell) {
  const uint32_t now = cell->cost[cell->used].picoseconds;
  cell->before = now > cell->before ? now : cell->before;
  if (cell->used != MPISPEC_WAY_PIPE || now >= cell->before - cell->before / 4)
    return;
  cell->other_is_past = 1;
  cell->until_try = 1;
  cell->before = now;
}

static void reconsider(struct cell *cell) {
  const enum mpispec_way other = other_than(cell->used);
  const uint32_t cost = cost_of(cell, other);
  if (cell->cost[other].samples < MPISPEC_WAY_SAMPLES ||
      cost + cost / 8 >= cost_of(cell, cell->used))
    return;
  cell->used = other;
  cell->before = 0;
}

void mpispec_way_learn(const struct mpispec_situation *situation, enum mpispec_way way,
                       uint64_t ticks) {
  struct cell *cell = cell_of(situation);
  cell->since_sample = 0;
  if (preemptions(situation->bytes) != preemptions_before ||
      (way != cell->used && cell->try_continues))
    return;
  const uint64_t nanoseconds = ticks * 1024 / mpispec_ticks_rate;
  const uint32_t sample = (uint32_t)(nanoseconds * 1000 / (uint64_t)situation->bytes);
  if (way != cell->used && cell->other_is_past) {
    cell->cost[way].picoseconds = sample + 1;
    cell->other_is_past = 0;
  }
  take_sample(&cell->cost[way], sample,
              way == cell->used ? MPISPEC_WAY_MEMORY : MPISPEC_WAY_MEMORY_OF_TRIES);
  if (way == cell->used) {
    notice_fall(cell);
  } else {
    const int is_cheaper = with_reading(cell, way, sample) < cost_of(cell, cell->used) / 4 * 3;
    cell->tries = cell->before = 0;
    cell->until_try = is_cheaper ? MPISPEC_WAY_FIRST_TRIES : messages_until_try(cell);
  }
  reconsider(cell);
}
