/* A master deals out work to whoever asks: wildcard receives, replies to the status's source, tags
 * that steer, and one worker's answer at a time. With one rank the master works alone. */
#include "expect.h"

enum { request_tag = 1, work_tag = 2, stop_tag = 3, jobs = 40 };

static long work(int job) {
  long sum = 0;
  for (int i = 1; i <= job * 100; i++)
    sum += i % (job + 1);
  return sum;
}

static long master(int size) {
  long total = 0;
  int next = 0, stopped = 1;
  if (size == 1) {
    for (next = 0; next < jobs; next++)
      total += work(next);
    return total;
  }
  while (stopped < size) {
    long answer;
    MPI_Status status;
    MPI_Recv(&answer, 1, MPI_LONG, MPI_ANY_SOURCE, request_tag, MPI_COMM_WORLD, &status);
    total += answer;
    if (next < jobs) {
      MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, work_tag, MPI_COMM_WORLD);
      next++;
    } else {
      MPI_Send(&next, 0, MPI_INT, status.MPI_SOURCE, stop_tag, MPI_COMM_WORLD);
      stopped++;
    }
  }
  return total;
}

static void worker(void) {
  long answer = 0;
  for (;;) {
    int job;
    MPI_Status status;
    MPI_Send(&answer, 1, MPI_LONG, 0, request_tag, MPI_COMM_WORLD);
    MPI_Recv(&job, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == stop_tag)
      return;
    answer = work(job);
  }
}

int main(int argc, char **argv) {
  int rank, size;
  long expected = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int job = 0; job < jobs; job++)
    expected += work(job);
  if (rank == 0)
    EXPECT(master(size) == expected);
  else
    worker();
  /* And the master's farewell to each, by rank. */
  if (rank == 0)
    for (int i = 1; i < size; i++)
      MPI_Ssend(&expected, 1, MPI_LONG, i, stop_tag, MPI_COMM_WORLD);
  else {
    long told = 0;
    MPI_Recv(&told, 1, MPI_LONG, 0, stop_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(told == expected);
  }
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicc -O2 -I %inputs %s
// RUN: %behind clang-22 sh %inputs/same-both-ways.sh %mpispec %t "4" mpicc -O2 -I %inputs %s
