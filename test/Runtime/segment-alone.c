/* A segment is its owner's alone, and nothing else is ever taken for one: a forged or stale address
 * joins nothing. */
#include "shm/segment.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PEERS = 3, NOBODY = 65534 };

static struct mpispec_segment_address address;
static unsigned char *own;
static int file;

static int joins_with(const struct mpispec_segment_address *where, uint64_t bytes) {
  unsigned char *segment = mpispec_segment_attach(PEERS, bytes, where, NULL);
  if (segment)
    mpispec_segment_detach(segment, PEERS, bytes);
  return segment != NULL;
}

static int joins(const struct mpispec_segment_address *where) {
  return joins_with(where, address.bytes);
}

/* The result of a child process, or -1 if it may not change its user. */
static int joins_as(uid_t user) {
  int status;
  const pid_t child = fork();
  if (!child)
    _exit(setgid(user) || setuid(user) ? 2 : joins(&address));
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 2 ? -1 : WEXITSTATUS(status);
}

static void test_is_its_owners_alone(void) {
  struct stat status;
  CHECK(!fstat(file, &status) && (status.st_mode & 07777) == 0600 && status.st_nlink == 0);
  CHECK(joins(&address));
  CHECK(joins_as(getuid()) == 1);
  CHECK(joins_as(NOBODY) != 1);
}

static void test_wrong_addresses(void) {
  struct mpispec_segment_address wrong = address;
  wrong.random ^= 1;
  CHECK(!joins(&wrong) && errno == ESTALE);
  CHECK(!joins_with(&address, address.bytes + 4096));
  CHECK(joins_with(&address, mpispec_segment_bytes(PEERS, MPISPEC_ARENA_LEAST)));
  wrong = address;
  wrong.bytes -= 4096; /* another size than the file's */
  CHECK(!joins(&wrong) && !joins_with(&wrong, wrong.bytes));
  wrong = address;
  wrong.file = 1000;
  CHECK(!joins(&wrong));
  memset(&wrong, 0, sizeof wrong);
  CHECK(!joins(&wrong));
}

static void test_stale_process(void) {
  struct mpispec_segment_address stale = address;
  const pid_t child = fork();
  if (!child)
    _exit(0);
  waitpid(child, NULL, 0);
  stale.process = child;
  CHECK(!joins(&stale));
}

/* The number of the descriptor means another file by now. */
static void with_file(int other, int expected) {
  const int kept = dup(file);
  CHECK(other >= 0 && dup2(other, file) == file);
  CHECK(joins(&address) == expected);
  CHECK(dup2(kept, file) == file && !close(kept) && !close(other));
}

/* All that a segment has, but for what is asked to be missing. */
static int forge(const char *name, off_t bytes, int seals) {
  const int forged = memfd_create(name, MFD_ALLOW_SEALING);
  CHECK(!fchmod(forged, 0600) && !ftruncate(forged, bytes));
  const off_t header = (off_t)(address.bytes - mpispec_segment_end(PEERS, address.bytes));
  CHECK(bytes < header || pwrite(forged, own, 4096, header) == 4096);
  CHECK(!fcntl(forged, F_ADD_SEALS, seals));
  return forged;
}

static void test_recycled_descriptor(void) {
  const off_t bytes = (off_t)address.bytes;
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  int pipes[2];
  CHECK(!pipe(pipes));
  with_file(pipes[0], 0);
  close(pipes[1]);
  with_file(open("/dev/null", O_RDWR), 0);
  with_file(open("/", O_RDONLY), 0);
  with_file(forge("mpispec", bytes, seals),
            1); /* so each of the next is refused for its own reason */
  with_file(forge("another", bytes, seals), 0);
  with_file(forge("mpispec", 4096, seals), 0);
  with_file(forge("mpispec", bytes, F_SEAL_SEAL), 0);
}

/* Only root can give a file away. */
static void test_other_owner(void) {
  if (!fchown(file, NOBODY, NOBODY)) {
    CHECK(!joins(&address));
    CHECK(!fchown(file, getuid(), getgid()));
  }
  CHECK(joins(&address));
}

/* The reader may copy out of the owner's memory, or finds that it is not what it should be. */
static void test_owner_is_readable(void) {
  struct mpispec_segment_address wrong = address;
  CHECK(mpispec_segment_owner_is_readable(&address));
  wrong.random ^= 1;
  CHECK(!mpispec_segment_owner_is_readable(&wrong));
  wrong = address;
  wrong.base = 0;
  CHECK(!mpispec_segment_owner_is_readable(&wrong));
}

/* A small limit makes the arena smaller; a smaller one leaves no room for any. */
static void test_limits(void) {
  struct mpispec_segment_address limited;
  const uint64_t least = mpispec_segment_bytes(PEERS, MPISPEC_ARENA_LEAST);
  struct rlimit limit, before;
  int other;
  CHECK(address.bytes == mpispec_segment_bytes(PEERS, MPISPEC_ARENA_BYTES));
  CHECK(!getrlimit(RLIMIT_AS, &before));
  limit = before;
  limit.rlim_cur = 2 * (4 * PEERS * least);
  CHECK(!setrlimit(RLIMIT_AS, &limit));
  /* The tests' own segment is mapped beyond this limit. */
  CHECK(!mpispec_segment_create(PEERS, &other, &limited) && errno == ENOMEM);
  mpispec_segment_shorten(own, PEERS, address.bytes, least);
  unsigned char *segment = mpispec_segment_create(PEERS, &other, &limited);
  CHECK(segment && limited.bytes >= least && limited.bytes < 3 * least);
  mpispec_segment_detach(segment, PEERS, limited.bytes);
  limit.rlim_cur = 4 * PEERS * least - 1;
  CHECK(!setrlimit(RLIMIT_AS, &limit));
  CHECK(!mpispec_segment_create(PEERS, &other, &limited) && errno == ENOMEM && other == -1);
  CHECK(!setrlimit(RLIMIT_AS, &before));
}

/* The more ranks, the smaller the arenas: 128 ranks map less than 13 GiB. */
static void test_many_peers(void) {
  struct mpispec_segment_address many;
  int other;
  unsigned char *segment = mpispec_segment_create(128, &other, &many);
  CHECK(segment && mpispec_segment_end(128, many.bytes) - mpispec_segment_arena(128) >= UINT64_C(32) << 20);
  CHECK(128 * many.bytes < UINT64_C(13) << 30);
  mpispec_segment_detach(segment, 128, many.bytes);
  close(other);
}

int main(void) {
  own = mpispec_segment_create(PEERS, &file, &address);
  CHECK(own);
  test_is_its_owners_alone();
  test_wrong_addresses();
  test_stale_process();
  test_recycled_descriptor();
  test_other_owner();
  test_owner_is_readable();
  test_many_peers();
  test_limits();
  return passed();
}

// LABEL: core
// RUN: gcc -std=gnu11 -D_GNU_SOURCE -g -w %include %s %sources/shm/segment.c %sources/shm/numa.c %sources/shm/core_list.c %sources/shm/distance.c %sources/shm/arena.c %sources/shm/arena_ranges.c %sources/job/fatal.c -o %t
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
