/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the variables MPISPEC_* by the table Environment.def. */
#include "job/environment.h"

#include <stdio.h>
#include <string.h>

static const char prefix[] = "MPISPEC_";

/* The mode if MPISPEC_MODE is not set. */
static const enum mpispec_mode default_mode = MPISPEC_MODE_FULL;

/* A parser stores the value and returns null. If the value is not valid, it returns the text of the
 * value that is used instead. */
typedef const char *parser(struct mpispec_environment *result, const char *value);

static const char *parse_mode(struct mpispec_environment *result, const char *value) {
  static const struct {
    const char *name;
    enum mpispec_mode mode;
  } names[] = {
      {"off", MPISPEC_MODE_OFF}, {"lanes", MPISPEC_MODE_LANES}, {"full", MPISPEC_MODE_FULL}};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (!strcmp(value, names[i].name)) {
      result->mode = names[i].mode;
      return NULL;
    }
  result->mode = MPISPEC_MODE_OFF;
  return "off";
}

static int is_yes(const char *value) { return strcmp(value, "0") != 0; }

static const char *parse_verbose(struct mpispec_environment *result, const char *value) {
  result->verbose = is_yes(value);
  return NULL;
}

static const char *parse_reductions(struct mpispec_environment *result, const char *value) {
  result->in_rank_order = !strcmp(value, "ranks");
  return result->in_rank_order || !strcmp(value, "library") ? NULL : "library";
}

static const char *parse_long_messages(struct mpispec_environment *result, const char *value) {
  result->long_messages = !strcmp(value, "pipe")     ? MPISPEC_LONG_PIPE
                          : !strcmp(value, "shared") ? MPISPEC_LONG_SHARED
                                                     : MPISPEC_LONG_MEASURED;
  return result->long_messages || !strcmp(value, "measured") ? NULL : "measured";
}

static const char *parse_cost_model(struct mpispec_environment *result, const char *value) {
  result->cost_model = value;
  return NULL;
}

static const char *parse_cache(struct mpispec_environment *result, const char *value) {
  result->cache = value;
  return NULL;
}

static const char *parse_yield(struct mpispec_environment *result, const char *value) {
  const int is_never = !strcmp(value, "never"), is_awake = !strcmp(value, "awake");
  result->yields_in_library = !is_never;
  result->sleeps = !is_never && !is_awake;
  return is_never || is_awake || !strcmp(value, "auto") ? NULL : "auto";
}

static const char *parse_ptracer(struct mpispec_environment *result, const char *value) {
  result->ptracer = is_yes(value);
  return NULL;
}

static const char *parse_everywhere(struct mpispec_environment *result, const char *value) {
  result->everywhere = is_yes(value);
  return NULL;
}

static const char *parse_buffers(struct mpispec_environment *result, const char *value) {
  result->buffers_are_host = !strcmp(value, "host");
  return result->buffers_are_host || !strcmp(value, "ask") ? NULL : "ask";
}

static const char *parse_profile(struct mpispec_environment *result, const char *value) {
  result->profile = value;
  return NULL;
}

/* A digit, up to MPISPEC_PROFILE_FRAMES (profile/profile_file.h). */
static const char *parse_profile_frames(struct mpispec_environment *result, const char *value) {
  const int is_digit = *value >= '0' && *value <= '8' && !value[1];
  result->profile_frames = is_digit ? (unsigned)(*value - '0') : 0;
  return is_digit ? NULL : "0";
}

static const char *parse_ignored(struct mpispec_environment *result, const char *value) {
  (void)result, (void)value;
  return NULL;
}

static const struct row {
  const char *name;
  parser *parse;
} table[] = {
#define VARIABLE(NAME, PARSER, MEANING) {#NAME, parse_##PARSER},
#include "job/Environment.def"
#undef VARIABLE
};

/* `variable` is "NAME=value", the prefix already taken off. Null: the table has no such name. */
static const struct row *row_of(const char *variable) {
  const size_t length = (size_t)(strchr(variable, '=') - variable);
  for (unsigned i = 0; i < sizeof table / sizeof table[0]; ++i)
    if (strlen(table[i].name) == length && !strncmp(variable, table[i].name, length))
      return &table[i];
  return NULL;
}

/* Stores the value of "NAME=value". An empty value counts as no value. Returns null, or the text of
 * the value that is used instead. */
static const char *parse(const struct row *row, struct mpispec_environment *result,
                         const char *variable) {
  const char *value = strchr(variable, '=') + 1;
  return *value ? row->parse(result, value) : NULL;
}

static void read_variable(struct mpispec_environment *result, const char *variable, int report) {
  const char *equals = strchr(variable, '=');
  const struct row *row = row_of(variable);
  const char *instead = row ? parse(row, result, variable) : NULL;
  if (!report)
    return;
  if (instead)
    fprintf(stderr, "mpispec: %s%s is not understood; using %s\n", prefix, variable, instead);
  if (!row)
    fprintf(stderr, "mpispec: unknown variable %s%.*s; see docs/Runtime.md for the known ones\n",
            prefix, (int)(equals - variable), variable);
}

const char *mpispec_environment_instead(const char *variable) {
  struct mpispec_environment ignored;
  const size_t length = sizeof prefix - 1;
  if (strncmp(variable, prefix, length) || !strchr(variable, '='))
    return NULL;
  const struct row *row = row_of(variable + length);
  return row ? parse(row, &ignored, variable + length) : NULL;
}

void mpispec_environment_read(struct mpispec_environment *result, char *const variables[],
                              int report) {
  result->mode = default_mode;
  result->verbose = result->everywhere = result->in_rank_order = result->ptracer = 0;
  result->buffers_are_host = 0;
  result->profile_frames = 0;
  result->long_messages = MPISPEC_LONG_MEASURED;
  result->profile = result->cost_model = result->cache = NULL;
  result->yields_in_library = result->sleeps = 1;
  for (; variables && *variables; ++variables) /* null after clearenv */
    if (!strncmp(*variables, prefix, sizeof prefix - 1) && strchr(*variables, '='))
      read_variable(result, *variables + sizeof prefix - 1, report);
}
