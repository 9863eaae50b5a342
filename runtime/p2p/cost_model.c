/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See cost_model.h. */
#include "p2p/cost_model.h"

#include "mpispec/machine.h"

#include <stdio.h>
#include <string.h>

/* --- built in ----------------------------------------------------------------------------------*/

struct row {
  uint16_t pipe, shared; /* ps a byte */
};

/* A family of processors. Indices of its rows: messages below the class `large`, or others; one way
 * or both ways; apart or back to back. */
struct family {
  const char *name;
  int large;
  struct row rows[2][2][2];
};

/* The best of several runs of two ranks on two cores.
 *   AMD      EPYC 7003 (family 25, model 1), virtual, near cores, November 2026. Only messages back
 *            to back were measured.
 *   Intel    Xeon (family 6, model 167), 2 MiB of second-level cache a core, virtual, November 2026
 */
static const struct family amd = {"AMD Zen processors",
                                  6,
                                  {{{{43, 53}, {43, 53}}, {{81, 108}, {81, 108}}},
                                   {{{65, 80}, {65, 80}}, {{125, 126}, {125, 126}}}}};
static const struct family intel = {"Intel processors",
                                    5,
                                    {{{{62, 72}, {62, 28}}, {{85, 105}, {90, 50}}},
                                     {{{75, 49}, {75, 47}}, {{122, 85}, {123, 84}}}}};
/* On unknown processors, these figures select the shared way, because MPI libraries copy long
 * messages by the same system calls. */
static const struct family unknown = {"unknown processors",
                                      6,
                                      {{{{60, 50}, {60, 50}}, {{120, 100}, {120, 100}}},
                                       {{{60, 50}, {60, 50}}, {{120, 100}, {120, 100}}}}};

static const struct family *family(void) {
  switch (mpispec_processor_family()) {
  case MPISPEC_AMD_ZEN:
    return &amd;
  case MPISPEC_INTEL:
    return &intel;
  default:
    return &unknown;
  }
}

const char *mpispec_cost_model_family(void) { return family()->name; }

static struct mpispec_way_costs built_in(int size_class, int both_ways, int back_to_back) {
  const struct family *here = family();
  const struct row *row = &here->rows[size_class >= here->large][both_ways][back_to_back];
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
        for (int back_to_back = 0; back_to_back < 2; ++back_to_back)
          model->costs[distance][class][both_ways][back_to_back] =
              built_in(class, both_ways, back_to_back);
}

int mpispec_size_class(int64_t bytes) {
  const int class = 64 - __builtin_clzll((uint64_t)(bytes - 1) >> MPISPEC_FIRST_CLASS_LOG | 1) -
                    (bytes <= 1 << MPISPEC_FIRST_CLASS_LOG);
  return class < MPISPEC_SIZE_CLASSES ? class : MPISPEC_SIZE_CLASSES - 1;
}

/* One way, messages above 512 KiB leave second-level caches. So do messages above 1 MiB both ways
 * on Intel's processors. Those of 4 MiB, written and read, take 700 us by the shared way, and 880
 * us by the pipe (Xeon, family 6 model 167). */
int mpispec_cost_includes_reading(int size_class, int both_ways) {
  enum { ONE_WAY = 4, BOTH_WAYS = 5 }; /* the first class beyond those caches */
  return both_ways ? size_class < BOTH_WAYS || mpispec_processor_family() != MPISPEC_INTEL
                   : size_class < ONE_WAY;
}

/* --- the text form -----------------------------------------------------------------------------*/

static const char title[] = "mpispec cost model 2", machine[] = "machine ", end[] = "end";
static const char *const distances[] = {"core", "cache", "package", "machine"};
static const char *const directions[] = {"one-way", "both-ways"};
static const char *const successions[] = {"apart", "back-to-back"};
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

/* Limits both costs and their ratio. A way whose cost in a wrong file is too high would hardly ever
 * be tried again. */
static void set_costs(struct mpispec_way_costs *costs, unsigned pipe, unsigned shared) {
  enum { MOST_RATIO = 4 };
  pipe = mpispec_picoseconds(pipe);
  shared = mpispec_picoseconds(shared);
  costs->picoseconds[MPISPEC_WAY_PIPE] =
      (uint16_t)(pipe < shared * MOST_RATIO ? pipe : shared * MOST_RATIO);
  costs->picoseconds[MPISPEC_WAY_SHARED] =
      (uint16_t)(shared < pipe * MOST_RATIO ? shared : pipe * MOST_RATIO);
}

/* Returns 0 if the line is no row. */
static int parse_row(struct mpispec_cost_model *model, const char *line) {
  char distance_word[WORD_BYTES], direction_word[WORD_BYTES], succession_word[WORD_BYTES],
      way_word[WORD_BYTES];
  unsigned bytes, pipe, shared;
  int length = 0;
  if (sscanf(line, "%15s %9u %15s %15s %9u %9u %15s%n", distance_word, &bytes, direction_word,
             succession_word, &pipe, &shared, way_word, &length) != 7 ||
      line[length])
    return 0;
  const int distance = find(distance_word, distances, MPISPEC_DISTANCES),
            class = class_up_to(bytes), direction = find(direction_word, directions, 2),
            succession = find(succession_word, successions, 2),
            way = find(way_word, ways, MPISPEC_WAYS);
  if (distance < 0 || class < 0 || direction < 0 || succession < 0 || way <= MPISPEC_WAY_OPEN)
    return 0;
  struct mpispec_way_costs *costs = &model->costs[distance][class][direction][succession];
  set_costs(costs, pipe, shared);
  costs->used = (uint8_t)way;
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

/* Prints the rows for both directions, back to back or not. */
static size_t print_rows(char *text, size_t room, int distance, int class,
                         const struct mpispec_way_costs costs[2][2]) {
  size_t length = 0;
  for (int i = 0; i < 4; ++i) {
    const int direction = i / 2, succession = i % 2;
    const struct mpispec_way_costs *row = &costs[direction][succession];
    if (row->is_measured)
      length += (size_t)snprintf(text + length, room - length, "%s %lu %s %s %u %u %s\n",
                                 distances[distance], 1ul << (MPISPEC_FIRST_CLASS_LOG + class),
                                 directions[direction], successions[succession],
                                 row->picoseconds[MPISPEC_WAY_PIPE],
                                 row->picoseconds[MPISPEC_WAY_SHARED], ways[row->used]);
  }
  return length;
}

/* All rows together take less than half of MPISPEC_COST_MODEL_BYTES. */
size_t mpispec_cost_model_print(const struct mpispec_cost_model *model, const char *key,
                                char text[MPISPEC_COST_MODEL_BYTES]) {
  const size_t room = MPISPEC_COST_MODEL_BYTES;
  size_t length = (size_t)snprintf(text, room,
                                   "%s\n%s%s\n"
                                   "# distance, largest bytes, direction, succession; ps a byte "
                                   "by pipe, shared; used first\n",
                                   title, machine, key);
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      length +=
          print_rows(text + length, room - length, distance, class, model->costs[distance][class]);
  return length + (size_t)snprintf(text + length, room - length, "%s\n", end);
}
