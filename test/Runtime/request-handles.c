/* Handles of requests: never one of the library's, found again, and not after their end. */
#include "p2p/request.h"
#include "p2p/simple_receive.h"
#include "check.h"

enum { MANY = 3000 };

int main(void) {
  static struct mpispec_request *requests[MANY];
  CHECK(!mpispec_request_find(MPI_REQUEST_NULL));
  CHECK(!mpispec_request_find(mpispec_request_done));
  CHECK(mpispec_request_is_ours(mpispec_request_done));
  CHECK(!mpispec_request_is_ours(MPI_REQUEST_NULL));
  CHECK(!mpispec_message_find(MPI_MESSAGE_NULL) && !mpispec_message_find(MPI_MESSAGE_NO_PROC));
  for (int i = 0; i < MANY; ++i) {
    requests[i] = mpispec_request_new(MPISPEC_RECEIVE);
    const MPI_Request handle = mpispec_request_handle(requests[i]);
    CHECK(mpispec_request_find(handle) == requests[i]);
    CHECK((unsigned)handle >> 30 == 0); /* MPICH calls this kind invalid */
    CHECK(handle != MPI_REQUEST_NULL && handle != mpispec_request_done);
  }
  for (int i = 0; i < MANY; i += 2) {
    const MPI_Request handle = mpispec_request_handle(requests[i]);
    mpispec_request_delete(requests[i]);
    CHECK(!mpispec_request_find(handle));
  }
  for (int i = 1; i < MANY; i += 2)
    CHECK(mpispec_request_find(mpispec_request_handle(requests[i])) == requests[i]);
  /* After a burst, the requests of the first chunk are used again first: fast paths find only these. */
  for (int i = 1; i < MANY; i += 2)
    mpispec_request_delete(requests[i]);
  for (int i = 0; i < 2 * MPISPEC_REQUEST_CHUNK; ++i) {
    requests[i] = mpispec_request_new(MPISPEC_RECEIVE);
    CHECK(!!mpispec_receive_find(mpispec_request_handle(requests[i])) == (i < MPISPEC_REQUEST_CHUNK));
  }
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// CHECK: passed
