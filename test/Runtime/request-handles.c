/* Handles of requests: never one of the library's, found again, and not after their end. */
#include "p2p/request.h"
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
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// CHECK: passed
