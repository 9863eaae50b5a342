/* The lane under stress: a writer and a reader in two threads, messages of random length. */
#include "check.h"
#include "lane.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

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
    while (!mpispec_lane_reserve(&out, mpispec_cells_for(length)))
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
  while (!(key = mpispec_lane_look(&in)))
    sched_yield();
  CHECK(key == mpispec_key(7, (int)i));
  CHECK(mpispec_header_length(in.end.next->header) == length);
  mpispec_lane_read(&in, bytes, length);
  for (int k = 0; k < length; ++k)
    CHECK(bytes[k] == (unsigned char)i);
  mpispec_lane_advance(&in, mpispec_cells_for(length));
}

int main(void) {
  unsigned char *segment = aligned_alloc(4096, ARENA + (1 << 20));
  memset(segment, 0, ARENA + (1 << 20));
  struct mpispec_cell *home = (struct mpispec_cell *)(segment + 4096);
  mpispec_arena_open(&arena, segment, 1 << 20, ARENA + (1 << 20));
  mpispec_outgoing_open(&out, home, (struct mpispec_credit *)segment, &arena);
  mpispec_incoming_open(&in, home, (struct mpispec_credit *)segment, segment);
  pthread_t writer;
  CHECK(!pthread_create(&writer, NULL, write_all, NULL));
  for (unsigned i = 0; i < MESSAGES; ++i)
    read_one(i);
  pthread_join(writer, NULL);
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// RUN: %sanitize %include -fsanitize=thread %s %sources/lane.c %sources/arena.c -o %t.thread
// RUN: %t.thread | FileCheck %s
// CHECK: passed
