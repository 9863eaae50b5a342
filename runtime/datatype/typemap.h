/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The typemap of a derived datatype, in MPI's order, as a short list of runs:
 *
 *   offset            stride             stride
 *   |------->[length].......[length].......[length]     one run of count 3
 *
 * A vector of any length is one run, and a structure has a run for each of its members. Therefore
 * any thread can copy bytes directly between elements and cells, blocks or pipes. The pieces may
 * have any length, and the MPI library is not called. The MPI library packs types without a
 * typemap. These types are those of MPI_Type_create_darray, those with large counts, types of pairs
 * with inner gaps such as MPI_SHORT_INT, and types with too many runs. */
#ifndef MPISPEC_RUNTIME_TYPEMAP_H
#define MPISPEC_RUNTIME_TYPEMAP_H

#include "abi/mpi.h"
#include "mpispec/cells.h"

#include <stddef.h>
#include <stdint.h>

struct mpispec_run {
  int64_t offset; /* bytes from the element's address to the first block */
  int64_t length; /* bytes of a block; more than 0 */
  int64_t stride; /* bytes from a block to the next one; may be negative */
  int64_t count;  /* blocks; more than 0 */
};

enum { MPISPEC_TYPEMAP_RUNS = 1024 };

/* An element consists of `copies` parts with the same runs, as in MPI_Type_contiguous of a
 * structure. */
struct mpispec_typemap {
  int users; /* the table of datatypes, and pending requests */
  int runs;
  int64_t copies;
  int64_t extent; /* bytes from a part to the next one; may be negative */
  int64_t block;  /* the length of all blocks if each run is one block of this length; else 0 */
  struct mpispec_run run[];
};

/* Makes the typemap of a valid type. Returns null if it has none. The caller is the first user. */
struct mpispec_typemap *mpispec_typemap_make(MPI_Datatype handle);

/* Whether an element is one block without gaps that begins at its address. */
int mpispec_typemap_is_dense(const struct mpispec_typemap *map);

/* Add and remove a user. The last user frees the typemap. `map` may be null. */
void mpispec_typemap_use(struct mpispec_typemap *map);
void mpispec_typemap_drop(struct mpispec_typemap *map);

/* --- copying -----------------------------------------------------------------------------------*/

/* Packs (`packs`) or unpacks all of `count` elements. For few bytes it is faster than a cursor. */
void mpispec_typemap_copy_parts(const struct mpispec_typemap *map, unsigned char *part,
                                int64_t count, unsigned char *bytes, int packs);

/* Like mpispec_typemap_copy_parts, in few instructions for one vector of words. */
static inline __attribute__((always_inline)) void
mpispec_typemap_copy_few(const struct mpispec_typemap *map, void *buffer, int64_t count,
                         unsigned char *bytes, int packs) {
  const struct mpispec_run *run = map->run;
  if (map->runs != 1 || run->length != 8 || count * map->copies != 1) {
    mpispec_typemap_copy_parts(map, buffer, count, bytes, packs);
    return;
  }
  /* An integer, because a pointer must not advance from MPI_BOTTOM. */
  unsigned char *block = (unsigned char *)((uintptr_t)buffer + (uint64_t)run->offset);
  unsigned blocks = (unsigned)run->count;
  for (const int64_t stride = run->stride; blocks; --blocks, block += stride, bytes += 8) {
    mpispec_stay_rolled(&blocks);
    __builtin_memcpy(packs ? bytes : block, packs ? block : bytes, 8);
  }
}

/* A position among elements, which advances when bytes are packed or unpacked. It never passes the
 * last element for which the caller has bytes. */
struct mpispec_cursor {
  const struct mpispec_typemap *map;
  uintptr_t part;          /* the address of the current part */
  int next;                /* index of the run that begins next */
  struct mpispec_run rest; /* the rest of the current run; its offset is an address */
  int64_t into;            /* bytes of its first block that are done */
};

void mpispec_cursor_open(struct mpispec_cursor *cursor, const struct mpispec_typemap *map,
                         const void *buffer, int64_t count);

/* Like mpispec_cursor_open, but begins `offset` bytes behind the first byte of data. */
void mpispec_cursor_seek(struct mpispec_cursor *cursor, const struct mpispec_typemap *map,
                         const void *buffer, int64_t count, int64_t offset);

/* Pack and unpack the next `length` bytes. */
void mpispec_cursor_pack(struct mpispec_cursor *cursor, void *bytes, int64_t length);
void mpispec_cursor_unpack(struct mpispec_cursor *cursor, const void *bytes, int64_t length);

#endif
