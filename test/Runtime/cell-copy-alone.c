/* Messages of several cells are copied into cells and out of them, by every kind of vector, with each length and each
 * alignment. No byte beside them changes, and the cells are as the plain form fills them. */
#include "check.h"
#include "shm/cell_copy.c"

enum { CELLS = 24, GUARD = 8, MOST = mpispec_short_bytes };
static struct mpispec_cell cells[2][CELLS] __attribute__((aligned(64)));
static unsigned char from[MOST + 64], to[MOST + 64 + 2 * GUARD];
static const uint64_t lap = UINT64_C(3) << mpispec_lap_shift | MPISPEC_OF_MESSAGE,
                      key = UINT64_C(0x200000007);

/* Where the writer stands after it has filled `line`. */
static long fill(struct mpispec_cell *line, int length, int at, int plainly) {
  struct mpispec_writer writer = {line, line + CELLS, lap};
  if (plainly)
    CHECK(mpispec_put_cells(&writer, key, (uint64_t)length, from + at, (uint64_t)length));
  else
    CHECK(!mpispec_cell_copy.put(&writer, key, (uint64_t)length, from + at, (uint64_t)length));
  return writer.next - line;
}

static void take(int length, int at) {
  struct mpispec_reader reader = {.next = cells[0], .limit = cells[0] + CELLS, .lap = lap};
  memset(to, 0xee, sizeof to);
  CHECK(mpispec_cells_came(&reader, reader.limit, (uint64_t)length));
  CHECK(!mpispec_cell_copy.take(&reader, to + GUARD + at, (uint64_t)length));
  CHECK(reader.next - cells[0] == mpispec_cells((uint64_t)length));
  CHECK(!memcmp(to + GUARD + at, from + at, (size_t)length));
  for (int i = 0; i < (int)sizeof to; ++i)
    CHECK((i >= GUARD + at && i < GUARD + at + length) || to[i] == 0xee);
}

/* Without its last cell, or before the limit, no message has come. */
static void refuses(int length) {
  struct mpispec_reader reader = {.next = cells[0], .limit = cells[0] + CELLS, .lap = lap};
  const long last = mpispec_cells((uint64_t)length) - 1;
  reader.limit = cells[0] + last;
  CHECK(!mpispec_cells_came(&reader, reader.limit, (uint64_t)length));
  reader.limit = NULL;
  CHECK(!mpispec_cells_came(&reader, reader.limit, (uint64_t)length));
  reader.limit = cells[0] + CELLS;
  cells[0][last].envelope = lap - 1;
  CHECK(!mpispec_cells_came(&reader, reader.limit, (uint64_t)length));
}

static void all_lengths(void) {
  for (int length = mpispec_cell_payload + 1; length <= MOST; ++length)
    for (int at = 0; at < 64; at += length % 7 + 9) {
      memset(cells, 0x55, sizeof cells);
      const long filled = fill(cells[0], length, at, 0);
      CHECK(filled == fill(cells[1], length, at, 1));
      CHECK(filled == mpispec_cells((uint64_t)length));
      CHECK(!memcmp(cells[0], cells[1], sizeof cells[0]));
      take(length, at);
      refuses(length);
    }
}

/* Messages of any length that fit a cell. */
static void lines(void) {
  for (int length = 0; length <= 64; ++length) {
    memset(to, 0xee, sizeof to);
    mpispec_copy_line(to + GUARD, from + 3, (uint64_t)length);
    CHECK(!memcmp(to + GUARD, from + 3, (size_t)length));
    for (int i = 0; i < (int)sizeof to; ++i)
      CHECK((i >= GUARD && i < GUARD + length) || to[i] == 0xee);
  }
}

/* Blocks of any length that a copy of theirs may have, between any places in a line. */
static void blocks(void) {
  static unsigned char source[5000], target[5000];
  for (int i = 0; i < (int)sizeof source; ++i)
    source[i] = (unsigned char)(i * 5 + i / 256);
  for (int length = MPISPEC_BLOCK_COPY_LEAST; length <= 4096; length += length < 600 ? 1 : 61) {
    const int at = length % 64, to_at = length * 3 % 64;
    memset(target, 0xee, sizeof target);
    mpispec_cell_copy.block(target + to_at, source + at, (uint64_t)length);
    CHECK(!memcmp(target + to_at, source + at, (size_t)length));
    for (int i = 0; i < (int)sizeof target; ++i)
      CHECK((i >= to_at && i < to_at + length) || target[i] == 0xee);
  }
}

int main(void) {
  for (int i = 0; i < (int)sizeof from; ++i)
    from[i] = (unsigned char)(i * 7 + i / 256);
  lines();
  mpispec_cell_copy = (struct mpispec_cell_copy){put_narrow, take_narrow, copy_block_narrow};
  all_lengths();
  blocks();
  mpispec_cell_copy_open();
  all_lengths();
  blocks();
  return passed();
}

// It is built with the sanitizers below.
// UNSUPPORTED: sanitizer
// REQUIRES: clang-22
// RUN: %mpicc %include %s -o %t
// RUN: %t | FileCheck %s
// RUN: %sanitize %include -fsanitize=address,undefined %s -o %t.a
// RUN: %t.a | FileCheck %s
// CHECK: passed
