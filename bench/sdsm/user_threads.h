/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* user_threads.h - the user's threads: their faults, and their suspension while a body arrives.
 *
 * Only a thread between sdsm_compute_begin and sdsm_compute_end is suspended, by a signal. A thread
 * that holds a lock of malloc, stdio or MPI is never suspended, because rec would then wait for it
 * for ever. It is held at its next sdsm_compute_begin or at the end of its next fault.
 */
#ifndef SDSM_USER_THREADS_H
#define SDSM_USER_THREADS_H

#include <stdbool.h>

void user_threads_open(void);
void user_threads_close(void);

/* The calling thread takes a lock that rec takes, too. If it computes, it ends that until its next
 * sdsm_compute_begin. The result is whether it does. */
bool user_threads_pause(void);

/* Returns when no thread computes. */
void user_threads_suspend(void);
void user_threads_resume(void);

#endif
