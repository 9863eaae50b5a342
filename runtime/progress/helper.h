/* The helper: a thread that makes progress while the program is in a blocking function of the MPI
 * library. Other ranks may need this rank to go on receiving meanwhile (`Irecv; Barrier; Wait`
 * against `Ssend; Barrier`). A blocking function cannot be replaced by its nonblocking form, since
 * the two do not match each other across ranks and only this rank knows that it has receives
 * posted. So a thread receives in the meantime.
 *
 * The runtime calls mpispec_away before each blocking function of the library, and mpispec_back
 * after it. Such pairs nest: the
 * library calls back into the program (attributes, error handlers, data representations), which may
 * call MPI there. No thread is made before an operation is under way. */
#ifndef MPISPEC_RUNTIME_HELPER_H
#define MPISPEC_RUNTIME_HELPER_H

/* Both are called without the lock held. */
void mpispec_away(void);
void mpispec_back(void);

/* At Init, when lanes are open. `library_is_threaded`: may the helper call the MPI library? `tell`
 * is called when the program's only thread enters the library and when it is back: templates, which
 * take no lock, must be closed in between. */
void mpispec_helper_open(int library_is_threaded, void (*tell)(int is_away));

/* Ends the thread, if there is one. Called in MPI_Finalize. */
void mpispec_helper_close(void);

#endif
