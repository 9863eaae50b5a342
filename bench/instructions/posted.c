/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Posted receives and their completion, and persistent requests. */
#include "counted.h"

COUNTED counted_post(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Irecv(&in[i], 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &requests[i]);
}

COUNTED counted_waitall(int calls) { MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE); }

COUNTED counted_wait_status(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Wait(&requests[i], &statuses[i]);
}

COUNTED counted_wait_unread(int calls) {
  MPI_Status status;
  for (int i = 0; i < calls; ++i)
    MPI_Wait(&requests[i], &status);
}

COUNTED counted_waitany(int calls) {
  int index;
  for (int i = 0; i < calls; ++i)
    MPI_Waitany(calls, requests, &index, MPI_STATUS_IGNORE);
}

COUNTED counted_testsome(int calls) {
  static int indices[ARRAY];
  int found;
  for (int done = 0; done < calls; done += found)
    MPI_Testsome(calls, requests, &found, indices, MPI_STATUSES_IGNORE);
}

COUNTED counted_test_nothing(int calls) {
  int flag;
  for (int i = 0; i < calls; ++i)
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
}

COUNTED counted_testany_one_nothing(int calls) {
  int flag, index;
  for (int i = 0; i < calls; ++i)
    MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
}

COUNTED counted_testany_nothing(int calls) {
  int flag, index;
  for (int i = 0; i < calls; ++i)
    MPI_Testany(ACTIVE, requests, &index, &flag, MPI_STATUS_IGNORE);
}

COUNTED counted_testall_nothing(int calls) {
  int flag;
  for (int i = 0; i < calls; ++i)
    MPI_Testall(ACTIVE, requests, &flag, MPI_STATUSES_IGNORE);
}

COUNTED counted_testsome_nothing(int calls) {
  static int indices[ACTIVE];
  int found;
  for (int i = 0; i < calls; ++i)
    MPI_Testsome(ACTIVE, requests, &found, indices, MPI_STATUSES_IGNORE);
}

COUNTED counted_startall(int calls) { MPI_Startall(calls, requests); }

COUNTED counted_startall_waitall(int calls) {
  MPI_Startall(calls, requests);
  MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
}
