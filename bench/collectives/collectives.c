/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Measures the time of a collective operation per call, on the slowest rank. With two ranks it also
 * measures the raw handoff of a cache line between their cores, which bounds the short operations.
 * Prints "name-bytes nanoseconds", one a line: the best of several repetitions. Works with any MPI
 * and any number of ranks. Two ranks are bound to two cores.
 *
 *   collectives [milliseconds per repetition [name or name-bytes...]] */
#include "cores.h"
#include "handoff.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 7, ROOM = 4 << 20 };
static int rank, size;
static double budget; /* seconds a repetition */
static char *out, *in;
static int *counts, *places; /* equal ones, for forms with a count for each rank */

static double slowest(double seconds) {
  double most;
  MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static double time_of(void (*body)(int rounds, int bytes), int rounds, int bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  body(rounds, bytes);
  return slowest(MPI_Wtime() - start);
}

/* Seconds a round. `rounds` grows until the budget is met. */
static double best_of(void (*body)(int rounds, int bytes), int bytes) {
  double best = 1e9;
  int rounds = 10;
  for (double took; (took = time_of(body, rounds, bytes)) < budget && rounds < 10000000;)
    rounds = took < budget / 20 ? rounds * 10 : (int)(rounds * budget / took * 1.2) + 1;
  for (int i = 0; i < REPETITIONS; ++i) {
    const double took = time_of(body, rounds, bytes) / rounds;
    best = took < best ? took : best;
  }
  return best;
}

#define BODY(NAME, CALL)                                                                           \
  static void NAME(int rounds, int bytes) {                                                        \
    (void)bytes;                                                                                   \
    for (int i = 0; i < rounds; ++i)                                                               \
      CALL;                                                                                        \
  }

BODY(barrier, MPI_Barrier(MPI_COMM_WORLD))
BODY(bcast, MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD))
BODY(bcast_in_turn, MPI_Bcast(out, bytes, MPI_BYTE, i % size, MPI_COMM_WORLD))
BODY(reduce, MPI_Reduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD))
BODY(allreduce, MPI_Allreduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
BODY(scan, MPI_Scan(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
BODY(exscan, MPI_Exscan(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
BODY(reduce_scatter,
     MPI_Reduce_scatter_block(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
BODY(gather, MPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD))
BODY(scatter, MPI_Scatter(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD))
BODY(allgather, MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD))
BODY(alltoall, MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD))

#define BODY_OF_COUNTS(NAME, UNIT, CALL)                                                           \
  static void NAME(int rounds, int bytes) {                                                        \
    for (int i = 0; i < size; ++i) {                                                               \
      counts[i] = bytes / (UNIT);                                                                  \
      places[i] = i * counts[i];                                                                   \
    }                                                                                              \
    for (int i = 0; i < rounds; ++i)                                                               \
      CALL;                                                                                        \
  }

BODY_OF_COUNTS(reduce_scatter_counts, 8,
               MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
BODY_OF_COUNTS(gatherv, 1,
               MPI_Gatherv(out, bytes, MPI_BYTE, in, counts, places, MPI_BYTE, 0, MPI_COMM_WORLD))
BODY_OF_COUNTS(scatterv, 1,
               MPI_Scatterv(out, counts, places, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD))
BODY_OF_COUNTS(allgatherv, 1,
               MPI_Allgatherv(out, bytes, MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD))
BODY_OF_COUNTS(alltoallv, 1,
               MPI_Alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE,
                             MPI_COMM_WORLD))

static const struct operation {
  const char *name;
  void (*body)(int rounds, int bytes);
  int sizes[8]; /* bytes a rank gives, or gives each other rank */
  int share;    /* buffers hold a part for each rank */
} operations[] = {
    {"barrier", barrier, {0, -1}, 0},
    {"bcast", bcast, {8, 1024, 65536, 1 << 20, -1}, 0},
    {"bcast-in-turn", bcast_in_turn, {8, 1024, 65536, 1 << 20, -1}, 0},
    {"reduce", reduce, {8, 1024, 65536, 1 << 20, -1}, 0},
    {"allreduce", allreduce, {8, 64, 1024, 8192, 65536, 1 << 20, -1}, 0},
    {"scan", scan, {8, 1024, 65536, -1}, 0},
    {"exscan", exscan, {8, 1024, 65536, -1}, 0},
    {"reduce-scatter", reduce_scatter, {8, 1024, 65536, -1}, 1},
    {"reduce-scatter-counts", reduce_scatter_counts, {8, 1024, 65536, -1}, 1},
    {"gather", gather, {8, 1024, 65536, -1}, 1},
    {"gatherv", gatherv, {8, 1024, 65536, -1}, 1},
    {"scatter", scatter, {8, 1024, 65536, -1}, 1},
    {"scatterv", scatterv, {8, 1024, 65536, -1}, 1},
    {"allgather", allgather, {8, 1024, 65536, -1}, 1},
    {"allgatherv", allgatherv, {8, 1024, 65536, -1}, 1},
    {"alltoall", alltoall, {8, 64, 512, 4096, 32768, 1 << 19, -1}, 1},
    {"alltoallv", alltoallv, {8, 64, 512, 4096, 32768, 1 << 19, -1}, 1},
};

static void tell(const char *name, int bytes, double seconds) {
  if (rank == 0)
    printf("%s-%d %.1f\n", name, bytes, seconds * 1e9);
  fflush(stdout);
}

static char **wanted; /* names, up to a null; none means all */

static int is_wanted(const char *name, int bytes) {
  char whole[64];
  char **word = wanted;
  snprintf(whole, sizeof whole, "%s-%d", name, bytes);
  while (*word && strcmp(*word, name) && strcmp(*word, whole))
    ++word;
  return *word || !*wanted;
}

static void run(const struct operation *operation) {
  for (const int *bytes = operation->sizes; *bytes >= 0; ++bytes)
    if (is_wanted(operation->name, *bytes) &&
        (operation->share ? *bytes * (double)size : *bytes) <= ROOM)
      tell(operation->name, *bytes, best_of(operation->body, *bytes));
}

/* Only for two ranks of one node, because others cannot hand lines to each other. */
static void measure_handoff(void) {
  const double nanoseconds = handoff_nanoseconds();
  if (nanoseconds > 0)
    tell("handoff", 0, nanoseconds / 1e9);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 2)
    bind_to_core(rank);
  budget = (argc > 1 ? atof(argv[1]) : 20) / 1000;
  wanted = argv + (argc > 1 ? 2 : argc);
  out = malloc(ROOM);
  memset(out, 0, ROOM);
  in = malloc(ROOM);
  memset(in, 0, ROOM);
  counts = calloc(2 * size, sizeof(int));
  places = counts + size;
  measure_handoff();
  for (unsigned i = 0; i < sizeof operations / sizeof *operations; ++i)
    run(&operations[i]);
  MPI_Finalize();
  return 0;
}
