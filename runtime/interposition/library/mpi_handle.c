/* Requests and messages as Fortran's integers. Where a handle is an integer in C, too, they are the
 * same, and <mpi.h> says so. Open MPI has small numbers for its own; ours are their mark and index,
 * as in MPICH. */
#include "abi/mpi.h"
#include "p2p/request.h"

#ifdef MPISPEC_STYLE_OMPI

enum { MARK = 0x1d000000, INDEX = 0xffffff };

static int is_ours(mpispec_handle handle) {
  return handle == mpispec_request_over || mpispec_request_find((MPI_Request)handle);
}

static MPI_Fint number_of(mpispec_handle handle) { return MARK | (MPI_Fint)(handle & INDEX); }

static int is_number_of_ours(MPI_Fint number) { return (number & ~INDEX) == MARK; }

static mpispec_handle handle_of(MPI_Fint number) { return mpispec_request_marked(number & INDEX); }

MPI_Fint MPI_Request_c2f(MPI_Request request) {
  const mpispec_handle handle = (mpispec_handle)request;
  return is_ours(handle) ? number_of(handle) : PMPI_Request_c2f(request);
}

MPI_Request MPI_Request_f2c(MPI_Fint number) {
  return is_number_of_ours(number) ? (MPI_Request)handle_of(number) : PMPI_Request_f2c(number);
}

MPI_Fint MPI_Message_c2f(MPI_Message message) {
  const mpispec_handle handle = (mpispec_handle)message;
  return is_ours(handle) ? number_of(handle) : PMPI_Message_c2f(message);
}

MPI_Message MPI_Message_f2c(MPI_Fint number) {
  return is_number_of_ours(number) ? (MPI_Message)handle_of(number) : PMPI_Message_f2c(number);
}

#endif
