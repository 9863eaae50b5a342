/* Preloaded: a tool that stands between program and library for one function. */
#include <mpi.h>

int MPI_Recv(void *buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
  return PMPI_Recv(buffer, count, datatype, source, tag, comm, status);
}
