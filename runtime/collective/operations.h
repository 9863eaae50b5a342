/* The operations themselves, on bytes and elements: interposition/collective turns a program's
 * arguments into these. Ranks are members of the node (struct mpispec_collective), buffers hold
 * data without gaps; in reductions `in` may be `out`. All are called with the lock held. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_OPERATIONS_H
#define MPISPEC_RUNTIME_COLLECTIVE_OPERATIONS_H

#include "collective/collective.h"
#include "collective/reduction.h"

void mpispec_collective_barrier(struct mpispec_collective *collective);

/* Returns how many bytes the root has sent: another number than `length` if the program erred. */
int64_t mpispec_collective_bcast(struct mpispec_collective *collective, void *buffer,
                                 int64_t length, int root);

void mpispec_collective_allreduce(struct mpispec_collective *collective,
                                  const struct mpispec_reduction *reduction, const void *in,
                                  void *out, int64_t count);

/* `out` matters at the root only. */
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

/* `counts[i]` elements go to rank i. */
void mpispec_collective_reduce_scatter(struct mpispec_collective *collective,
                                       const struct mpispec_reduction *reduction, const void *in,
                                       void *out, const int64_t *counts);

/* --- portions, one for each rank ---------------------------------------------------------------*/

struct mpispec_portions {
  unsigned char *base;
  int64_t length;                   /* of each portion, one after the other; */
  const int64_t *offsets, *lengths; /* or not null: of each */
};

static inline unsigned char *mpispec_portion_at(const struct mpispec_portions *portions, int rank) {
  return portions->base + (portions->offsets ? portions->offsets[rank] : rank * portions->length);
}
static inline int64_t mpispec_portion_length(const struct mpispec_portions *portions, int rank) {
  return portions->lengths ? portions->lengths[rank] : portions->length;
}

/* The longest portion of another member than this one. */
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

/* One member shows a portion to each other one: the place of that for `to`, and bytes from place to
 * place when the longest has `longest`. */
static inline int mpispec_place_of(int to, int from) { return to < from ? to : to - 1; }
static inline int64_t mpispec_portions_pitch(const struct mpispec_collective *collective,
                                             int64_t longest) {
  return longest * (collective->steps.members - 1) <= MPISPEC_SLOT_PAYLOAD
             ? longest
             : (longest + 63) / 64 * 64;
}

/* Ranks may differ in what they know of each other's lengths: they are
 * read out of the writer's cell. Our own portion is copied, unless it is in place: `own`
 * is null then, and in Alltoall both sides are the same. These return 0 if a writer had more than
 * its reader expected; that is left out. */

/* `portions` matter at the root only. */
int mpispec_collective_gather(struct mpispec_collective *collective, const void *own,
                              int64_t length, const struct mpispec_portions *portions, int root);
void mpispec_collective_scatter(struct mpispec_collective *collective,
                                const struct mpispec_portions *portions, void *own, int64_t length,
                                int root);
int mpispec_collective_allgather(struct mpispec_collective *collective, const void *own,
                                 int64_t length, const struct mpispec_portions *portions);
void mpispec_collective_alltoall(struct mpispec_collective *collective,
                                 const struct mpispec_portions *send,
                                 const struct mpispec_portions *receive);

#endif
