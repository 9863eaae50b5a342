/* Specialised floating-point reductions give the bits of the MPI library at 3 and 5 ranks, too, where the order of
 * rounding matters. Each call has constant arguments, as templates need them, and is compared with the same call of
 * PMPI_*. It is repeated until the runtime has found the library's order. All ranks are rewritten, or
 * some. */
#include "check.h"

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef TABLE
#ifdef LIBRARY
#define MPI_Allreduce PMPI_Allreduce
#define MPI_Reduce PMPI_Reduce
#define MPI_Scan PMPI_Scan
#endif

/* One reduction of each kind, by the functions of MPI or of its profiling interface. Each is in a loop and a function
 * of its own, as templates need it. */
#define REPEATED(NAME, CALL)                                                                       \
  static void NAME(const void *in, unsigned char *out) {                                           \
    for (int i = 0; i < 2; ++i)                                                                    \
      CALL;                                                                                        \
    (void)in;                                                                                      \
  }
#define REDUCTIONS(NAME, DATATYPE, OP, COUNT)                                                      \
  REPEATED(all_##NAME##_##OP##_##COUNT,                                                            \
           MPI_Allreduce(in, out, COUNT, DATATYPE, MPI_##OP, MPI_COMM_WORLD))                  \
  REPEATED(to_0_##NAME##_##OP##_##COUNT,                                                           \
           MPI_Reduce(in, out, COUNT, DATATYPE, MPI_##OP, 0, MPI_COMM_WORLD))                  \
  REPEATED(to_2_##NAME##_##OP##_##COUNT,                                                           \
           MPI_Reduce(in, out, COUNT, DATATYPE, MPI_##OP, 2, MPI_COMM_WORLD))                  \
  REPEATED(scan_##NAME##_##OP##_##COUNT,                                                           \
           MPI_Scan(in, out, COUNT, DATATYPE, MPI_##OP, MPI_COMM_WORLD))                       \
  REPEATED(place_##NAME##_##OP##_##COUNT,                                                          \
           MPI_Allreduce(MPI_IN_PLACE, out, COUNT, DATATYPE, MPI_##OP, MPI_COMM_WORLD))        \
  static void NAME##_##OP##_##COUNT(const void *in, unsigned char *out, long bytes) {              \
    all_##NAME##_##OP##_##COUNT(in, out);                                                          \
    to_0_##NAME##_##OP##_##COUNT(in, out + bytes);                                                 \
    to_2_##NAME##_##OP##_##COUNT(in, out + 2 * bytes);                                             \
    scan_##NAME##_##OP##_##COUNT(in, out + 3 * bytes);                                             \
    memcpy(out + 4 * bytes, in, (size_t)bytes);                                                    \
    place_##NAME##_##OP##_##COUNT(in, out + 4 * bytes);                                            \
  }
#define DEFINE(NAME, DATATYPE, OP)                                                                 \
  REDUCTIONS(NAME, DATATYPE, OP, 1)                                                                \
  REDUCTIONS(NAME, DATATYPE, OP, 40)
#define ENTRIES(NAME, DATATYPE, OP) NAME##_##OP##_1, NAME##_##OP##_40,

/* In the order of `types` below. */
#define ROWS(ROW)                                                                                  \
  ROW(real, MPI_FLOAT, SUM)                                                                        \
  ROW(real, MPI_FLOAT, PROD)                                                                       \
  ROW(real, MPI_FLOAT, MAX)                                                                        \
  ROW(real, MPI_FLOAT, MIN)                                                                        \
  ROW(twice, MPI_DOUBLE, SUM)                                                                      \
  ROW(twice, MPI_DOUBLE, PROD)                                                                     \
  ROW(twice, MPI_DOUBLE, MAX)                                                                      \
  ROW(twice, MPI_DOUBLE, MIN)                                                                      \
  ROW(longest, MPI_LONG_DOUBLE, SUM)                                                               \
  ROW(longest, MPI_LONG_DOUBLE, PROD)                                                              \
  ROW(longest, MPI_LONG_DOUBLE, MAX)                                                               \
  ROW(longest, MPI_LONG_DOUBLE, MIN)                                                               \
  ROW(complex_float, MPI_C_FLOAT_COMPLEX, SUM)                                                     \
  ROW(complex_float, MPI_C_FLOAT_COMPLEX, PROD)                                                    \
  ROW(complex_double, MPI_C_DOUBLE_COMPLEX, SUM)                                                   \
  ROW(complex_double, MPI_C_DOUBLE_COMPLEX, PROD)                                                  \
  ROW(complex_longest, MPI_C_LONG_DOUBLE_COMPLEX, SUM)                                             \
  ROW(complex_longest, MPI_C_LONG_DOUBLE_COMPLEX, PROD)                                            \
  ROW(pair, MPI_DOUBLE_INT, MAXLOC)                                                                \
  ROW(pair, MPI_DOUBLE_INT, MINLOC)

ROWS(DEFINE)

void (*const TABLE[])(const void *, unsigned char *, long) = {ROWS(ENTRIES)};

#else

typedef void reductions(const void *in, unsigned char *out, long bytes);
extern reductions *const ours[], *const librarys[];

enum { REPEATS = 4, MOST = 40 * 32, CALLS_EACH = 5 };
static const int counts[] = {1, 40};

/* The bytes of an element, of each number in it, and those of a number that have a meaning. */
static const struct type {
  int operations, extent, number, bits;
} types[] = {{4, 4, 4, 4},  {4, 8, 8, 8},    {4, 16, 16, 10}, {2, 8, 4, 4},
             {2, 16, 8, 8}, {2, 32, 16, 10}, {2, 16, 8, 8}};
enum { TYPES = sizeof types / sizeof types[0], PAIRS = TYPES - 1 };

static int rank, size;
static _Alignas(64) unsigned char in[MOST], mine[CALLS_EACH * MOST], theirs[CALLS_EACH * MOST];

/* Numbers whose sums and products round, and among them zeros of both signs. */
static long double draw(void) {
  const long double value = 1 + (long double)(rand() % 1000003) / 1000003;
  const int kind = rand() % 6;
  return kind == 0 ? 0.0L : kind == 1 ? -0.0L : kind & 1 ? -value : value;
}

static void fill(const struct type *type, int count) {
  memset(in, 0, sizeof in);
  for (int at = 0; at < count * type->extent; at += type->number) {
    const long double value = draw();
    const double as_double = (double)value;
    const float as_float = (float)value;
    if (type == &types[PAIRS] && at % type->extent)
      memcpy(in + at, &(int){rand() % 3}, sizeof(int));
    else if (type->number == 4)
      memcpy(in + at, &as_float, 4);
    else if (type->number == 8)
      memcpy(in + at, &as_double, 8);
    else
      memcpy(in + at, &value, 10);
  }
}

static void compare(const struct type *type, int place, long bytes) {
  for (long at = 0; at < CALLS_EACH * bytes; at += type->number) {
    const int length = type == &types[PAIRS] && at % type->extent ? 4 : type->bits;
    const long call = at / bytes;
    if ((call == 1 && rank != 0) || (call == 2 && rank != 2))
      continue; /* a Reduce to another rank */
    if (memcmp(mine + at, theirs + at, (size_t)length)) {
      tell("row %d, call %ld, byte %ld, rank %d of %d", place, call, at % bytes, rank, size);
      CHECK(!"the same bits");
      return;
    }
  }
}

/* `place` in the tables; all ranks draw other numbers. */
static void try_one(const struct type *type, int place, int count, reductions *const *table) {
  const long bytes = (long)count * type->extent;
  for (int i = 0; i < REPEATS; ++i) {
    fill(type, count);
    table[place](in, mine, bytes);
    librarys[place](in, theirs, bytes);
    compare(type, place, bytes);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  srand((unsigned)rank + 1);
  int place = 0;
  for (const struct type *type = types; type < types + TYPES; ++type)
    for (int row = 0; row < 2 * type->operations; ++row, ++place)
      try_one(type, place, counts[row % 2], ours);
  MPI_Finalize();
  return passed();
}
#endif

// The sanitizers' trees have no driver.
// UNSUPPORTED: sanitizer
// REQUIRES: compiler
// RUN: %mpispec --mpispec-inline-all mpicc -O2 -w -DTABLE=ours -c %s -o %t.special.o
// RUN: %mpicc -w -DTABLE=ours -c %s -o %t.plain.o && %mpicc -w -DTABLE=librarys -DLIBRARY -c %s -o %t.library.o
// RUN: %mpicc -w -c %s -o %t.main.o
// RUN: %mpicc %t.main.o %t.special.o %t.library.o -o %t.special %runtime
// RUN: %mpicc %t.main.o %t.plain.o %t.library.o -o %t.plain %runtime
// RUN: %mpirun -n 3 %t.special | FileCheck %s
// RUN: %mpirun -n 5 %t.special | FileCheck %s
// RUN: %mpirun -n 2 %t.plain : -n 1 %t.special | FileCheck %s
// CHECK: passed
