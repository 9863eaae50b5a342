/* Results of trials, kept for later communicators of the same size.
 *
 * A trial takes dozens of operations of the MPI library. Programs that make a communicator for each
 * of many short tasks would pay for that again and again. So this process keeps each octave
 * (discovery.h) that a trial has settled.
 *
 * No rank acts alone on results that it has kept, because ranks come from different communicators.
 * When the members of a communicator agree on a slot (slots.c), each proposes digests of what it
 * knows, one for each of some buckets of classes. Where the digests of a bucket are the same on all
 * members, all know the same, and use it; else nobody uses what it knows of that bucket.
 *
 *   member 0   bucket 0: 17a3   bucket 1: 0      ...
 *   member 1   bucket 0: 17a3   bucket 1: 9c40   ...     bucket 0 is used, bucket 1 is not
 *
 * One rank of the job writes the results to a file for later programs (orders_file.h).
 *
 * Entries name the arithmetic of a reduction instead of handles, which differ between processes.
 * Kept are results of libraries that choose an algorithm by nothing but what an entry names:
 * MPICH before 4.1 and Open MPI 4, with their own choice of algorithms, on one node. MPICH 5
 * changes it after some operations. All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_KNOWN_ORDERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_KNOWN_ORDERS_H

#include "abi/mpi.h"

#include <stdint.h>

enum { MPISPEC_OCTAVES = 40, MPISPEC_KNOWN_BUCKETS = 8 };

/* Where the orders of an octave come from, before a trial has confirmed them in this process. */
enum mpispec_expectation { MPISPEC_NOT_EXPECTED, MPISPEC_FROM_TABLE, MPISPEC_FROM_FILE };

/* Up to `low_count` the octave has one order, from `high_count` on another, or the same: a bit for
 * each tree that it may be, since two may be one for so many ranks. Valid if the octave is known,
 * or expected. */
struct mpispec_octave {
  int calls, is_known, is_lost;
  enum mpispec_expectation expectation; /* while it is not known */
  uint32_t low, high;
  int64_t low_count, high_count;
};

/* Its counts: 1, 2, 3 to 4, 5 to 8, ... */
static inline int64_t mpispec_octave_last(int number) { return INT64_C(1) << number; }
static inline int64_t mpispec_octave_first(int number) {
  return number ? mpispec_octave_last(number - 1) + 1 : 1;
}

/* The properties of a call by which an MPI library chooses its algorithm, beside the count. */
struct mpispec_known_key {
  uint64_t counts;     /* of Reduce_scatter: what they are like */
  uint32_t arithmetic; /* of the signature (mpispec/signature.h) */
  int operation, root;
};

struct mpispec_known_class {
  struct mpispec_known_class *next;
  int size;       /* of the communicators */
  uint64_t hints; /* their info, as a digest */
  struct mpispec_known_key key;
  struct mpispec_octave octaves[MPISPEC_OCTAVES];
};

/* Nonzero if the library at hand is one whose results are kept. */
int mpispec_known_orders_are_kept(void);

/* A digest of the hints of a communicator. Called without the lock. */
uint64_t mpispec_known_orders_hints(MPI_Comm communicator);

/* A copy of what is known for communicators of that size, and its digests. The copy stays what was
 * proposed while other threads go on learning. */
struct mpispec_known_class *mpispec_known_orders_copy(int size, uint64_t hints);
void mpispec_known_orders_digest(const struct mpispec_known_class *known,
                                 uint64_t digests[MPISPEC_KNOWN_BUCKETS]);

/* Frees the classes whose bucket has no bit in `agreed`; returns the rest. */
struct mpispec_known_class *mpispec_known_orders_filter(struct mpispec_known_class *known,
                                                        unsigned agreed);
static inline void mpispec_known_orders_free(struct mpispec_known_class *known) {
  mpispec_known_orders_filter(known, 0);
}

/* The octaves of a class, [MPISPEC_OCTAVES]; null if nothing is known of it. */
const struct mpispec_octave *mpispec_known_orders_find(const struct mpispec_known_class *known,
                                                       const struct mpispec_known_key *key);

/* Keeps what a trial on a communicator of that size has settled: an order, or that what was
 * expected is wrong. */
void mpispec_known_orders_keep(int size, uint64_t hints, const struct mpispec_known_key *key,
                               int octave, const struct mpispec_octave *found);

/* An entry of the file. Nothing happens where more is known. */
void mpispec_known_orders_expect(int size, uint64_t hints, const struct mpispec_known_key *key,
                                 int octave, const struct mpispec_octave *expected);

/* All of them. */
const struct mpispec_known_class *mpispec_known_orders_list(void);

/* At Init: where the file is, MPISPEC_CACHE or null. It is read when first needed. */
void mpispec_known_orders_open(const char *cache);

/* At Finalize. One rank of the job is the writer: its file is replaced if trials have found
 * something new. */
void mpispec_known_orders_close(int is_writer);

#endif
