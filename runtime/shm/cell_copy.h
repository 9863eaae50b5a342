/* Messages of more than one cell into cells and out of them, and blocks, by what this processor
 * copies with. */
#ifndef MPISPEC_RUNTIME_CELL_COPY_H
#define MPISPEC_RUNTIME_CELL_COPY_H

#include "shm/cell.h"

enum { MPISPEC_BLOCK_COPY_LEAST = 128 /* bytes */ };

struct mpispec_cell_copy {
  /* At most mpispec_short_bytes, into cells for which there is room; out of cells that have all
   * come. Both return 0, as the MPI functions whose last word they are. */
  int (*put)(struct mpispec_writer *writer, uint64_t key, uint64_t header,
             const unsigned char *bytes, uint64_t length);
  int (*take)(struct mpispec_reader *reader, unsigned char *bytes, uint64_t length);
  /* At least MPISPEC_BLOCK_COPY_LEAST: memcpy with fewer instructions, for some 100 bytes to a few
   * thousand that are in a cache. */
  void (*block)(unsigned char *to, const unsigned char *from, uint64_t length);
};

/* Nobody's before the first call of the function below. */
extern struct mpispec_cell_copy mpispec_cell_copy __attribute__((visibility("hidden")));

/* Finds out what the processor has. */
void mpispec_cell_copy_open(void);

#endif
