/* Blocking functions of the MPI library that we only stand around: while the program sits in one,
 * the helper carries on with what is under way (helper.h). The table is Blocking.def. */
#include "abi/mpi.h"
#include "interposition/library/next.h"

#define BLOCKING(NAME, PARAMETERS, ARGUMENTS)                                                      \
  int MPI_##NAME PARAMETERS { return MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS); }
#include "interposition/library/Blocking.def"
