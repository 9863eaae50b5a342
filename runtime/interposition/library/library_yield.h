/* The way by which the MPI library at hand yields its processor while it polls, if any.
 *
 *   Open MPI     its switch, opal_progress_set_yield_when_idle of libopen-pal, unless the user or
 *                mpirun has chosen (mpi_yield_when_idle)
 *   over UCX     the runtime's ucp_worker_progress (transport_polls.h)
 *   Intel MPI    none needed: it yields by itself after some polls
 *   others       none: libfabric polls by a table of functions, or is part of the MPI library
 */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_LIBRARY_YIELD_H
#define MPISPEC_RUNTIME_INTERPOSITION_LIBRARY_YIELD_H

/* Before the library's Init, if MPISPEC_YIELD wants it: where the launcher has started more ranks
 * here than there are processors, the library's Init yields, too. */
void mpispec_library_yield_prepare(int is_wanted);

/* After Init. Without lanes the library polls as without the runtime. With `says`, the way is told
 * on stderr if ranks share processors. */
void mpispec_library_yield_open(int is_wanted, int has_lanes, int says);

/* After the library's Finalize. With `says`, how many yields there were, if any. */
void mpispec_library_yield_close(int says);

#endif
