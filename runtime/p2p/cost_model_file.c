/* See cost_model_file.h. */
#define _GNU_SOURCE
#include "p2p/cost_model_file.h"

#include "job/installation.h"
#include "p2p/machine_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = MPISPEC_COST_MODEL_PATH_BYTES, ORIGIN_BYTES = MPISPEC_COST_MODEL_ORIGIN_BYTES };

/* --- where -------------------------------------------------------------------------------------*/

/* A short name for the machine: FNV-1a of its key. */
static uint64_t machine_number(void) {
  char key[MPISPEC_MACHINE_KEY_BYTES];
  uint64_t number = UINT64_C(0xcbf29ce484222325);
  mpispec_machine_key(key);
  for (const char *at = key; *at; ++at)
    number = (number ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
  return number;
}

/* Returns 0, with an empty path, if that is too long. */
static int join(char path[PATH_BYTES], const char *directory, const char *below) {
  const int length = snprintf(path, PATH_BYTES, "%s%s/long-messages-%016llx", directory, below,
                              (unsigned long long)machine_number());
  if (length < PATH_BYTES)
    return 1;
  *path = 0;
  return 0;
}

/* A program with another user's rights reads and writes no file that its caller has named. */
void mpispec_cost_model_users_path(const char *cache, char path[PATH_BYTES]) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  *path = 0;
  if (getauxval(AT_SECURE))
    return;
  if (cache && *cache) {
    if (strcmp(cache, "off"))
      join(path, cache, "");
  } else if (xdg && *xdg == '/') {
    join(path, xdg, "/mpispec");
  } else if (home && *home == '/') {
    join(path, home, "/.cache/mpispec");
  }
}

void mpispec_cost_model_systems_path(char path[PATH_BYTES]) {
  join(path, MPISPEC_SYSTEM_DIRECTORY, "");
}

/* --- reading -----------------------------------------------------------------------------------*/

static const char absent[] = "it is not there";

/* Is this an ordinary file that nobody but the user or root can have written? */
static const char *distrust(int file, struct stat *status) {
  if (fstat(file, status) || !S_ISREG(status->st_mode))
    return "it is no ordinary file";
  if (status->st_uid != geteuid() && status->st_uid != 0)
    return "it belongs to another user";
  if (status->st_mode & (S_IWGRP | S_IWOTH))
    return "others may write it";
  return status->st_size < MPISPEC_COST_MODEL_BYTES ? NULL : "it is too large";
}

static const char *read_text(int file, char text[MPISPEC_COST_MODEL_BYTES]) {
  const ssize_t length = read(file, text, MPISPEC_COST_MODEL_BYTES - 1);
  if (length < 0)
    return strerror(errno);
  text[length] = 0;
  return strlen(text) == (size_t)length ? NULL : "it is damaged";
}

/* Returns null, or why the file is not used. */
static const char *read_model(struct mpispec_cost_model *model, const char *path,
                              struct stat *status) {
  char text[MPISPEC_COST_MODEL_BYTES], key[MPISPEC_MACHINE_KEY_BYTES];
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    return errno == ENOENT || errno == ENOTDIR ? absent
           : errno == ELOOP                    ? "it is a symbolic link"
                                               : strerror(errno);
  const char *trouble = distrust(file, status);
  if (!trouble)
    trouble = read_text(file, text);
  close(file);
  mpispec_machine_key(key);
  return trouble ? trouble : mpispec_cost_model_parse(model, text, key);
}

__attribute__((format(printf, 2, 3))) static void add(char origin[ORIGIN_BYTES], const char *format,
                                                      ...) {
  const size_t length = strlen(origin);
  va_list rest;
  va_start(rest, format);
  vsnprintf(origin + length, ORIGIN_BYTES - length, format, rest);
  va_end(rest);
}

/* Says of a file that it is used, or why not. Returns whether it is. */
static int try_file(struct mpispec_cost_model *model, const char *whose, const char *path,
                    int is_expected, char origin[ORIGIN_BYTES], char ignored[ORIGIN_BYTES]) {
  struct stat status;
  struct tm day = {0};
  if (!*path)
    return 0;
  const char *trouble = read_model(model, path, &status);
  if (!trouble && gmtime_r(&status.st_mtime, &day))
    add(origin, "%s %s, of %04d-%02d-%02d", whose, path, day.tm_year + 1900, day.tm_mon + 1,
        day.tm_mday);
  else if (trouble != absent || is_expected)
    add(ignored, "; %s %s is ignored: %s", whose, path, trouble ? trouble : "its time is odd");
  return !trouble;
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

/* --- replacing ---------------------------------------------------------------------------------*/

/* Whoever may read the file may pass through a directory that is made for it. */
static void make_directory(const char *path, int mode) {
  const mode_t passable = (mode_t)(mode | (mode & 0444) >> 2);
  if (!mkdir(path, passable))
    chmod(path, passable);
}

/* Makes the directory of `path`, and the one above. */
static void make_directories(const char *path, int mode) {
  char directory[PATH_BYTES], above[PATH_BYTES];
  snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
  const char *last = strrchr(directory, '/');
  snprintf(above, sizeof above, "%.*s", last ? (int)(last - directory) : 0, directory);
  if (*above)
    make_directory(above, mode);
  make_directory(directory, mode);
}

static int write_all(int file, const char *text, size_t length, int mode) {
  if (write(file, text, length) == (ssize_t)length && !fchmod(file, (mode_t)mode))
    return 0;
  return errno ? errno : EIO;
}

int mpispec_cost_model_save(const struct mpispec_cost_model *model, const char *path, int mode) {
  char text[MPISPEC_COST_MODEL_BYTES], key[MPISPEC_MACHINE_KEY_BYTES], fresh[PATH_BYTES + 8];
  mpispec_machine_key(key);
  const size_t length = mpispec_cost_model_print(model, key, text);
  if (strchr(path, '/'))
    make_directories(path, mode);
  snprintf(fresh, sizeof fresh, "%s.XXXXXX", path);
  const int file = mkostemp(fresh, O_CLOEXEC);
  if (file < 0)
    return errno;
  errno = 0;
  int error = write_all(file, text, length, mode);
  if (close(file) && !error)
    error = errno;
  if (!error && rename(fresh, path))
    error = errno;
  if (error)
    unlink(fresh);
  return error;
}
