/* Away in the MPI library: while the program sits in a blocking function there, others may need
 * this rank to go on receiving (`Irecv; Barrier; Wait` against `Ssend; Barrier`). A blocking
 * function cannot be replaced by its nonblocking form, since the two do not match each other across
 * ranks and only this rank knows that it has receives posted. So a thread goes on in the meantime.
 *
 * Every call of a blocking function of the MPI library stands between these two. They nest: the
 * library calls back into the program (attributes, error handlers, data representations), which may
 * call MPI there. No thread exists before something is under way. */
#ifndef MPISPEC_RUNTIME_HELPER_H
#define MPISPEC_RUNTIME_HELPER_H

/* Both are called without the lock held. */
void mpispec_away(void);
void mpispec_back(void);

/* At Init, when lanes are open. `library_is_threaded`: may the helper call the MPI library? `tell`
 * hears when the program's only thread goes away and comes back: templates take no lock. */
void mpispec_helper_open(int library_is_threaded, void (*tell)(int is_away));

/* Ends the thread, if there is one. Called in MPI_Finalize. */
void mpispec_helper_close(void);

#endif
