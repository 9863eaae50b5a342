/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Buffer_attach and MPI_Buffer_detach: noted, and done by the MPI library. Nothing of ours ever
 * lies in that buffer, so a detach need not wait for lanes. MPI-4.1 has buffers of communicators
 * and sessions, too: whose a message would use is not known here, so once there is one any message
 * goes. */
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

/* The library's own buffer grows. */
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
