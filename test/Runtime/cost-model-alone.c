/* The text form of a cost model: what is written is read back. A text that was cut off, changed
 * anywhere, or made for another machine either is refused, and changes nothing, or gives costs that
 * can be. */
#include "p2p/cost_model.h"

#include "check.h"

#include <string.h>

enum { FLIPS = 200000 };

static const char key[] = "Processor 1 2 3, caches 1K 2K, -, Linux 6, mpispec 0";
static char text[MPISPEC_COST_MODEL_BYTES];
static size_t length;

/* Different in each row. */
static void fill(struct mpispec_cost_model *model) {
  memset(model, 0, sizeof *model);
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways)
        for (int back_to_back = 0; back_to_back < 2; ++back_to_back) {
          struct mpispec_way_costs *costs = &model->costs[distance][class][both_ways][back_to_back];
          costs->picoseconds[MPISPEC_WAY_PIPE] =
              (uint16_t)(50 + 10 * distance + class + both_ways + 100 * back_to_back);
          costs->picoseconds[MPISPEC_WAY_SHARED] = (uint16_t)(90 - 10 * distance - class);
          costs->used = (distance + class + both_ways + back_to_back) % 2 ? MPISPEC_WAY_PIPE
                                                                          : MPISPEC_WAY_SHARED;
          costs->is_measured = 1;
        }
}

static void is_read_back(void) {
  struct mpispec_cost_model written, read;
  fill(&written);
  length = mpispec_cost_model_print(&written, key, text);
  CHECK(length == strlen(text) && length < MPISPEC_COST_MODEL_BYTES / 2);
  mpispec_cost_model_build_in(&read);
  CHECK(!mpispec_cost_model_parse(&read, text, key) && !memcmp(&read, &written, sizeof read));
  CHECK(mpispec_cost_model_parse(&read, text, "Processor 1 2 4"));
}

/* Bounds of a model, whatever the text was. */
static void check_costs(const struct mpispec_cost_model *model) {
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int i = 0; i < 4; ++i) {
        const struct mpispec_way_costs *costs = &model->costs[distance][class][i / 2][i % 2];
        const uint32_t pipe = costs->picoseconds[MPISPEC_WAY_PIPE],
                       shared = costs->picoseconds[MPISPEC_WAY_SHARED];
        CHECK(pipe >= 5 && pipe <= 20000 && shared >= 5 && shared <= 20000);
        CHECK(pipe <= 4 * shared && shared <= 4 * pipe);
        CHECK(costs->used == MPISPEC_WAY_PIPE || costs->used == MPISPEC_WAY_SHARED);
      }
}

/* Returns whether the text was refused. */
static int is_refused(const char *changed) {
  struct mpispec_cost_model before, after;
  mpispec_cost_model_build_in(&before);
  after = before;
  const char *problem = mpispec_cost_model_parse(&after, changed, key);
  if (problem)
    CHECK(!memcmp(&after, &before, sizeof after));
  check_costs(&after);
  return problem != NULL;
}

static void is_refused_when_cut_off(void) {
  char cut[MPISPEC_COST_MODEL_BYTES];
  for (size_t keep = 0; keep < length; ++keep) {
    memcpy(cut, text, keep);
    cut[keep] = 0;
    CHECK(is_refused(cut));
  }
}

static void bears_any_change(void) {
  char changed[MPISPEC_COST_MODEL_BYTES];
  int refused = 0;
  for (int i = 0; i < FLIPS; ++i) {
    strcpy(changed, text);
    for (int flips = 1 + rand() % 3; flips; --flips)
      changed[(size_t)rand() % length] = (char)(1 + rand() % 255);
    refused += is_refused(changed);
  }
  CHECK(refused > FLIPS / 2);
}

static int row_is_refused(const char *row) {
  char whole[1024];
  snprintf(whole, sizeof whole, "mpispec cost model 2\nmachine %s\n%s\nend\n", key, row);
  return is_refused(whole);
}

static void absurd_rows(void) {
  CHECK(!row_is_refused("# a comment"));
  CHECK(!row_is_refused("cache 131072 one-way apart 44 31 shared"));
  CHECK(!row_is_refused("cache 131072 one-way apart 0 0 shared"));
  CHECK(!row_is_refused("cache 131072 one-way apart 999999999 1 pipe"));
  CHECK(row_is_refused("cache 131072 one-way apart 9999999999999 1 pipe"));
  CHECK(row_is_refused("cache 131072 one-way apart 44 31 open"));
  CHECK(row_is_refused("cache 131072 one-way apart 44 31"));
  CHECK(row_is_refused("cache 131072 one-way apart 44 31 shared "));
  CHECK(row_is_refused("cache 131073 one-way apart 44 31 shared"));
  CHECK(!row_is_refused("cache 131072 one-way back-to-back 44 31 shared"));
  CHECK(row_is_refused("cache 131072 one-way 44 31 shared"));
  CHECK(row_is_refused("cache 131072 one-way behind 44 31 shared"));
  CHECK(row_is_refused("cache 131072 no-way apart 44 31 shared"));
  CHECK(row_is_refused("caches 131072 one-way apart 44 31 shared"));
  CHECK(row_is_refused("cache 131072 one-way apart nan 31 shared"));
  CHECK(row_is_refused("end\ncache 131072 one-way apart 44 31 shared"));
  CHECK(row_is_refused(""));
}

static void classes(void) {
  CHECK(mpispec_size_class(1) == 0 && mpispec_size_class(1 << 16) == 0);
  CHECK(mpispec_size_class((1 << 16) + 1) == 1 && mpispec_size_class(1 << 17) == 1);
  CHECK(mpispec_size_class((1 << 17) + 1) == 2 && mpispec_size_class(1 << 24) == 8);
  CHECK(mpispec_size_class(INT64_C(1) << 40) == 8);
}

int main(void) {
  is_read_back();
  is_refused_when_cut_off();
  bears_any_change();
  absurd_rows();
  classes();
  return passed();
}

// REQUIRES: clang-22
// RUN: %sanitize %include -fsanitize=address,undefined %s %sources/p2p/cost_model.c -o %t
// RUN: %t | FileCheck %s
// CHECK: passed
