/* The counting wrappers of ordinary.h. Never specialised. */
#include "mpispec/state.h"

#include <mpi.h>

#define COUNTED(NAME, PARAMETERS, ARGUMENTS)                                                       \
  int ordinary_##NAME;                                                                             \
  int __real_MPI_##NAME PARAMETERS;                                                                \
  int __wrap_MPI_##NAME PARAMETERS;                                                                \
  int __wrap_MPI_##NAME PARAMETERS {                                                               \
    ++ordinary_##NAME;                                                                             \
    return __real_MPI_##NAME ARGUMENTS;                                                            \
  }
#include "counted.def"

void templates_wait(int long_enough) {
  static unsigned polls;
  if (long_enough)
    polls = mpispec_state.polls;
  mpispec_state.polls = long_enough ? ~0u : polls;
}
