/* The lane alone, writer and reader in one process: order and content across laps,
 * links, extents. */
#include "shm/lane.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static unsigned char *segment;
static struct mpispec_arena arena;
static struct mpispec_outgoing out;
static struct mpispec_incoming in;
enum { ARENA = 64 << 20 };

static void close_lane(void) {
  mpispec_arena_close(&arena);
  free(segment);
}

static void open_lane(uint64_t arena_bytes) {
  close_lane();
  segment = aligned_alloc(4096, ARENA + (1 << 20));
  memset(segment, 0, ARENA + (1 << 20));
  struct mpispec_credit *credit = (struct mpispec_credit *)segment;
  struct mpispec_cell *home = (struct mpispec_cell *)(segment + 4096);
  mpispec_arena_open(&arena, segment, 1 << 20, (1 << 20) + arena_bytes);
  mpispec_outgoing_open(&out, home, credit, &arena);
  mpispec_incoming_open(&in, home, credit, segment);
}

static int length_of(unsigned i) { return (int)(i * 2654435761u >> 8) % 1025; }

static int write_message(unsigned i, int length) {
  unsigned char bytes[1024];
  memset(bytes, (int)i, sizeof bytes);
  if (!mpispec_lane_reserve(&out, (int)mpispec_cells((unsigned long long)length)))
    return 0;
  mpispec_lane_write(&out, mpispec_key(1, (int)i),
                     mpispec_header(MPISPEC_INLINE, (int)i % 1000, length), bytes, length);
  return 1;
}

static void read_message(unsigned i, int length) {
  unsigned char bytes[1024];
  CHECK(mpispec_lane_peek(&in) == mpispec_key(1, (int)i));
  const uint64_t header = in.end.next->header;
  CHECK(mpispec_header_length(header) == length);
  CHECK(mpispec_header_source(header) == (int)i % 1000);
  mpispec_lane_read(&in, bytes, length);
  for (int k = 0; k < length; ++k)
    CHECK(bytes[k] == (unsigned char)i);
  mpispec_lane_advance(&in, (int)mpispec_cells((unsigned long long)length));
}

/* One cell after another: many laps at home, nothing taken from the arena. */
static void stays_at_home(void) {
  open_lane(ARENA);
  CHECK(mpispec_lane_peek(&in) == MPISPEC_NO_KEY);
  for (unsigned i = 0; i < 100000; ++i) {
    CHECK(write_message(i, 8));
    read_message(i, 8);
    CHECK(mpispec_lane_peek(&in) == MPISPEC_NO_KEY);
  }
  CHECK(arena.top == arena.begin);
}

/* Messages of any length, written in bursts and read in bursts. */
static void keeps_order(unsigned burst) {
  open_lane(ARENA);
  unsigned written = 0, got = 0;
  srand(burst);
  while (got < 50000) {
    for (unsigned n = (unsigned)rand() % burst; n > 0; --n, ++written)
      CHECK(write_message(written, length_of(written)));
    for (unsigned n = (unsigned)rand() % burst; n > 0 && got < written; --n, ++got)
      read_message(got, length_of(got));
  }
  for (; got < written; ++got)
    read_message(got, length_of(got));
  CHECK(mpispec_lane_peek(&in) == MPISPEC_NO_KEY);
}

/* A pattern that always leaves the same cells out must not meet its own marks of 255 laps ago. */
static void outlives_its_laps(void) {
  open_lane(ARENA);
  unsigned i = 0;
  for (int round = 0; round < 600; ++round) {
    for (int k = 0; k < 13; ++k, ++i) {
      CHECK(write_message(i, 1000));
      read_message(i, 1000);
    }
    CHECK(mpispec_lane_peek(&in) == MPISPEC_NO_KEY);
  }
  for (int k = 0; k < 1000; ++k, ++i) {
    CHECK(write_message(i, 8));
    read_message(i, 8);
    CHECK(mpispec_lane_peek(&in) == MPISPEC_NO_KEY);
  }
}

/* A full arena refuses, loses nothing, and goes on when the reader has read. */
static void refuses_when_full(void) {
  open_lane(200 * 1024);
  unsigned written = 0;
  while (write_message(written, 8))
    ++written;
  CHECK(written > 2 * MPISPEC_EXTENT_CELLS);
  for (unsigned got = 0; got < written; ++got)
    read_message(got, 8);
  CHECK(mpispec_lane_peek(&in) == MPISPEC_NO_KEY);
  for (unsigned i = written; i < written + 3000; ++i) {
    CHECK(write_message(i, 8));
    read_message(i, 8);
  }
  CHECK(out.extent == NULL);
}

int main(void) {
  stays_at_home();
  for (unsigned burst = 2; burst < 5000; burst *= 3)
    keeps_order(burst);
  outlives_its_laps();
  refuses_when_full();
  close_lane();
  return passed();
}

// It is built with the sanitizers below.
// UNSUPPORTED: sanitizer
// REQUIRES: clang-22
// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// RUN: %sanitize %include -fsanitize=address,undefined %s %sources/shm/lane.c %sources/shm/arena.c %sources/shm/arena_ranges.c %sources/job/fatal.c %sources/shm/copy.c %sources/progress/ticks.c -o %t.a
// RUN: %t.a | FileCheck %s
// CHECK: passed
