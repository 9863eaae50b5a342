/* Preloaded: a rank that stops, or dies, in the middle of a copy of a piece: into another one's memory, or out of it.
 * STOP_BY is the number of the signal, STOP_RANK the rank; STOP_AFTER=1: after the bytes have been copied, but before
 * the rank has said so. A number of 8 bytes, which MPI_Init copies, is no piece. Once. */
#define _GNU_SOURCE
#include "calling_library.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int number_in(const char *variable) {
  const char *value = getenv(variable);
  return value ? atoi(value) : 0;
}

static int is_to_stop(void *caller, size_t length) {
  static int has_stopped;
  const char *by = getenv("STOP_RANK"), *rank = getenv("PMI_RANK");
  if (length <= 8 || is_of_another_library(caller) || has_stopped || !by || !rank || strcmp(by, rank))
    return 0;
  return has_stopped = 1;
}

static ssize_t copy(long number, void *caller, pid_t process, const struct iovec *own, unsigned long own_count,
                    const struct iovec *peer, unsigned long peer_count, unsigned long flags) {
  const int stops = is_to_stop(caller, own->iov_len), after = number_in("STOP_AFTER");
  if (stops && !after)
    kill(getpid(), number_in("STOP_BY"));
  const ssize_t moved = syscall(number, process, own, own_count, peer, peer_count, flags);
  if (stops && after)
    kill(getpid(), number_in("STOP_BY"));
  return moved;
}

ssize_t process_vm_writev(pid_t process, const struct iovec *own, unsigned long own_count,
                          const struct iovec *peer, unsigned long peer_count, unsigned long flags) {
  return copy(SYS_process_vm_writev, __builtin_return_address(0), process, own, own_count, peer, peer_count, flags);
}

ssize_t process_vm_readv(pid_t process, const struct iovec *own, unsigned long own_count,
                         const struct iovec *peer, unsigned long peer_count, unsigned long flags) {
  return copy(SYS_process_vm_readv, __builtin_return_address(0), process, own, own_count, peer, peer_count, flags);
}
