/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nonblocking functions of the MPI library, with a yield between two polls. See agreement.h. */
#include "job/agreement.h"

#include "progress/library_polls.h"
#include "progress/yield.h"

/* Yields unless the library's poll has yielded already. One yield is enough, because each yield
 * lets all ranks run that share this processor. */
static int wait(int error, MPI_Request *request) {
  int done = error != MPI_SUCCESS;
  while (!done) {
    const unsigned long yields = mpispec_library_yields();
    error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (error)
      return error;
    if (!done && mpispec_library_yields() == yields)
      mpispec_yield();
  }
  return error;
}

int mpispec_agreement_allreduce(const void *mine, void *result, int count, MPI_Datatype datatype,
                                MPI_Op operation, MPI_Comm members) {
  MPI_Request request;
  const int error = PMPI_Iallreduce(mine, result, count, datatype, operation, members, &request);
  return wait(error, &request);
}

int mpispec_agreement_allgather(const void *mine, int bytes, void *all, MPI_Comm members) {
  MPI_Request request;
  const int error = PMPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, members, &request);
  return wait(error, &request);
}

int mpispec_agreement_receive(int *number, int source, int tag, MPI_Comm communicator) {
  MPI_Request request;
  const int error = PMPI_Irecv(number, 1, MPI_INT, source, tag, communicator, &request);
  return wait(error, &request);
}
