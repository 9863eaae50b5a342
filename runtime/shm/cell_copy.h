/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies between buffers and cells, for messages of more than one cell, and copies of blocks. Each
 * function has two forms: one for processors with AVX2, and one for all. */
#ifndef MPISPEC_RUNTIME_CELL_COPY_H
#define MPISPEC_RUNTIME_CELL_COPY_H

#include "shm/cell.h"

enum { MPISPEC_BLOCK_COPY_LEAST = 128 /* bytes */ };

struct mpispec_cell_copy {
  /* `put` copies at most mpispec_short_bytes into cells; the caller has found room for all of them.
   * `take` copies out of cells; the caller has found that all of them have arrived. Both return 0
   * (MPI_SUCCESS), because MPI functions end with a call of them. */
  int (*put)(struct mpispec_writer *writer, uint64_t key, uint64_t header,
             const unsigned char *bytes, uint64_t length);
  int (*take)(struct mpispec_reader *reader, unsigned char *bytes, uint64_t length);
  /* Copies at least MPISPEC_BLOCK_COPY_LEAST bytes. The function takes fewer instructions than
   * memcpy for short blocks that are in a cache. */
  void (*block)(unsigned char *to, const unsigned char *from, uint64_t length);
};

/* The functions for this processor; null before mpispec_cell_copy_open. */
extern struct mpispec_cell_copy mpispec_cell_copy __attribute__((visibility("hidden")));

/* Chooses the functions by the vector width of this processor. */
void mpispec_cell_copy_open(void);

#endif
