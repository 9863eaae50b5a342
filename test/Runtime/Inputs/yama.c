/* Preloaded: a system with Yama, whose scope is 1. A process may read and write another one's
 * memory only if that one has permitted it by PR_SET_PTRACER. The permission is for all, or for the
 * descendants of one process. A file in the directory YAMA contains that process, or 0 for all. With YAMA_FOR_ALL, the
 * first permission alone counts. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *mark(pid_t process) {
  static char name[4096];
  snprintf(name, sizeof name, "%s/%d", getenv("YAMA"), (int)process);
  return name;
}

static int permit(int process) {
  FILE *file = fopen(mark(getpid()), "w");
  return file && fprintf(file, "%d", process) > 0 ? fclose(file) : -1;
}

int prctl(int option, ...) {
  unsigned long value[4];
  va_list rest;
  va_start(rest, option);
  for (int i = 0; i < 4; ++i)
    value[i] = va_arg(rest, unsigned long);
  va_end(rest);
  if (option != PR_SET_PTRACER)
    return (int)syscall(SYS_prctl, option, value[0], value[1], value[2], value[3]);
  if (value[0] == PR_SET_PTRACER_ANY)
    return permit(0);
  return value[0] ? permit((int)value[0]) : unlink(mark(getpid()));
}

/* The parent of a process, from /proc. */
static int parent_of(int process) {
  char path[64];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  if (file && fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1)
    parent = 0;
  if (file)
    fclose(file);
  return parent;
}

static int descends_from(int ancestor) {
  int process = getpid();
  while (process > 1 && process != ancestor)
    process = parent_of(process);
  return process == ancestor;
}

static int permits(pid_t process) {
  int ancestor = -1;
  FILE *file = fopen(mark(process), "r");
  if (file && fscanf(file, "%d", &ancestor) != 1)
    ancestor = -1;
  if (file)
    fclose(file);
  return ancestor == 0 || (ancestor > 0 && !getenv("YAMA_FOR_ALL") && descends_from(ancestor));
}

static int forbids(pid_t process) {
  const int does = process != getpid() && !permits(process);
  errno = EPERM;
  return does;
}

ssize_t process_vm_readv(pid_t process, const struct iovec *to, unsigned long to_count,
                         const struct iovec *from, unsigned long from_count, unsigned long flags) {
  return forbids(process)
             ? -1
             : syscall(SYS_process_vm_readv, process, to, to_count, from, from_count, flags);
}

ssize_t process_vm_writev(pid_t process, const struct iovec *from, unsigned long from_count,
                          const struct iovec *to, unsigned long to_count, unsigned long flags) {
  return forbids(process)
             ? -1
             : syscall(SYS_process_vm_writev, process, from, from_count, to, to_count, flags);
}
