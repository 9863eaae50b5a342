/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arithmetic of reductions: predefined operations on the datatypes that MPI allows for them.
 * The MPI library executes user-defined operations and combinations that MPI does not allow. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_REDUCTION_H
#define MPISPEC_RUNTIME_COLLECTIVE_REDUCTION_H

#include "abi/mpi.h"
#include "mpispec/signature.h"

#include <stddef.h>
#include <stdint.h>

/* result[i] = left[i] op right[i]; `result` may be `left` or `right`. */
typedef void mpispec_reduction_loop(void *result, const void *left, const void *right,
                                    int64_t count);

/* The floating-point type in an element; EXACT if there is none. */
enum mpispec_number { MPISPEC_EXACT, MPISPEC_FLOAT, MPISPEC_DOUBLE, MPISPEC_LONG_DOUBLE };

struct mpispec_order;

/* Copied for every operation, and therefore small: one cache line if MPI handles are integers. */
struct mpispec_reduction {
  MPI_Op op;
  MPI_Datatype datatype;
  int64_t extent, size; /* bytes from element to element, and bytes of an element without gaps */
  mpispec_reduction_loop *combine; /* null: by MPI_Reduce_local */
  /* These two are set for one operation: */
  struct mpispec_order *order; /* or null: the order of ranks */
  int64_t total;               /* elements in each rank's part */
  uint32_t arithmetic;         /* from the signature (mpispec/signature.h) */
  int32_t ordered_from;        /* least number of ranks for which the order matters, or INT32_MAX */
  uint8_t number;              /* enum mpispec_number */
  uint8_t has_index;           /* an element is a number and an index, else one or two numbers */
  uint8_t is_exact;            /* every grouping of parts gives the same bits */
  uint8_t is_swapped;          /* the loop's operands are in the other order than the library's */
  uint8_t keeps_nans;          /* the loop returns the same one of two NaNs as the library */
};

/* Reductions that were used recently, found by a hash of their handles. */
enum { MPISPEC_REDUCTION_BITS = 7, MPISPEC_REDUCTION_ENTRIES = 1 << MPISPEC_REDUCTION_BITS };
extern struct mpispec_reduction mpispec_reduction_cache[MPISPEC_REDUCTION_ENTRIES];

/* Called before all other functions. `in_rank_order`: all operations are combined in the order of
 * ranks (MPISPEC_REDUCTIONS). */
void mpispec_reductions_open(int in_rank_order);

/* Compares the loop with the library when the reduction is first used. */
int mpispec_reduction_search(MPI_Op op, MPI_Datatype datatype, struct mpispec_reduction *found);

/* Finds the reduction with this operation and datatype. Returns 0 if there is none. `*found` is a
 * copy, because other threads may replace the cache's entry while this one waits. */
static inline int mpispec_reduction_find(MPI_Op op, MPI_Datatype datatype,
                                         struct mpispec_reduction *found) {
  const uint64_t bits = (uint64_t)(uintptr_t)op << 32 ^ (uint64_t)(uintptr_t)datatype;
  struct mpispec_reduction *entry = &mpispec_reduction_cache[bits * UINT64_C(0x9e3779b97f4a7c15) >>
                                                             (64 - MPISPEC_REDUCTION_BITS)];
  const int known = entry->extent && entry->op == op && entry->datatype == datatype;
  if (__builtin_expect(!known, 0) && !mpispec_reduction_search(op, datatype, entry))
    return 0;
  *found = *entry;
  return 1;
}

void mpispec_reduction_by_library(const struct mpispec_reduction *reduction, void *result,
                                  const void *left, const void *right, int64_t count);

/* Combines like MPI_Reduce_local, with `left` as `inbuf` and `right` as `inoutbuf`. */
static inline void mpispec_reduce(const struct mpispec_reduction *reduction, void *result,
                                  const void *left, const void *right, int64_t count) {
  if (__builtin_expect(reduction->combine != NULL, 1))
    reduction->combine(result, reduction->is_swapped ? right : left,
                       reduction->is_swapped ? left : right, count);
  else
    mpispec_reduction_by_library(reduction, result, left, right, count);
}

/* Copies elements without the bytes in their gaps. */
void mpispec_reduction_copy(const struct mpispec_reduction *reduction, void *to, const void *from,
                            int64_t count);

#endif
