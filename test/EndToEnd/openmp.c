/* MPI beside OpenMP: pragmas stay in force around rewritten calls, and a call made by whichever
 * thread holds the lock is still one call. */
#include "expect.h"
#include <omp.h>

int main(int argc, char **argv) {
  int rank, size, provided, left, right;
  double sum = 0, all = 0, expected = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT(provided >= MPI_THREAD_SERIALIZED);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 1000; i++)
    sum += (i + rank) % 7;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++)
    for (int i = 0; i < 1000; i++)
      expected += (i + r) % 7;
  EXPECT(all == expected);

  int sent[8], got[8], threads = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for
    for (int i = 0; i < 8; i++) {
      sent[i] = 10 * rank + i;
#pragma omp critical(mpi)
      {
        MPI_Request request;
        MPI_Irecv(&got[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &request);
        MPI_Send(&sent[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
    }
  }
  EXPECT(threads == 2);
  for (int i = 0; i < 8; i++)
    EXPECT(got[i] == 10 * rank + i);
  MPI_Sendrecv(sent, 8, MPI_INT, right, 9, got, 8, MPI_INT, left, 9, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(got[7] == 10 * left + 7);
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicc -O2 -fopenmp -I %inputs %s
