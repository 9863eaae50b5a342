/* process_vm_readv. See cma.h. */
#define _GNU_SOURCE
#include "shm/cma.h"

#include "shm/shm.h"

#include <sys/uio.h>

int mpispec_cma_read(void *target, int64_t wanted, int peer, uint64_t address) {
  const pid_t process = (pid_t)mpispec_shm.addresses[peer].process;
  for (int64_t done = 0; done < wanted;) {
    struct iovec to = {(char *)target + done, (size_t)(wanted - done)};
    struct iovec from = {(void *)(uintptr_t)(address + (uint64_t)done), (size_t)(wanted - done)};
    const ssize_t got = process_vm_readv(process, &to, 1, &from, 1, 0);
    if (got <= 0) {
      mpispec_shm.can_read = 0;
      return 0;
    }
    done += got;
  }
  return 1;
}
