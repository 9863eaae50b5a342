/* For the tests of collective operations: the datatypes that reductions take, elements of small numbers, and a digest
 * of the results. The digest is printed and compared with that of plain MPI, bit for bit. Floating-point elements
 * have fractions, so that their sums and products depend on the order of operations. Some elements are zeros of
 * either sign. */
#ifndef MPISPEC_TEST_COLLECTIVE_H
#define MPISPEC_TEST_COLLECTIVE_H

#include "../check.h"

#include <complex.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The logical operations are not allowed for those of OTHER_INTEGERS that are not C's (MPI-4.0, section 6.9.2). */
enum family { INTEGERS, OTHER_INTEGERS, REALS, COMPLEXES, LOGICALS, BYTES, PAIRS };

struct type {
  const char *name;
  MPI_Datatype handle;
  enum family family;
  int value_bytes; /* the size of the value, or of both parts of a complex number */
  int index_at;    /* the offset of a pair's index */
  int extent;
};

struct float_int {
  float value;
  int index;
};
struct double_int {
  double value;
  int index;
};
struct long_int {
  long value;
  int index;
};
struct short_int {
  short value;
  int index;
};
struct long_double_int {
  long double value;
  int index;
};
struct two_ints {
  int value;
  int index;
};
struct two_floats {
  float value;
  float index;
};
struct two_doubles {
  double value;
  double index;
};

#define TYPE(NAME, FAMILY, C) {#NAME, MPI_##NAME, FAMILY, sizeof(C), 0, sizeof(C)}
#define PAIR(NAME, C)                                                                              \
  {#NAME, MPI_##NAME, PAIRS, sizeof(((C *)0)->value), (int)offsetof(C, index), sizeof(C)}
static const struct type types[] = {TYPE(SIGNED_CHAR, INTEGERS, signed char),
                                    TYPE(UNSIGNED_CHAR, INTEGERS, unsigned char),
                                    TYPE(SHORT, INTEGERS, short),
                                    TYPE(UNSIGNED_SHORT, INTEGERS, short),
                                    TYPE(INT, INTEGERS, int),
                                    TYPE(UNSIGNED, INTEGERS, int),
                                    TYPE(LONG, INTEGERS, long),
                                    TYPE(UNSIGNED_LONG, INTEGERS, long),
                                    TYPE(LONG_LONG, INTEGERS, long),
                                    TYPE(UNSIGNED_LONG_LONG, INTEGERS, long),
                                    TYPE(INT8_T, INTEGERS, char),
                                    TYPE(UINT8_T, INTEGERS, char),
                                    TYPE(INT16_T, INTEGERS, short),
                                    TYPE(UINT16_T, INTEGERS, short),
                                    TYPE(INT32_T, INTEGERS, int),
                                    TYPE(UINT32_T, INTEGERS, int),
                                    TYPE(INT64_T, INTEGERS, long),
                                    TYPE(UINT64_T, INTEGERS, long),
                                    TYPE(AINT, OTHER_INTEGERS, long),
                                    TYPE(OFFSET, OTHER_INTEGERS, long),
                                    TYPE(COUNT, OTHER_INTEGERS, long),
                                    TYPE(INTEGER, OTHER_INTEGERS, int),
                                    TYPE(INTEGER2, OTHER_INTEGERS, short),
                                    TYPE(INTEGER8, OTHER_INTEGERS, long),
                                    TYPE(FLOAT, REALS, float),
                                    TYPE(DOUBLE, REALS, double),
                                    TYPE(LONG_DOUBLE, REALS, long double),
                                    TYPE(REAL, REALS, float),
                                    TYPE(DOUBLE_PRECISION, REALS, double),
                                    TYPE(C_COMPLEX, COMPLEXES, float complex),
                                    TYPE(C_DOUBLE_COMPLEX, COMPLEXES, double complex),
                                    TYPE(COMPLEX, COMPLEXES, float complex),
                                    TYPE(DOUBLE_COMPLEX, COMPLEXES, double complex),
                                    TYPE(C_BOOL, LOGICALS, char),
                                    TYPE(LOGICAL, LOGICALS, int),
                                    TYPE(BYTE, BYTES, char),
                                    PAIR(FLOAT_INT, struct float_int),
                                    PAIR(DOUBLE_INT, struct double_int),
                                    PAIR(LONG_INT, struct long_int),
                                    PAIR(SHORT_INT, struct short_int),
                                    PAIR(LONG_DOUBLE_INT, struct long_double_int),
                                    PAIR(2INT, struct two_ints),
                                    PAIR(2INTEGER, struct two_ints),
                                    PAIR(2REAL, struct two_floats),
                                    PAIR(2DOUBLE_PRECISION, struct two_doubles),
                                    TYPE(LONG_LONG_INT, INTEGERS, long),
                                    TYPE(INTEGER1, OTHER_INTEGERS, char),
                                    TYPE(INTEGER4, OTHER_INTEGERS, int),
                                    TYPE(REAL4, REALS, float),
                                    TYPE(REAL8, REALS, double),
                                    TYPE(COMPLEX8, COMPLEXES, float complex),
                                    TYPE(COMPLEX16, COMPLEXES, double complex),
                                    TYPE(C_LONG_DOUBLE_COMPLEX, COMPLEXES, long double complex),
                                    TYPE(CXX_BOOL, LOGICALS, char)};
enum { TYPES = sizeof types / sizeof types[0] };

static const struct operation {
  const char *name;
  MPI_Op handle;
  unsigned families; /* a bit each */
} operations[] = {{"MAX", MPI_MAX, 1 << INTEGERS | 1 << OTHER_INTEGERS | 1 << REALS},
                  {"MIN", MPI_MIN, 1 << INTEGERS | 1 << OTHER_INTEGERS | 1 << REALS},
                  {"SUM", MPI_SUM, 1 << INTEGERS | 1 << OTHER_INTEGERS | 1 << REALS | 1 << COMPLEXES},
                  {"PROD", MPI_PROD, 1 << INTEGERS | 1 << OTHER_INTEGERS | 1 << REALS | 1 << COMPLEXES},
                  {"LAND", MPI_LAND, 1 << INTEGERS | 1 << LOGICALS},
                  {"LOR", MPI_LOR, 1 << INTEGERS | 1 << LOGICALS},
                  {"LXOR", MPI_LXOR, 1 << INTEGERS | 1 << LOGICALS},
                  {"BAND", MPI_BAND, 1 << INTEGERS | 1 << OTHER_INTEGERS | 1 << BYTES},
                  {"BOR", MPI_BOR, 1 << INTEGERS | 1 << OTHER_INTEGERS | 1 << BYTES},
                  {"BXOR", MPI_BXOR, 1 << INTEGERS | 1 << OTHER_INTEGERS | 1 << BYTES},
                  {"MAXLOC", MPI_MAXLOC, 1 << PAIRS},
                  {"MINLOC", MPI_MINLOC, 1 << PAIRS}};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* Is there such a datatype in this MPI library, and may the operation be applied to it? */
static inline int is_allowed(const struct type *type, const struct operation *operation) {
  return type->handle != MPI_DATATYPE_NULL && operation->families >> type->family & 1;
}

static inline uint32_t random_of(uint32_t seed) {
  seed = (seed ^ 61) ^ seed >> 16;
  seed *= 9;
  seed = (seed ^ seed >> 4) * 0x27d4eb2d;
  return seed ^ seed >> 15;
}

static inline void put_real(void *at, int bytes, int whole, uint32_t random) {
  const double number = random % 8 ? whole + (random >> 8) % 1009 / 1013.0 : random & 8 ? 0.0 : -0.0;
  if (bytes == 4)
    *(float *)at = (float)number;
  else if (bytes == 8)
    *(double *)at = number;
  else
    *(long double *)at = number;
}

/* Element `i` that a rank contributes depends on the seed. It is small and often 0 or 1. In unsigned types it is
 * never negative, because MPICH 4.0.2 compares unsigned numbers as signed ones.
 */
/* Open MPI 4.1 compares MPI_OFFSET, whose numbers have a sign, as if they had none. */
#ifdef OPEN_MPI
#define IS_UNSIGNED_HERE(TYPE) ((TYPE)->handle == MPI_OFFSET)
#else
#define IS_UNSIGNED_HERE(TYPE) 0
#endif

static inline void put_element(const struct type *type, void *at, int i, int rank, int seed) {
  const uint32_t random = random_of((uint32_t)(i * 31 + rank * 7919 + seed * 104729));
  const int number = (int)(random % 4) - (type->name[0] != 'U' && !IS_UNSIGNED_HERE(type));
  const long wide = number;
  memset(at, 0, (size_t)type->extent);
  switch (type->family) {
  case INTEGERS:
  case OTHER_INTEGERS:
  case BYTES:
    memcpy(at, &wide, (size_t)type->value_bytes);
    break;
  case REALS:
    put_real(at, type->value_bytes, number, random_of(random));
    break;
  case COMPLEXES:
    put_real(at, type->value_bytes / 2, number, random_of(random));
    put_real((char *)at + type->value_bytes / 2, type->value_bytes / 2, (int)(random / 7 % 3) - 1,
             random_of(random + 1));
    break;
  case LOGICALS:
    *(char *)at = (char)(random & 1);
    break;
  case PAIRS:
    if (type->handle == MPI_LONG_INT || type->handle == MPI_SHORT_INT || type->handle == MPI_2INT ||
        type->handle == MPI_2INTEGER)
      memcpy(at, &wide, (size_t)type->value_bytes);
    else
      put_real(at, type->value_bytes, number, random_of(random));
    *(int *)((char *)at + type->index_at) = (int)(random % 97);
  }
}

static inline void put_elements(const struct type *type, void *buffer, int count, int rank,
                                int seed) {
  for (int i = 0; i < count; ++i)
    put_element(type, (char *)buffer + (size_t)i * (size_t)type->extent, i, rank, seed);
}

static inline void digest_bytes(uint64_t *digest, const void *bytes, int count) {
  for (int i = 0; i < count; ++i)
    *digest = (*digest ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
}

/* Digests the values of elements, without gaps and without the unused bytes of a long double. */
static inline void digest_elements(uint64_t *digest, const struct type *type, const void *buffer,
                                   int count) {
  for (int i = 0; i < count; ++i) {
    const char *at = (const char *)buffer + (size_t)i * (size_t)type->extent;
    const int part = type->family == COMPLEXES ? type->value_bytes / 2 : type->value_bytes;
    for (int k = 0; k < type->value_bytes; k += part)
      digest_bytes(digest, at + k, part == 16 ? 10 : part);
    if (type->family == PAIRS)
      digest_bytes(digest, at + type->index_at, sizeof(int));
  }
}

#endif
