/* Messages of more than one cell into cells and out of them, by what this processor copies with. */
#ifndef MPISPEC_RUNTIME_CELL_COPY_H
#define MPISPEC_RUNTIME_CELL_COPY_H

#include "shm/cell.h"

/* At most mpispec_short_bytes, into cells for which there is room; out of cells that have all come.
 * Both return 0, as the MPI functions whose last word they are. */
struct mpispec_cell_copy {
  int (*put)(struct mpispec_writer *writer, uint64_t key, uint64_t header,
             const unsigned char *bytes, uint64_t length);
  int (*take)(struct mpispec_reader *reader, unsigned char *bytes, uint64_t length);
};

/* Nobody's before the first call of the function below. */
extern struct mpispec_cell_copy mpispec_cell_copy __attribute__((visibility("hidden")));

/* Finds out what the processor has. */
void mpispec_cell_copy_open(void);

#endif
