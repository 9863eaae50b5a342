/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies between the elements of a typemap and the contiguous bytes of a message (typemap.h). */
#include "datatype/typemap.h"

#include <string.h>

/* Nonzero if all parts form one run: a part has only one run, and the parts have the same distance
 * as its blocks. */
static int is_one_run(const struct mpispec_typemap *map, int64_t parts) {
  const struct mpispec_run *run = map->run;
  return map->runs == 1 &&
         (parts == 1 || run->count == 1 || run->stride * run->count == map->extent);
}

void mpispec_cursor_open(struct mpispec_cursor *cursor, const struct mpispec_typemap *map,
                         const void *buffer, int64_t count) {
  struct mpispec_run *rest = &cursor->rest;
  const int64_t parts = count * map->copies;
  cursor->map = map;
  cursor->part = (uintptr_t)buffer;
  cursor->next = 0;
  cursor->into = 0;
  rest->count = 0;
  if (!is_one_run(map, parts))
    return;
  *rest = map->run[0];
  rest->offset += (int64_t)cursor->part;
  if (rest->count == 1)
    rest->stride = map->extent;
  rest->count *= parts;
}

/* Returns the next run, and moves to the next part if necessary. */
static const struct mpispec_run *next_run(struct mpispec_cursor *cursor) {
  if (cursor->next == cursor->map->runs) {
    cursor->next = 0;
    cursor->part += (uint64_t)cursor->map->extent;
  }
  return &cursor->map->run[cursor->next];
}

/* A macro, so that each length is a constant and has instructions of its own. */
#define EACH_BLOCK(BYTES)                                                                          \
  for (; blocks; --blocks, to += to_stride, from += from_stride)                                   \
  memcpy(to, from, BYTES)

static inline void copy_blocks(unsigned char *to, int64_t to_stride, const unsigned char *from,
                               int64_t from_stride, int64_t length, int64_t blocks) {
  switch (length) {
  case 1:
    EACH_BLOCK(1);
    break;
  case 2:
    EACH_BLOCK(2);
    break;
  case 4:
    EACH_BLOCK(4);
    break;
  case 8:
    EACH_BLOCK(8);
    break;
  case 16:
    EACH_BLOCK(16);
    break;
  case 24:
    EACH_BLOCK(24);
    break;
  case 32:
    EACH_BLOCK(32);
    break;
  default:
    EACH_BLOCK((size_t)length);
  }
}

/* Advances the cursor by `blocks` whole blocks and by `length` bytes within a block. */
static void go_on(struct mpispec_cursor *cursor, int64_t blocks, int64_t length) {
  cursor->into += length;
  if (cursor->into == cursor->rest.length) {
    cursor->into = 0;
    ++blocks;
  }
  cursor->rest.offset += blocks * cursor->rest.stride;
  cursor->rest.count -= blocks;
}

static inline __attribute__((always_inline)) void copy_run(const struct mpispec_run *run,
                                                           uint64_t part, unsigned char *bytes,
                                                           int64_t blocks, int unpack) {
  unsigned char *memory = (unsigned char *)(uintptr_t)(part + (uint64_t)run->offset);
  if (unpack)
    copy_blocks(memory, run->stride, bytes, run->length, run->length, blocks);
  else
    copy_blocks(bytes, run->length, memory, run->stride, run->length, blocks);
}

/* Copies runs of one block each. */
static inline __attribute__((always_inline)) void copy_singles(const struct mpispec_run *run,
                                                               uint64_t part, unsigned char *bytes,
                                                               int64_t blocks, int64_t length,
                                                               int unpack) {
  for (; blocks; --blocks, ++run, bytes += length) {
    unsigned char *memory = (unsigned char *)(uintptr_t)(part + (uint64_t)run->offset);
    memcpy(unpack ? memory : bytes, unpack ? bytes : memory, (size_t)length);
  }
}

/* Copies runs of one block of the same length each, as many as fit into `length` bytes. Returns the
 * number of bytes. */
static inline __attribute__((always_inline)) int64_t copy_equal_runs(struct mpispec_cursor *cursor,
                                                                     unsigned char *bytes,
                                                                     int64_t length, int unpack) {
  const int64_t block = cursor->map->block;
  int64_t done = 0;
  while (length - done >= block) {
    const struct mpispec_run *run = next_run(cursor);
    const int64_t there = cursor->map->runs - cursor->next,
                  blocks = there * block < length - done ? there : (length - done) / block;
    if (block == 8)
      copy_singles(run, cursor->part, bytes + done, blocks, 8, unpack);
    else if (block == 4)
      copy_singles(run, cursor->part, bytes + done, blocks, 4, unpack);
    else
      copy_singles(run, cursor->part, bytes + done, blocks, block, unpack);
    cursor->next += (int)blocks;
    done += blocks * block;
  }
  return done;
}

/* Two loads that may overlap copy a short block, so that few branches depend on the length. */
static inline __attribute__((always_inline)) void
copy_block(unsigned char *to, const unsigned char *from, int64_t length) {
  if (length == 8) {
    memcpy(to, from, 8);
  } else if (length > 8 && length <= 16) {
    uint64_t first, last;
    memcpy(&first, from, 8);
    memcpy(&last, from + length - 8, 8);
    memcpy(to, &first, 8);
    memcpy(to + length - 8, &last, 8);
  } else if (length > 16 && length <= 32) {
    unsigned char first[16], last[16];
    memcpy(first, from, 16);
    memcpy(last, from + length - 16, 16);
    memcpy(to, first, 16);
    memcpy(to + length - 16, last, 16);
  } else if (length == 4) {
    memcpy(to, from, 4);
  } else {
    memcpy(to, from, (size_t)length);
  }
}

/* Copies a whole run. */
static inline __attribute__((always_inline)) void
copy_whole_run(const struct mpispec_run *run, uint64_t part, unsigned char *bytes, int unpack) {
  unsigned char *memory = (unsigned char *)(uintptr_t)(part + (uint64_t)run->offset);
  if (run->count == 1)
    copy_block(unpack ? memory : bytes, unpack ? bytes : memory, run->length);
  else
    copy_run(run, part, bytes, run->count, unpack);
}

/* Copies whole runs, as long as they fit into `length` bytes. Returns the number of copied
 * bytes. */
static inline __attribute__((always_inline)) int64_t copy_whole_runs(struct mpispec_cursor *cursor,
                                                                     unsigned char *bytes,
                                                                     int64_t length, int unpack) {
  const struct mpispec_typemap *map = cursor->map;
  const struct mpispec_run *run = map->run + cursor->next, *const end = map->run + map->runs;
  uint64_t part = cursor->part;
  int64_t left = length;
  while (left) {
    if (run == end) {
      run = map->run;
      part += (uint64_t)map->extent;
    }
    const int64_t data = run->count * run->length;
    if (data > left)
      break;
    copy_whole_run(run, part, bytes, unpack);
    bytes += data;
    left -= data;
    ++run;
  }
  cursor->part = part;
  cursor->next = (int)(run - map->run);
  return length - left;
}

/* Copies some of the current run: a part of a block, or whole blocks. Returns the number of copied
 * bytes. */
static inline __attribute__((always_inline)) int64_t copy_part(struct mpispec_cursor *cursor,
                                                               unsigned char *bytes, int64_t length,
                                                               int unpack) {
  const struct mpispec_run *rest = &cursor->rest;
  unsigned char *memory = (unsigned char *)(uintptr_t)(rest->offset + cursor->into);
  if (cursor->into || length < rest->length) {
    const int64_t left = rest->length - cursor->into, part = length < left ? length : left;
    memcpy(unpack ? memory : bytes, unpack ? bytes : memory, (size_t)part);
    go_on(cursor, 0, part);
    return part;
  }
  const int64_t blocks = rest->count * rest->length <= length ? rest->count : length / rest->length;
  const int64_t part = blocks * rest->length;
  copy_run(rest, 0, bytes, blocks, unpack);
  go_on(cursor, blocks, 0);
  return part;
}

static inline __attribute__((always_inline)) void
copy(struct mpispec_cursor *cursor, unsigned char *bytes, int64_t length, int unpack) {
  for (int64_t done = 0; done < length;) {
    if (cursor->rest.count) {
      done += copy_part(cursor, bytes + done, length - done, unpack);
      continue;
    }
    done += cursor->map->block ? copy_equal_runs(cursor, bytes + done, length - done, unpack)
                               : copy_whole_runs(cursor, bytes + done, length - done, unpack);
    if (done == length)
      return;
    cursor->rest = *next_run(cursor);
    cursor->rest.offset += (int64_t)cursor->part;
    ++cursor->next;
  }
}

/* The number of data bytes in a part. */
static int64_t part_bytes(const struct mpispec_typemap *map) {
  int64_t bytes = 0;
  for (const struct mpispec_run *run = map->run; run < map->run + map->runs; ++run)
    bytes += run->count * run->length;
  return bytes;
}

/* Skips `offset` bytes of the current run, which has more bytes than `offset`. */
static void skip_within(struct mpispec_cursor *cursor, int64_t offset) {
  const int64_t length = cursor->rest.length;
  go_on(cursor, offset / length, offset % length);
}

void mpispec_cursor_seek(struct mpispec_cursor *cursor, const struct mpispec_typemap *map,
                         const void *buffer, int64_t count, int64_t offset) {
  mpispec_cursor_open(cursor, map, buffer, count);
  if (cursor->rest.count) {
    skip_within(cursor, offset);
    return;
  }
  const int64_t whole = part_bytes(map);
  cursor->part += (uint64_t)(offset / whole * map->extent);
  offset %= whole;
  for (int64_t bytes;
       (bytes = map->run[cursor->next].count * map->run[cursor->next].length) <= offset;
       offset -= bytes)
    ++cursor->next;
  if (!offset)
    return;
  cursor->rest = map->run[cursor->next++];
  cursor->rest.offset += (int64_t)cursor->part;
  skip_within(cursor, offset);
}

void mpispec_cursor_pack(struct mpispec_cursor *cursor, void *bytes, int64_t length) {
  copy(cursor, bytes, length, 0);
}

/* Loads lines that another core has most likely written. Copies of short blocks are so slow that
 * the processor itself would load few lines at a time. */
static void prefetch(const unsigned char *bytes, int64_t length) {
  enum { LINE = 64, MOST = 16 * 1024 };
  for (int64_t at = 0; at < length && at < MOST; at += LINE)
    __builtin_prefetch(bytes + at);
}

void mpispec_cursor_unpack(struct mpispec_cursor *cursor, const void *bytes, int64_t length) {
  prefetch(bytes, length);
  copy(cursor, (unsigned char *)(uintptr_t)bytes, length, 1);
}

/* --- few blocks --------------------------------------------------------------------------------*/

void mpispec_typemap_copy_parts(const struct mpispec_typemap *map, unsigned char *part,
                                int64_t count, unsigned char *bytes, int packs) {
  uintptr_t address = (uintptr_t)part; /* see mpispec_typemap_copy_few */
  for (int64_t parts = count * map->copies; parts; --parts, address += (uint64_t)map->extent)
    for (const struct mpispec_run *run = map->run; run < map->run + map->runs; ++run) {
      unsigned char *block = (unsigned char *)(address + (uint64_t)run->offset);
      for (int64_t blocks = run->count; blocks; --blocks, block += run->stride) {
        copy_block(packs ? bytes : block, packs ? block : bytes, run->length);
        bytes += run->length;
      }
    }
}
