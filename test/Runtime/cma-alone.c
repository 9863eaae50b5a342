/* Copies from and to another process's memory, without MPI: which peers may be written, and what ends a permission. No
 * byte is written into a process that has the number of an ended peer. The system's calls are counted, and may fail. */
#define _GNU_SOURCE
#include "shm/cma.h"

#include "check.h"
#include "shm/liveness.h"
#include "shm/shm.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>

enum { PEER = 1, BYTES = 100000 };

struct mpispec_node mpispec_node = {.rank = 0, .size = 2};
struct mpispec_shm mpispec_shm;
static struct mpispec_segment_address addresses[2];
static unsigned char *segments[2];
static struct mpispec_segment_header *header; /* in this process and, as a copy, in each child */
static unsigned char *bytes;                  /* the same */

/* --- the system --------------------------------------------------------------------------------*/

static int writes, error_of_writes;
static size_t most; /* bytes that one call copies */
static const char *release = "6.1.0";

int uname_of_test(struct utsname *system) {
  strcpy(system->release, release);
  return 0;
}

static ssize_t move_some(long number, pid_t process, const struct iovec *here, const struct iovec *there) {
  struct iovec own = *here, other = *there;
  own.iov_len = other.iov_len = own.iov_len < most ? own.iov_len : most;
  return syscall(number, process, &own, 1UL, &other, 1UL, 0UL);
}

ssize_t read_of_test(pid_t process, const struct iovec *here, unsigned long own, const struct iovec *there,
                     unsigned long others, unsigned long flags) {
  CHECK(own == 1 && others == 1 && !flags);
  return move_some(SYS_process_vm_readv, process, here, there);
}

ssize_t write_of_test(pid_t process, const struct iovec *here, unsigned long own, const struct iovec *there,
                      unsigned long others, unsigned long flags) {
  CHECK(own == 1 && others == 1 && !flags);
  ++writes;
  if (error_of_writes) {
    errno = error_of_writes;
    return -1;
  }
  return move_some(SYS_process_vm_writev, process, here, there);
}

/* --- the other parts of the runtime ------------------------------------------------------------*/

void *mpispec_check_allocation(void *memory) {
  CHECK(memory);
  return memory;
}

int mpispec_segment_owner_is_readable(const struct mpispec_segment_address *address) {
  uint64_t random = 0;
  struct iovec to = {&random, sizeof random}, from = {&header->random, sizeof random};
  return syscall(SYS_process_vm_readv, (pid_t)address->process, &to, 1UL, &from, 1UL, 0UL) == sizeof random &&
         random == address->random;
}

int mpispec_segment_owner_is_writable(const struct mpispec_segment_address *address) {
  return mpispec_segment_owner_is_readable(address);
}

int mpispec_descriptor_has_ended(int process) {
  struct pollfd polled = {process, POLLIN, 0};
  return poll(&polled, 1, 0) == 1;
}

void mpispec_descriptor_close(int process) { close(process); }

/* --- peers -------------------------------------------------------------------------------------*/

static pid_t start(uint64_t random) {
  const pid_t parent = getpid();
  header->random = random;
  const pid_t child = fork();
  CHECK(child >= 0);
  if (!child) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent) /* it may have ended before that */
      pause();
    _exit(1);
  }
  return child;
}

static void end(pid_t child, int is_reaped) {
  CHECK(!kill(child, SIGKILL));
  CHECK(!waitid(P_PID, (id_t)child, &(siginfo_t){0}, WEXITED | (is_reaped ? 0 : WNOWAIT)));
}

/* A peer with this random number. */
static pid_t open_peer(uint64_t random) {
  const pid_t child = start(random);
  addresses[PEER] = (struct mpispec_segment_address){.process = child, .random = random};
  writes = error_of_writes = 0;
  most = SIZE_MAX;
  mpispec_cma_open();
  return child;
}

static int write_all(void) { return mpispec_cma_write(bytes, BYTES, PEER, (uintptr_t)bytes); }
static int read_all(void) { return mpispec_cma_read(bytes, BYTES, PEER, (uintptr_t)bytes); }

static void copies_both_ways(void) {
  const pid_t child = open_peer(1);
  CHECK(mpispec_cma_may_read(PEER) && mpispec_cma_may_write(PEER, 0) && !mpispec_cma_obstacle());
  for (most = SIZE_MAX; most; most = most == SIZE_MAX ? 999 : 0) {
    memset(bytes, most == 999 ? 7 : 5, BYTES);
    CHECK(write_all());
    memset(bytes, 0, BYTES);
    CHECK(read_all());
    CHECK(bytes[0] == bytes[BYTES - 1] && bytes[0] == (most == 999 ? 7 : 5));
  }
  end(child, 1);
  mpispec_cma_close();
}

/* A zombie, before and after this rank has opened a descriptor of its process. */
static void writes_nothing_into_an_ended_peer(int has_written) {
  const pid_t child = open_peer(2);
  if (has_written)
    CHECK(write_all());
  end(child, 0);
  writes = 0;
  CHECK(!write_all() && !writes);
  CHECK(!mpispec_cma_may_write(PEER, 1));
  CHECK(!read_all() && !mpispec_cma_may_read(PEER));
  CHECK(!waitid(P_PID, (id_t)child, &(siginfo_t){0}, WEXITED));
  mpispec_cma_close();
}

/* Another process gets the number of the ended peer. */
static void writes_nothing_into_a_stranger(int has_written) {
  const pid_t child = open_peer(3), stranger = start(4);
  if (has_written)
    CHECK(write_all());
  end(child, 1);
  addresses[PEER].process = stranger;
  writes = 0;
  CHECK(!write_all() && !writes);
  CHECK(!mpispec_cma_may_write(PEER, 1));
  CHECK(!read_all() && errno == ESRCH && !mpispec_cma_may_read(PEER));
  end(stranger, 1);
  mpispec_cma_close();
}

/* Errors of one message leave the permission, and others end that of their direction. */
static void errors_end_permissions(void) {
  const pid_t child = open_peer(5);
  CHECK(!mpispec_cma_write(bytes, BYTES, PEER, 4096) && mpispec_cma_may_write(PEER, 0));
  CHECK(!mpispec_cma_read(bytes, BYTES, PEER, 4096) && mpispec_cma_may_read(PEER));
  error_of_writes = ENOMEM;
  CHECK(!write_all() && mpispec_cma_may_write(PEER, 0));
  error_of_writes = EPERM;
  CHECK(!write_all() && !mpispec_cma_may_write(PEER, 1) && mpispec_cma_may_read(PEER));
  CHECK(read_all());
  end(child, 1);
  mpispec_cma_close();
}

/* Opens a peer, which this rank may read. Checks whether this rank may also write to it, while the peer computes and
 * while it waits. */
static void expect_writes(int while_computing, int while_waiting) {
  const pid_t child = open_peer(6);
  CHECK(mpispec_cma_may_read(PEER));
  CHECK(mpispec_cma_may_write(PEER, 0) == while_computing);
  CHECK(mpispec_cma_may_write(PEER, 1) == while_waiting);
  end(child, 1);
  mpispec_cma_close();
}

static void system_decides(void) {
  struct mpispec_segment_header *other = (void *)segments[PEER];
  other->numa_node = 1;
  expect_writes(0, 0);
  other->numa_node = header->numa_node = -1; /* not bound to one node */
  expect_writes(0, 0);
  other->numa_node = header->numa_node = 0;
  release = "5.8.18-generic";
  expect_writes(0, 1);
  release = "5.9.0";
  expect_writes(1, 1);
  setenv("LD_PRELOAD", "/usr/libexec/valgrind/vgpreload_core-amd64-linux.so", 1);
  expect_writes(0, 0);
  unsetenv("LD_PRELOAD");
}

int main(void) {
  segments[0] = calloc(1, sizeof *header);
  segments[PEER] = calloc(1, sizeof *header);
  header = (void *)segments[0];
  bytes = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(header && segments[PEER] && bytes != MAP_FAILED);
  mpispec_shm.segments = segments;
  mpispec_shm.addresses = addresses;
  copies_both_ways();
  for (int has_written = 0; has_written < 2; ++has_written) {
    writes_nothing_into_an_ended_peer(has_written);
    writes_nothing_into_a_stranger(has_written);
  }
  errors_end_permissions();
  system_decides();
  return passed();
}

// RUN: %mpicc -w %include -I%S %s %sources/shm/cma.c -Dprocess_vm_readv=read_of_test -Dprocess_vm_writev=write_of_test -Duname=uname_of_test -o %t
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
