/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Buffer_attach and MPI_Buffer_detach. The runtime records the size, and the MPI library
 * executes the call. The runtime stores no message in the buffer. Therefore a detach need not wait
 * for lanes. MPI-4.1 also has buffers of communicators and sessions. The runtime does not determine
 * which buffer a message would use. Therefore it accepts all buffered sends once a buffer of these
 * kinds is attached. */
#include "abi/mpi.h"
#include "interposition/library/next.h"
#include "p2p/attached_buffer.h"
#include "progress/lock.h"

static int note(int error, int64_t size) {
  mpispec_lock();
  if (!error)
    mpispec_buffer_attach(size);
  mpispec_unlock();
  return error;
}

/* The size of a buffer. The automatic buffer of the library has no limit. */
static int64_t room_of(const void *buffer, int64_t size) {
  return buffer == MPI_BUFFER_AUTOMATIC ? INT64_MAX : size;
}

int MPI_Buffer_attach(void *buffer, int size) {
  return note(mpispec_next.Buffer_attach(buffer, size), room_of(buffer, size));
}

int MPI_Buffer_attach_c(void *buffer, MPI_Count size) {
  return note(mpispec_next.Buffer_attach_c(buffer, size), room_of(buffer, size));
}

int MPI_Buffer_detach(void *buffer, int *size) {
  return note(MPISPEC_IN_LIBRARY(mpispec_next.Buffer_detach(buffer, size)), 0);
}

int MPI_Buffer_detach_c(void *buffer, MPI_Count *size) {
  return note(MPISPEC_IN_LIBRARY(mpispec_next.Buffer_detach_c(buffer, size)), 0);
}

#ifdef MPISPEC_HAS_MPI_4_1
static int note_other(int error) {
  mpispec_lock();
  if (!error)
    mpispec_buffer_attach_other();
  mpispec_unlock();
  return error;
}

int MPI_Comm_attach_buffer(MPI_Comm communicator, void *buffer, int size) {
  return note_other(mpispec_next.Comm_attach_buffer(communicator, buffer, size));
}

int MPI_Comm_attach_buffer_c(MPI_Comm communicator, void *buffer, MPI_Count size) {
  return note_other(mpispec_next.Comm_attach_buffer_c(communicator, buffer, size));
}

int MPI_Session_attach_buffer(MPI_Session session, void *buffer, int size) {
  return note_other(mpispec_next.Session_attach_buffer(session, buffer, size));
}

int MPI_Session_attach_buffer_c(MPI_Session session, void *buffer, MPI_Count size) {
  return note_other(mpispec_next.Session_attach_buffer_c(session, buffer, size));
}
#endif
