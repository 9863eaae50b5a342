/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* by-size.c - the time of a blocking collective operation by size, on the slowest rank. Each
 * operation is repeated without a barrier between the calls. Works with any MPI and any number of
 * ranks.
 *
 *   by-size [-s LEAST] [-m MOST] [-d] [-l] [-o parts of names] [-t milliseconds]
 *
 * Sizes are 0 (unless LEAST is given), then LEAST (else 1) to MOST (1 MiB) bytes. Each is eight
 * times the one before, or with -d twice. The bytes of a line (batches.h) are the count of the
 * call, as in OSU's tests: the bytes from a rank. In Scatter, Alltoall and Reduce_scatter they are
 * the bytes from a rank to each other rank. Reductions are sums of doubles, and have only sizes
 * that are multiples of 8 bytes.
 *
 * Names are OPERATION[-moving]/BUFFERS. With "-moving" the root is another rank in each call, as in
 * Intel's benchmarks. The program neither reads nor writes "still" buffers. It writes "touched"
 * buffers before each call, and reads them after it, if the operation does. If the root is fixed,
 * and no ranks share a core, a row of touched buffers of 64 KiB and more has a second line. Its
 * name ends in /alone. There the operation is left out, and each rank writes and reads as many
 * bytes as the rank with the most bytes.
 *
 * -l measures other rows instead: OPERATION/late-root and OPERATION/late-other, or
 * OPERATION/late-one for an operation without a root. The late rank enters each call LATE
 * microseconds after the others. The time is that of the slowest other rank in the call. */
#include "batches.h"
#include "buffers.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* SETTLING: rounds of a reduction before it is measured. A runtime that keeps the order of the
 * library's sums leaves the first few rounds to the library, and then tries that order. */
enum { SETTLING = 12, LATE = 200, LATE_ROUNDS = 60, ALONE_LEAST = 64 << 10 };

static int rank, ranks;
static struct batches_options options;
static char *out, *in;
static int *counts, *places; /* in units of the operation's type, for each rank */
static MPI_Datatype *types;  /* for Alltoallw */

/* Which ranks write, and which read. */
enum ranks { NOBODY, ROOT, OTHERS, ALL };

/* The row that is being measured. */
static struct {
  const struct operation *operation;
  size_t bytes;
  int count, root;
  int is_moving, is_touched;
} now;

#define CALL(NAME, ...)                                                                            \
  static void NAME(void) { MPI_##__VA_ARGS__; }
#define WORLD MPI_COMM_WORLD

/* clang-format off */
CALL(barrier, Barrier(WORLD))
CALL(bcast, Bcast(now.root == rank ? out : in, now.count, MPI_BYTE, now.root, WORLD))
CALL(gather, Gather(out, now.count, MPI_BYTE, in, now.count, MPI_BYTE, now.root, WORLD))
CALL(gatherv, Gatherv(out, now.count, MPI_BYTE, in, counts, places, MPI_BYTE, now.root, WORLD))
CALL(scatter, Scatter(out, now.count, MPI_BYTE, in, now.count, MPI_BYTE, now.root, WORLD))
CALL(scatterv, Scatterv(out, counts, places, MPI_BYTE, in, now.count, MPI_BYTE, now.root, WORLD))
CALL(allgather, Allgather(out, now.count, MPI_BYTE, in, now.count, MPI_BYTE, WORLD))
CALL(allgatherv, Allgatherv(out, now.count, MPI_BYTE, in, counts, places, MPI_BYTE, WORLD))
CALL(alltoall, Alltoall(out, now.count, MPI_BYTE, in, now.count, MPI_BYTE, WORLD))
CALL(alltoallv, Alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, WORLD))
CALL(alltoallw, Alltoallw(out, counts, places, types, in, counts, places, types, WORLD))
CALL(reduce, Reduce(out, in, now.count, MPI_DOUBLE, MPI_SUM, now.root, WORLD))
CALL(allreduce, Allreduce(out, in, now.count, MPI_DOUBLE, MPI_SUM, WORLD))
CALL(scan, Scan(out, in, now.count, MPI_DOUBLE, MPI_SUM, WORLD))
CALL(exscan, Exscan(out, in, now.count, MPI_DOUBLE, MPI_SUM, WORLD))
CALL(reduce_scatter_block, Reduce_scatter_block(out, in, now.count, MPI_DOUBLE, MPI_SUM, WORLD))
CALL(reduce_scatter, Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, WORLD))

static const struct operation {
  const char *name;
  void (*call)(void);
  enum ranks writers, readers;
  int writes_parts, reads_parts; /* a part for each rank, else one */
  int has_root, reduces;
} operations[] = {
    {"barrier", barrier, NOBODY, NOBODY, 0, 0, 0, 0},
    {"bcast", bcast, ROOT, OTHERS, 0, 0, 1, 0},
    {"gather", gather, ALL, ROOT, 0, 1, 1, 0},
    {"gatherv", gatherv, ALL, ROOT, 0, 1, 1, 0},
    {"scatter", scatter, ROOT, ALL, 1, 0, 1, 0},
    {"scatterv", scatterv, ROOT, ALL, 1, 0, 1, 0},
    {"allgather", allgather, ALL, ALL, 0, 1, 0, 0},
    {"allgatherv", allgatherv, ALL, ALL, 0, 1, 0, 0},
    {"alltoall", alltoall, ALL, ALL, 1, 1, 0, 0},
    {"alltoallv", alltoallv, ALL, ALL, 1, 1, 0, 0},
    {"alltoallw", alltoallw, ALL, ALL, 1, 1, 0, 0},
    {"reduce", reduce, ALL, ROOT, 0, 0, 1, 1},
    {"allreduce", allreduce, ALL, ALL, 0, 0, 0, 1},
    {"scan", scan, ALL, ALL, 0, 0, 0, 1},
    {"exscan", exscan, ALL, ALL, 0, 0, 0, 1},
    {"reduce-scatter-block", reduce_scatter_block, ALL, ALL, 1, 0, 0, 1},
    {"reduce-scatter", reduce_scatter, ALL, ALL, 1, 0, 0, 1},
};
/* clang-format on */
enum { OPERATIONS = sizeof operations / sizeof *operations };

static int is_among(enum ranks which) {
  return which == ALL || (which != NOBODY && (rank == now.root) == (which == ROOT));
}

static size_t bytes_of(int parts) { return now.bytes * (size_t)(parts ? ranks : 1); }
static void write_out(void) { buffers_write(out, bytes_of(now.operation->writes_parts), 0); }
static void read_in(void) { buffers_read(in, bytes_of(now.operation->reads_parts), 0); }

static void operate(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    now.root = now.is_moving ? round % ranks : 0;
    if (now.is_touched && is_among(now.operation->writers))
      write_out();
    now.operation->call();
    if (now.is_touched && is_among(now.operation->readers))
      read_in();
  }
}

static void touch_alone(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    write_out();
    read_in();
  }
}

static void set_up(const struct operation *operation, size_t bytes) {
  now.operation = operation;
  now.bytes = bytes;
  now.count = (int)(operation->reduces ? bytes / sizeof(double) : bytes);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = now.count;
    places[i] = i * now.count;
  }
}

static void measure(const char *name) {
  char alone[80];
  if (now.operation->reduces)
    operate(SETTLING);
  batches_measure(name, now.bytes, 1, operate);
  snprintf(alone, sizeof alone, "%s/alone", name);
  if (now.is_touched && now.bytes >= ALONE_LEAST && !now.is_moving && !batches_are_oversubscribed())
    batches_measure(alone, now.bytes, 1, touch_alone);
}

/* The rows of an operation and size: root fixed and moving, buffers still and touched. */
static void measure_all(const struct operation *operation, size_t bytes) {
  char name[64];
  set_up(operation, bytes);
  for (now.is_moving = 0; now.is_moving <= operation->has_root; ++now.is_moving)
    for (now.is_touched = 0; now.is_touched <= (bytes > 0); ++now.is_touched) {
      snprintf(name, sizeof name, "%s%s/%s", operation->name, now.is_moving ? "-moving" : "",
               now.is_touched ? "touched" : "still");
      if (batches_are_wanted(name))
        measure(name);
    }
}

/* --- a rank that comes late --------------------------------------------------------------------*/

static void wait_microseconds(double microseconds) {
  const double end = MPI_Wtime() + microseconds * 1e-6;
  while (MPI_Wtime() < end)
    ;
}

static double call_beside(int late) {
  MPI_Barrier(WORLD);
  if (rank == late)
    wait_microseconds(LATE);
  const double start = MPI_Wtime();
  now.operation->call();
  return rank == late ? 0 : (MPI_Wtime() - start) * 1e6;
}

static void measure_late(const struct operation *operation, size_t bytes) {
  static double rounds[LATE_ROUNDS];
  char name[64];
  set_up(operation, bytes);
  now.root = 0;
  for (int late = 0; late < (operation->has_root ? 2 : 1); ++late) {
    snprintf(name, sizeof name, "%s/late-%s", operation->name,
             late                  ? "other"
             : operation->has_root ? "root"
                                   : "one");
    if (!batches_are_wanted(name))
      continue;
    for (int i = 0; i < SETTLING; ++i)
      call_beside(late);
    for (int i = 0; i < LATE_ROUNDS; ++i)
      rounds[i] = call_beside(late);
    batches_print_slowest(name, bytes, rounds, LATE_ROUNDS);
  }
}

int main(int argc, char **argv) {
  options =
      batches_begin(&argc, &argv,
                    (struct batches_options){
                        .seconds = 0.002, .batches = 5, .only = "", .factor = 8, .most = 1 << 20});
  MPI_Comm_rank(WORLD, &rank);
  MPI_Comm_size(WORLD, &ranks);
  out = buffers_allocate((size_t)ranks * options.most);
  in = buffers_allocate((size_t)ranks * options.most);
  counts = calloc(2 * (size_t)ranks, sizeof *counts);
  types = malloc((size_t)ranks * sizeof *types);
  places = counts + ranks;
  for (int i = 0; i < ranks; ++i)
    types[i] = MPI_BYTE;
  for (const struct operation *operation = operations; operation < operations + OPERATIONS;
       ++operation)
    for (size_t bytes = options.least; bytes <= options.most;
         bytes = bytes ? bytes * (size_t)options.factor : 1) {
      if (bytes % sizeof(double) && operation->reduces)
        continue;
      if (options.late)
        measure_late(operation, bytes);
      else
        measure_all(operation, bytes);
      if (operation->writers == NOBODY)
        break;
    }
  free(types);
  free(counts);
  MPI_Finalize();
  return 0;
}
