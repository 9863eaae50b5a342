/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The method by which the MPI library in use can be made to yield while it polls, if there is one.
 *
 *   Open MPI     its switch, opal_progress_set_yield_when_idle of libopen-pal, unless the user or
 *                mpirun has chosen (mpi_yield_when_idle)
 *   over UCX     the runtime's ucp_worker_progress (transport_polls.h)
 *   libfabric    the runtime's `read` of completion queues (fabric_polls.h)
 *   Intel MPI    none needed: it yields by itself after some polls
 *   others       none: for example, if UCX or libfabric is part of libmpi
 */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_LIBRARY_YIELD_H
#define MPISPEC_RUNTIME_INTERPOSITION_LIBRARY_YIELD_H

/* Called before the library's MPI_Init. If MPISPEC_YIELD requests yields, and the launcher has
 * started more ranks on this node than there are processors, the library's MPI_Init yields, too. */
void mpispec_library_yield_prepare(int is_wanted);

/* Called after the library's MPI_Init, before the runtime calls its blocking functions. Finds the
 * switch of Open MPI. */
void mpispec_library_yield_find_switch(int is_wanted);

/* Called when the lanes are open, or cannot be opened. If the job has no lanes, the library polls
 * as without the runtime. If `is_verbose` is nonzero and ranks share processors, the function
 * prints the method to stderr. */
void mpispec_library_yield_open(int is_wanted, int has_lanes, int is_verbose);

/* Called after the library's MPI_Finalize. If `is_verbose` is nonzero and the runtime has yielded,
 * prints the number of yields. */
void mpispec_library_yield_close(int is_verbose);

#endif
