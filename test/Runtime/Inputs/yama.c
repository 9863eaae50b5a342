/* Preloaded: a system with Yama, whose scope is 1. A process may read and write another one's
 * memory only if that one has permitted it by PR_SET_PTRACER. Who has is told by a file in the
 * directory YAMA. */
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
    return close(open(mark(getpid()), O_CREAT | O_WRONLY, 0600));
  return unlink(mark(getpid()));
}

static int forbids(pid_t process) {
  const int does = process != getpid() && access(mark(process), F_OK);
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
