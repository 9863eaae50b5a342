/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of mpispec_state (init.c) that templates read: functions of the runtime, and whether the
 * lanes are open for templates. */
#ifndef MPISPEC_RUNTIME_TEMPLATE_STATE_H
#define MPISPEC_RUNTIME_TEMPLATE_STATE_H

/* Called when the lanes are open. `is_full` is nonzero in the mode MPISPEC_MODE=full. Templates
 * decline all calls in other modes, and with MPI_THREAD_MULTIPLE, a profile, doorbells, or queries
 * of accelerators. The reason is that templates acquire no lock, write no profile, ring no
 * doorbells and make no queries. */
void mpispec_template_state_open(int is_full, int thread_level);

#endif
