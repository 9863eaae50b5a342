/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The properties of datatypes that lanes need: the size of an element, and the places of its bytes
 * in memory. The bytes are contiguous, or a typemap describes them (typemap.h). The MPI library
 * packs and unpacks types without a typemap. */
#ifndef MPISPEC_RUNTIME_DATATYPE_H
#define MPISPEC_RUNTIME_DATATYPE_H

#include "abi/mpi.h"
#include "datatype/typemap.h"
#include "mpispec/state.h"
#include "progress/lock.h"

#include <stddef.h>
#include <stdint.h>

struct mpispec_datatype {
  MPI_Datatype handle;
  int64_t size;                /* bytes of data of one element */
  int contiguous;              /* elements have no gaps, are in order, and begin at their address */
  struct mpispec_typemap *map; /* null if contiguous, or if the type has no typemap */
  int known;
  int predefined; /* if so, a buffer of address 0 is invalid; derived types may contain addresses */
};

/* A small cache, keyed by handle. Derived types in it have an attribute. The MPI library deletes
 * the attribute before it gives the handle to another type. If a handle shows that a type is
 * derived, the type has no entry in common with predefined types, which every program uses. */
enum { MPISPEC_DATATYPE_ENTRIES = 512 };
extern struct mpispec_datatype mpispec_datatype_cache[MPISPEC_DATATYPE_ENTRIES];

static inline struct mpispec_datatype *mpispec_datatype_entry(MPI_Datatype handle) {
  const mpispec_type_handle bits = (mpispec_type_handle)handle;
  enum { HALF = MPISPEC_DATATYPE_ENTRIES / 2 };
  if (!mpispec_type_is_derived(bits))
    return &mpispec_datatype_cache[mpispec_type_place(bits, HALF)];
  /* In MPICH, the low byte of a handle is its number, and the next one of a predefined type its
   * size. The first derived types have handles of a kind of their own, with numbers from 0, too. */
  const mpispec_type_handle mixed = bits ^ bits >> 8, place = bits >> 30 == 2 ? ~mixed : mixed;
  return &mpispec_datatype_cache[HALF | mpispec_type_place(place, HALF)];
}

/* Called in MPI_Init and MPI_Finalize, once each. `alone` is a communicator of this process, on
 * which the library may send messages in order to pack data (abi/lacking.c). */
void mpispec_datatypes_open(MPI_Comm alone);
void mpispec_datatypes_close(void);

/* mpispec_datatype_find returns the properties of a valid, committed datatype, or null if the type
 * was not used before. In the latter case the caller lets the MPI library check the type, and then
 * calls mpispec_datatype_add. */
static inline const struct mpispec_datatype *mpispec_datatype_find(MPI_Datatype handle) {
  const struct mpispec_datatype *entry = mpispec_datatype_entry(handle);
  return entry->known && entry->handle == handle ? entry : NULL;
}
const struct mpispec_datatype *mpispec_datatype_add(MPI_Datatype handle);

/* Stores a type in the small table (mpispec_type_size) if the table can hold it. If several types
 * share a place there, the one used last is kept. */
void mpispec_datatype_show(const struct mpispec_datatype *entry);

/* Frees a type by `function`. If pending requests may need the type to unpack, the function is
 * delayed until they are complete. `holders_of` counts those requests among all `holders`, with the
 * lock held. Called without the lock, because attributes of the type have callbacks of the
 * program. */
int mpispec_datatype_free(int (*function)(MPI_Datatype *), MPI_Datatype *handle,
                          int (*holders_of)(MPI_Datatype, int holders));
void mpispec_datatype_hold(void);

/* Called when a request that held the type is complete. May release the lock and call functions of
 * the program. */
void mpispec_datatype_let_go(MPI_Datatype handle);

/* Packs `count` elements of a type that is not contiguous. `length` is exactly their size. */
void mpispec_datatype_pack(const void *buffer, int64_t count, MPI_Datatype handle, void *bytes,
                           int64_t length);

/* Unpacks `length` bytes into the elements at `buffer`. The bytes may end within an element. */
void mpispec_datatype_unpack(const void *bytes, int64_t length, void *buffer, MPI_Datatype handle);

/* The same for elements that only the MPI library may touch, or whose type has no typemap. */
void mpispec_datatype_pack_in_library(const void *buffer, int64_t count, MPI_Datatype handle,
                                      void *bytes, int64_t length);
void mpispec_datatype_unpack_in_library(const void *bytes, int64_t length, void *buffer,
                                        MPI_Datatype handle);

#endif
