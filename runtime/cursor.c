/* Copies between the elements of a typemap and the bytes that travel. typemap.h has the drawing. */
#include "typemap.h"

#include <string.h>

/* Where the elements follow each other as the blocks of their only run do, all are one run. */
static void open_one_run(struct mpispec_cursor *cursor, int64_t count) {
  struct mpispec_run *rest = &cursor->rest;
  if (rest->count == 1)
    rest->stride = cursor->map->extent;
  else if (rest->stride * rest->count != cursor->map->extent)
    return;
  rest->count *= count;
}

void mpispec_cursor_open(struct mpispec_cursor *cursor, const struct mpispec_typemap *map,
                         const void *buffer, int64_t count) {
  *cursor = (struct mpispec_cursor){.map = map, .element = (uintptr_t)buffer};
  if (!map->runs)
    return;
  cursor->rest = map->run[0];
  if (map->runs == 1 && count > 1)
    open_one_run(cursor, count);
  cursor->rest.offset += (int64_t)cursor->element;
}

static void next_run(struct mpispec_cursor *cursor) {
  if (++cursor->index == cursor->map->runs) {
    cursor->index = 0;
    cursor->element += (uint64_t)cursor->map->extent;
  }
  cursor->rest = cursor->map->run[cursor->index];
  cursor->rest.offset += (int64_t)cursor->element;
}

/* Text, so that each length of words has instructions of its own. */
#define EACH_BLOCK(BYTES)                                                                          \
  for (; blocks; --blocks, to += to_stride, from += from_stride)                                   \
  memcpy(to, from, BYTES)

static void copy_blocks(unsigned char *to, int64_t to_stride, const unsigned char *from,
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

/* Goes on by `blocks` whole blocks, or within one by `length` bytes. */
static void go_on(struct mpispec_cursor *cursor, int64_t blocks, int64_t length) {
  cursor->into += length;
  if (cursor->into == cursor->rest.length) {
    cursor->into = 0;
    ++blocks;
  }
  cursor->rest.offset += blocks * cursor->rest.stride;
  cursor->rest.count -= blocks;
}

/* Copies what can be copied at once: a part of a block, or whole blocks of a run. Returns the
 * number of bytes, at most `length`. */
static inline __attribute__((always_inline)) int64_t step(struct mpispec_cursor *cursor,
                                                          unsigned char *bytes, int64_t length,
                                                          int unpack) {
  if (!cursor->rest.count)
    next_run(cursor);
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
  if (unpack)
    copy_blocks(memory, rest->stride, bytes, rest->length, rest->length, blocks);
  else
    copy_blocks(bytes, rest->length, memory, rest->stride, rest->length, blocks);
  go_on(cursor, blocks, 0);
  return part;
}

void mpispec_cursor_pack(struct mpispec_cursor *cursor, void *bytes, int64_t length) {
  for (int64_t done = 0; done < length;)
    done += step(cursor, (unsigned char *)bytes + done, length - done, 0);
}

void mpispec_cursor_unpack(struct mpispec_cursor *cursor, const void *bytes, int64_t length) {
  for (int64_t done = 0; done < length;)
    done += step(cursor, (unsigned char *)(uintptr_t)bytes + done, length - done, 1);
}
