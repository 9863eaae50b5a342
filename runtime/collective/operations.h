/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The collective operations, on bytes and elements. interposition/collective converts a program's
 * arguments to their arguments. Ranks are members of the node (struct mpispec_collective). Buffers
 * contain data without gaps. In reductions, `in` may equal `out`. Called with the lock held. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_OPERATIONS_H
#define MPISPEC_RUNTIME_COLLECTIVE_OPERATIONS_H

#include "collective/collective.h"
#include "collective/reduction.h"

static inline int64_t mpispec_smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Called by ranks that show `bytes` bytes and read none. Unless the root moves, they get ahead of
 * those that read, and prefetch a cell that these still have in their caches. */
static inline void mpispec_step_fetch_own(const struct mpispec_collective *collective,
                                          int64_t bytes) {
  if (collective->repeats_root && bytes <= MPISPEC_SLOT_PAYLOAD)
    mpispec_steps_fetch_own(&collective->steps);
}

void mpispec_collective_barrier(struct mpispec_collective *collective);

/* Returns the number of bytes that the root has sent. It differs from `length` if the program is
 * wrong. */
int64_t mpispec_collective_bcast(struct mpispec_collective *collective, void *buffer,
                                 int64_t length, int root);

void mpispec_collective_allreduce(struct mpispec_collective *collective,
                                  const struct mpispec_reduction *reduction, const void *in,
                                  void *out, int64_t count);

/* Two ranks. Shows `shown_count` elements to the other rank, and combines the elements at `own`
 * with `count` elements that the other rank shows. The result begins at element `begin` of the
 * operation's vector. `out` may be `own`, or elements that the function has already shown. */
void mpispec_collective_combine_two(struct mpispec_collective *collective,
                                    const struct mpispec_reduction *reduction,
                                    const unsigned char *shown, int64_t shown_count,
                                    const unsigned char *own, unsigned char *out, int64_t begin,
                                    int64_t count);

/* `out` is used on the root only. */
void mpispec_collective_reduce(struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction, const void *in, void *out,
                               int64_t count, int root);

void mpispec_collective_scan(struct mpispec_collective *collective,
                             const struct mpispec_reduction *reduction, const void *in, void *out,
                             int64_t count);

/* `out` is not written on rank 0. */
void mpispec_collective_exscan(struct mpispec_collective *collective,
                               const struct mpispec_reduction *reduction, const void *in, void *out,
                               int64_t count);

/* Rank i receives `counts[i]` elements. */
void mpispec_collective_reduce_scatter(struct mpispec_collective *collective,
                                       const struct mpispec_reduction *reduction, const void *in,
                                       void *out, const int64_t *counts);

/* --- portions, one for each rank ---------------------------------------------------------------*/

struct mpispec_portions {
  unsigned char *base;
  int64_t length;                   /* the length of each portion if `lengths` is null */
  const int64_t *offsets, *lengths; /* [members]; without `offsets`, portions are consecutive */
};

static inline unsigned char *mpispec_portion_at(const struct mpispec_portions *portions, int rank) {
  return portions->base + (portions->offsets ? portions->offsets[rank] : rank * portions->length);
}
static inline int64_t mpispec_portion_length(const struct mpispec_portions *portions, int rank) {
  return portions->lengths ? portions->lengths[rank] : portions->length;
}

/* The length of the longest portion of a member other than this one. */
static inline int64_t mpispec_portions_longest(const struct mpispec_collective *collective,
                                               const struct mpispec_portions *portions) {
  int64_t longest = 0;
  if (!portions->lengths)
    return portions->length;
  for (int i = 0; i < collective->steps.members; ++i)
    if (i != collective->steps.self && portions->lengths[i] > longest)
      longest = portions->lengths[i];
  return longest;
}

/* A member that shows portions to all others stores them one after the other. place_of: the index
 * of the portion for `to`. pitch: bytes from portion to portion, if `longest` is the longest. */
static inline int mpispec_place_of(int to, int from) { return to < from ? to : to - 1; }
static inline int64_t mpispec_portions_pitch(const struct mpispec_collective *collective,
                                             int64_t longest) {
  return longest * (collective->steps.members - 1) <= MPISPEC_SLOT_PAYLOAD
             ? longest
             : (longest + 63) / 64 * 64;
}

/* Nonzero if a portion for this rank fits `room`, or if this rank does not know its length. Cells
 * tell the longest portion. `equal`: nonzero if all portions are as long. */
static inline int mpispec_portion_fits(const struct mpispec_collective *collective, int64_t longest,
                                       int64_t room, int equal) {
  return longest <= room || (!equal && collective->steps.members > 2);
}

/* The cell of a writer contains the length of its data, because MPI does not require that ranks
 * have each other's lengths. A rank copies its own portion, unless it is in place: then `own` is
 * null, or in Alltoall `send` and `receive` are the same. The functions return 0 if a writer had
 * more bytes than its reader has room for; the reader ignores the rest. Portions of different
 * lengths in a chunk for more than one reader are not compared. */

/* `portions` are used on the root only. */
int mpispec_collective_gather(struct mpispec_collective *collective, const void *own,
                              int64_t length, const struct mpispec_portions *portions, int root);
/* `equal`: nonzero if all portions are as long. */
int mpispec_collective_scatter(struct mpispec_collective *collective,
                               const struct mpispec_portions *portions, void *own, int64_t length,
                               int root, int equal);
int mpispec_collective_allgather(struct mpispec_collective *collective, const void *own,
                                 int64_t length, const struct mpispec_portions *portions);
int mpispec_collective_alltoall(struct mpispec_collective *collective,
                                const struct mpispec_portions *send,
                                const struct mpispec_portions *receive);

#endif
