/* The state: all that a template function tests before it takes its inline path. Runtime and
 * templates meet here and nowhere else.
 *
 * The runtime defines it (runtime/init.c), and every rewritten object defines it again, weakly,
 * with the same first two members and the rest zero: so a specialised object links and runs
 * correctly without the runtime. fast_size is 0 until all is ready and whenever something is not,
 * so that one unsigned comparison `peer < fast_size` covers not initialised, switched off, out of
 * range, MPI_PROC_NULL and wildcards. */
#ifndef MPISPEC_STATE_H
#define MPISPEC_STATE_H

enum { mpispec_state_version = 1 };

struct mpispec_state {
  unsigned int size;      /* bytes of this struct where it was compiled */
  unsigned int version;   /* mpispec_state_version where it was compiled */
  unsigned int fast_size; /* ranks of MPI_COMM_WORLD, from 0 on, that have a lane from here */
  unsigned int rank;      /* our own in MPI_COMM_WORLD */
};

extern struct mpispec_state mpispec_state;

#endif
