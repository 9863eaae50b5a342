/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* This rank as the origin of one-sided operations, on a node that uses doorbells.
 *
 * The target's MPI library executes some of these operations, although the target calls nothing
 * (passive target communication). The target may sleep on its doorbell, and the library rings none.
 * Therefore the origin wakes the target when it has waited for the library in vain. A rank that is
 * woken in this way stays awake for a while, and polls its library (sleep.c). */
#ifndef MPISPEC_RUNTIME_ORIGIN_H
#define MPISPEC_RUNTIME_ORIGIN_H

#include "progress/doorbell.h"

/* The targets of a call: a node rank, or one of these. */
enum { MPISPEC_NO_TARGET = -2, MPISPEC_ALL_TARGETS = -1 };

/* Called before and after a call that may wait for the library of its targets, by the same thread.
 * The result of the first function is the argument of the second. If the library does not report
 * its polls (library_polls.h), the first function wakes the targets. */
int mpispec_origin_begin(int targets);
void mpispec_origin_end(int outer);

/* Called after a call that has begun (`change` 1) or ended (-1) an epoch of passive target
 * communication. */
void mpispec_origin_count_epochs(int change);

/* Called by a wait in the library after polls in vain. Wakes the targets of this thread's call. */
void mpispec_origin_asks(void);

/* Called with the lock held by a test that may be of a request of the library. One of many wakes
 * all targets, because a program may wait by tests. */
void mpispec_origin_note_test(void);

/* Nonzero if waits for requests of the library must wake targets, which are unknown: the requests
 * may be of one-sided operations. Such a wait must not be left to the library. */
int mpispec_origin_has_targets(void);

#endif
