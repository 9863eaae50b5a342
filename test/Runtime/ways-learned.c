/* The choice of a way for long messages, by times that this program invents: which way is used
 * after them. */
#include "p2p/cost_model_file.h"
#include "progress/ticks.h"

#include "check.h"

#include <mpi.h>

enum { KIB = 1024, MESSAGES = 4000 };

/* The cost of a byte of a message, ps: of the second in a row that go the same way, and later ones.
 */
struct costs {
  unsigned pipe, shared;
  unsigned first_shared; /* the first message by shared memory */
};

static unsigned
    tries; /* messages of the last simulation that did not go the way in use at its end */

/* The way in use after many messages of so many bytes. If `tries_tell` is 0, no message that does
 * not go the first way tells what it has cost. */
static enum mpispec_way simulate_situation(struct mpispec_situation situation, struct costs costs, int tries_tell) {
  unsigned count[MPISPEC_WAYS] = {0};
  enum mpispec_way way = MPISPEC_WAY_OPEN, first = mpispec_way_choose(&situation);
  for (int i = 0; i < MESSAGES; ++i) {
    const enum mpispec_way before = way;
    way = mpispec_way_choose(&situation);
    const unsigned cost = way == MPISPEC_WAY_PIPE ? costs.pipe
                          : way == before         ? costs.shared
                                                  : costs.first_shared;
    const uint64_t nanoseconds = cost * (uint64_t)situation.bytes / 1000;
    ++count[way];
    if (tries_tell || way == first)
      mpispec_way_record(&situation, way, mpispec_ticks_in(nanoseconds));
    mpispec_way_plan(&situation);
  }
  const int ends_with_pipe = count[MPISPEC_WAY_PIPE] > MESSAGES / 2;
  tries = count[ends_with_pipe ? MPISPEC_WAY_SHARED : MPISPEC_WAY_PIPE];
  return ends_with_pipe ? MPISPEC_WAY_PIPE : MPISPEC_WAY_SHARED;
}

static enum mpispec_way simulate(int64_t bytes, struct costs costs, int tries_tell) {
  return simulate_situation((struct mpispec_situation){1, bytes, 0, 0}, costs, tries_tell);
}

/* The cost of pulling by the built-in model, whose buffers nobody has written. */
static unsigned unwritten_cost(void) {
  struct mpispec_cost_model model;
  mpispec_cost_model_build_in(&model);
  return model.costs[0][mpispec_size_class(256 * KIB)][0][1].picoseconds[MPISPEC_WAY_SHARED];
}

/* A file whose costs are known. Messages that are back to back cost what pulling costs if the
 * buffers are not written, by both ways. Other messages cost so many times as much by both ways; but
 * pulled ones of 128 KiB a fifth less, and of 512 KiB a fifth more. */
static void use_model(const char *path, enum mpispec_way used) {
  static const unsigned times[MPISPEC_SIZE_CLASSES] = {1, 1, 2, 5, 2, 2, 2, 2, 2};
  struct mpispec_cost_model model;
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways) {
        const uint16_t unwritten = (uint16_t)unwritten_cost(),
                       cost = (uint16_t)(times[class] * unwritten),
                       pulling = (uint16_t)(class == 1   ? cost - cost / 5
                                            : class == 3 ? cost + cost / 5
                                                         : cost);
        model.costs[distance][class][both_ways][0] = (struct mpispec_way_costs){
            {[MPISPEC_WAY_PIPE] = cost, [MPISPEC_WAY_SHARED] = pulling}, (uint8_t)used, 1};
        model.costs[distance][class][both_ways][1] = (struct mpispec_way_costs){
            {[MPISPEC_WAY_PIPE] = unwritten, [MPISPEC_WAY_SHARED] = unwritten}, MPISPEC_WAY_SHARED, 1};
      }
  CHECK(!mpispec_cost_model_save(&model, path, 0600));
  setenv("MPISPEC_COST_MODEL", path, 1);
}

static void check_from_shared(unsigned unwritten) {
  /* Buffers that nobody writes: pulling is cheaper, and nobody reads. */
  struct costs costs = {unwritten * 5 / 4, unwritten, unwritten};
  CHECK(simulate(128 * KIB, costs, 1) == MPISPEC_WAY_SHARED && tries < MESSAGES / 40);

  /* Bytes that come from the sender's cache: their reading costs more than the pipe does. */
  costs = (struct costs){unwritten * 2, unwritten * 2, unwritten * 2};
  CHECK(simulate(256 * KIB, costs, 1) == MPISPEC_WAY_PIPE && tries < MESSAGES / 20);

  /* Not so if they fit no cache, but for exchanges. */
  CHECK(simulate(1024 * KIB, costs, 1) == MPISPEC_WAY_SHARED && tries < MESSAGES / 40);
  CHECK(simulate_situation((struct mpispec_situation){1, 1024 * KIB, 1, 0}, costs, 1) == MPISPEC_WAY_PIPE);

  /* The same holds for bytes from memory, where both ways cost much more than the reading. */
  costs = (struct costs){unwritten * 8, unwritten * 5, unwritten * 5};
  CHECK(simulate(512 * KIB, costs, 1) == MPISPEC_WAY_SHARED && tries < MESSAGES / 20);
}

static void check_from_pipe(unsigned unwritten) {
  /* The first message that is pulled finds the bytes in the pipe's caches. */
  struct costs costs = {unwritten, unwritten / 2, unwritten * 2};
  CHECK(simulate(128 * KIB, costs, 1) == MPISPEC_WAY_SHARED && tries < MESSAGES / 2);

  /* The pipe becomes cheaper after a try, and later tries tell nothing: they are made soon, but not
   * for ever. */
  simulate(256 * KIB, (struct costs){unwritten * 4, unwritten * 8, unwritten * 8}, 1);
  CHECK(simulate(256 * KIB, (struct costs){unwritten, unwritten, unwritten}, 0) ==
        MPISPEC_WAY_PIPE);
  CHECK(tries >= 8 && tries < MESSAGES / 40);

  /* The cost of the pipe falls. Its average stays above that of shared memory for some messages, which is no reason to
   * leave the pipe. */
  const struct mpispec_situation back_to_back = {1, 256 * KIB, 0, 1};
  simulate_situation(back_to_back, (struct costs){unwritten, unwritten * 8, unwritten * 8}, 1);
  simulate_situation(back_to_back, (struct costs){unwritten * 4, unwritten * 8, unwritten * 8}, 1);
  costs = (struct costs){unwritten, unwritten * 3 / 2, unwritten * 3 / 2};
  CHECK(simulate_situation(back_to_back, costs, 1) == MPISPEC_WAY_PIPE && tries && tries < MESSAGES / 50);

  /* The dearer way is tried seldom. */
  costs = (struct costs){unwritten, unwritten * 2, unwritten * 2};
  CHECK(simulate(512 * KIB, costs, 1) == MPISPEC_WAY_PIPE && tries && tries < MESSAGES / 100);
}

/* The costs of the file include the reading of pulled bytes, so nothing is added to them: only
 * messages by the pipe tell what they cost, and these cost what the file says. Messages that are
 * back to back have costs of their own. */
static void check_file(unsigned unwritten) {
  const struct mpispec_situation back_to_back = {1, 128 * KIB, 0, 1};
  CHECK(mpispec_way_plan(&back_to_back) == MPISPEC_WAY_SHARED);
  const struct costs costs = {unwritten, 0, 0}, fivefold = {5 * unwritten, 0, 0};
  CHECK(simulate(128 * KIB, costs, 0) == MPISPEC_WAY_SHARED);
  CHECK(simulate(512 * KIB, fivefold, 0) == MPISPEC_WAY_PIPE);
}

int main(int argc, char **argv) {
  int rank;
  CHECK(argc == 3);
  const int from_shared = argv[1][0] == 's', is_file = argv[1][0] == 'f';
  use_model(argv[2], from_shared ? MPISPEC_WAY_SHARED : MPISPEC_WAY_PIPE);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    (is_file ? check_file : from_shared ? check_from_shared : check_from_pipe)(unwritten_cost());
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: %mpirun -n 1 %t pipe %t.model : -n 1 %t pipe %t.other
// RUN: %mpirun -n 1 %t shared %t.model : -n 1 %t shared %t.other
// RUN: %mpirun -n 1 %t file %t.model : -n 1 %t file %t.other
