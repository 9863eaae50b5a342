/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Detects leaders of different nodes that are in different operations. collective/mismatch.h
 * detects members of one node. An MPI library alone would hang or give wrong data.
 *
 * Each leader logs the history of its operations at each operation among leaders. A leader that
 * waits for a long time sends its log to the next node's leader. It compares its own log with the
 * log of the previous node's leader. Logs that contain different histories for one operation are a
 * mismatch. A leader that finds a mismatch sends it to the next leader, and reports it to its node
 * through its slot.
 *
 * A *comparison* combines the histories of all leaders. A Barrier is a comparison, unless the
 * previous operation ended with one. Another comparison follows each time the log is full. A
 * comparison finds mismatches in operations that ended without a wait.
 *
 * A program that is only slow leaves no unreceived message behind while the communicator exists.
 * Each leader has posted one receive for a log. A leader sends its next log only after two
 * comparisons. By then the receiver has posted the next receive. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_LEADERS_MISMATCH_H
#define MPISPEC_RUNTIME_COLLECTIVE_LEADERS_MISMATCH_H

#include "collective/collective.h"

struct mpispec_leaders_watch;

/* Opens the watch of a leader. */
struct mpispec_leaders_watch *
mpispec_leaders_watch_open(const struct mpispec_collective *collective);
void mpispec_leaders_watch_close(struct mpispec_leaders_watch *watch);

/* Logs an operation among leaders that begins. Returns nonzero if a comparison must follow it. */
int mpispec_leaders_watch_begin(struct mpispec_collective *collective);

/* Sends `text` to the next leader. The members of this node are in different operations. */
void mpispec_leaders_watch_report(struct mpispec_collective *collective, const char *text);

/* Called by a leader that has waited for a long time. Returns nonzero, with collective->error set,
 * if members are in different operations. */
int mpispec_leaders_watch_poll(struct mpispec_collective *collective);

/* Called after a comparison in which all histories were the same. */
void mpispec_leaders_watch_compared(struct mpispec_collective *collective);

/* For a Barrier that has begun: whether the operation just before it ended with a comparison. */
int mpispec_leaders_watch_has_compared(const struct mpispec_collective *collective);

/* Called if the histories of the leaders differ. Returns after it has set collective->error. */
void mpispec_leaders_watch_await_mismatch(struct mpispec_collective *collective);

#endif
