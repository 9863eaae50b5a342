/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The loops for common datatypes, MPI_Reduce_local for the others, and the choice between them. The
 * tables come from Reductions.def. */
#include "collective/reduction.h"

#include "abi/layout.h"

#include "collective/numbers.h"
#include "mpispec/machine.h"

#include <string.h>

typedef signed char signed_char;
typedef unsigned char unsigned_char;
typedef unsigned short unsigned_short;
typedef unsigned long unsigned_long;
typedef long long long_long;
typedef unsigned long long unsigned_long_long;
typedef long double long_double;

/* --- loops -------------------------------------------------------------------------------------*/

/* `result` is one of the operands or apart from both: no iteration needs another's result. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Each loop has three forms, by vector width. Lines that another core has written arrive faster if
 * they are read in whole than in halves or quarters. The width changes no result, because every
 * element is computed alone. */
#define LOOP(OP, TYPE, EXPRESSION)                                                                 \
  LOOP_OF_WIDTH(, OP##_##TYPE, TYPE, EXPRESSION)                                                   \
  LOOP_OF_WIDTH(MPISPEC_WIDER, OP##_##TYPE##_wider, TYPE, EXPRESSION)                              \
  LOOP_OF_WIDTH(MPISPEC_WIDEST, OP##_##TYPE##_widest, TYPE, EXPRESSION)

#define LOOP_OF_WIDTH(TARGET, NAME, TYPE, EXPRESSION)                                              \
  TARGET static void NAME(void *result, const void *left, const void *right, int64_t count) {      \
    TYPE *to = result;                                                                             \
    const TYPE *from_left = left, *from_right = right;                                             \
    INDEPENDENT                                                                                    \
    for (int64_t i = 0; i < count; ++i) {                                                          \
      const TYPE a = from_left[i], b = from_right[i];                                              \
      to[i] = (TYPE)(EXPRESSION);                                                                  \
    }                                                                                              \
  }

#define ARITHMETIC_LOOPS(TYPE)                                                                     \
  LOOP(MAX, TYPE, a > b ? a : b)                                                                   \
  LOOP(MIN, TYPE, a < b ? a : b)                                                                   \
  LOOP(SUM, TYPE, a + b)                                                                           \
  LOOP(PROD, TYPE, a *b)

#define BIT_LOOPS(TYPE)                                                                            \
  LOOP(LAND, TYPE, a &&b)                                                                          \
  LOOP(LOR, TYPE, a || b)                                                                          \
  LOOP(LXOR, TYPE, !a != !b)                                                                       \
  LOOP(BAND, TYPE, a &b)                                                                           \
  LOOP(BOR, TYPE, a | b)                                                                           \
  LOOP(BXOR, TYPE, a ^ b)

#define INTEGER_LOOPS(TYPE) ARITHMETIC_LOOPS(TYPE) BIT_LOOPS(TYPE)

INTEGER_LOOPS(signed_char)
INTEGER_LOOPS(unsigned_char)
INTEGER_LOOPS(short)
INTEGER_LOOPS(unsigned_short)
INTEGER_LOOPS(int)
INTEGER_LOOPS(unsigned)
INTEGER_LOOPS(long)
INTEGER_LOOPS(unsigned_long)
INTEGER_LOOPS(long_long)
INTEGER_LOOPS(unsigned_long_long)
ARITHMETIC_LOOPS(float)
ARITHMETIC_LOOPS(double)
ARITHMETIC_LOOPS(long_double)

/* If both values are equal, the result has the lower index and the value of the right pair. The two
 * values may be zeros of different sign. */
#define PAIR_LOOP(OP, COMPARE, VALUE, INDEX)                                                       \
  static void OP##_##VALUE##_##INDEX(void *result, const void *left, const void *right,            \
                                     int64_t count) {                                              \
    struct pair {                                                                                  \
      VALUE value;                                                                                 \
      INDEX index;                                                                                 \
    } *to = result;                                                                                \
    const struct pair *a = left, *b = right;                                                       \
    for (int64_t i = 0; i < count; ++i) {                                                          \
      const int takes_value = a[i].value COMPARE b[i].value;                                       \
      const int takes_index =                                                                      \
          takes_value || (a[i].value == b[i].value && a[i].index < b[i].index);                    \
      const VALUE value = takes_value ? a[i].value : b[i].value;                                   \
      const INDEX index = takes_index ? a[i].index : b[i].index;                                   \
      to[i].value = value;                                                                         \
      to[i].index = index;                                                                         \
    }                                                                                              \
  }
#define PAIR_LOOPS(VALUE, INDEX)                                                                   \
  PAIR_LOOP(MAXLOC, >, VALUE, INDEX) PAIR_LOOP(MINLOC, <, VALUE, INDEX)

PAIR_LOOPS(float, int)
PAIR_LOOPS(double, int)
PAIR_LOOPS(long, int)
PAIR_LOOPS(int, int)
PAIR_LOOPS(short, int)
PAIR_LOOPS(long_double, int)
PAIR_LOOPS(float, float)
PAIR_LOOPS(double, double)

/* MPI_Reduce_local stores the result over its second operand. Therefore `right` is copied first. */
void mpispec_reduction_by_library(const struct mpispec_reduction *reduction, void *result,
                                  const void *left, const void *right, int64_t count) {
  _Alignas(16) unsigned char piece[1024];
  const int64_t extent = reduction->extent, step = (int64_t)sizeof piece / extent;
  for (int64_t at = 0; at < count; at += step) {
    const int64_t now = count - at < step ? count - at : step;
    memcpy(piece, (const unsigned char *)right + at * extent, (size_t)(now * extent));
    PMPI_Reduce_local((const unsigned char *)left + at * extent, piece, (int)now,
                      reduction->datatype, reduction->op);
    memcpy((unsigned char *)result + at * extent, piece, (size_t)(now * extent));
  }
}

/* --- tables ------------------------------------------------------------------------------------*/

enum { MAX, MIN, SUM, PROD, LAND, LOR, LXOR, BAND, BOR, BXOR, MAXLOC, MINLOC, OPERATIONS };
static const MPI_Op operations[OPERATIONS] = {MPI_MAX,  MPI_MIN,  MPI_SUM,    MPI_PROD,
                                              MPI_LAND, MPI_LOR,  MPI_LXOR,   MPI_BAND,
                                              MPI_BOR,  MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};

/* The operations that MPI allows for a family of datatypes, one bit each. */
#define BIT(OP) (1u << (OP))
enum {
  LOGICAL = BIT(LAND) | BIT(LOR) | BIT(LXOR),
  COMPLEX = BIT(SUM) | BIT(PROD),
  BYTES = BIT(BAND) | BIT(BOR) | BIT(BXOR)
};

struct row {
  MPI_Datatype datatype;
  int64_t extent;               /* the C type's, or 0: the library's */
  unsigned allowed;             /* by the library */
  enum mpispec_number number;   /* complex types: see number_of */
  enum mpispec_element element; /* mpispec/signature.h; LIBRARY: by the family */
  int is_complex, has_index;
  mpispec_reduction_loop *loops[OPERATIONS][MPISPEC_WIDTHS]; /* pairs have narrow ones only */
};

#define LOOPS(NAME) {NAME, NAME##_wider, NAME##_widest}
#define ARITHMETIC(TYPE)                                                                           \
  [MAX] = LOOPS(MAX_##TYPE), [MIN] = LOOPS(MIN_##TYPE), [SUM] = LOOPS(SUM_##TYPE),                 \
  [PROD] = LOOPS(PROD_##TYPE)

#define NUMBER_OF(TYPE)                                                                            \
  _Generic((TYPE)0,                                                                                \
      float: MPISPEC_FLOAT,                                                                        \
      double: MPISPEC_DOUBLE,                                                                      \
      long double: MPISPEC_LONG_DOUBLE,                                                            \
      default: MPISPEC_EXACT)

static const struct row rows[] = {
#define LIBRARY(NAME, FAMILY)                                                                      \
  {.datatype = MPI_##NAME,                                                                         \
   .allowed = FAMILY,                                                                              \
   .element = (FAMILY) == COMPLEX   ? mpispec_complex_number                                       \
              : (FAMILY) == LOGICAL ? mpispec_logical                                              \
                                    : mpispec_bytes,                                               \
   .is_complex = (FAMILY) == COMPLEX},
#define REAL(NAME, TYPE)                                                                           \
  {.datatype = MPI_##NAME,                                                                         \
   .extent = sizeof(TYPE),                                                                         \
   .element = mpispec_floating_point,                                                              \
   .number = NUMBER_OF(TYPE),                                                                      \
   .loops = {ARITHMETIC(TYPE)}},
#define INTEGER(NAME, TYPE)                                                                        \
  {.datatype = MPI_##NAME,                                                                         \
   .extent = sizeof(TYPE),                                                                         \
   .element = (TYPE) - 1 < (TYPE)1 ? mpispec_signed_integer : mpispec_unsigned_integer,            \
   .loops = {ARITHMETIC(TYPE), [LAND] = LOOPS(LAND_##TYPE), [LOR] = LOOPS(LOR_##TYPE),             \
             [LXOR] = LOOPS(LXOR_##TYPE), [BAND] = LOOPS(BAND_##TYPE), [BOR] = LOOPS(BOR_##TYPE),  \
             [BXOR] = LOOPS(BXOR_##TYPE)}},
#define PAIR(NAME, VALUE, INDEX)                                                                   \
  {.datatype = MPI_##NAME,                                                                         \
   .extent = sizeof(struct {                                                                       \
     VALUE value;                                                                                  \
     INDEX index;                                                                                  \
   }),                                                                                             \
   .element = mpispec_pair,                                                                        \
   .number = NUMBER_OF(VALUE),                                                                     \
   .has_index = NUMBER_OF(INDEX) == MPISPEC_EXACT,                                                 \
   .loops = {[MAXLOC] = {MAXLOC_##VALUE##_##INDEX}, [MINLOC] = {MINLOC_##VALUE##_##INDEX}}},
#include "collective/Reductions.def"
};

struct mpispec_reduction mpispec_reduction_cache[MPISPEC_REDUCTION_ENTRIES];

static int operation_of(MPI_Op op) {
  for (int i = 0; i < OPERATIONS; ++i)
    if (operations[i] == op)
      return i;
  return -1;
}

static const struct row *row_of(MPI_Datatype datatype) {
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    if (rows[i].datatype == datatype)
      return &rows[i];
  return NULL;
}

static enum mpispec_number number_of(const struct row *row, int size) {
  if (!row->is_complex)
    return row->number;
  return size == 2 * sizeof(float)    ? MPISPEC_FLOAT
         : size == 2 * sizeof(double) ? MPISPEC_DOUBLE
                                      : MPISPEC_LONG_DOUBLE;
}

static int orders_are_of_ranks;
void mpispec_reductions_open(int in_rank_order) { orders_are_of_ranks = in_rank_order; }

/* The least number of ranks for which the order matters. A sum of two parts has one rounding in
 * either order, and only the choice between two NaNs may differ. A complex product differs if the
 * library contracts multiplications and additions. */
static int32_t ordered_from(const struct row *row, int operation) {
  return operation == SUM || (operation == PROD && !row->is_complex) ? 3 : 2;
}

/* Returns 0 if the library executes such reductions. */
static int describe(const struct row *row, int operation, struct mpispec_reduction *found) {
  const MPI_Datatype datatype = row->datatype;
  MPI_Aint lower, extent;
  int size;
  mpispec_reduction_loop *const *loops = row->loops[operation],
                                *widest = loops[mpispec_vector_width()];
  PMPI_Type_get_extent(datatype, &lower, &extent);
  PMPI_Type_size(datatype, &size);
  if (lower || (row->extent && row->extent != extent))
    return 0;
  const int is_exact = number_of(row, size) == MPISPEC_EXACT;
  if (!mpispec_reduction_ignores_position && !is_exact && !orders_are_of_ranks &&
      ordered_from(row, operation) <= 2)
    return 0;
  *found = (struct mpispec_reduction){
      .op = operations[operation],
      .datatype = datatype,
      .extent = extent,
      .size = size,
      .number = number_of(row, size),
      .has_index = (uint8_t)row->has_index,
      .is_exact = (uint8_t)is_exact,
      .arithmetic = mpispec_signature_arithmetic(operation + 1, row->element, (unsigned)extent),
      .combine = widest ? widest : loops[MPISPEC_IS_NARROW]};
  found->ordered_from =
      found->is_exact || orders_are_of_ranks ? INT32_MAX : ordered_from(row, operation);
  if (!found->is_exact && !orders_are_of_ranks)
    mpispec_numbers_match_library(found, operation == SUM || operation == PROD);
  return 1;
}

int mpispec_reduction_search(MPI_Op op, MPI_Datatype datatype, struct mpispec_reduction *found) {
  static struct mpispec_reduction known[sizeof rows / sizeof rows[0]][OPERATIONS];
  const int operation = datatype == MPI_DATATYPE_NULL ? -1 : operation_of(op);
  const struct row *row = operation < 0 ? NULL : row_of(datatype);
  if (!row || !(row->loops[operation][MPISPEC_IS_NARROW] || row->allowed & BIT(operation)))
    return 0;
  struct mpispec_reduction *entry = &known[row - rows][operation];
  if (!entry->extent && !describe(row, operation, entry))
    return 0;
  *found = *entry;
  return 1;
}

/* A gap follows the index of a pair or stands before it. */
void mpispec_reduction_copy(const struct mpispec_reduction *reduction, void *to, const void *from,
                            int64_t count) {
  const int64_t value = reduction->size - (int64_t)sizeof(int);
  const int64_t index = (value + (int64_t)sizeof(int) - 1) / (int64_t)sizeof(int) * 4;
  if (reduction->extent == reduction->size) {
    memcpy(to, from, (size_t)(count * reduction->extent));
    return;
  }
  for (int64_t at = 0; at < count * reduction->extent; at += reduction->extent) {
    memcpy((unsigned char *)to + at, (const unsigned char *)from + at, (size_t)value);
    memcpy((unsigned char *)to + at + index, (const unsigned char *)from + at + index, sizeof(int));
  }
}
