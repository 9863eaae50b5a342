/* The lane under stress: a writer and a reader in two threads, or in two processes, messages of
 * random length. */
#define _GNU_SOURCE
#include "check.h"
#include "shm/lane.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARENA = 64 << 20, MESSAGES = 200000 };
static struct mpispec_arena arena;
static struct mpispec_outgoing out;
static struct mpispec_incoming in;

static int length_of(unsigned i) { return (int)(i * 2654435761u >> 8) % 200; }

static void *write_all(void *unused) {
  unsigned char bytes[256];
  for (unsigned i = 0; i < MESSAGES; ++i) {
    const int length = length_of(i);
    memset(bytes, (int)i, sizeof bytes);
    while (!mpispec_lane_reserve(&out, (int)mpispec_cells((unsigned long long)length)))
      sched_yield();
    mpispec_lane_write(&out, mpispec_key(7, (int)i), mpispec_header(MPISPEC_INLINE, 3, length),
                       bytes, length);
  }
  return unused;
}

static void read_one(unsigned i) {
  unsigned char bytes[256];
  const int length = length_of(i);
  uint64_t key;
  while ((key = mpispec_lane_peek(&in)) == MPISPEC_NO_KEY)
    sched_yield();
  CHECK(key == mpispec_key(7, (int)i));
  CHECK(mpispec_header_length(in.end.next->header) == length);
  mpispec_lane_read(&in, bytes, length);
  for (int k = 0; k < length; ++k)
    CHECK(bytes[k] == (unsigned char)i);
  mpispec_lane_advance(&in, (int)mpispec_cells((unsigned long long)length));
}

static void read_all(void) {
  for (unsigned i = 0; i < MESSAGES; ++i)
    read_one(i);
}

static void by_threads(void) {
  pthread_t writer;
  CHECK(!pthread_create(&writer, NULL, write_all, NULL));
  read_all();
  pthread_join(writer, NULL);
}

static void by_processes(void) {
  const pid_t writer = fork();
  int status;
  CHECK(writer >= 0);
  if (!writer) {
    alarm(100);
    write_all(NULL);
    _exit(0);
  }
  read_all();
  CHECK(waitpid(writer, &status, 0) == writer && status == 0);
}

int main(int argc, char **argv) {
  const size_t bytes = ARENA + (1 << 20);
  unsigned char *segment =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(segment != MAP_FAILED);
  (void)argv;
  alarm(100);
  struct mpispec_cell *home = (struct mpispec_cell *)(segment + 4096);
  mpispec_arena_open(&arena, segment, 1 << 20, bytes);
  mpispec_outgoing_open(&out, home, (struct mpispec_credit *)segment, &arena);
  mpispec_incoming_open(&in, home, (struct mpispec_credit *)segment, segment);
  (argc > 1 ? by_processes : by_threads)();
  mpispec_arena_close(&arena);
  return passed();
}

// It is built with the sanitizers below.
// UNSUPPORTED: sanitizer
// REQUIRES: clang-22
// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// RUN: %t processes | FileCheck %s
// RUN: %sanitize %include -fsanitize=thread %s %sources/shm/lane.c %sources/shm/arena.c %sources/shm/arena_ranges.c %sources/job/fatal.c %sources/shm/copy.c %sources/progress/ticks.c -o %t.thread
// RUN: %t.thread | FileCheck %s
// RUN: %t.thread processes | FileCheck %s
// RUN: %sanitize %include -fsanitize=address,undefined %s %sources/shm/lane.c %sources/shm/arena.c %sources/shm/arena_ranges.c %sources/job/fatal.c %sources/shm/copy.c %sources/progress/ticks.c -o %t.a
// RUN: %t.a | FileCheck %s
// RUN: %t.a processes | FileCheck %s
// CHECK: passed
