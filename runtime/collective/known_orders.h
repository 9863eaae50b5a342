/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Results of trials, kept for later communicators of the same size.
 *
 * A trial takes dozens of operations of the MPI library. A program may make a communicator for each
 * of many short tasks, and would repeat the trials for each. Therefore this process keeps each
 * octave (discovery.c) whose order a trial has determined.
 *
 * A rank never uses its results alone, because ranks may have taken part in trials on different
 * communicators. When the members of a communicator agree on a slot (slots.h), each proposes
 * digests of its results, one for each bucket of classes. If a bucket has the same digest on all
 * members, all have the same results and use them. Otherwise no member uses its results of this
 * bucket.
 *
 *   member 0   bucket 0: 17a3   bucket 1: 0      ...
 *   member 1   bucket 0: 17a3   bucket 1: 9c40   ...     bucket 0 is used, bucket 1 is not
 *
 * One rank of the job writes the results to a file for later programs (orders_file.h).
 *
 * Entries name the arithmetic of a reduction, because handles differ between processes. Results are
 * kept only for libraries whose choice depends on nothing but the contents of an entry. These
 * libraries are MPICH before 4.1 and Open MPI 4, on one node, unless a setting chooses algorithms.
 * MPICH 5, for example, changes its choice after some operations. Functions are called with the
 * lock held. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_KNOWN_ORDERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_KNOWN_ORDERS_H

#include "abi/mpi.h"

#include <stdint.h>

enum { MPISPEC_OCTAVES = 40, MPISPEC_KNOWN_BUCKETS = 8 };

/* The source of an octave's orders, before a trial in this process has confirmed them. */
enum mpispec_expectation { MPISPEC_NOT_EXPECTED, MPISPEC_FROM_TABLE, MPISPEC_FROM_FILE };

/* An octave has the orders `low` up to `low_count`, and the orders `high` from `high_count` on.
 * Each is a set of trees, a bit each, because several trees may be the same order for this number
 * of ranks. The sets are valid if the octave is known or expected. */
struct mpispec_octave {
  int calls, is_known, is_lost;
  enum mpispec_expectation expectation; /* while it is not known */
  uint32_t low, high;
  int64_t low_count, high_count;
};

/* The counts of an octave: 1, 2, 3 to 4, 5 to 8, ... */
static inline int64_t mpispec_octave_last(int number) { return INT64_C(1) << number; }
static inline int64_t mpispec_octave_first(int number) {
  return number ? mpispec_octave_last(number - 1) + 1 : 1;
}

/* The properties of a call, other than the count, by which an MPI library chooses its algorithm. */
struct mpispec_known_key {
  uint64_t counts;     /* a digest of all counts of Reduce_scatter, else 0 */
  uint32_t arithmetic; /* from the signature (mpispec/signature.h) */
  int element;         /* bytes of an element without gaps; pairs of one extent differ */
  int operation, root;
};

struct mpispec_known_class {
  struct mpispec_known_class *next;
  int size;       /* the communicators' */
  uint64_t hints; /* a digest of their MPI_Info */
  struct mpispec_known_key key;
  struct mpispec_octave octaves[MPISPEC_OCTAVES];
};

/* Nonzero if results are kept for the MPI library in use. */
int mpispec_known_orders_are_kept(void);

/* A digest of a communicator's hints (MPI_Comm_get_info). Called without the lock. */
uint64_t mpispec_known_orders_hints(MPI_Comm communicator);

/* Copies the results for communicators of this size, and computes their digests. The copy keeps
 * what was proposed while other threads add results. */
struct mpispec_known_class *mpispec_known_orders_copy(int size, uint64_t hints);
void mpispec_known_orders_digest(const struct mpispec_known_class *known,
                                 uint64_t digests[MPISPEC_KNOWN_BUCKETS]);

/* Frees the classes in buckets whose bit in `agreed` is 0. Returns the others. */
struct mpispec_known_class *mpispec_known_orders_filter(struct mpispec_known_class *known,
                                                        unsigned agreed);
static inline void mpispec_known_orders_free(struct mpispec_known_class *known) {
  mpispec_known_orders_filter(known, 0);
}

/* Returns the octaves of a class, [MPISPEC_OCTAVES], or null if the list does not contain it. */
const struct mpispec_octave *mpispec_known_orders_find(const struct mpispec_known_class *known,
                                                       const struct mpispec_known_key *key);

/* Keeps the result of a trial on a communicator of this size: orders, or the result that an
 * expectation is wrong. */
void mpispec_known_orders_keep(int size, uint64_t hints, const struct mpispec_known_key *key,
                               int octave, const struct mpispec_octave *found);

/* Adds an entry of the file. The function does nothing if a trial has settled the octave. */
void mpispec_known_orders_expect(int size, uint64_t hints, const struct mpispec_known_key *key,
                                 int octave, const struct mpispec_octave *expected);

/* The list of all results. */
const struct mpispec_known_class *mpispec_known_orders_list(void);

/* Called in MPI_Init. `cache` is the value of MPISPEC_CACHE, or null; it determines the place of
 * the file. The file is read when it is first needed. */
void mpispec_known_orders_open(const char *cache);

/* Called in MPI_Finalize. One rank of the job is the writer: it replaces its file if trials have
 * changed the results. */
void mpispec_known_orders_close(int is_writer);

#endif
