/* The counting wrappers of ordinary.h. Never specialised. */
#include "mpispec/state.h"

#include <mpi.h>

#define COUNTED(NAME, PARAMETERS, ARGUMENTS)                                                       \
  int ordinary_##NAME;                                                                             \
  int __real_MPI_##NAME PARAMETERS;                                                                \
  int __wrap_MPI_##NAME PARAMETERS;                                                                \
  int __wrap_MPI_##NAME PARAMETERS {                                                               \
    __atomic_add_fetch(&ordinary_##NAME, 1, __ATOMIC_RELAXED);                                     \
    return __real_MPI_##NAME ARGUMENTS;                                                            \
  }
#include "counted.def"

void templates_wait(int long_enough) {
  static unsigned polls;
  if (long_enough)
    polls = mpispec_state.polls;
  mpispec_state.polls = long_enough ? ~0u : polls;
}
