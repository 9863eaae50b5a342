/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies by process_vm_readv and process_vm_writev. See cma.h. */
#define _GNU_SOURCE
#include "shm/cma.h"

#include "job/memory.h"
#include "job/node.h"
#include "shm/liveness.h"
#include "shm/shm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The access of this rank to the memory of one peer. */
struct access {
  int reads, writes;
  int process; /* a pidfd, or -1 while none is open */
};

static struct access *accesses; /* [node size] */

/* --- may this rank write at all? ---------------------------------------------------------------*/

int mpispec_cma_threaded;
static int writes_while_computing; /* this rank may write to a peer that does not wait */

static int kernel_is_before(int major, int minor) {
  struct utsname system;
  int found_major = 0, found_minor = 0;
  if (uname(&system) || sscanf(system.release, "%d.%d", &found_major, &found_minor) != 2)
    return 1;
  return found_major < major || (found_major == major && found_minor < minor);
}

/* Fresh pages must be placed on the NUMA node of the rank that owns them. */
static int is_on_own_node(int peer) {
  const struct mpispec_segment_header *own = mpispec_shm_header(mpispec_node.rank),
                                      *other = mpispec_shm_header(peer);
  return own->numa_node >= 0 && own->numa_node == other->numa_node;
}

/* MemorySanitizer's runtime has this function. */
extern void __msan_unpoison(const volatile void *, size_t) __attribute__((weak));

static int is_watched(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  return __msan_unpoison || (preloaded && strstr(preloaded, "vgpreload"));
}

/* --- permission ------------------------------------------------------------------------------*/

void mpispec_cma_permit_job(int launcher) {
  if (launcher > 0)
    prctl(PR_SET_PTRACER, (unsigned long)launcher, 0, 0, 0);
}

void mpispec_cma_permit(int permits) {
  prctl(PR_SET_PTRACER, permits ? PR_SET_PTRACER_ANY : 0, 0, 0,
        0); /* fails where there is no Yama */
}

void mpispec_cma_open(void) {
  const int writes = !is_watched();
  writes_while_computing = !kernel_is_before(5, 9);
  accesses = mpispec_check_allocation(calloc((size_t)mpispec_node.size, sizeof *accesses));
  for (int peer = 0; peer < mpispec_node.size; ++peer) {
    accesses[peer].process = -1;
    if (peer == mpispec_node.rank || mpispec_shm_is_apart(peer))
      continue;
    accesses[peer].reads = mpispec_segment_owner_is_readable(&mpispec_shm.addresses[peer]);
    accesses[peer].writes = writes && accesses[peer].reads && is_on_own_node(peer) &&
                            mpispec_segment_owner_is_writable(&mpispec_shm.addresses[peer]);
  }
}

void mpispec_cma_close(void) {
  for (int peer = 0; accesses && peer < mpispec_node.size; ++peer)
    if (accesses[peer].process >= 0)
      mpispec_descriptor_close(accesses[peer].process);
  free(accesses);
  accesses = NULL;
}

int mpispec_cma_may_read(int peer) { return accesses[peer].reads; }

int mpispec_cma_may_write(int peer, int waits) {
  return accesses[peer].writes && (waits || writes_while_computing);
}

const char *mpispec_cma_obstacle(void) {
  const char *reason = NULL;
  for (int peer = 0; peer < mpispec_node.size; ++peer) {
    if (peer == mpispec_node.rank || accesses[peer].reads)
      continue;
    if (!mpispec_shm_is_apart(peer))
      return "process_vm_readv is refused";
    reason = "ranks are in different process namespaces";
  }
  return reason;
}

/* --- copying -----------------------------------------------------------------------------------*/

typedef ssize_t transfer(pid_t, const struct iovec *, unsigned long, const struct iovec *,
                         unsigned long, unsigned long);

/* One system call may copy fewer bytes than requested. The function sets errno if it returns 0. */
static int move(transfer *function, int peer, void *own, uint64_t address, int64_t length) {
  const pid_t process = (pid_t)mpispec_shm.addresses[peer].process;
  for (int64_t done = 0; done < length;) {
    const size_t rest = (size_t)(length - done);
    struct iovec here = {(char *)own + done, rest};
    struct iovec there = {(void *)(uintptr_t)(address + (uint64_t)done), rest};
    const ssize_t moved = function(process, &here, 1, &there, 1, 0);
    if (moved <= 0) {
      errno = moved ? errno : EFAULT;
      return 0;
    }
    done += moved;
  }
  return 1;
}

/* Opens a descriptor of the peer's process. The random number is compared once more afterwards,
 * because the process may have ended before, and another one may have its number. */
static int open_process(int peer) {
  int process = -1;
#ifdef SYS_pidfd_open
  process = (int)syscall(SYS_pidfd_open, (pid_t)mpispec_shm.addresses[peer].process, 0);
#endif
  if (process >= 0 && !mpispec_segment_owner_is_readable(&mpispec_shm.addresses[peer])) {
    close(process);
    process = -1;
  }
  accesses[peer].process = process;
  return process >= 0;
}

static int exists(int peer) {
  return (accesses[peer].process >= 0 || open_process(peer)) &&
         !mpispec_descriptor_has_ended(accesses[peer].process);
}

/* Also for systems without descriptors of processes. */
static int still_exists(int peer) {
  return exists(peer) || (accesses[peer].process < 0 &&
                          mpispec_segment_owner_is_readable(&mpispec_shm.addresses[peer]));
}

/* Whether an error concerns the memory of one message, and not the access to the peer. */
static int is_of_message(int error) { return error == EFAULT || error == ENOMEM; }

int mpispec_cma_read(void *target, int64_t length, int peer, uint64_t address) {
  int done = move(process_vm_readv, peer, target, address, length);
  if (done && !still_exists(peer)) {
    done = 0;
    errno = ESRCH;
  }
  if (!done && !is_of_message(errno))
    accesses[peer].reads = 0;
  return done;
}

int mpispec_cma_write(const void *source, int64_t length, int peer, uint64_t address) {
  if (!exists(peer)) {
    accesses[peer].writes = 0;
    return 0;
  }
  if (move(process_vm_writev, peer, (void *)(uintptr_t)source, address, length))
    return 1;
  if (!is_of_message(errno))
    accesses[peer].writes = 0;
  return 0;
}
