/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fact_check.h - proven facts, tested when the program runs
 *
 * This file is no template. It tests mpispec itself: with `--mpispec-check-facts`, a rewritten call
 * calls these functions first. They count how often a fact holds. The program stays correct if a
 * fact does not hold, because the rewritten call tests each fact that it uses. At the end of the
 * program a line reports each fact that did not hold, and each prediction about an executed call.
 * The line names the place of the call and the argument's number, counted from 1. */
#ifndef MPISPEC_FACT_CHECK_H
#define MPISPEC_FACT_CHECK_H

#include "machine.h"

/* Functions of the C library and the MPI library, under names of this file, because this file can
 * include no header of these libraries. A handle's bits fill one register whatever its type is. */
extern int mpispec_check_print(int file, const char *format, ...) __asm__("dprintf");
extern int mpispec_check_rank(unsigned long comm, int *rank) __asm__("PMPI_Comm_rank");
extern int mpispec_check_size(unsigned long datatype, int *size) __asm__("PMPI_Type_size");
extern int mpispec_check_envelope(unsigned long datatype, int *integers, int *addresses,
                                  int *datatypes, int *combiner) __asm__("PMPI_Type_get_envelope");

/* One fact of one call site. Any thread may count. */
struct mpispec_check {
  const char *claim; /* "halo.c:12: MPI_Send: argument 2 is proven to be in [1, 1]" */
  unsigned long long calls;
  unsigned long long failed;
  long long value;            /* the first value for which the fact failed */
  struct mpispec_check *next; /* in this unit's list of failed facts, or of predictions */
};

static struct mpispec_check *mpispec_checks_failed __attribute__((__unused__));
static struct mpispec_check *mpispec_checks_predicted __attribute__((__unused__));

static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_enlist(struct mpispec_check **list, struct mpispec_check *check) {
  check->next = __atomic_load_n(list, mpispec_relaxed);
  while (
      !__atomic_compare_exchange_n(list, &check->next, check, 0, mpispec_release, mpispec_relaxed))
    continue;
}

static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_count(struct mpispec_check *check, int holds, long long value) {
  __atomic_fetch_add(&check->calls, 1, mpispec_relaxed);
  if (holds || __atomic_fetch_add(&check->failed, 1, mpispec_relaxed))
    return;
  check->value = value;
  mpispec_check_enlist(&mpispec_checks_failed, check);
}

/* Runs when the program ends. It is static, because each unit reports its own facts. */
static __attribute__((__destructor__, __unused__, __no_instrument_function__)) void
mpispec_checks_report(void) {
  const struct mpispec_check *check = __atomic_load_n(&mpispec_checks_failed, mpispec_acquire);
  for (; check; check = check->next)
    mpispec_check_print(2, "mpispec: %s, but was %lld (in %llu of %llu calls)\n", check->claim,
                        check->value, check->failed, check->calls);
  check = __atomic_load_n(&mpispec_checks_predicted, mpispec_acquire);
  for (; check; check = check->next)
    mpispec_check_print(2, "mpispec: %s, and was in %llu of %llu calls\n", check->claim,
                        check->calls - check->failed, check->calls);
}

/* Counts a prediction, which need not hold. Each counted prediction is reported. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_prediction(struct mpispec_check *check, int holds) {
  if (!__atomic_fetch_add(&check->calls, 1, mpispec_relaxed))
    mpispec_check_enlist(&mpispec_checks_predicted, check);
  if (!holds)
    __atomic_fetch_add(&check->failed, 1, mpispec_relaxed);
}

/* The bytes of the message; negative if the size of the datatype does not fit an int. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) long long
mpispec_check_message(long long count, unsigned long datatype) {
  int size = count ? -1 : 0;
  if (count) /* with MPI_IN_PLACE the datatype may be MPI_DATATYPE_NULL, which has no size */
    mpispec_check_size(datatype, &size);
  return count * size;
}

/* Counts the prediction that a message is longer than `bound` bytes, or is not. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_size_class(struct mpispec_check *check, long long count, unsigned long datatype,
                         long long bound, int is_long) {
  const long long bytes = mpispec_check_message(count, datatype);
  mpispec_check_prediction(check, (bytes < 0 || bytes > bound) == is_long);
}

static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_range(struct mpispec_check *check, long long value, long long low, long long high) {
  mpispec_check_count(check, value >= low && value <= high, value);
}

static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_handle(struct mpispec_check *check, unsigned long handle, unsigned long proven) {
  mpispec_check_count(check, handle == proven, (long long)handle);
}

/* Counts the fact that elements of the datatype have `bytes` bytes. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_element(struct mpispec_check *check, unsigned long datatype, long long bytes) {
  int size = -1;
  mpispec_check_size(datatype, &size);
  mpispec_check_count(check, size == bytes, size);
}

/* A derived datatype consists of other datatypes, a predefined one does not. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) int
mpispec_check_is_derived(unsigned long datatype) {
  int integers = 0, addresses = 0, datatypes = 0, combiner = 0;
  mpispec_check_envelope(datatype, &integers, &addresses, &datatypes, &combiner);
  return datatypes > 0;
}

static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_derived(struct mpispec_check *check, unsigned long datatype) {
  mpispec_check_count(check, mpispec_check_is_derived(datatype), (long long)datatype);
}

/* Counts the fact that the message has `low` to `high` bytes. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_bytes(struct mpispec_check *check, long long count, unsigned long datatype,
                    long long low, long long high) {
  const long long bytes = mpispec_check_message(count, datatype);
  if (bytes >= 0)
    mpispec_check_range(check, bytes, low, high);
}

/* Counts the fact that the peer is the calling process (is_local), or that it is another one. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_peer(struct mpispec_check *check, int peer, unsigned long comm, int is_local) {
  int rank = -1;
  mpispec_check_rank(comm, &rank);
  mpispec_check_count(check, (peer == rank) == is_local, peer);
}

#endif
