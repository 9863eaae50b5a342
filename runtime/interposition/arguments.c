/* What arguments.h cannot find out by itself. */
#include "interposition/arguments.h"

int mpispec_largest_tag;

/* A copy of MPI_COMM_SELF that returns its errors: questions about arguments raise no alarm. */
static MPI_Comm quiet = MPI_COMM_NULL;

void mpispec_arguments_open(void) {
  int *value, found;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  mpispec_largest_tag = found ? *value : 32767;
  PMPI_Comm_dup(MPI_COMM_SELF, &quiet);
  PMPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
}

void mpispec_arguments_close(void) {
  if (quiet != MPI_COMM_NULL)
    PMPI_Comm_free(&quiet);
}

int mpispec_arguments_are_valid(const void *buffer, MPI_Count count, MPI_Datatype datatype) {
  return !PMPI_Send_c(buffer, count, datatype, MPI_PROC_NULL, 0, quiet);
}
