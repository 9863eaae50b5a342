/* Preloaded: a system that refuses what REFUSE names, to all ranks or to REFUSE_RANK alone. Several
 * names have commas between them.
 *
 *   memfd           a file for the segment         space          its size
 *   attach          to open a peer's               readv          to read a peer's memory
 *   readv-later     the same, from the fourth long readv-more     more than 5000 bytes at a time
 *                   time
 *   passing         to receive descriptors         directory      files in /dev/shm
 *   writev          to write a peer's memory       writev-later   and so on
 *   fault-one       to read or write a peer's memory from REFUSE_BEGIN up to REFUSE_END, addresses
 *                   that the program sets
 *   memory          any memory for the segment     memory-while   from the third time to the 50th
 *   memory-again    puts the request for memory off each time (EAGAIN)
 *   memory-ever     from the third time for ever, and half a minute passes between two questions
 *   new-kernel      Linux 5.9 and later: uname tells 5.8
 *
 * Another process's memory is refused to the program and to mpispec's runtime. The MPI library, which may know no other
 * way, is permitted everything.
 *
 * REFUSE_ERROR is another error number than EPERM, and than EFAULT for fault-one.
 *
 * A number of 8 bytes, which MPI_Init reads and writes to find out what is permitted, is not long.
 * REFUSE_AFTER is another number of long times for readv-later and writev-later than 3. */
#define _GNU_SOURCE
#include "calling_library.h"
#include "interposed_syscall.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static int is_among(const char *what, const char *names) {
  const size_t length = strlen(what);
  for (; names; names = strchr(names, ','), names = names ? names + 1 : NULL)
    if (!strncmp(names, what, length) && (!names[length] || names[length] == ','))
      return 1;
  return 0;
}

static uintptr_t number_in(const char *variable, uintptr_t otherwise) {
  const char *value = getenv(variable);
  return value ? strtoull(value, NULL, 0) : otherwise;
}

static int refuses(const char *what) {
  const char *named = getenv("REFUSE"), *by = getenv("REFUSE_RANK");
  const char *rank = getenv(getenv("PMI_RANK") ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK");
  errno = (int)number_in("REFUSE_ERROR", EPERM);
  return named && is_among(what, named) && (!by || (rank && !strcmp(by, rank)));
}

int memfd_create(const char *name, unsigned flags) {
  return refuses("memfd") ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

int access(const char *path, int mode) {
  return refuses("directory") && !strcmp(path, "/dev/shm") ? -1
                                                           : (int)syscall(SYS_access, path, mode);
}

/* --- another process's memory -----------------------------------------------------------------*/

enum { SHORT = 8, AT_A_TIME = 5000 };

/* How many of `length` bytes at `address` the system copies before a fault. */
static size_t before_fault(uintptr_t address, size_t length) {
  const uintptr_t begin = number_in("REFUSE_BEGIN", 0), end = number_in("REFUSE_END", 0);
  if (!refuses("fault-one") || address >= end || address + length <= begin)
    return length;
  return address < begin ? begin - address : 0;
}

/* The number of reads and writes of which this process was refused at least a part, for refuse.h. */
unsigned refused_copies;

struct refusals {
  const char *all, *later, *more;
  long number;
  int calls;
};

static ssize_t move(struct refusals *refusals, void *caller, pid_t process, const struct iovec *here,
                    unsigned long here_count, const struct iovec *there, unsigned long there_count,
                    unsigned long flags) {
  struct iovec less = *here;
  if (is_of_another_library(caller))
    return syscall(refusals->number, process, here, here_count, there, there_count, flags);
  const int is_long = less.iov_len > SHORT;
  if (refuses(refusals->all) || (is_long && refuses(refusals->later) &&
                                 ++refusals->calls > (int)number_in("REFUSE_AFTER", 3))) {
    ++refused_copies;
    return -1;
  }
  if (refuses(refusals->more) && less.iov_len > AT_A_TIME)
    less.iov_len = AT_A_TIME;
  const size_t sound = before_fault((uintptr_t)there->iov_base, less.iov_len);
  errno = (int)number_in("REFUSE_ERROR", EFAULT);
  refused_copies += sound < here->iov_len;
  if (less.iov_len && !sound)
    return -1;
  less.iov_len = sound;
  return syscall(refusals->number, process, &less, 1UL, there, 1UL, flags);
}

ssize_t process_vm_readv(pid_t process, const struct iovec *to, unsigned long to_count,
                         const struct iovec *from, unsigned long from_count, unsigned long flags) {
  static struct refusals reads = {"readv", "readv-later", "readv-more", SYS_process_vm_readv, 0};
  return move(&reads, __builtin_return_address(0), process, to, to_count, from, from_count, flags);
}

ssize_t process_vm_writev(pid_t process, const struct iovec *from, unsigned long from_count,
                          const struct iovec *to, unsigned long to_count, unsigned long flags) {
  static struct refusals writes = {"writev", "writev-later", "writev-more", SYS_process_vm_writev,
                                   0};
  return move(&writes, __builtin_return_address(0), process, from, from_count, to, to_count, flags);
}

/* --- the others --------------------------------------------------------------------------------*/

static int refused(long number, const long *a) {
  static int asked;
  if (number == SYS_recvmsg && refuses("passing")) /* no room for them: the system drops them */
    ((struct msghdr *)a[1])->msg_controllen = 0;
  const int call = number == SYS_madvise && a[2] == 23 ? ++asked : 0; /* MADV_POPULATE_WRITE */
  if (call && refuses("memory-again")) {
    errno = EAGAIN;
    return 1;
  }
  const int is_refused = (call && refuses("memory")) || (call > 2 && refuses("memory-ever")) ||
                         (call > 2 && call <= 50 && refuses("memory-while"));
  errno = EFAULT;
  return is_refused;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int calls;
  const int error = (int)syscall(SYS_clock_gettime, clock, time);
  if (clock == CLOCK_MONOTONIC_COARSE && refuses("memory-ever"))
    time->tv_sec += 30 * ++calls;
  return error;
}

int uname(struct utsname *system) {
  const int error = (int)syscall(SYS_uname, system);
  if (!error && refuses("new-kernel"))
    snprintf(system->release, sizeof system->release, "5.8.18-test");
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
