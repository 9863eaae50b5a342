/* The arena alone, on shared memory as it is in use. Blocks keep their bytes, whatever is given back around them.
 * After a flood the memory goes back, although a few blocks are held.
 */
#define _GNU_SOURCE
#include "shm/arena.h"
#include "shm/segment.h"
#include "check.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { BEGIN = 8192, MOST = 3000, KEPT = 4096 /* KiB */ };
static const uint64_t bytes = UINT64_C(512) << 20;
static unsigned char *segment;
static struct mpispec_arena arena;

static struct {
  uint64_t offset, length;
  unsigned char mark;
} blocks[MOST];
static int count;

static int allocate_for(enum mpispec_arena_use use, uint64_t length, unsigned char mark) {
  const uint64_t offset = mpispec_arena_allocate(&arena, length, use);
  if (!offset)
    return 0;
  /* Away from where large buffers of programs begin. */
  CHECK(length < 4096 || (offset % 4096 >= 128 && offset % 4096 <= 4096 - 128));
  memset(segment + offset, mark, length);
  blocks[count].offset = offset;
  blocks[count].length = length;
  blocks[count++].mark = mark;
  return 1;
}

static int allocate(uint64_t length, unsigned char mark) {
  return allocate_for(MPISPEC_ARENA_MESSAGE, length, mark);
}

static void check(int i) {
  const unsigned char *block = segment + blocks[i].offset;
  for (uint64_t k = 0; k < blocks[i].length; k += k + 1 < blocks[i].length ? 1 + k / 8 : 1)
    CHECK(block[k] == blocks[i].mark);
  CHECK(block[blocks[i].length - 1] == blocks[i].mark);
}

static void release(int i) {
  check(i);
  mpispec_block_release(segment, blocks[i].offset);
  blocks[i] = blocks[--count];
}

static long resident(void) {
  static unsigned char in_memory[(512 << 20) / 4096];
  long pages = 0;
  CHECK(!mincore(segment, bytes, in_memory));
  for (size_t i = 0; i < sizeof in_memory; ++i)
    pages += in_memory[i] & 1;
  return pages * 4;
}

static void trim(void) {
  const struct timespec rest = {0, 150 * 1000 * 1000};
  for (int i = 0; i < 20; ++i) /* a flood ebbs in more than one look, */
    mpispec_arena_trim(&arena);
  nanosleep(&rest, NULL); /* and its memory goes back when it has been quiet for a while */
  for (int i = 0; i < 20; ++i)
    mpispec_arena_trim(&arena);
}

/* Some blocks stay, here and there; the rest of the memory goes, and comes again. */
static void ebbs(int held) {
  for (int round = 0; round < 3; ++round) {
    while (count < 2000)
      CHECK(allocate(64 * 1024, (unsigned char)(count + round)));
    CHECK(resident() > 100000);
    while (count > held)
      release(rand() % count);
    trim();
    CHECK(resident() >= KEPT && resident() < KEPT + 4096 + 70 * held);
    for (int i = 0; i < count; ++i)
      check(i);
  }
  while (count > 0)
    release(0);
  trim();
  CHECK(arena.top == arena.begin && resident() >= KEPT && resident() < KEPT + 100);
}

/* Kept blocks are used again without a system call. */
static void stays_warm(void) {
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  for (int i = 0; i < 50; ++i)
    CHECK(allocate(64 * 1024, (unsigned char)i));
  getrusage(RUSAGE_SELF, &after);
  CHECK(after.ru_minflt - before.ru_minflt < 20);
  while (count > 0)
    release(0);
}

/* Memory that went back and is in use again stays, although hardly anything is lent: it comes back once. */
static void comes_back_once(void) {
  struct rusage before, after;
  while (count < 1000)
    CHECK(allocate(64 * 1024, 1));
  while (count > 1)
    release(0);
  CHECK(allocate(1 << 20, 2) && allocate(1 << 20, 3));
  while (count > 1)
    release(1);
  trim();
  getrusage(RUSAGE_SELF, &before);
  for (int i = 0; i < 500; ++i) {
    CHECK(allocate(1 << 20, (unsigned char)i));
    release(1);
    mpispec_arena_trim(&arena);
  }
  getrusage(RUSAGE_SELF, &after);
  CHECK(after.ru_minflt - before.ru_minflt < 2000);
  release(0);
  trim();
}

/* Anything at any time, of any size. */
static void mixed(void) {
  for (int step = 0; step < 100000; ++step) {
    const int ebb = step / 5000 % 2;
    if (rand() % 1000 == 0)
      mpispec_arena_trim(&arena);
    else if (count < MOST && rand() % 3 > ebb)
      allocate(1 + (uint64_t)rand() % (rand() % 50 ? 5000 : 200000), (unsigned char)rand());
    else if (count > 0)
      release(rand() % count);
  }
  while (count > 0)
    release(rand() % count);
  trim();
  CHECK(arena.top == arena.begin && resident() < KEPT + 100);
}

static int allocate_all(enum mpispec_arena_use use, uint64_t length) {
  const int before = count;
  while (count < MOST && allocate_for(use, length, 2))
    ;
  return count - before;
}

/* Messages that nobody reads have filled their part. Then there is memory for extents, after these for pipes, and after
 * these for descriptors. */
static void leaves_memory_to_others(void) {
  for (uint64_t length = 256 * 1024; length >= 1024; length /= 2)
    allocate_all(MPISPEC_ARENA_MESSAGE, length);
  CHECK(count > 1500);
  CHECK(allocate_all(MPISPEC_ARENA_CELLS, 64 * 1024) > 450);
  CHECK(allocate_all(MPISPEC_ARENA_PIPE, 128 * 1024) > 200);
  while (count < MOST)
    CHECK(allocate_for(MPISPEC_ARENA_DESCRIPTOR, 448, 4));
  while (count > 0)
    release(0);
  trim();
}

/* While one block stays lent, memory goes from a class to others, larger and smaller ones. It does not go to a use that
 * may not take it. */
static void goes_to_other_classes(void) {
  const int most = allocate_all(MPISPEC_ARENA_MESSAGE, 256 * 1024);
  CHECK(most < MOST);
  while (count > 1)
    release(1);
  for (int length = 1 << 20; length > 1000; length /= 8) {
    allocate_all(MPISPEC_ARENA_MESSAGE, (uint64_t)length);
    CHECK(count == MOST || (int64_t)count * length > (int64_t)most * 256 * 1024 / 10 * 9);
    for (int i = 0; i < count; ++i)
      check(i);
    while (count > 1)
      release(1 + rand() % (count - 1));
  }
  allocate_all(MPISPEC_ARENA_PIPE, 1 << 20);
  for (int i = count - 1; i > 0; --i)
    if (blocks[i].offset > BEGIN + (bytes - BEGIN) / 16 * MPISPEC_ARENA_MESSAGE)
      release(i);
  CHECK(count > 350);
  for (int i = 0; i < 32 && allocate(256 * 1024, 6); ++i) /* the gaps beside blocks of 1 MiB */
    CHECK(i < 31);
  while (count > 0)
    release(0);
  trim();
  CHECK(arena.top == arena.begin);
}

/* A bit for each part of the largest arena. */
static void knows_all_parts(void) {
  for (int peers = 1; peers < 12; ++peers) {
    const uint64_t all = mpispec_segment_bytes(peers, MPISPEC_ARENA_BYTES);
    CHECK(mpispec_segment_end(peers, all) - mpispec_segment_arena(peers) <=
          8 * sizeof arena.warm * MPISPEC_ARENA_PART);
  }
}

int main(void) {
  const int file = memfd_create("arena", MFD_CLOEXEC);
  CHECK(file >= 0 && !ftruncate(file, (off_t)bytes));
  segment = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  CHECK(segment != MAP_FAILED);
  mpispec_arena_open(&arena, segment, BEGIN, bytes);
  mpispec_arena_warm(&arena);
  CHECK(resident() >= 640 && resident() < 750);
  ebbs(1);
  ebbs(7);
  ebbs(16);
  stays_warm();
  comes_back_once();
  mixed();
  leaves_memory_to_others();
  goes_to_other_classes();
  knows_all_parts();
  mpispec_arena_close(&arena);
  return passed();
}

// LABEL: core
// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// CHECK: passed
