/* The typemap of a derived datatype, in MPI's order, as a short list of runs:
 *
 *   offset            stride             stride
 *   |------->[length].......[length].......[length]     one run of count 3
 *
 * A vector of any length is one run, a structure one for each of its members. So bytes are packed
 * and unpacked straight into and out of cells, blocks and pipes, in pieces of any length, by any
 * thread and without the MPI library. What has no typemap is the library's to pack: types made by
 * MPI_Type_create_darray or with large counts, MPI_SHORT_INT, and whatever needs too many runs. */
#ifndef MPISPEC_RUNTIME_TYPEMAP_H
#define MPISPEC_RUNTIME_TYPEMAP_H

#include "abi/mpi.h"
#include "mpispec/cells.h"

#include <stddef.h>
#include <stdint.h>

struct mpispec_run {
  int64_t offset; /* bytes from the element's address to the first block */
  int64_t length; /* bytes of a block; more than 0 */
  int64_t stride; /* bytes from a block to the next one, of either sign */
  int64_t count;  /* blocks; more than 0 */
};

enum { MPISPEC_TYPEMAP_RUNS = 1024 };

/* A type's element is `copies` parts with the same runs, as in MPI_Type_contiguous
 * of a structure. */

struct mpispec_typemap {
  int users; /* the table of datatypes, and requests under way */
  int runs;
  int64_t copies;
  int64_t extent; /* bytes from a part to the next one, of either sign */
  int64_t block;  /* if each run is one block, and all are of one length: that; else 0 */
  struct mpispec_run run[];
};

/* What a valid type's elements look like, or null: see above. The caller is the first user. */
struct mpispec_typemap *mpispec_typemap_make(MPI_Datatype handle);

/* One block without gaps, from the element's address on? */
int mpispec_typemap_is_dense(const struct mpispec_typemap *map);

/* Both take null as well. The last user frees it. */
void mpispec_typemap_use(struct mpispec_typemap *map);
void mpispec_typemap_drop(struct mpispec_typemap *map);

/* --- copying -----------------------------------------------------------------------------------*/

/* All of `count` elements, where that is little: a cursor would take longer.
 * `packs`, or unpacks. */
void mpispec_typemap_copy_parts(const struct mpispec_typemap *map, unsigned char *part,
                                int64_t count, unsigned char *bytes, int packs);

/* The same, in few steps for one vector of words. */
static inline __attribute__((always_inline)) void
mpispec_typemap_copy_few(const struct mpispec_typemap *map, void *buffer, int64_t count,
                         unsigned char *bytes, int packs) {
  const struct mpispec_run *run = map->run;
  if (map->runs != 1 || run->length != 8 || count * map->copies != 1) {
    mpispec_typemap_copy_parts(map, buffer, count, bytes, packs);
    return;
  }
  unsigned char *block = (unsigned char *)buffer + run->offset;
  unsigned blocks = (unsigned)run->count;
  for (const int64_t stride = run->stride; blocks; --blocks, block += stride, bytes += 8) {
    mpispec_stay_rolled(&blocks);
    __builtin_memcpy(packs ? bytes : block, packs ? block : bytes, 8);
  }
}

/* A place among elements, that goes on as bytes are packed or unpacked. Never past the last element
 * that the caller has bytes for. */
struct mpispec_cursor {
  const struct mpispec_typemap *map;
  uintptr_t part;          /* its address */
  int next;                /* index of the run to begin with next */
  struct mpispec_run rest; /* what is left of a run begun: an address for an offset */
  int64_t into;            /* bytes done of its first block */
};

void mpispec_cursor_open(struct mpispec_cursor *cursor, const struct mpispec_typemap *map,
                         const void *buffer, int64_t count);

/* The same, `offset` bytes behind the first one that travels. */
void mpispec_cursor_seek(struct mpispec_cursor *cursor, const struct mpispec_typemap *map,
                         const void *buffer, int64_t count, int64_t offset);

/* The next `length` bytes. */
void mpispec_cursor_pack(struct mpispec_cursor *cursor, void *bytes, int64_t length);
void mpispec_cursor_unpack(struct mpispec_cursor *cursor, const void *bytes, int64_t length);

#endif
