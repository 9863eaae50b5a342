/* The arithmetic of reductions: predefined operations on the datatypes that MPI allows them on.
 * Operations that users define, and combinations that MPI does not allow, are not found here and
 * stay with the MPI library. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_REDUCTION_H
#define MPISPEC_RUNTIME_COLLECTIVE_REDUCTION_H

#include "abi/mpi.h"
#include "mpispec/signature.h"

#include <stddef.h>
#include <stdint.h>

/* result[i] = left[i] op right[i]; `result` may be `left` or `right`. */
typedef void mpispec_reduction_loop(void *result, const void *left, const void *right,
                                    int64_t count);

/* What an element is made of. */
enum mpispec_number { MPISPEC_EXACT, MPISPEC_FLOAT, MPISPEC_DOUBLE, MPISPEC_LONG_DOUBLE };

struct mpispec_order;

/* Copied for every operation: so it is one cache line. */
struct mpispec_reduction {
  MPI_Op op;
  MPI_Datatype datatype;
  int64_t extent, size; /* bytes from element to element, and those that mean something */
  mpispec_reduction_loop *combine; /* null: by MPI_Reduce_local */
  /* Of one operation: */
  struct mpispec_order *order; /* or null: any, in which case it is that of ranks */
  int64_t total;               /* elements that each rank gives */
  uint32_t arithmetic;         /* of the signature (mpispec/signature.h) */
  int32_t ordered_from;        /* so many ranks, the order of parts matters; or INT32_MAX */
  uint8_t number;              /* enum mpispec_number */
  uint8_t has_index;           /* a number and an index, else one number or two */
  uint8_t is_exact;            /* any grouping of the ranks' parts gives the same bits */
  uint8_t is_swapped; /* the loop's operands stand the other way round than the library's */
  uint8_t keeps_nans; /* the loop gives the same of two NaNs as the library */
};

/* Recently used ones, by handles. */
enum { MPISPEC_REDUCTION_ENTRIES = 32 };
extern struct mpispec_reduction mpispec_reduction_cache[MPISPEC_REDUCTION_ENTRIES];

/* Before all others. `in_rank_order`: all operations are combined in the order of ranks
 * (MPISPEC_REDUCTIONS). */
void mpispec_reductions_open(int in_rank_order);

int mpispec_reduction_search(MPI_Op op, MPI_Datatype datatype, struct mpispec_reduction *found);

/* The reduction with this operation and datatype; 0 if there is none. It is copied, because other
 * threads may look for others while this one waits. */
static inline int mpispec_reduction_find(MPI_Op op, MPI_Datatype datatype,
                                         struct mpispec_reduction *found) {
  const uint64_t bits = (uint64_t)(uintptr_t)datatype * 5 + (uint64_t)(uintptr_t)op;
  struct mpispec_reduction *entry =
      &mpispec_reduction_cache[(bits ^ bits >> 8) % MPISPEC_REDUCTION_ENTRIES];
  const int known = entry->extent && entry->op == op && entry->datatype == datatype;
  if (__builtin_expect(!known, 0) && !mpispec_reduction_search(op, datatype, entry))
    return 0;
  *found = *entry;
  return 1;
}

void mpispec_reduction_by_library(const struct mpispec_reduction *reduction, void *result,
                                  const void *left, const void *right, int64_t count);

/* As MPI_Reduce_local does it with `left` as its input and `right` as what it changes. */
static inline void mpispec_reduce(const struct mpispec_reduction *reduction, void *result,
                                  const void *left, const void *right, int64_t count) {
  if (__builtin_expect(reduction->combine != NULL, 1))
    reduction->combine(result, reduction->is_swapped ? right : left,
                       reduction->is_swapped ? left : right, count);
  else
    mpispec_reduction_by_library(reduction, result, left, right, count);
}

/* Copies elements without what lies in the gaps between them. */
void mpispec_reduction_copy(const struct mpispec_reduction *reduction, void *to, const void *from,
                            int64_t count);

#endif
