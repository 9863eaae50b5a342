/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of mpispec_state (init.c) that templates read: functions of the runtime, and whether the
 * lanes are open for templates. */
#ifndef MPISPEC_RUNTIME_TEMPLATE_STATE_H
#define MPISPEC_RUNTIME_TEMPLATE_STATE_H

/* Called when the lanes are open. `is_full` is nonzero in the mode in which templates are used.
 * Templates decline all calls in four more cases. They take no lock for several threads, are in no
 * profile, ring no doorbells, and do not ask where a buffer is. */
void mpispec_template_state_open(int is_full, int thread_level);

#endif
