/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Receives and probes with wildcards. */
#include "counted.h"

COUNTED counted_recv_any(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &statuses[0]);
}

COUNTED counted_probe_recv(int calls) {
  MPI_Status status;
  int count;
  for (int i = 0; i < calls; ++i) {
    MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    MPI_Recv(in, count, MPI_DOUBLE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

COUNTED counted_iprobe_nothing(int calls) {
  int flag;
  for (int i = 0; i < calls; ++i)
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

COUNTED counted_iprobe_one_nothing(int calls) {
  int flag;
  for (int i = 0; i < calls; ++i)
    MPI_Iprobe(1, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}
