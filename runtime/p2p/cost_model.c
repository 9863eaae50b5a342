/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See cost_model.h. */
#include "p2p/cost_model.h"

#include "mpispec/machine.h"

#include <stdio.h>
#include <string.h>

/* --- built in ----------------------------------------------------------------------------------*/

struct row {
  uint32_t pipe, shared; /* ps a byte */
};

/* Indices: messages up to 2 MiB or longer; one way or both ways. The figures are the best of
 * several runs of two ranks on two cores. The ranks neither wrote the buffers before a message nor
 * read them afterwards.
 *   AMD      EPYC 7003 (family 25, model 1), virtual, near cores, November 2026
 *   Intel    Xeon, 2 MiB of second-level cache a core, virtual, November 2026 */
static const struct row amd[2][2] = {{{43, 53}, {81, 108}}, {{65, 80}, {125, 126}}};
static const struct row intel[2][2] = {{{44, 31}, {108, 52}}, {{53, 42}, {141, 84}}};
/* On unknown processors, these figures select the shared way, because MPI libraries copy long
 * messages by the same system calls. */
static const struct row unknown[2][2] = {{{60, 50}, {120, 100}}, {{60, 50}, {120, 100}}};

static const struct row *row_of(int size_class, int both_ways) {
  const int is_large = size_class >= 6;
  switch (mpispec_processor_family()) {
  case MPISPEC_AMD_ZEN:
    return &amd[is_large][both_ways];
  case MPISPEC_INTEL:
    return &intel[is_large][both_ways];
  default:
    return &unknown[is_large][both_ways];
  }
}

const char *mpispec_cost_model_family(void) {
  switch (mpispec_processor_family()) {
  case MPISPEC_AMD_ZEN:
    return "AMD Zen processors";
  case MPISPEC_INTEL:
    return "Intel processors";
  default:
    return "unknown processors";
  }
}

static struct mpispec_way_costs built_in(int size_class, int both_ways) {
  const struct row *row = row_of(size_class, both_ways);
  struct mpispec_way_costs costs = {{0}, MPISPEC_WAY_SHARED, 0};
  costs.picoseconds[MPISPEC_WAY_PIPE] = row->pipe;
  costs.picoseconds[MPISPEC_WAY_SHARED] = row->shared;
  if (row->pipe < row->shared)
    costs.used = MPISPEC_WAY_PIPE;
  return costs;
}

void mpispec_cost_model_build_in(struct mpispec_cost_model *model) {
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways)
        model->costs[distance][class][both_ways] = built_in(class, both_ways);
}

int mpispec_size_class(int64_t bytes) {
  const int class = 64 - __builtin_clzll((uint64_t)(bytes - 1) >> MPISPEC_FIRST_CLASS_LOG | 1) -
                    (bytes <= 1 << MPISPEC_FIRST_CLASS_LOG);
  return class < MPISPEC_SIZE_CLASSES ? class : MPISPEC_SIZE_CLASSES - 1;
}

/* --- the text form -----------------------------------------------------------------------------*/

static const char title[] = "mpispec cost model 1", machine[] = "machine ", end[] = "end";
static const char *const distances[] = {"core", "cache", "package", "machine"};
static const char *const directions[] = {"one-way", "both-ways"};
static const char *const ways[] = {"open", "pipe", "shared"};
enum { LINE_BYTES = 512, WORD_BYTES = 16 };

static const char damaged[] = "it is damaged", foreign[] = "it is for another kind of machine";

/* The index of a word in an array of names, or -1. */
static int find(const char *word, const char *const names[], int count) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(word, names[i]))
      return i;
  return -1;
}

/* The class whose longest message has this many bytes, or -1. */
static int class_up_to(unsigned long bytes) {
  for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
    if (bytes == 1ul << (MPISPEC_FIRST_CLASS_LOG + class))
      return class;
  return -1;
}

static uint32_t within(uint32_t value, uint32_t least, uint32_t most) {
  return value < least ? least : value > most ? most : value;
}

/* Limits the two costs and their ratio. A way whose cost in a wrong file is too high would hardly
 * ever be tried again. */
static void bound(uint32_t *cost, uint32_t *other) {
  enum { LEAST = 5, MOST = 20000, MOST_RATIO = 4 };
  *cost = within(*cost, LEAST, MOST);
  *other = within(*other, LEAST, MOST);
  *cost = within(*cost, 1, *other * MOST_RATIO);
  *other = within(*other, 1, *cost * MOST_RATIO);
}

/* Returns 0 if the line is no row. */
static int parse_row(struct mpispec_cost_model *model, const char *line) {
  char distance_word[WORD_BYTES], direction_word[WORD_BYTES], way_word[WORD_BYTES];
  unsigned bytes, pipe, shared;
  int length = 0;
  if (sscanf(line, "%15s %9u %15s %9u %9u %15s%n", distance_word, &bytes, direction_word, &pipe,
             &shared, way_word, &length) != 6 ||
      line[length])
    return 0;
  const int distance = find(distance_word, distances, MPISPEC_DISTANCES),
            class = class_up_to(bytes), direction = find(direction_word, directions, 2),
            way = find(way_word, ways, MPISPEC_WAYS);
  if (distance < 0 || class < 0 || direction < 0 || way <= MPISPEC_WAY_OPEN)
    return 0;
  struct mpispec_way_costs *costs = &model->costs[distance][class][direction];
  costs->picoseconds[MPISPEC_WAY_PIPE] = pipe;
  costs->picoseconds[MPISPEC_WAY_SHARED] = shared;
  bound(&costs->picoseconds[MPISPEC_WAY_PIPE], &costs->picoseconds[MPISPEC_WAY_SHARED]);
  costs->used = (uint16_t)way;
  costs->is_measured = 1;
  return 1;
}

/* Copies the next line without its newline. Returns the text that follows the line. Returns null if
 * no complete line is left, or if the line has LINE_BYTES bytes or more. */
static const char *take_line(const char *text, char line[LINE_BYTES]) {
  const size_t length = strcspn(text, "\n");
  if (!text[length] || length >= LINE_BYTES)
    return NULL;
  memcpy(line, text, length);
  line[length] = 0;
  return text + length + 1;
}

static const char *parse_rows(struct mpispec_cost_model *model, const char *text) {
  char line[LINE_BYTES];
  while ((text = take_line(text, line)))
    if (!strcmp(line, end))
      return *text ? damaged : NULL;
    else if (*line != '#' && !parse_row(model, line))
      return damaged;
  return damaged;
}

const char *mpispec_cost_model_parse(struct mpispec_cost_model *model, const char *text,
                                     const char *key) {
  char line[LINE_BYTES];
  struct mpispec_cost_model read = *model;
  text = take_line(text, line);
  if (!text || strcmp(line, title))
    return "it is no cost model of this version";
  text = take_line(text, line);
  if (!text || strncmp(line, machine, sizeof machine - 1))
    return damaged;
  if (strcmp(line + sizeof machine - 1, key))
    return foreign;
  const char *problem = parse_rows(&read, text);
  if (!problem)
    *model = read;
  return problem;
}

static size_t print_row(char *text, size_t room, int distance, int class, int direction,
                        const struct mpispec_way_costs *costs) {
  return (size_t)snprintf(text, room, "%s %lu %s %u %u %s\n", distances[distance],
                          1ul << (MPISPEC_FIRST_CLASS_LOG + class), directions[direction],
                          costs->picoseconds[MPISPEC_WAY_PIPE],
                          costs->picoseconds[MPISPEC_WAY_SHARED], ways[costs->used]);
}

/* All rows together take less than half of MPISPEC_COST_MODEL_BYTES. */
size_t mpispec_cost_model_print(const struct mpispec_cost_model *model, const char *key,
                                char text[MPISPEC_COST_MODEL_BYTES]) {
  const size_t room = MPISPEC_COST_MODEL_BYTES;
  size_t length = (size_t)snprintf(text, room,
                                   "%s\n%s%s\n"
                                   "# distance, largest bytes, direction; ps a byte by pipe, "
                                   "shared; used first\n",
                                   title, machine, key);
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int direction = 0; direction < 2; ++direction) {
        const struct mpispec_way_costs *costs = &model->costs[distance][class][direction];
        if (costs->is_measured)
          length += print_row(text + length, room - length, distance, class, direction, costs);
      }
  return length + (size_t)snprintf(text + length, room - length, "%s\n", end);
}
