/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sdsm-latency.c - the time of a fault between two ranks, and its parts.
 *
 *   mpiexec -n 2 sdsm-latency [OPTION...]   (sdsm_arguments.h; --steps: faults)
 *
 * Rank 0 reads pages of rank 1 one by one. Prints medians in microseconds of these parts, in which
 * com is a service thread (service.h):
 *
 *     signal    from the access to the handler
 *     queue     to the request in the queue of com
 *     wake      to the request sent by com
 *     message   from there to the body in place, without `opened`
 *     opened    to suspend the threads, and to make the page writable
 *     access    to set the final access
 *     resume    to the end of the access
 *     whole     from the access to its end */
#include "sdsm_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum part { SIGNAL, QUEUE, WAKE, MESSAGE, OPENED, ACCESS, RESUME, WHOLE, PARTS };
static const char *const names[PARTS] = {"signal", "queue",  "wake",   "message",
                                         "opened", "access", "resume", "whole"};

static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void read_page(const volatile char *page, double part[PARTS]) {
  sdsm_compute_begin();
  const long begun = now_ns();
  (void)*page;
  const long ended = now_ns();
  sdsm_compute_end();
  const long *at = sdsm_moments;
  /* rec may have the header before com has returned from sending the request. */
  const long requested =
      at[SDSM_REQUESTED] < at[SDSM_HEADER] ? at[SDSM_REQUESTED] : at[SDSM_HEADER];
  const long ns[PARTS] = {at[SDSM_HANDLER] - begun,
                          at[SDSM_QUEUED] - at[SDSM_HANDLER],
                          requested - at[SDSM_QUEUED],
                          at[SDSM_HEADER] - requested + at[SDSM_BODY] - at[SDSM_OPENED],
                          at[SDSM_OPENED] - at[SDSM_HEADER],
                          at[SDSM_ACCESS] - at[SDSM_BODY],
                          ended - at[SDSM_ACCESS],
                          ended - begun};
  for (int i = 0; i < PARTS; ++i)
    part[i] = 1e-3 * (double)ns[i];
}

static int compare(const void *a, const void *b) {
  const double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

static double median(double (*sample)[PARTS], double *sorted, int count, int part) {
  for (int i = 0; i < count; ++i)
    sorted[i] = sample[i][part];
  qsort(sorted, (size_t)count, sizeof *sorted, compare);
  return sorted[count / 2];
}

int main(int argc, char **argv) {
  struct arguments arguments = arguments_begin(argc, argv, 1, "");
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) {
    if (rank == 0)
      fprintf(stderr, "sdsm-latency: two ranks are needed, not %d\n", ranks);
    MPI_Finalize();
    return 2;
  }
  enum { PAGES = 64 };
  const size_t page = arguments.sdsm.page;
  arguments.sdsm.region = PAGES * page;
  arguments.sdsm.cache = 2 * PAGES * page;
  sdsm_open(&arguments.sdsm, MPI_COMM_WORLD);
  char *memory = sdsm_alloc(PAGES * page, 1);
  const int count = arguments.steps;
  double (*sample)[PARTS] = calloc((size_t)count, sizeof *sample);
  double *sorted = calloc((size_t)count, sizeof *sorted);
  if (!sample || !sorted)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < count; ++i) {
    if (i % PAGES == 0)
      sdsm_sync_drop();
    if (rank == 0)
      read_page(memory + (size_t)(i % PAGES) * page, sample[i]);
  }
  if (rank == 0) {
    printf("page %zu", page);
    for (int part = 0; part < PARTS; ++part)
      printf(" %s_us %.2f", names[part], median(sample, sorted, count, part));
    putchar('\n');
  }
  free(sample);
  free(sorted);
  sdsm_close();
  MPI_Finalize();
  return 0;
}
