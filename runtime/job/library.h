/* Is the MPI library that the program uses one that this runtime was built for?
 *
 * Handles and statuses are MPICH's here. Preloaded onto a program of Open MPI, or of the MPI-5 ABI,
 * each of our functions would misread its arguments, and could not even hand them on: a handle
 * there is an address, twice as long. So where the library is another one the program is started
 * again without us, before it has begun. */
#ifndef MPISPEC_RUNTIME_LIBRARY_H
#define MPISPEC_RUNTIME_LIBRARY_H

/* What the library is, if handles are not MPICH's there, or null. It may not be initialised yet. */
const char *mpispec_library_foreign(void);

#endif
