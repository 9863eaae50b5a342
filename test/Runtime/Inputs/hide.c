/* Preloaded: a system that hides from a process how others are. HIDE names what, with commas between.
 *
 *   pidfd   no descriptors of processes      proc    no /proc/PROCESS/stat */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static int hides(const char *what) {
  const char *names = getenv("HIDE");
  return names && strstr(names, what);
}

long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i)
    a[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_pidfd_open && hides("pidfd")) {
    errno = ENOSYS;
    return -1;
  }
  static long (*next)(long, ...);
  if (!next)
    next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
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
