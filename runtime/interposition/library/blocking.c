/* Blocking functions of the MPI library that we only stand around: while the program sits in one,
 * the helper carries on with what is under way (helper.h). The table is Blocking.def. */
#include "abi/mpi.h"
#include "interposition/library/next.h"
#include "progress/helper.h"

#define BLOCKING(NAME, PARAMETERS, ARGUMENTS)                                                      \
  int MPI_##NAME PARAMETERS {                                                                      \
    mpispec_away();                                                                                \
    const int error = mpispec_next.NAME ARGUMENTS;                                                 \
    mpispec_back();                                                                                \
    return error;                                                                                  \
  }
#include "interposition/library/Blocking.def"
