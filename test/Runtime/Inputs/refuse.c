/* Preloaded: a system that refuses what REFUSE names. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int refuses(const char *what) {
  const char *named = getenv("REFUSE");
  errno = EPERM;
  return named && !strcmp(named, what);
}

int memfd_create(const char *name, unsigned flags) {
  return refuses("memfd") ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

ssize_t process_vm_readv(pid_t process, const struct iovec *to, unsigned long to_count,
                         const struct iovec *from, unsigned long from_count, unsigned long flags) {
  return refuses("readv")
             ? -1
             : syscall(SYS_process_vm_readv, process, to, to_count, from, from_count, flags);
}

int ftruncate(int file, off_t length) {
  if (refuses("space")) {
    errno = ENOSPC;
    return -1;
  }
  return (int)syscall(SYS_ftruncate, file, length);
}

/* The descriptor limit, where we open a peer's segment; UCX opens its own without O_CLOEXEC. */
int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = va_arg(rest, int);
  va_end(rest);
  if (!strncmp(path, "/proc/", 6) && strstr(path, "/fd/") && (flags & O_CLOEXEC) &&
      refuses("attach")) {
    errno = EMFILE;
    return -1;
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
