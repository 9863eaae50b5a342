/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Collective operations. */
#include "counted.h"

COUNTED counted_barrier(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Barrier(MPI_COMM_WORLD);
}

COUNTED counted_bcast_from_here(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Bcast(in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

COUNTED counted_bcast_to_here(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Bcast(in, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
}

COUNTED counted_reduce_to_here(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

COUNTED counted_reduce_from_here(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
}

COUNTED counted_allreduce(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
