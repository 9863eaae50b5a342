/* Preloaded: a system that refuses what REFUSE names.
 *
 *   memfd           a file for the segment         space          its size
 *   attach          to open a peer's               readv          to read a peer's memory
 *   readv-later     the same, from the fourth time readv-more     more than 5000 bytes at a time
 *   memory          any memory for the segment     memory-while   from the second time to the 50th
 *   memory-ever     from the second time for ever, and half a minute passes between two questions */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
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
  static int calls;
  struct iovec less = *to;
  if (refuses("readv") || (refuses("readv-later") && ++calls > 3))
    return -1;
  if (refuses("readv-more") && less.iov_len > 5000)
    less.iov_len = 5000;
  return syscall(SYS_process_vm_readv, process, &less, to_count, from, from_count, flags);
}

/* The instruction itself: a sanitizer starts with a system call, before dlsym can find the next
 * one. */
static long ask(long number, const long *a) {
  register long fourth __asm__("r10") = a[3];
  register long fifth __asm__("r8") = a[4];
  register long sixth __asm__("r9") = a[5];
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth),
                     "r"(sixth)
                   : "rcx", "r11", "memory");
  if (result < 0 && result >= -4095) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

long syscall(long number, ...) {
  static int asked;
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i)
    a[i] = va_arg(rest, long);
  va_end(rest);
  const int call = number == SYS_madvise && a[2] == 23 ? ++asked : 0; /* MADV_POPULATE_WRITE */
  if ((call && refuses("memory")) || (call > 1 && refuses("memory-ever")) ||
      (call > 1 && call <= 50 && refuses("memory-while"))) {
    errno = EFAULT;
    return -1;
  }
  return ask(number, a);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int calls;
  const int error = (int)syscall(SYS_clock_gettime, clock, time);
  if (clock == CLOCK_MONOTONIC_COARSE && refuses("memory-ever"))
    time->tv_sec += 30 * ++calls;
  return error;
}

/* The MPI library's own files get their sizes. */
static int is_segment(int file) {
  char link[32], name[64] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  return readlink(link, name, sizeof name - 1) > 0 && !strncmp(name, "/memfd:mpispec", 14);
}

int ftruncate(int file, off_t length) {
  if (refuses("space") && is_segment(file)) {
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
