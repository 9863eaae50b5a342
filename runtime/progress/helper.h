/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The helper: a thread that makes progress while the program is in a blocking function of the MPI
 * library. Meanwhile other ranks may need this rank to continue receiving, as in `Irecv; Barrier;
 * Wait` against `Ssend; Barrier`. The runtime cannot replace a blocking collective function by its
 * nonblocking form. Only ranks with posted receives would replace it, and the two forms do not
 * match across ranks.
 *
 * The runtime calls mpispec_library_call_begin before each blocking function of the library, and
 * mpispec_library_call_end after it. These pairs nest, because the library may call functions of
 * the program (attributes, error handlers, data representations), which may call MPI. The thread is
 * created when the lock is first released to it with a pending operation. With
 * MPI_THREAD_MULTIPLE, it is created by the first mpispec_library_call_begin for which an operation
 * is pending or several threads have called MPI, or when a second thread calls MPI meanwhile. */
#ifndef MPISPEC_RUNTIME_HELPER_H
#define MPISPEC_RUNTIME_HELPER_H

/* Both are called without the lock held. */
void mpispec_library_call_begin(void);
void mpispec_library_call_end(void);

/* The same for waits in the library while mpispec_progress_is_needed returns 0. */
void mpispec_library_wait_begin(void);
void mpispec_library_wait_end(void);

/* Called in MPI_Init, when lanes are open. `library_is_threaded`: the helper may call the MPI
 * library. The function `on_library_call` is called when the program's only thread enters the
 * library, and when it returns. Templates take no lock and must be closed between these calls. */
void mpispec_helper_open(int library_is_threaded, void (*on_library_call)(int is_away));

/* If not null, the helper calls it in each poll with something to do, with the lock held (room.h).
 */
extern void (*mpispec_helper_tends)(void);

/* Ends the thread if it exists. Called in MPI_Finalize. */
void mpispec_helper_close(void);

#endif
