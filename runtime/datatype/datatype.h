/* Datatypes, as far as lanes care: how many bytes an element has, and whether its bytes lie in
 * memory as they travel, or else where they lie (typemap.h). What has no typemap is packed and
 * unpacked by the MPI library. */
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
  int64_t size;   /* bytes of data of one element */
  int contiguous; /* elements follow each other without gap, in order, from address 0 on */
  struct mpispec_typemap *map; /* if not contiguous; or null */
  int known;
  int predefined; /* so that an address of zero cannot be meant */
};

/* A small cache keyed by handle. Derived types have an attribute by which the library tells their
 * end, because it may give the handle to another type then. Where a handle tells them, they share
 * no entry with predefined types, which every program has some of. */
enum { MPISPEC_DATATYPE_ENTRIES = 512 };
extern struct mpispec_datatype mpispec_datatype_cache[MPISPEC_DATATYPE_ENTRIES];

static inline struct mpispec_datatype *mpispec_datatype_entry(MPI_Datatype handle) {
  const mpispec_type_handle bits = (mpispec_type_handle)handle;
  const unsigned derived = mpispec_type_is_derived(bits) ? MPISPEC_DATATYPE_ENTRIES / 2 : 0;
  return &mpispec_datatype_cache[mpispec_type_place(bits ^ bits >> 8,
                                                    MPISPEC_DATATYPE_ENTRIES / 2) |
                                 derived];
}

/* Once, at Init and Finalize. */
void mpispec_datatypes_open(void);
void mpispec_datatypes_close(void);

/* What is known of a valid, committed datatype, or null if it was not seen yet: then let the MPI
 * library check it first, and learn it. */
static inline const struct mpispec_datatype *mpispec_datatype_find(MPI_Datatype handle) {
  const struct mpispec_datatype *entry = mpispec_datatype_entry(handle);
  return entry->known && entry->handle == handle ? entry : NULL;
}
const struct mpispec_datatype *mpispec_datatype_learn(MPI_Datatype handle);

/* Puts one into the small table (mpispec_type_size) if it is good for that: of those that share a
 * place there, the one used last. */
void mpispec_datatype_show(const struct mpispec_datatype *entry);

/* The program frees a type by `function`. It lives on if a request under way may need it to unpack,
 * and is freed later; `holders_of` counts those, with the lock held. To be called without:
 * attributes of the type have callbacks of the program's. */
int mpispec_datatype_free(int (*function)(MPI_Datatype *), MPI_Datatype *handle,
                          int (*holders_of)(MPI_Datatype));
void mpispec_datatype_hold(void);

/* A request that held the type is over. May call back into the program, without the lock. */
void mpispec_datatype_let_go(MPI_Datatype handle);

/* Packs `count` elements of a type that is not contiguous into `bytes`, of the exact length. */
void mpispec_datatype_pack(const void *buffer, int64_t count, MPI_Datatype handle, void *bytes,
                           int64_t length);

/* Unpacks `length` bytes, which may end within an element, into the elements at `buffer`. */
void mpispec_datatype_unpack(const void *bytes, int64_t length, void *buffer, MPI_Datatype handle);

#endif
