/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See arguments.h. */
#include "interposition/arguments.h"

#include "datatype/datatype.h"

/* A copy of MPI_COMM_SELF that returns its errors: questions about arguments raise no alarm. */
static MPI_Comm quiet = MPI_COMM_NULL;

void mpispec_arguments_open(void) {
  int *value, found;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  mpispec_state.largest_tag = found ? (unsigned)*value : 32767;
  PMPI_Comm_dup(MPI_COMM_SELF, &quiet);
  PMPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
  mpispec_datatypes_open();
}

void mpispec_arguments_close(void) {
  mpispec_datatypes_close();
  if (quiet != MPI_COMM_NULL)
    PMPI_Comm_free(&quiet);
}

int mpispec_arguments_are_taken(const void *buffer, MPI_Count count, MPI_Datatype datatype) {
  return !PMPI_Send_c(buffer, count, datatype, MPI_PROC_NULL, 0, quiet);
}

/* MPICH does not check the type when there are no elements. The type may then be MPI_DATATYPE_NULL
 * or not committed, and its size cannot be read. */
static const struct mpispec_datatype *of_no_elements(MPI_Datatype datatype) {
  static const struct mpispec_datatype nothing = {
      .handle = MPI_BYTE, .contiguous = 1, .known = 1, .predefined = 1};
  return mpispec_arguments_are_taken(&quiet, 1, datatype) ? mpispec_datatype_learn(datatype)
                                                          : &nothing;
}

const struct mpispec_datatype *mpispec_arguments_learn(const void *buffer, MPI_Count count,
                                                       MPI_Datatype datatype) {
  if (!mpispec_arguments_are_taken(buffer, count, datatype))
    return NULL;
  return count ? mpispec_datatype_learn(datatype) : of_no_elements(datatype);
}
