/* Preloaded: a system that hides from a process how others are. HIDE names what, with commas between.
 *
 *   pidfd   no descriptors of processes      proc    no /proc/PROCESS/stat */
#define _GNU_SOURCE
#include "interposed_syscall.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int hides(const char *what) {
  const char *names = getenv("HIDE");
  return names && strstr(names, what);
}

static int refused(long number, const long *a) {
  (void)a;
  errno = ENOSYS;
  return number == SYS_pidfd_open && hides("pidfd");
}

static int is_hidden(const char *path) {
  const char *file = strrchr(path, '/');
  errno = EACCES;
  return !strncmp(path, "/proc/", 6) && file && !strcmp(file, "/stat") && hides("proc");
}

FILE *fopen(const char *path, const char *mode) {
  if (is_hidden(path))
    return NULL;
  static FILE *(*next)(const char *, const char *);
  if (!next)
    next = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  return next(path, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = va_arg(rest, int);
  va_end(rest);
  return is_hidden(path) ? -1 : openat(AT_FDCWD, path, flags, mode);
}

int open64(const char *, int, ...) __attribute__((alias("open")));
