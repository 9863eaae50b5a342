/* Yields while the MPI library polls.
 *
 * A blocking function of the MPI library polls until it is done, and most libraries never yield.
 * Where ranks share a processor, the rank that polls keeps the awaited rank from running for a
 * whole time slice, 1 to 4 ms. So the runtime yields in the library's name:
 *
 *   a function below the library that polls is ours, calls the next definition, and reports what
 *   that found (interposition/library/transport_polls.c), or
 *   the library has a switch, which is on while a thread is in a blocking function.
 *
 * Nothing happens unless this rank is oversubscribed (oversubscription.h). In a blocking function
 * the rank yields after MPISPEC_EMPTY_POLLS polls in a row that found nothing; elsewhere, as in
 * MPI_Test, whose caller has other work, after MPISPEC_EMPTY_TESTS. Collective operations stay the
 * blocking ones: nonblocking forms would not match those of other ranks. */
#ifndef MPISPEC_RUNTIME_LIBRARY_POLLS_H
#define MPISPEC_RUNTIME_LIBRARY_POLLS_H

/* Before the library's Init. Until `mpispec_library_polls_close`, reported polls may yield. */
void mpispec_library_polls_open(void);
void mpispec_library_polls_close(void);

/* The library's own switch, which returns what it was; null if it has none. */
void mpispec_library_polls_use_switch(_Bool (*own_switch)(_Bool yields));

/* Around each blocking function of the library. Such pairs nest. */
void mpispec_library_enter(void);
void mpispec_library_leave(void);

/* A poll of the library's transport has found so many events. Called by any thread. */
void mpispec_library_polled(unsigned events);

/* Yields since Init, for MPISPEC_VERBOSE and tests. */
unsigned long mpispec_library_yields(void);

#endif
