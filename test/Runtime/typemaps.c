/* Typemaps of random datatypes. Bytes are packed and unpacked in random pieces, from the begin or from any byte on.
 * They are those of the MPI library, and no byte beside them changes. Some types must have no typemap. */
#include "check.h"
#include "datatype/typemap.h"
#include "job/pmpi.h"
#include "random-types.h"

#include <string.h>

struct mpispec_pmpi mpispec_pmpi = {.Type_free = PMPI_Type_free};

enum { MEMORY = 1 << 20, MIDDLE = MEMORY / 2, MOST_COUNT = 4 };
static unsigned char memory[MEMORY], expected[MEMORY], packed[MEMORY], pieces[MEMORY];
static int unpacked, sought;

/* From a byte on up to the end, piece by piece: into `pieces`, or out of `packed`. */
static void in_pieces_with(struct mpispec_cursor *cursor, int64_t from, int64_t size, int unpacks) {
  for (int64_t done = from, length; done < size; done += length) {
    length = 1 + below(below(2) ? 9 : 500);
    length = length < size - done ? length : size - done;
    if (unpacks)
      mpispec_cursor_unpack(cursor, packed + done, length);
    else
      mpispec_cursor_pack(cursor, pieces + done, length);
  }
}

static void in_pieces(const struct mpispec_typemap *map, int count, int64_t size, int unpacks) {
  struct mpispec_cursor cursor;
  mpispec_cursor_open(&cursor, map, memory + MIDDLE, count);
  in_pieces_with(&cursor, 0, size, unpacks);
}

static int changed(const unsigned char *bytes) {
  int n = 0;
  for (int i = 0; i < MEMORY; ++i)
    n += bytes[i] != 0;
  return n;
}

/* Unpacking a part of it, to within an element, writes the first bytes of the whole. */
static void check_part(const struct mpispec_typemap *map, MPI_Datatype type, int count, int size) {
  const int part = size ? below(size) : 0;
  int position = 0;
  memset(expected, 0, sizeof expected);
  memset(packed + part, 0, (size_t)(size - part));
  MPI_Unpack(packed, size, &position, expected + MIDDLE, count, type, MPI_COMM_SELF);
  memset(memory, 0, sizeof memory);
  in_pieces(map, count, part, 1);
  CHECK(!memcmp(memory, expected, sizeof memory));
}

/* --- from any byte on --------------------------------------------------------------------------*/

enum { OFFSETS = 300 };
struct offsets {
  int count;
  int64_t of[OFFSETS];
};

static void add(struct offsets *offsets, int64_t offset, int64_t size) {
  for (int64_t beside = -1; beside <= 1; ++beside)
    if (offset + beside >= 0 && offset + beside < size && offsets->count < OFFSETS)
      offsets->of[offsets->count++] = offset + beside;
}

/* The first and last bytes; the bounds of blocks, runs, parts and elements; and any. */
static struct offsets offsets_of(const struct mpispec_typemap *map, int64_t size) {
  struct offsets offsets = {0, {0}};
  int64_t part = 0;
  add(&offsets, 0, size);
  add(&offsets, 7, size);
  add(&offsets, size - 1, size);
  for (int i = 0; i < map->runs; ++i) {
    add(&offsets, part + map->run[i].length, size);
    add(&offsets, part + map->run[i].length * (map->run[i].count - 1), size);
    part += map->run[i].length * map->run[i].count;
    add(&offsets, part, size);
  }
  for (int i = 0; i < 10; ++i) {
    add(&offsets, part * below(9), size);
    add(&offsets, below((int)size), size);
  }
  return offsets;
}

/* Bytes packed from each on are those of the whole. */
static void check_seek_pack(const struct mpispec_typemap *map, int count, int64_t size) {
  if (!size)
    return;
  const struct offsets offsets = offsets_of(map, size);
  for (int i = 0; i < offsets.count; ++i) {
    struct mpispec_cursor cursor;
    const int64_t from = offsets.of[i];
    memset(pieces, 0, (size_t)size);
    mpispec_cursor_seek(&cursor, map, memory + MIDDLE, count, from);
    in_pieces_with(&cursor, from, size, 0);
    CHECK(!memcmp(packed + from, pieces + from, (size_t)(size - from)));
    ++sought;
  }
}

/* Bytes unpacked from some on are at the places that they have in the whole, and those before them
 * stay as they were. */
static void check_seek_unpack(const struct mpispec_typemap *map, MPI_Datatype type, int count,
                              int size) {
  static unsigned char rest[MEMORY];
  if (!size)
    return;
  const struct offsets offsets = offsets_of(map, size);
  for (int tries = 0; tries < 8; ++tries) {
    struct mpispec_cursor cursor;
    int position = 0;
    const int64_t from = offsets.of[below(offsets.count)];
    memset(rest, 0, (size_t)from);
    memcpy(rest + from, packed + from, (size_t)(size - from));
    memset(expected, 0, sizeof expected);
    MPI_Unpack(rest, size, &position, expected + MIDDLE, count, type, MPI_COMM_SELF);
    memset(memory, 0, sizeof memory);
    mpispec_cursor_seek(&cursor, map, memory + MIDDLE, count, from);
    in_pieces_with(&cursor, from, size, 1);
    CHECK(!memcmp(memory, expected, sizeof memory));
  }
}

/* --- all ---------------------------------------------------------------------------------------*/

static void check_unpack(const struct mpispec_typemap *map, MPI_Datatype type, int count,
                         int size) {
  int position = 0;
  memset(memory, 0, sizeof memory);
  memset(expected, 0, sizeof expected);
  MPI_Unpack(packed, size, &position, expected + MIDDLE, count, type, MPI_COMM_SELF);
  if (changed(expected) != size)
    return; /* elements overlap: nobody may receive them */
  ++unpacked;
  in_pieces(map, count, size, 1);
  CHECK(!memcmp(memory, expected, sizeof memory));
  check_seek_unpack(map, type, count, size);
  check_part(map, type, count, size);
}

/* Returns whether the type has a typemap. */
static int check(MPI_Datatype type) {
  const int count = below(MOST_COUNT + 1);
  int size, position = 0;
  struct mpispec_typemap *map = mpispec_typemap_make(type);
  if (!map)
    return 0;
  MPI_Type_size(type, &size);
  size *= count;
  for (int i = 0; i < MEMORY; ++i)
    memory[i] = (unsigned char)(1 + below(255));
  MPI_Pack(memory + MIDDLE, count, type, packed, sizeof packed, &position, MPI_COMM_SELF);
  CHECK(position == size);
  in_pieces(map, count, size, 0);
  CHECK(!memcmp(packed, pieces, (size_t)size));
  check_seek_pack(map, count, size);
  check_unpack(map, type, count, size);
  mpispec_typemap_drop(map);
  return 1;
}

static void has_none(MPI_Datatype type) {
  MPI_Type_commit(&type);
  CHECK(!mpispec_typemap_make(type));
  MPI_Type_free(&type);
}

static void without_typemap(void) {
  static int ones[3000], places[3000];
  const int sizes[2] = {8, 8}, spread[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
  const int arguments[2] = {2, 4}, grid[2] = {2, 2};
  const MPI_Aint bounds[2] = {0, 64};
  const MPI_Datatype bounded[2] = {MPI_INT, MPI_UB};
  const MPI_Datatype pairs[1] = {MPI_SHORT_INT};
  MPI_Datatype type;
  MPI_Type_create_darray(4, 1, 2, sizes, spread, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  has_none(type);
  MPI_Type_vector_c(3, 1, 2, MPI_INT, &type);
  has_none(type);
  MPI_Type_contiguous(2, MPI_SHORT_INT, &type);
  has_none(type);
  for (int i = 0; i < 3000; ++i) {
    ones[i] = 1;
    places[i] = i * (i + 3) / 2; /* each gap another */
  }
  MPI_Type_create_struct(2, ones, bounds, bounded, &type);
  has_none(type);
  MPI_Type_create_struct(1, ones, bounds, pairs, &type);
  has_none(type);
  MPI_Type_indexed(3000, ones, places, MPI_INT, &type);
  has_none(type);
  MPI_Type_dup(MPI_INT, &type);
  for (int i = 0; i < 50; ++i) { /* too deep */
    MPI_Datatype inner = type;
    MPI_Type_dup(inner, &type);
    MPI_Type_free(&inner);
  }
  has_none(type);
}

/* The names that take the place of others: what has none, is dense, or one run. */
static void shapes(void) {
  const int lengths[2] = {1, 1};
  const int ones[14] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const int gaps[14] = {0, 2, 5, 9, 14, 20, 27, 35, 44, 54, 65, 77, 90, 104};
  const MPI_Aint places[2] = {0, 8};
  const MPI_Datatype members[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype type, row;
  struct mpispec_typemap *map;
  MPI_Type_vector(500000, 3, 5, MPI_DOUBLE, &type);
  map = mpispec_typemap_make(type);
  CHECK(map && map->runs == 1 && map->run[0].length == 24 && map->run[0].stride == 40);
  CHECK(map->run[0].count == 500000 && !mpispec_typemap_is_dense(map));
  mpispec_typemap_drop(map);
  MPI_Type_free(&type);
  MPI_Type_vector(7, 4, 4, MPI_FLOAT, &row);
  MPI_Type_vector(3, 1, 1, row, &type);
  map = mpispec_typemap_make(type);
  CHECK(map && mpispec_typemap_is_dense(map) && map->run[0].length == 3 * 7 * 4 * 4);
  mpispec_typemap_drop(map);
  MPI_Type_free(&type);
  MPI_Type_create_resized(row, 4, 112, &type); /* only its lower bound is another */
  map = mpispec_typemap_make(type);
  CHECK(map && mpispec_typemap_is_dense(map));
  mpispec_typemap_drop(map);
  MPI_Type_free(&type);
  MPI_Type_create_struct(2, lengths, places, members, &row);
  MPI_Type_contiguous(3000, row, &type); /* two runs, 3000 times */
  map = mpispec_typemap_make(type);
  CHECK(map && map->runs == 2 && map->copies == 3000 && map->extent == 16);
  mpispec_typemap_drop(map);
  MPI_Type_free(&type);
  MPI_Type_free(&row);
  MPI_Type_indexed(14, ones, gaps, MPI_INT, &type); /* irregular: block by block */
  map = mpispec_typemap_make(type);
  CHECK(map && map->block == 4 && map->runs == 14);
  mpispec_typemap_drop(map);
  MPI_Type_free(&type);
  MPI_Type_create_f90_real(6, 30, &row);
  MPI_Type_contiguous(2, row, &type);
  map = mpispec_typemap_make(type);
  CHECK(map && mpispec_typemap_is_dense(map));
  mpispec_typemap_drop(map);
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  int maps = 0;
  MPI_Init(&argc, &argv);
  const int tries = argc > 1 ? atoi(argv[1]) : 300;
  for (int i = 0; i < tries; ++i) {
    random_state = (unsigned)i * 7919;
    MPI_Datatype type = random_type(1 + below(5), 0);
    MPI_Type_commit(&type);
    const int has = check(type);
    maps += has;
    MPI_Type_free(&type);
  }
  CHECK(maps > tries * 9 / 10 && unpacked > tries / 2 && sought > 10 * tries);
  without_typemap();
  shapes();
  MPI_Finalize();
  return passed();
}

// DEFINE: %{runtime} = %sources/datatype/typemap.c %sources/datatype/runs.c %sources/datatype/cursor.c
// Types of MPI-1 that Open MPI has no more; and its own MPI_Pack reads at 2^63 where a part of a type is empty.
// REQUIRES: clang-22, mpich
//
// RUN: %behind clang-22 mpicc -std=gnu11 -O1 -g -w -fno-sanitize-recover=all \
// RUN:   -fsanitize=address,undefined %include %s %{runtime} -o %t
// RUN: env ASAN_OPTIONS=detect_leaks=0 UCX_MEM_MMAP_HOOK_MODE=none %mpirun -n 1 %t | FileCheck %s
// CHECK: passed
