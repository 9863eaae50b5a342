/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Makes typemaps: decomposes a datatype into its constructors' arguments (MPI 4.0, section 5.1.13),
 * and joins runs. A type has no typemap if the result differs from the size and the true extent
 * that the MPI library returns. */
#include "datatype/typemap.h"

#include "datatype/runs.h"
#include "job/pmpi.h"

#include <stdlib.h>

enum { MOST_NESTED = 32 };

/* --- taking types apart ------------------------------------------------------------------------*/

struct contents {
  int combiner;
  MPI_Count integers, addresses, types;
  int *integer;
  MPI_Aint *address;
  MPI_Datatype *type;
};

static int is_predefined(MPI_Datatype handle) {
  MPI_Count integers, addresses, large, types;
  int combiner;
  PMPI_Type_get_envelope_c(handle, &integers, &addresses, &large, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
         combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
}

static void close_contents(struct contents *contents) {
  for (MPI_Count i = 0; contents->type && i < contents->types; ++i)
    if (!is_predefined(contents->type[i]))
      mpispec_pmpi.Type_free(&contents->type[i]);
  free(contents->integer);
  free(contents->address);
  free(contents->type);
}

/* Reads the constructor's arguments of a type that is not predefined. Returns 0 if they cannot be
 * read. Then `contents` need not be closed. */
static int open_contents(struct contents *contents, MPI_Datatype handle) {
  MPI_Count large;
  *contents = (struct contents){.combiner = 0};
  PMPI_Type_get_envelope_c(handle, &contents->integers, &contents->addresses, &large,
                           &contents->types, &contents->combiner);
  const size_t integers = (size_t)contents->integers, addresses = (size_t)contents->addresses;
  if (large || !contents->types)
    return 0;
  contents->integer = malloc((integers + 1) * sizeof *contents->integer);
  contents->address = malloc((addresses + 1) * sizeof *contents->address);
  MPI_Datatype *types = malloc((size_t)contents->types * sizeof *types);
  if (!contents->integer || !contents->address || !types ||
      PMPI_Type_get_contents(handle, (int)integers, (int)addresses, (int)contents->types,
                             contents->integer, contents->address, types)) {
    free(types);
    close_contents(contents);
    return 0;
  }
  contents->type = types;
  return 1;
}

static int64_t extent_of(MPI_Datatype handle) {
  MPI_Count lower, extent;
  PMPI_Type_get_extent_x(handle, &lower, &extent);
  return extent;
}

/* Adds a predefined type. Returns 0 if it has a gap, except a gap at its end, as in
 * MPI_DOUBLE_INT. */
static int add_predefined(struct mpispec_runs *list, MPI_Datatype handle) {
  MPI_Count size, lower, extent;
  PMPI_Type_size_x(handle, &size);
  PMPI_Type_get_true_extent_x(handle, &lower, &extent);
  return size > 0 && size == extent && !lower &&
         mpispec_runs_add(list, (struct mpispec_run){.length = size, .stride = size, .count = 1},
                          0);
}

static int vector(struct mpispec_runs *list, const struct contents *c, int64_t extent) {
  const int64_t stride =
      c->combiner == MPI_COMBINER_VECTOR ? c->integer[2] * extent : c->address[0];
  return mpispec_runs_repeat(list, c->integer[1], extent) &&
         mpispec_runs_repeat(list, c->integer[0], stride);
}

/* Adds the blocks of the four indexed types. `one` is the inner type. Displacements are in elements
 * or in bytes. All blocks have one length, or each has its own. */
static int indexed(struct mpispec_runs *list, const struct mpispec_runs *one,
                   const struct contents *c, int64_t extent) {
  const int is_equal =
      c->combiner == MPI_COMBINER_INDEXED_BLOCK || c->combiner == MPI_COMBINER_HINDEXED_BLOCK;
  const int *const lengths = c->integer + 1;
  const int *const places = lengths + (is_equal ? 1 : c->integer[0]);
  int fits = 1;
  for (int i = 0; fits && i < c->integer[0]; ++i) {
    struct mpispec_runs block = {NULL, 0, 0};
    fits = mpispec_runs_add_all(&block, one, 0) &&
           mpispec_runs_repeat(&block, lengths[is_equal ? 0 : i], extent) &&
           mpispec_runs_add_all(list, &block, c->addresses ? c->address[i] : places[i] * extent);
    free(block.run);
  }
  return fits;
}

/* Begins with the dimension whose neighbours are nearest to each other in memory. */
static int subarray(struct mpispec_runs *list, const struct contents *c, int64_t extent) {
  const int dimensions = c->integer[0];
  const int *const sizes = c->integer + 1, *const parts = sizes + dimensions,
                   *const starts = parts + dimensions;
  const int is_c = starts[dimensions] == MPI_ORDER_C;
  int64_t stride = extent, offset = 0;
  int fits = 1;
  for (int i = 0; fits && i < dimensions; ++i) {
    const int d = is_c ? dimensions - 1 - i : i;
    fits = mpispec_runs_repeat(list, parts[d], stride);
    offset += starts[d] * stride;
    stride *= sizes[d];
  }
  for (int i = 0; i < list->count; ++i)
    list->run[i].offset += offset;
  return fits;
}

static int take_apart(struct mpispec_runs *list, MPI_Datatype handle, int nested);

/* Members of one type that follow each other are taken apart once. */
static int structure(struct mpispec_runs *list, const struct contents *c, int nested) {
  struct mpispec_runs one = {NULL, 0, 0};
  MPI_Datatype type_of_one = MPI_DATATYPE_NULL;
  int fits = 1;
  for (int i = 0; fits && i < c->integer[0]; ++i) {
    struct mpispec_runs block = {NULL, 0, 0};
    if (!c->integer[1 + i])
      continue;
    if (c->type[i] != type_of_one) {
      one.count = 0;
      type_of_one = c->type[i];
      fits = take_apart(&one, type_of_one, nested);
    }
    fits = fits && mpispec_runs_add_all(&block, &one, 0) &&
           mpispec_runs_repeat(&block, c->integer[1 + i], extent_of(type_of_one)) &&
           mpispec_runs_add_all(list, &block, c->address[i]);
    free(block.run);
  }
  free(one.run);
  return fits;
}

/* Constructors with one other type. */
static int add_uniform(struct mpispec_runs *list, const struct contents *c, int nested) {
  const int64_t extent = extent_of(c->type[0]);
  struct mpispec_runs one = {NULL, 0, 0};
  if (!take_apart(&one, c->type[0], nested)) {
    free(one.run);
    return 0;
  }
  int fits = 1;
  switch (c->combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED:
    break;
  case MPI_COMBINER_CONTIGUOUS:
    fits = mpispec_runs_repeat(&one, c->integer[0], extent);
    break;
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR:
    fits = vector(&one, c, extent);
    break;
  case MPI_COMBINER_SUBARRAY:
    fits = subarray(&one, c, extent);
    break;
  case MPI_COMBINER_INDEXED:
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_INDEXED_BLOCK:
  case MPI_COMBINER_HINDEXED_BLOCK:
    fits = indexed(list, &one, c, extent);
    one.count = 0;
    break;
  default:
    fits = 0;
  }
  fits = fits && mpispec_runs_add_all(list, &one, 0);
  free(one.run);
  return fits;
}

static int take_apart(struct mpispec_runs *list, MPI_Datatype handle, int nested) {
  struct contents contents;
  if (is_predefined(handle))
    return add_predefined(list, handle);
  if (nested == MOST_NESTED || !open_contents(&contents, handle))
    return 0;
  const int fits = contents.combiner == MPI_COMBINER_STRUCT
                       ? structure(list, &contents, nested + 1)
                       : add_uniform(list, &contents, nested + 1);
  close_contents(&contents);
  return fits;
}

/* --- the result --------------------------------------------------------------------------------*/

/* Nonzero if the MPI library returns the same size and true extent. */
static int is_confirmed(const struct mpispec_runs *list, MPI_Datatype handle) {
  MPI_Count size, lower, extent;
  int64_t bytes = 0, first = INT64_MAX, last = INT64_MIN;
  for (int i = 0; i < list->count; ++i) {
    const struct mpispec_run *run = &list->run[i];
    const int64_t end = mpispec_run_end(run) - run->stride;
    const int64_t low = run->offset < end ? run->offset : end;
    const int64_t high = (run->offset < end ? end : run->offset) + run->length;
    bytes += run->count * run->length;
    first = low < first ? low : first;
    last = high > last ? high : last;
  }
  PMPI_Type_size_x(handle, &size);
  PMPI_Type_get_true_extent_x(handle, &lower, &extent);
  return bytes == size && (!bytes || (first == lower && last == lower + extent));
}

/* The number of runs if each block becomes a run, or 0 if that is not faster. Many short runs of
 * equal blocks are slower than single blocks. */
static int64_t equal_blocks(const struct mpispec_runs *list) {
  int64_t blocks = 0;
  for (int i = 0; i < list->count; ++i) {
    blocks += list->run[i].count;
    if (list->run[i].length != list->run[0].length)
      return 0;
  }
  return list->count > 1 && blocks >= 8 && blocks <= 4 * list->count ? blocks : 0;
}

static void put_runs(struct mpispec_run *to, const struct mpispec_runs *list, int is_split) {
  for (int i = 0; i < list->count; ++i) {
    struct mpispec_run run = list->run[i];
    const int64_t pieces = is_split ? run.count : 1;
    run.count /= pieces;
    for (int64_t k = 0; k < pieces; ++k, run.offset += run.stride)
      *to++ = run;
  }
}

static struct mpispec_typemap *map_of(const struct mpispec_runs *list, int64_t extent) {
  const int64_t blocks = equal_blocks(list), runs = blocks ? blocks : list->count;
  struct mpispec_typemap *map = malloc(sizeof *map + (size_t)runs * sizeof *map->run);
  if (!map)
    return NULL;
  *map = (struct mpispec_typemap){.users = 1, .runs = (int)runs, .copies = 1, .extent = extent};
  if (blocks)
    map->block = list->run[0].length;
  put_runs(map->run, list, blocks != 0);
  return map;
}

/* For an MPI_Type_contiguous that has too many runs. Makes its map from the map of its part. */
static struct mpispec_typemap *map_of_row(MPI_Datatype handle) {
  struct contents contents;
  struct mpispec_typemap *map = NULL;
  if (is_predefined(handle) || !open_contents(&contents, handle))
    return NULL;
  if (contents.combiner == MPI_COMBINER_CONTIGUOUS && contents.integer[0] > 1 &&
      extent_of(handle) == contents.integer[0] * extent_of(contents.type[0]))
    map = mpispec_typemap_make(contents.type[0]);
  if (map)
    map->copies *= contents.integer[0];
  close_contents(&contents);
  return map;
}

struct mpispec_typemap *mpispec_typemap_make(MPI_Datatype handle) {
  struct mpispec_runs list = {NULL, 0, 0};
  struct mpispec_typemap *map = take_apart(&list, handle, 0) && is_confirmed(&list, handle)
                                    ? map_of(&list, extent_of(handle))
                                    : map_of_row(handle);
  free(list.run);
  return map;
}

int mpispec_typemap_is_dense(const struct mpispec_typemap *map) {
  const struct mpispec_run *run = map->run;
  return map->runs == 1 && !run->offset && run->count == 1 && run->length == map->extent;
}

void mpispec_typemap_use(struct mpispec_typemap *map) {
  if (map)
    ++map->users;
}

void mpispec_typemap_drop(struct mpispec_typemap *map) {
  if (map && !--map->users)
    free(map);
}
