/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See cost_model_file.h. */
#include "p2p/cost_model_file.h"

#include "job/cache_file.h"
#include "job/installation.h"
#include "p2p/machine_key.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

enum { PATH_BYTES = MPISPEC_COST_MODEL_PATH_BYTES, ORIGIN_BYTES = MPISPEC_COST_MODEL_ORIGIN_BYTES };

void mpispec_cost_model_users_path(const char *cache, char path[PATH_BYTES]) {
  char key[MPISPEC_MACHINE_KEY_BYTES];
  mpispec_machine_key(key);
  mpispec_cache_users_path(cache, MPISPEC_CACHE_LONG_MESSAGES, key, path);
}

void mpispec_cost_model_systems_path(char path[PATH_BYTES]) {
  char key[MPISPEC_MACHINE_KEY_BYTES];
  mpispec_machine_key(key);
  mpispec_cache_join(path, MPISPEC_SYSTEM_DIRECTORY, "", MPISPEC_CACHE_LONG_MESSAGES, key);
}

/* Returns null, or why the file is not used. */
static const char *read_model(struct mpispec_cost_model *model, const char *path,
                              struct stat *status) {
  char text[MPISPEC_COST_MODEL_BYTES], key[MPISPEC_MACHINE_KEY_BYTES];
  const char *problem = mpispec_cache_read(path, text, sizeof text, status);
  mpispec_machine_key(key);
  return problem ? problem : mpispec_cost_model_parse(model, text, key);
}

__attribute__((format(printf, 2, 3))) static void add(char origin[ORIGIN_BYTES], const char *format,
                                                      ...) {
  const size_t length = strlen(origin);
  va_list rest;
  va_start(rest, format);
  vsnprintf(origin + length, ORIGIN_BYTES - length, format, rest);
  va_end(rest);
}

/* Reads a model from a file. Adds a phrase to `origin` if the file is used, and otherwise the
 * reason to `ignored`. An absent file is a reason only if it is expected. Returns nonzero if the
 * file is used. */
static int try_file(struct mpispec_cost_model *model, const char *whose, const char *path,
                    int is_expected, char origin[ORIGIN_BYTES], char ignored[ORIGIN_BYTES]) {
  struct stat status;
  struct tm day = {0};
  if (!*path)
    return 0;
  const char *problem = read_model(model, path, &status);
  if (!problem && gmtime_r(&status.st_mtime, &day))
    add(origin, "%s %s, of %04d-%02d-%02d", whose, path, day.tm_year + 1900, day.tm_mon + 1,
        day.tm_mday);
  else if (!problem)
    add(origin, "%s %s", whose, path); /* the year of its date does not fit an int */
  else if (problem != mpispec_cache_absent || is_expected)
    add(ignored, "; %s %s is ignored: %s", whose, path, problem);
  return !problem;
}

void mpispec_cost_model_load(struct mpispec_cost_model *model, const char *chosen,
                             const char *cache, char origin[ORIGIN_BYTES]) {
  char users[PATH_BYTES], systems[PATH_BYTES], ignored[ORIGIN_BYTES] = "";
  const int is_chosen = chosen && *chosen && !getauxval(AT_SECURE);
  mpispec_cost_model_build_in(model);
  mpispec_cost_model_users_path(cache, users);
  mpispec_cost_model_systems_path(systems);
  *origin = 0;
  if (is_chosen
          ? !strcmp(chosen, "built-in") || !try_file(model, "the file", chosen, 1, origin, ignored)
          : !try_file(model, "the user's file", users, 0, origin, ignored) &&
                !try_file(model, "the administrator's file", systems, 0, origin, ignored))
    add(origin, "the built-in costs for %s", mpispec_cost_model_family());
  add(origin, "%s", ignored);
}

int mpispec_cost_model_save(const struct mpispec_cost_model *model, const char *path, int mode) {
  char text[MPISPEC_COST_MODEL_BYTES], key[MPISPEC_MACHINE_KEY_BYTES];
  mpispec_machine_key(key);
  const size_t length = mpispec_cost_model_print(model, key, text);
  return mpispec_cache_replace(path, text, length, mode);
}
