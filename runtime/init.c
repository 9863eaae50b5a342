/* MPI_Init, MPI_Init_thread, MPI_Finalize: where the runtime wakes and rests, and the state.
 *
 * `mpispec_state` is what template functions test; every object that uses templates also defines it
 * weakly. The strong definition must stand in this file: a linker takes a member out of a static
 * library for a name that is undefined, such as MPI_Init, never for one that is weakly defined. */
#include "environment.h"
#include "mpispec/state.h"

#include <mpi.h>
#include <stdio.h>

extern char **environ;

struct mpispec_state mpispec_state = {sizeof(struct mpispec_state), mpispec_state_version, 0, 0};

/* With a shared runtime the program's copy of the state stands in for ours, and it may be older or
 * younger than this library: then templates and runtime do not understand each other. */
static int state_fits(void) {
  return mpispec_state.size == sizeof(struct mpispec_state) &&
         mpispec_state.version == mpispec_state_version;
}

static void say(const char *what) { fprintf(stderr, "mpispec: %s\n", what); }

static void wake(void) {
  struct mpispec_environment environment;
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mpispec_environment_read(&environment, environ, rank == 0);
  if (!state_fits())
    say("this program was specialised for another version of the runtime; all calls go to MPI");
  else if (environment.verbose && rank == 0)
    say("all calls go to MPI");
}

int MPI_Init(int *argc, char ***argv) {
  const int error = PMPI_Init(argc, argv);
  if (!error)
    wake();
  return error;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  const int error = PMPI_Init_thread(argc, argv, required, provided);
  if (!error)
    wake();
  return error;
}

int MPI_Finalize(void) { return PMPI_Finalize(); }
