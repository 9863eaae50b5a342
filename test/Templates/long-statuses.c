/* The length in a status of MPI-5's ABI, whose other words a library fills: a message of 4 GiB and some bytes, and a
 * cancelled one, are no message of the bytes in the word of the count. */
#include "mpispec/weak_state.h"

#include <assert.h>

static long long length_of(int count, int other) {
  struct mpispec_status status = {0};
  status.inside[mpispec_state.status_count] = count;
  status.inside[!mpispec_state.status_count] = other;
  return mpispec_status_bytes(&status);
}

int main(void) {
  for (mpispec_state.status_count = 0; mpispec_state.status_count < 2; ++mpispec_state.status_count) {
    assert(length_of(0, 0) == 0);
    assert(length_of(3, 0) == 3);
    assert(length_of(3, 2) == -1); /* MPICH: the count's high bits are shifted by one */
    assert(length_of(3, 1) == -1); /* and the lowest bit is that of a cancelled message */
    assert(length_of(0, 1) == -1);
    assert(length_of(-5, 0) < 0);
  }
  return 0;
}

// RUN: gcc -Wall -UMPISPEC_STYLE_MPICH -DMPISPEC_STYLE_ABI -I%templates %s -o %t && %t
// RUN: clang-22 -O2 -UMPISPEC_STYLE_MPICH -DMPISPEC_STYLE_ABI -I%templates %s -o %t && %t
