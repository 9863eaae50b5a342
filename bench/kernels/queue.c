/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* queue.c - a work queue: rank 0 sends the next task to each rank that returns a result. This is a
 * bad case for specialisation, because the sender of a result is known only when the message has
 * arrived.
 *
 * Tasks are short, so that the messages take most of the time. If rank 0 is alone, it does all
 * tasks.
 *
 *   queue [repetitions] */
#include "kernel.h"
#include <math.h>

#ifndef TASKS
#define TASKS 20000
#endif
enum { result_tag = 1, task_tag = 2, stop_tag = 3 };

static double work(int task) {
  double sum = 0;
  for (int i = 1; i <= 50; i++)
    sum += 1.0 / (task + i);
  return sum;
}

/* The sum of all results. A worker's first message has none: it only asks. */
static double give_out(int size) {
  double total = 0;
  int next = 0;
  for (int working = size - 1; working > 0;) {
    double result;
    MPI_Status status;
    MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, result_tag, MPI_COMM_WORLD, &status);
    total += result;
    if (next < TASKS) {
      MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, task_tag, MPI_COMM_WORLD);
      next++;
    } else {
      MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, stop_tag, MPI_COMM_WORLD);
      working--;
    }
  }
  while (next < TASKS)
    total += work(next++);
  return total;
}

static void take_tasks(void) {
  double result = 0;
  for (;;) {
    int task;
    MPI_Status status;
    MPI_Send(&result, 1, MPI_DOUBLE, 0, result_tag, MPI_COMM_WORLD);
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == stop_tag)
      return;
    result = work(task);
  }
}

int main(int argc, char **argv) {
  int rank, size;
  double total = 0, expected = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while (kernel_repeats()) {
    kernel_start();
    if (rank == 0)
      total = give_out(size);
    else
      take_tasks();
    kernel_stop();
  }
  for (int task = 0; task < TASKS; task++)
    expected += work(task);
  return kernel_end(rank != 0 || fabs(total - expected) < 1e-9 * expected, "sum of results: %.6e",
                    total);
}
