/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Combines the parts of a reduction that members show in one step, in the reduction's order
 * (order.h), by default that of ranks. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_SHOWN_PARTS_H
#define MPISPEC_RUNTIME_COLLECTIVE_SHOWN_PARTS_H

#include "collective/operations.h"
#include "progress/tuning.h"

#include <string.h>

struct mpispec_shown_parts {
  int members;              /* the parts of the members below this number are combined */
  const unsigned char *own; /* this rank's elements, wherever they are */
  int64_t room;             /* bytes of each cell or chunk (mpispec_step_get) */
  int64_t begin;            /* bytes there before the elements that are combined */
};

/* Nonzero if each member shows a part of `bytes` bytes as a whole, and others read all parts. */
static inline int mpispec_parts_are_short(const struct mpispec_collective *collective,
                                          int64_t bytes) {
  return bytes <= MPISPEC_SLOT_PAYLOAD ||
         (bytes <= collective->chunk_bytes &&
          bytes * (collective->steps.members - 1) <= MPISPEC_SHORT_BYTES_READ);
}

static inline const unsigned char *mpispec_parts_get(struct mpispec_collective *collective,
                                                     const struct mpispec_shown_parts *parts,
                                                     int member) {
  return member == collective->steps.self
             ? parts->own
             : mpispec_step_get(collective, member, parts->room) + parts->begin;
}

/* For reductions with an order. Not inlined, because others do not need it. */
void mpispec_parts_combine_in_order(struct mpispec_collective *collective,
                                    const struct mpispec_reduction *reduction,
                                    const struct mpispec_shown_parts *parts, void *out, int64_t at,
                                    int64_t count);

/* Combines `count` elements, which begin at element `at` of the operation's vector. `out` may be
 * this rank's part. */
static inline __attribute__((always_inline)) void mpispec_parts_combine(
    struct mpispec_collective *collective, const struct mpispec_reduction *reduction,
    const struct mpispec_shown_parts *parts, void *out, int64_t at, int64_t count) {
  if (__builtin_expect(reduction->order != NULL, 0)) {
    mpispec_parts_combine_in_order(collective, reduction, parts, out, at, count);
    return;
  }
  const unsigned char *sum = mpispec_parts_get(collective, parts, 0);
  if (__builtin_expect(parts->members == 1, 0))
    memcpy(out, sum, (size_t)(count * reduction->extent));
  for (int i = 1; i < parts->members; ++i) {
    mpispec_reduce(reduction, out, sum, mpispec_parts_get(collective, parts, i), count);
    sum = out;
  }
}

#endif
