/* Preloaded: the owner of memory ends while rank STALE_RANK reads it, and another process has got its number. The read
 * then succeeds, and its bytes are the other process's. A number of 8 bytes, which MPI_Init reads, is not concerned. No rank may
 * write, so that rank STALE_RANK reads all bytes. */
#define _GNU_SOURCE
#include "calling_library.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t process_vm_readv(pid_t process, const struct iovec *to, unsigned long to_count, const struct iovec *from,
                         unsigned long from_count, unsigned long flags) {
  const char *by = getenv("STALE_RANK"), *rank = getenv("PMI_RANK");
  if (to->iov_len <= 8 || is_of_another_library(__builtin_return_address(0)) || !by || !rank ||
      strcmp(by, rank))
    return syscall(SYS_process_vm_readv, process, to, to_count, from, from_count, flags);
  kill(process, SIGKILL);
  while (!kill(process, 0)) /* outlive.sh waits for it */
    usleep(1000);
  memset(to->iov_base, 0x5a, to->iov_len);
  return (ssize_t)to->iov_len;
}

ssize_t process_vm_writev(pid_t process, const struct iovec *from, unsigned long from_count, const struct iovec *to,
                          unsigned long to_count, unsigned long flags) {
  (void)process, (void)from, (void)from_count, (void)to, (void)to_count, (void)flags;
  errno = EPERM;
  return -1;
}
