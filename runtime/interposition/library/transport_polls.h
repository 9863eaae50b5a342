/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ucp_worker_progress, the function of UCX by which an MPI library polls. The runtime defines this
 * function, too, to observe polls that find nothing (progress/library_polls.h).
 *
 *   MPI library --> ucp_worker_progress (ours) --> ucp_worker_progress of UCX
 *
 * The runtime's function is found first if the runtime is preloaded, or part of the program. The
 * runtime also declares the function itself, because UCX's headers may be missing where the runtime
 * is built. The declaration holds for UCX 1.0 and later. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_TRANSPORT_POLLS_H
#define MPISPEC_RUNTIME_INTERPOSITION_TRANSPORT_POLLS_H

struct mpispec_ucp_worker; /* stands for the struct to which UCX's ucp_worker_h points */

/* Weak: a program that UCX is linked into has UCX's definition. */
__attribute__((visibility("default"), weak)) unsigned
ucp_worker_progress(struct mpispec_ucp_worker *worker);

/* Nonzero after ucp_worker_progress was called: the MPI library polls by it. */
int mpispec_transport_polls_are_seen(void);

#endif
