/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* combine.h - the arithmetic of short reductions: predefined operations on integers of up to eight
 * bytes, float and double
 *
 * The result must have the same bits as the MPI library's and the runtime's
 * (runtime/collective/reduction.c). One member of a communicator may call a template, and another
 * one the runtime. The bits must not depend on the program's compiler options. Therefore
 * floating-point operations are those of machine.h. Only sums and products of two floating-point
 * numbers are combined, because their value does not depend on the order. Integers wrap. Only
 * the bits of one result may differ: the sum or product of two different NaNs may be either NaN. */
#ifndef MPISPEC_COMBINE_H
#define MPISPEC_COMBINE_H

#include "step.h"

/* Nonzero if templates support the reduction. `operation` and `number` are values of signature.h.
 * Both are 0 unless both are proven. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_can_combine(long long element, int operation, int number) {
  if (number == mpispec_floating_point)
    return (element == 4 || element == 8) &&
           (operation == mpispec_SUM || operation == mpispec_PROD);
  return number != mpispec_no_number && element <= 8;
}

/* Nonzero if every order gives the same bits. With more than two floating-point numbers, the
 * runtime uses the MPI library's order (runtime/collective/order.h). */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_order_is_irrelevant(const struct mpispec_steps *steps, int number) {
  return number != mpispec_floating_point || steps->members <= 2;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_combine_double(unsigned char *sum, const unsigned char *part, int operation) {
  double a, b;
  __builtin_memcpy(&a, sum, 8);
  __builtin_memcpy(&b, part, 8);
  a = operation == mpispec_SUM ? mpispec_add_double(a, b) : mpispec_multiply_double(a, b);
  __builtin_memcpy(sum, &a, 8);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_combine_float(unsigned char *sum, const unsigned char *part, int operation) {
  float a, b;
  __builtin_memcpy(&a, sum, 4);
  __builtin_memcpy(&b, part, 4);
  a = operation == mpispec_SUM ? mpispec_add_float(a, b) : mpispec_multiply_float(a, b);
  __builtin_memcpy(sum, &a, 4);
}

/* The bytes of an integer, 1 to 8. If the datatype is unknown (-1), the copy is never executed. The
 * expression keeps the compiler from a warning about a copy of -1 bytes. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long
    mpispec_integer_bytes(long long element) {
  return (((unsigned long)element - 1) & 7) + 1;
}

/* Loads `element` bytes, which become the lowest ones of the result. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_load_integer(const unsigned char *at, long long element, int is_signed) {
  unsigned long long bits = 0;
  const int rest = (int)(64 - 8 * element);
  __builtin_memcpy(&bits, at, mpispec_integer_bytes(element));
  return is_signed ? (long long)(bits << rest) >> rest : (long long)bits;
}

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_combine_two(long long a, long long b, int operation, int is_signed) {
  long long result;
  switch (operation) {
  case mpispec_MAX:
    return (is_signed ? a > b : (unsigned long long)a > (unsigned long long)b) ? a : b;
  case mpispec_MIN:
    return (is_signed ? a < b : (unsigned long long)a < (unsigned long long)b) ? a : b;
  case mpispec_SUM:
    (void)__builtin_add_overflow(a, b, &result);
    return result;
  case mpispec_PROD:
    (void)__builtin_mul_overflow(a, b, &result);
    return result;
  case mpispec_LAND:
    return a && b;
  case mpispec_LOR:
    return a || b;
  case mpispec_LXOR:
    return !a != !b;
  case mpispec_BAND:
    return a & b;
  case mpispec_BOR:
    return a | b;
  default:
    return a ^ b;
  }
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_combine_integer(unsigned char *sum, const unsigned char *part, long long element,
                        int operation, int is_signed) {
  const long long result =
      mpispec_combine_two(mpispec_load_integer(sum, element, is_signed),
                          mpispec_load_integer(part, element, is_signed), operation, is_signed);
  __builtin_memcpy(sum, &result, mpispec_integer_bytes(element));
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_combine_element(unsigned char *sum, const unsigned char *part, long long element,
                        int operation, int number) {
  if (number != mpispec_floating_point)
    mpispec_combine_integer(sum, part, element, operation, number == mpispec_signed_integer);
  else if (element == 8)
    mpispec_combine_double(sum, part, operation);
  else
    mpispec_combine_float(sum, part, operation);
}

/* sum = sum op part, for each element. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_combine(unsigned char *sum, const unsigned char *part, long long count, long long element,
                int operation, int number) {
  unsigned int left = (unsigned int)count;
  if (__builtin_constant_p(count) && count == 1) {
    mpispec_combine_element(sum, part, element, operation, number);
    return;
  }
  for (; left; --left, sum += element, part += element) {
    mpispec_stay_rolled(&left);
    mpispec_combine_element(sum, part, element, operation, number);
  }
}

/* The address of the part that a member has shown. This rank's own part is at `in`, or in its cell
 * if `in` is null. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__))
const unsigned char *
mpispec_part_of(const struct mpispec_steps *steps, int member, const void *in) {
  return in && member == steps->self ? (const unsigned char *)in
                                     : mpispec_steps_cell(steps, steps->slots[member])->payload;
}

/* The signature of a reduction; one without a root has root 0. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_combine_signature(int kind, unsigned long long bytes, long long element, int operation,
                              int number, int root) {
  return mpispec_signature(kind,
                           mpispec_signature_arithmetic(operation, number, (unsigned int)element) |
                               (mpispec_signature_length(bytes) ^ mpispec_signature_root(root)));
}

/* Waits until all other members show `word`, and combines the parts of all members into `out`, in
 * the order of ranks. Returns 0 if a member is in another operation, or if its process has
 * ended. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_combine_all(const struct mpispec_steps *steps, unsigned long long word, const char *place,
                    const void *in, void *out, long long count, long long element, int operation,
                    int number) {
  const unsigned long long bytes = (unsigned long long)(count * element);
  unsigned char sum[mpispec_slot_payload];
  unsigned int i;
  if (!mpispec_step_await_all(steps, word, place))
    return 0;
  mpispec_copy(sum, mpispec_part_of(steps, 0, in), bytes, element);
  for (i = 1; i < (unsigned int)steps->members; ++i) {
    mpispec_stay_rolled(&i);
    mpispec_combine(sum, mpispec_part_of(steps, (int)i, in), count, element, operation, number);
  }
  mpispec_copy(out, sum, bytes, element);
  return 1;
}

#endif
