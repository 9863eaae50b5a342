/* Learns datatypes, keeps them alive, packs and unpacks them. datatype.h says what for. */
#include "datatype.h"

#include "lock.h"

#include <stdlib.h>
#include <string.h>

struct mpispec_datatype mpispec_datatype_cache[MPISPEC_DATATYPE_ENTRIES];

static int combiner_of(MPI_Datatype handle) {
  int integers, addresses, datatypes, combiner;
  PMPI_Type_get_envelope(handle, &integers, &addresses, &datatypes, &combiner);
  return combiner;
}

static int is_contiguous(MPI_Datatype handle);

/* The one type that a type was made of. */
static int inner_is_contiguous(MPI_Datatype handle, int integers, int addresses) {
  int *integer = malloc((size_t)(integers + 1) * sizeof *integer);
  MPI_Aint *address = malloc((size_t)(addresses + 1) * sizeof *address);
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  int result = 0;
  if (integer && address &&
      !PMPI_Type_get_contents(handle, integers, addresses, 1, integer, address, &inner)) {
    result = is_contiguous(inner);
    if (combiner_of(inner) != MPI_COMBINER_NAMED)
      PMPI_Type_free(&inner);
  }
  free(integer);
  free(address);
  return result;
}

/* Predefined types without gap, and contiguous rows and copies of such: all others count as not
 * contiguous, because equal size and extent say nothing of the order of the bytes. */
static int is_contiguous(MPI_Datatype handle) {
  int integers, addresses, datatypes, combiner;
  MPI_Count size, lower, extent;
  PMPI_Type_size_x(handle, &size);
  PMPI_Type_get_extent_x(handle, &lower, &extent);
  if (size != extent || lower)
    return 0;
  PMPI_Type_get_envelope(handle, &integers, &addresses, &datatypes, &combiner);
  if (combiner == MPI_COMBINER_NAMED)
    return 1;
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)
    return 0;
  return datatypes == 1 && inner_is_contiguous(handle, integers, addresses);
}

const struct mpispec_datatype *mpispec_datatype_learn(MPI_Datatype handle) {
  struct mpispec_datatype *entry = mpispec_datatype_entry(handle);
  MPI_Count size;
  PMPI_Type_size_x(handle, &size);
  *entry = (struct mpispec_datatype){.handle = handle,
                                     .size = size,
                                     .contiguous = is_contiguous(handle),
                                     .known = 1,
                                     .predefined = combiner_of(handle) == MPI_COMBINER_NAMED};
  return entry;
}

/* Requests that will unpack, and types that their program has freed meanwhile. */
static int holders;
static struct {
  MPI_Datatype *handles;
  int count, room;
} doomed;

void mpispec_datatype_hold(void) { ++holders; }

/* Attributes of a type have callbacks of the program's, which may call MPI: so the list is taken
 * off first, and the lock is not held. */
void mpispec_datatype_let_go(void) {
  if (--holders || !doomed.count)
    return;
  MPI_Datatype *handles = doomed.handles;
  const int count = doomed.count;
  memset(&doomed, 0, sizeof doomed);
  mpispec_unlock();
  for (int i = 0; i < count; ++i)
    PMPI_Type_free(&handles[i]);
  mpispec_lock();
  free(handles);
}

/* Puts off the end of a type. Returns 0 if there is no memory to remember it. */
static int put_off(MPI_Datatype handle) {
  if (doomed.count == doomed.room) {
    const int room = doomed.room ? 2 * doomed.room : 16;
    MPI_Datatype *larger = realloc(doomed.handles, (size_t)room * sizeof *larger);
    if (!larger)
      return 0;
    doomed.handles = larger;
    doomed.room = room;
  }
  doomed.handles[doomed.count++] = handle;
  return 1;
}

int mpispec_datatype_keep(MPI_Datatype handle) {
  if (handle == MPI_DATATYPE_NULL)
    return 0;
  const struct mpispec_datatype *known = mpispec_datatype_find(handle);
  if (!known && holders)
    known = mpispec_datatype_learn(handle);
  if (!known || known->predefined)
    return 0;
  mpispec_datatype_entry(handle)->known = 0;
  return holders && put_off(handle);
}

/* MPI_BOTTOM, which MPI_Pack of MPICH takes for a mistake: the same elements, counted from an
 * address that is not null. Returns 1 if the type is a new one, to be freed. */
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
  MPI_Count position = 0;
  const int shifted = avoid_null(&buffer, &count, &handle);
  PMPI_Pack_c(buffer, count, handle, bytes, length, &position, MPI_COMM_SELF);
  if (shifted)
    PMPI_Type_free(&handle);
}

static void unpack_whole(const void *bytes, int64_t length, const void *buffer, int64_t count,
                         MPI_Datatype handle) {
  MPI_Count position = 0;
  const int shifted = avoid_null(&buffer, &count, &handle);
  PMPI_Unpack_c(bytes, length, &position, (void *)(uintptr_t)buffer, count, handle, MPI_COMM_SELF);
  if (shifted)
    PMPI_Type_free(&handle);
}

void mpispec_datatype_unpack(const void *bytes, int64_t length, void *buffer, MPI_Datatype handle) {
  MPI_Count size, lower, extent;
  PMPI_Type_size_x(handle, &size);
  if (!size || !length)
    return;
  const int64_t whole = length / size, rest = length % size;
  unpack_whole(bytes, length - rest, buffer, whole, handle);
  if (!rest)
    return;
  /* The last element came in part: read what it holds, lay the part over it, write it back. */
  PMPI_Type_get_extent_x(handle, &lower, &extent);
  char *element = (char *)buffer + whole * extent;
  unsigned char *packed = malloc((size_t)size);
  if (!packed)
    return;
  mpispec_datatype_pack(element, 1, handle, packed, size);
  memcpy(packed, (const unsigned char *)bytes + whole * size, (size_t)rest);
  unpack_whole(packed, size, element, 1, handle);
  free(packed);
}
