/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the properties of datatypes, delays their end, and packs and unpacks them (datatype.h). */
#include "datatype/datatype.h"

#include "job/memory.h"
#include "job/pmpi.h"
#include "mpispec/state.h"
#include "progress/lock.h"

#include <stdlib.h>
#include <string.h>

struct mpispec_datatype mpispec_datatype_cache[MPISPEC_DATATYPE_ENTRIES];

/* --- the cache ---------------------------------------------------------------------------------*/

/* An attribute of every derived type in the cache. */
static int keyval = MPI_KEYVAL_INVALID;

/* The types that templates and the fast path use. */
static struct mpispec_type types[mpispec_state_types];

/* Returns a handle that belongs to another place, so that no search finds it. */
static mpispec_type_handle unused_handle(unsigned place) {
  unsigned other = 0;
  while (mpispec_type_place(other, mpispec_state_types) == place)
    ++other;
  return other;
}

static unsigned place_of(MPI_Datatype handle) {
  return mpispec_type_place((mpispec_type_handle)handle, mpispec_state_types);
}

void mpispec_datatype_show(const struct mpispec_datatype *entry) {
  const unsigned place = place_of(entry->handle);
  const mpispec_type_handle bits = (mpispec_type_handle)entry->handle;
  if (entry->known && entry->contiguous && entry->size > 0 && entry->size <= INT32_MAX)
    types[place] = (struct mpispec_type){bits, (mpispec_type_handle)entry->size};
}

static void hide(MPI_Datatype handle) {
  const unsigned place = place_of(handle);
  if (types[place].handle == (mpispec_type_handle)handle)
    types[place] = (struct mpispec_type){unused_handle(place), 0};
}

static void forget(struct mpispec_datatype *entry) {
  hide(entry->handle);
  mpispec_typemap_drop(entry->map);
  *entry = (struct mpispec_datatype){.known = 0};
}

/* The library calls this function when it deletes the attribute. It does so at the end of the type,
 * and before it gives the handle to another type. */
static int at_end(MPI_Datatype handle, int key, void *value, void *extra) {
  (void)key, (void)value, (void)extra;
  mpispec_lock();
  struct mpispec_datatype *entry = mpispec_datatype_entry(handle);
  if (entry->known && entry->handle == handle)
    forget(entry);
  mpispec_unlock();
  return MPI_SUCCESS;
}

/* A type may end within the library's progress engine, together with the last transfer that needed
 * it. MPICH releases its lock while it executes the callback. Then two threads may be in the engine
 * at once, which UCX does not support. One of them may be the helper, at any thread level.
 * Therefore a type that is freed has no attribute. */
static void take_attribute(MPI_Datatype handle) {
  const struct mpispec_datatype *entry = mpispec_datatype_find(handle);
  if (entry && !entry->predefined)
    PMPI_Type_delete_attr(handle, keyval);
}

/* The type that this thread is freeing. If a callback of the program uses it, it gets no new
 * attribute. */
static _Thread_local MPI_Datatype leaving = MPI_DATATYPE_NULL;

static int free_by(int (*function)(MPI_Datatype *), MPI_Datatype *handle) {
  const MPI_Datatype outer = leaving;
  if (handle)
    leaving = *handle;
  const int error = function(handle);
  leaving = outer;
  return error;
}

static MPI_Comm self;

void mpispec_datatypes_open(MPI_Comm alone) {
  self = alone;
  for (unsigned place = 0; place < mpispec_state_types; ++place)
    types[place].handle = unused_handle(place);
  mpispec_state.types = types;
  PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, at_end, &keyval, NULL);
}

static int is_predefined(MPI_Datatype handle) {
  MPI_Count integers, addresses, large, types;
  int combiner;
  PMPI_Type_get_envelope_c(handle, &integers, &addresses, &large, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}

/* Predefined types are contiguous, except pairs such as MPI_DOUBLE_INT. */
static void add_typemap(struct mpispec_datatype *entry) {
  MPI_Count lower, extent;
  PMPI_Type_get_extent_x(entry->handle, &lower, &extent);
  if (entry->predefined && entry->size == extent && !lower) {
    entry->contiguous = 1;
    return;
  }
  struct mpispec_typemap *map = mpispec_typemap_make(entry->handle);
  entry->contiguous = map && mpispec_typemap_is_dense(map);
  if (entry->contiguous)
    mpispec_typemap_drop(map);
  else
    entry->map = map;
}

/* The attribute is set first, because setting it again calls at_end. Without an attribute, the
 * entry is valid for one call. */
const struct mpispec_datatype *mpispec_datatype_add(MPI_Datatype handle) {
  struct mpispec_datatype *entry = mpispec_datatype_entry(handle);
  MPI_Count size;
  take_attribute(entry->handle);
  const int predefined = is_predefined(handle);
  const int stays = predefined || (handle != leaving && !PMPI_Type_set_attr(handle, keyval, NULL));
  PMPI_Type_size_x(handle, &size);
  forget(entry);
  *entry = (struct mpispec_datatype){
      .handle = handle, .size = size, .known = stays, .predefined = predefined};
  add_typemap(entry);
  mpispec_datatype_show(entry);
  return entry;
}

/* --- types that are freed while receives need them ---------------------------------------------*/

/* The number of requests that need a type to unpack. The list contains the types that the program
 * has freed meanwhile, each with the number of requests that need it. */
static int holders;
static struct {
  struct deferred_free {
    MPI_Datatype handle;
    int holders;
  } *types;
  int count, room;
} deferred;

void mpispec_datatype_hold(void) { ++holders; }

/* The deletion of a type's attributes may call functions of the program, which may call MPI.
 * Therefore the type is removed from the list first, and the lock is not held. */
static void free_at(int i) {
  MPI_Datatype handle = deferred.types[i].handle;
  deferred.types[i] = deferred.types[--deferred.count];
  take_attribute(handle);
  mpispec_unlock();
  free_by(mpispec_pmpi.Type_free, &handle);
  mpispec_lock();
}

void mpispec_datatype_let_go(MPI_Datatype handle) {
  --holders;
  for (int i = 0; i < deferred.count; ++i)
    if (deferred.types[i].handle == handle && !--deferred.types[i].holders) {
      free_at(i);
      return;
    }
}

/* Frees the types that are held by requests which the program never completes. */
static void free_deferred(void) {
  mpispec_lock();
  while (deferred.count)
    free_at(deferred.count - 1);
  mpispec_unlock();
  free(deferred.types);
  memset(&deferred, 0, sizeof deferred);
}

/* Defers the end of a type. Returns 0 if there is no memory for the entry. */
static int put_off(MPI_Datatype handle, int needed_by) {
  if (deferred.count == deferred.room) {
    const int room = deferred.room ? 2 * deferred.room : 16;
    struct deferred_free *larger = realloc(deferred.types, (size_t)room * sizeof *larger);
    if (!larger)
      return 0;
    deferred.types = larger;
    deferred.room = room;
  }
  deferred.types[deferred.count++] = (struct deferred_free){handle, needed_by};
  return 1;
}

/* Returns nonzero if a request needs the type that the program frees. Then its end is deferred. */
static int keep(MPI_Datatype handle, int (*holders_of)(MPI_Datatype, int holders)) {
  const int needed_by = holders ? holders_of(handle, holders) : 0;
  return needed_by && !is_predefined(handle) && put_off(handle, needed_by);
}

int mpispec_datatype_free(int (*function)(MPI_Datatype *), MPI_Datatype *handle,
                          int (*holders_of)(MPI_Datatype, int holders)) {
  mpispec_lock();
  const int kept = handle && *handle != MPI_DATATYPE_NULL && keep(*handle, holders_of);
  if (handle && !kept)
    take_attribute(*handle);
  mpispec_unlock();
  if (!kept)
    return free_by(function, handle);
  *handle = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

void mpispec_datatypes_close(void) {
  free_deferred();
  for (int i = 0; i < MPISPEC_DATATYPE_ENTRIES; ++i)
    forget(&mpispec_datatype_cache[i]);
  if (keyval != MPI_KEYVAL_INVALID)
    PMPI_Type_free_keyval(&keyval);
}

/* --- packing -----------------------------------------------------------------------------------*/

/* Returns null if the library must pack the type. */
static const struct mpispec_datatype *find_mapped(MPI_Datatype handle) {
  const struct mpispec_datatype *known = mpispec_datatype_find(handle);
  return known && known->map ? known : NULL;
}

/* MPI_Pack of MPICH refuses MPI_BOTTOM. The function therefore replaces it by an address that is
 * not null, and makes a type with the same elements. Returns 1 if the caller must free this
 * type. */
static int avoid_null(const void **buffer, int64_t *count, MPI_Datatype *handle) {
  const MPI_Count elements = *count;
  const MPI_Count base = -4096;
  MPI_Datatype shifted;
  if (*buffer)
    return 0;
  PMPI_Type_create_hindexed_c(1, &elements, &base, *handle, &shifted);
  PMPI_Type_commit(&shifted);
  *buffer = (const void *)4096;
  *handle = shifted;
  *count = 1;
  return 1;
}

void mpispec_datatype_pack(const void *buffer, int64_t count, MPI_Datatype handle, void *bytes,
                           int64_t length) {
  const struct mpispec_datatype *mapped = find_mapped(handle);
  if (mapped) {
    struct mpispec_cursor cursor;
    mpispec_cursor_open(&cursor, mapped->map, buffer, count);
    mpispec_cursor_pack(&cursor, bytes, length);
    return;
  }
  mpispec_datatype_pack_in_library(buffer, count, handle, bytes, length);
}

void mpispec_datatype_pack_in_library(const void *buffer, int64_t count, MPI_Datatype handle,
                                      void *bytes, int64_t length) {
  MPI_Count position = 0;
  const int shifted = avoid_null(&buffer, &count, &handle);
  PMPI_Pack_c(buffer, count, handle, bytes, length, &position, self);
  if (shifted)
    mpispec_pmpi.Type_free(&handle);
}

static void unpack_whole(const void *bytes, int64_t length, const void *buffer, int64_t count,
                         MPI_Datatype handle) {
  MPI_Count position = 0;
  const int shifted = avoid_null(&buffer, &count, &handle);
  PMPI_Unpack_c(bytes, length, &position, (void *)(uintptr_t)buffer, count, handle, self);
  if (shifted)
    mpispec_pmpi.Type_free(&handle);
}

/* Unpacks a part of the last element. Packs the element, writes the part over it, and unpacks it
 * again. */
static void unpack_part(const void *bytes, int64_t length, void *element, MPI_Datatype handle,
                        int64_t size) {
  unsigned char *packed = mpispec_check_allocation(malloc((size_t)size));
  mpispec_datatype_pack_in_library(element, 1, handle, packed, size);
  memcpy(packed, bytes, (size_t)length);
  unpack_whole(packed, size, element, 1, handle);
  free(packed);
}

void mpispec_datatype_unpack_in_library(const void *bytes, int64_t length, void *buffer,
                                        MPI_Datatype handle) {
  MPI_Count size, lower, extent;
  PMPI_Type_size_x(handle, &size);
  if (!size || !length)
    return;
  const int64_t whole = length / size, rest = length % size;
  PMPI_Type_get_extent_x(handle, &lower, &extent);
  unpack_whole(bytes, length - rest, buffer, whole, handle);
  if (rest)
    unpack_part((const char *)bytes + whole * size, rest, (char *)buffer + whole * extent, handle,
                size);
}

void mpispec_datatype_unpack(const void *bytes, int64_t length, void *buffer, MPI_Datatype handle) {
  const struct mpispec_datatype *mapped = find_mapped(handle);
  struct mpispec_cursor cursor;
  if (!mapped || !length) {
    mpispec_datatype_unpack_in_library(bytes, length, buffer, handle);
    return;
  }
  mpispec_cursor_open(&cursor, mapped->map, buffer, (length - 1) / mapped->size + 1);
  mpispec_cursor_unpack(&cursor, bytes, length);
}
