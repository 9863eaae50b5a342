/* MPI_Buffer_attach and MPI_Buffer_detach: noted, and done by the MPI library. Nothing of ours ever
 * lies in that buffer, so a detach need not wait for lanes. */
#include "interposition/p2p/mpi_buffer.h"

#include "abi/layout.h"
#include "abi/mpi.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "mpispec/state.h"
#include "progress/helper.h"
#include "progress/lock.h"

static int64_t attached; /* bytes, or 0 */

int mpispec_buffer_has_room(int64_t bytes) {
  return (attached && bytes <= attached) || bytes <= MPISPEC_SENT_UNBUFFERED;
}

static int note(int error, int64_t size) {
  mpispec_lock();
  if (!error)
    attached = size;
  if (!error && mpispec_node.size)
    mpispec_state.attached = size;
  mpispec_unlock();
  return error;
}

int MPI_Buffer_attach(void *buffer, int size) {
  return note(mpispec_next.Buffer_attach(buffer, size), size);
}

int MPI_Buffer_attach_c(void *buffer, MPI_Count size) {
  return note(mpispec_next.Buffer_attach_c(buffer, size), size);
}

int MPI_Buffer_detach(void *buffer, int *size) {
  mpispec_away();
  const int error = mpispec_next.Buffer_detach(buffer, size);
  mpispec_back();
  return note(error, 0);
}

int MPI_Buffer_detach_c(void *buffer, MPI_Count *size) {
  mpispec_away();
  const int error = mpispec_next.Buffer_detach_c(buffer, size);
  mpispec_back();
  return note(error, 0);
}
