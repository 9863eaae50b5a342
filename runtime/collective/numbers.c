/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Draws numbers (numbers.h). For sums and products, most elements are numbers of random sign. Their
 * magnitudes are so far apart that different orders lose different bits. In other elements, some
 * ranks have zeros of either sign, or NaNs of their own. These numbers show the order of the two
 * operands. */
#include "collective/numbers.h"
#include "mpispec/machine.h"

#include <string.h>

enum { TRIALS = 67, MAXIMUM_EXTENT = 64 };

/* Bits without a pattern, for any number (S. Vigna, splitmix64). */
static uint64_t scatter(uint64_t number) {
  number += UINT64_C(0x9e3779b97f4a7c15);
  number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
  return number ^ number >> 31;
}

static int is_rounded(const struct mpispec_reduction *reduction) {
  return reduction->op == MPI_SUM || reduction->op == MPI_PROD;
}

/* Products must not overflow. Sums should lose many bits, but not the same number in each
 * element. */
static long double magnitude(const struct mpispec_reduction *reduction, uint64_t bits) {
  const int spread = reduction->op == MPI_PROD ? (int)(bits % 3) - 1 : (int)(bits % 13);
  const long double mantissa = 1 + (long double)(bits >> 4 << 3) * 0x1p-64L;
  const long double value = spread < 0 ? mantissa / 2 : mantissa * (long double)(1 << spread);
  return bits & 8 ? -value : value;
}

static size_t store(enum mpispec_number number, long double value, unsigned char *to) {
  const float as_float = (float)value;
  const double as_double = (double)value;
  if (number == MPISPEC_LONG_DOUBLE)
    memset(to, 0, sizeof value);
  if (number == MPISPEC_FLOAT)
    memcpy(to, &as_float, sizeof as_float);
  else if (number == MPISPEC_DOUBLE)
    memcpy(to, &as_double, sizeof as_double);
  else
    memcpy(to, &value, 10);
  return number == MPISPEC_FLOAT ? 4 : number == MPISPEC_DOUBLE ? 8 : sizeof value;
}

/* A quiet NaN with the given payload and sign. */
static void store_nan(enum mpispec_number number, unsigned payload, int sign, unsigned char *to) {
  const uint32_t as_float = UINT32_C(0x7fc00000) | (uint32_t)sign << 31 | payload;
  const uint64_t as_double = UINT64_C(0x7ff8) << 48 | (uint64_t)sign << 63 | payload;
  const uint64_t fraction = UINT64_C(3) << 62 | payload;
  const uint16_t exponent = (uint16_t)(0x7fff | sign << 15);
  if (number == MPISPEC_FLOAT) {
    memcpy(to, &as_float, sizeof as_float);
  } else if (number == MPISPEC_DOUBLE) {
    memcpy(to, &as_double, sizeof as_double);
  } else {
    memcpy(to, &fraction, sizeof fraction);
    memcpy(to + sizeof fraction, &exponent, sizeof exponent);
  }
}

/* A number that the operation does not choose if the other operand is zero. */
static long double loser(const struct mpispec_reduction *reduction, uint64_t bits) {
  const long double value = magnitude(reduction, bits & ~UINT64_C(8));
  return reduction->op == MPI_MAX || reduction->op == MPI_MAXLOC ? -value : value;
}

/* About a quarter of the ranks store a NaN or a zero of either sign, all others an ordinary
 * number. */
static size_t store_special(const struct mpispec_reduction *reduction, uint64_t common,
                            uint64_t bits, int rank, unsigned char *to) {
  const int sign = bits >> 32 & 1, is_chosen = (bits >> 40 & 3) == 0, has_nans = common >> 40 & 1;
  const long double zero = sign ? -0.0L : 0.0L;
  const long double ordinary =
      is_rounded(reduction) ? magnitude(reduction, bits) : loser(reduction, bits);
  const size_t length =
      store(reduction->number, is_chosen && !is_rounded(reduction) ? zero : ordinary, to);
  if (is_chosen && (has_nans || is_rounded(reduction)))
    store_nan(reduction->number, (unsigned)rank + 1, sign, to);
  return length;
}

static int is_special(const struct mpispec_reduction *reduction, uint64_t bits) {
  return is_rounded(reduction) ? reduction->keeps_nans && bits % 4 == 0 : bits % 4 != 0;
}

/* Draws the second number of an element: an imaginary part or a floating-point index. It is as long
 * as the first. */
static void draw_second(const struct mpispec_reduction *reduction, uint64_t bits, int index,
                        int rank, unsigned char *to) {
  const long double zero = bits >> 30 & 1 ? -0.0L : 0.0L;
  store(reduction->number,
        is_rounded(reduction) ? magnitude(reduction, scatter(bits))
        : index               ? index
                              : zero,
        to);
  if (!is_rounded(reduction) && index == 4)
    store_nan(reduction->number, (unsigned)rank + 1, bits >> 30 & 1, to);
}

void mpispec_number_draw(const struct mpispec_reduction *reduction, int draw, int64_t place,
                         int rank, unsigned char *element) {
  const uint64_t common = scatter((uint64_t)place * 131 + (uint64_t)draw);
  const uint64_t bits = scatter(common + (uint64_t)rank + 1);
  const size_t length = is_special(reduction, common)
                            ? store_special(reduction, common, bits, rank, element)
                            : store(reduction->number, magnitude(reduction, bits), element);
  const int index = (int)(bits >> 50) % 5;
  if (reduction->has_index)
    memcpy(element + length, &index, sizeof index);
  else if (reduction->size > (int64_t)length)
    draw_second(reduction, bits, index, rank, element + length);
}

int mpispec_numbers_equal(const struct mpispec_reduction *reduction, const unsigned char *left,
                          const unsigned char *right, int64_t count) {
  static const size_t lengths[] = {
      [MPISPEC_FLOAT] = 4, [MPISPEC_DOUBLE] = 8, [MPISPEC_LONG_DOUBLE] = 10};
  const size_t length = lengths[reduction->number], second = length == 10 ? 16 : length;
  const size_t rest = reduction->has_index                ? sizeof(int)
                      : reduction->size > (int64_t)second ? length
                                                          : 0;
  for (; count; --count, left += reduction->extent, right += reduction->extent)
    if (memcmp(left, right, length) || memcmp(left + second, right + second, rest))
      return 0;
  return 1;
}

/* --- like the library --------------------------------------------------------------------------*/

struct trial {
  _Alignas(64) unsigned char left[TRIALS * MAXIMUM_EXTENT], right[TRIALS * MAXIMUM_EXTENT],
      expected[TRIALS * MAXIMUM_EXTENT], result[TRIALS * MAXIMUM_EXTENT];
};

static void prepare(struct trial *trial, const struct mpispec_reduction *reduction) {
  memset(trial, 0, sizeof *trial);
  for (int i = 0; i < TRIALS; ++i) {
    mpispec_number_draw(reduction, 0, i, 0, trial->left + i * reduction->extent);
    mpispec_number_draw(reduction, 0, i, 1, trial->right + i * reduction->extent);
  }
  memcpy(trial->expected, trial->right, sizeof trial->right);
  PMPI_Reduce_local(trial->left, trial->expected, TRIALS, reduction->datatype, reduction->op);
}

static int is_like_library(struct trial *trial, struct mpispec_reduction *reduction, int swapped) {
  reduction->is_swapped = (uint8_t)swapped;
  mpispec_reduce(reduction, trial->result, trial->left, trial->right, TRIALS);
  return mpispec_numbers_equal(reduction, trial->result, trial->expected, TRIALS);
}

void mpispec_numbers_match_library(struct mpispec_reduction *reduction, int is_rounded) {
  struct trial trial;
  reduction->keeps_nans = 1;
  if (!reduction->combine)
    return;
  const struct mpispec_exceptions exceptions = mpispec_exceptions_hold();
  prepare(&trial, reduction);
  const int is_like =
      is_like_library(&trial, reduction, 0) || is_like_library(&trial, reduction, 1);
  mpispec_exceptions_restore(&exceptions);
  if (is_like)
    return;
  reduction->is_swapped = reduction->keeps_nans = 0;
  if (!is_rounded)
    reduction->combine = NULL;
}
