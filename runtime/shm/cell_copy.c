/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See cell_copy.h. A further cell has mpispec_more_payload bytes. Narrow vectors copy them in four
 * loads and stores, wider vectors in two that overlap. No function tests between two cells whether
 * there is room, or whether the next cell has arrived, because the caller has tested all cells. */
#include "shm/cell_copy.h"

#include "mpispec/machine.h"
#include "mpispec/message.h"

#include <string.h>

static inline void copy_more_narrow(unsigned char *to, const unsigned char *from) {
  memcpy(to, from, mpispec_more_payload);
}

#define copy_more_wider mpispec_copy_56_by_vectors

static void copy_block_narrow(unsigned char *to, const unsigned char *from, uint64_t length) {
  memcpy(to, from, length);
}

#define copy_block_wider mpispec_copy_block_by_vectors

typedef void copy_more(unsigned char *to, const unsigned char *from);

/* Always inline, so that each caller's `copy`, for one vector width, is inlined, too. */
static inline __attribute__((always_inline)) int put_cells(struct mpispec_writer *writer,
                                                           uint64_t key, uint64_t header,
                                                           const unsigned char *bytes,
                                                           uint64_t length, copy_more *copy) {
  struct mpispec_cell *cell = writer->next;
  const unsigned char *end = bytes + length;
  const uint64_t lap = writer->lap;
  cell->header = header;
  memcpy(cell->payload, bytes, mpispec_cell_payload);
  mpispec_cell_publish(cell++, lap | key);
  for (bytes += mpispec_cell_payload; end - bytes >= mpispec_more_payload;
       bytes += mpispec_more_payload) {
    copy(mpispec_cell_more(cell), bytes);
    mpispec_cell_publish(cell++, lap);
  }
  if (bytes < end) {
    mpispec_copy_line(mpispec_cell_more(cell), bytes, (uint64_t)(end - bytes));
    mpispec_cell_publish(cell++, lap);
  }
  writer->next = cell;
  return 0;
}

static inline __attribute__((always_inline)) int
take_cells(struct mpispec_reader *reader, unsigned char *bytes, uint64_t length, copy_more *copy) {
  struct mpispec_cell *cell = reader->next;
  const unsigned char *end = bytes + length;
  memcpy(bytes, cell++->payload, mpispec_cell_payload);
  for (bytes += mpispec_cell_payload; end - bytes >= mpispec_more_payload;
       bytes += mpispec_more_payload)
    copy(bytes, mpispec_cell_more(cell++));
  if (bytes < end)
    mpispec_copy_line(bytes, mpispec_cell_more(cell++), (uint64_t)(end - bytes));
  reader->next = cell;
  return 0;
}

#define COPIES(MARK, WIDTH)                                                                        \
  MARK static int put_##WIDTH(struct mpispec_writer *writer, uint64_t key, uint64_t header,        \
                              const unsigned char *bytes, uint64_t length) {                       \
    return put_cells(writer, key, header, bytes, length, copy_more_##WIDTH);                       \
  }                                                                                                \
  MARK static int take_##WIDTH(struct mpispec_reader *reader, unsigned char *bytes,                \
                               uint64_t length) {                                                  \
    return take_cells(reader, bytes, length, copy_more_##WIDTH);                                   \
  }
COPIES(, narrow)
COPIES(MPISPEC_WIDER, wider)

struct mpispec_cell_copy mpispec_cell_copy;

void mpispec_cell_copy_open(void) {
  static const struct mpispec_cell_copy narrow = {put_narrow, take_narrow, copy_block_narrow};
  static const struct mpispec_cell_copy wider = {put_wider, take_wider, copy_block_wider};
  mpispec_cell_copy = mpispec_vector_width() == MPISPEC_IS_NARROW ? narrow : wider;
}
