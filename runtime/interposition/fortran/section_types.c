/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See section_types.h. Datatypes are in a table. The count, the datatype of an element and the
 * shape of the section determine the place. A new datatype replaces the one in its place. */
#include "interposition/fortran/section_types.h"

#include "job/pmpi.h"

#ifdef MPISPEC_STYLE_MPICH

#include <stdint.h>
#include <string.h>

/* --- one datatype ------------------------------------------------------------------------------*/

struct shape {
  int64_t extents[MPISPEC_SECTION_RANKS]; /* elements */
  int64_t steps[MPISPEC_SECTION_RANKS];   /* bytes */
};

static int vector(int count, int64_t step, MPI_Datatype old, MPI_Datatype *made) {
  return PMPI_Type_create_hvector(count, 1, (MPI_Aint)step, old, made);
}

static int pair(MPI_Datatype first, MPI_Aint second_at, MPI_Datatype second, MPI_Datatype *made) {
  return PMPI_Type_create_struct(2, (const int[]){1, 1}, (const MPI_Aint[]){0, second_at},
                                 (const MPI_Datatype[]){first, second}, made);
}

/* Makes the datatype of the first `count` elements of the dimensions up to `last`. It consists of
 * whole parts of the lower dimensions, and of the beginning of one more part. */
static int make(const struct shape *shape, int last, int64_t count, MPI_Datatype element,
                MPI_Datatype *made) {
  int64_t part = 1; /* elements of lower dimensions */
  for (int i = 0; i < last; ++i)
    part *= shape->extents[i];
  if (last && count <= part)
    return make(shape, last - 1, count, element, made);
  MPI_Datatype lower = element, whole, rest;
  int error = last ? make(shape, last - 1, part, element, &lower) : MPI_SUCCESS;
  if (error)
    return error;
  error = vector((int)(count / part), shape->steps[last], lower, &whole);
  if (last)
    mpispec_pmpi.Type_free(&lower);
  if (error || count % part == 0) {
    *made = whole;
    return error;
  }
  error = make(shape, last - 1, count % part, element, &rest);
  if (!error) {
    error = pair(whole, (MPI_Aint)(count / part * shape->steps[last]), rest, made);
    mpispec_pmpi.Type_free(&rest);
  }
  mpispec_pmpi.Type_free(&whole);
  return error;
}

/* --- the table ---------------------------------------------------------------------------------*/

enum { PLACES = 64, WORDS = 2 + 2 * MPISPEC_SECTION_RANKS };
static struct place {
  MPI_Datatype datatype; /* meaningful if `used` */
  int used;              /* words of the key */
  int64_t key[WORDS];    /* count, datatype of an element, extent and step of each dimension */
} places[PLACES];

static int write_key(const struct mpispec_section *section, int count, MPI_Datatype element,
                     int64_t key[WORDS]) {
  int used = 0;
  key[used++] = count;
  key[used++] = element;
  for (int i = 0; i < section->rank; ++i) {
    key[used++] = section->dimensions[i].upper - section->dimensions[i].lower + 1;
    key[used++] = section->dimensions[i].stride * section->span;
  }
  return used;
}

static struct place *place_of(const int64_t key[], int used) {
  uint64_t hash = 0;
  for (int i = 0; i < used; ++i)
    hash = (hash ^ (uint64_t)key[i]) * 0x9e3779b97f4a7c15u;
  return &places[hash >> 58];
}
_Static_assert(PLACES == 1 << (64 - 58), "the hash's upper bits choose a place");

/* The datatype that was taken out of the table last, or MPI_DATATYPE_NULL. A call with two sections
 * may still use it. */
static MPI_Datatype replaced = MPI_DATATYPE_NULL;

static void empty(struct place *place) {
  if (!place->used)
    return;
  if (replaced != MPI_DATATYPE_NULL)
    MPI_Type_free(&replaced); /* the runtime forgets it, too */
  replaced = place->datatype;
  place->used = 0;
}

MPI_Datatype mpispec_section_type(const struct mpispec_section *section, int count,
                                  MPI_Datatype element) {
  int64_t key[WORDS];
  struct shape shape;
  const int used = write_key(section, count, element, key);
  struct place *place = place_of(key, used);
  if (place->used == used && !memcmp(place->key, key, (size_t)used * sizeof key[0]))
    return place->datatype;
  for (int i = 0; i < section->rank; ++i) {
    shape.extents[i] = key[2 + 2 * i];
    shape.steps[i] = key[3 + 2 * i];
  }
  empty(place);
  if (make(&shape, section->rank - 1, count, element, &place->datatype))
    return MPI_DATATYPE_NULL;
  PMPI_Type_commit(&place->datatype);
  memcpy(place->key, key, sizeof key);
  place->used = used;
  return place->datatype;
}

void mpispec_section_types_close(void) {
  for (int i = 0; i < PLACES; ++i)
    empty(&places[i]);
  if (replaced != MPI_DATATYPE_NULL)
    MPI_Type_free(&replaced);
}

#endif
