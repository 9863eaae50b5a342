/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See cache_file.h. */
#define _GNU_SOURCE
#include "job/cache_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { PATH_BYTES = MPISPEC_CACHE_PATH_BYTES };

/* --- where -------------------------------------------------------------------------------------*/

uint64_t mpispec_cache_number(const char *key) {
  uint64_t number = UINT64_C(0xcbf29ce484222325);
  for (; *key; ++key)
    number = (number ^ (unsigned char)*key) * UINT64_C(0x100000001b3);
  return number;
}

int mpispec_cache_join(char path[PATH_BYTES], const char *directory, const char *below,
                       const char *kind, const char *key) {
  const int length = snprintf(path, PATH_BYTES, "%s%s/%s-%016llx", directory, below, kind,
                              (unsigned long long)mpispec_cache_number(key));
  if (length < PATH_BYTES)
    return 1;
  *path = 0;
  return 0;
}

/* A program with another user's rights neither reads nor writes a file that its caller has
 * chosen. */
void mpispec_cache_users_path(const char *cache, const char *kind, const char *key,
                              char path[PATH_BYTES]) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  *path = 0;
  if (getauxval(AT_SECURE))
    return;
  if (cache && *cache) {
    if (strcmp(cache, "off"))
      mpispec_cache_join(path, cache, "", kind, key);
  } else if (xdg && *xdg == '/') {
    mpispec_cache_join(path, xdg, "/mpispec", kind, key);
  } else if (home && *home == '/') {
    mpispec_cache_join(path, home, "/.cache/mpispec", kind, key);
  }
}

/* --- reading -----------------------------------------------------------------------------------*/

const char mpispec_cache_absent[] = "it is not there";

/* Returns null if only the user or root can have written this ordinary file, else the reason. */
static const char *distrust(int file, size_t room, struct stat *status) {
  if (fstat(file, status) || !S_ISREG(status->st_mode))
    return "it is no ordinary file";
  if (status->st_uid != geteuid() && status->st_uid != 0)
    return "it belongs to another user";
  if (status->st_mode & (S_IWGRP | S_IWOTH))
    return "others may write it";
  return status->st_size < (off_t)room ? NULL : "it is too large";
}

static const char *read_text(int file, char *text, size_t room) {
  const ssize_t length = read(file, text, room - 1);
  if (length < 0)
    return strerror(errno);
  text[length] = 0;
  return strlen(text) == (size_t)length ? NULL : "it is damaged";
}

const char *mpispec_cache_read(const char *path, char *text, size_t room, struct stat *status) {
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    return errno == ENOENT || errno == ENOTDIR ? mpispec_cache_absent
           : errno == ELOOP                    ? "it is a symbolic link"
                                               : strerror(errno);
  const char *reason = distrust(file, room, status);
  if (!reason)
    reason = read_text(file, text, room);
  close(file);
  return reason;
}

/* --- replacing ---------------------------------------------------------------------------------*/

/* A new directory permits search to those who may read the file. */
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

int mpispec_cache_replace(const char *path, const char *text, size_t length, int mode) {
  char fresh[PATH_BYTES + 8];
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
