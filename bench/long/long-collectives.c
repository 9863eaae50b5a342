/* long-collectives.c - what collective operations of long messages cost: the slowest rank's time.
 * Works with any MPI and any number of ranks.
 *
 *   long-collectives [-t milliseconds] [-o part of a name] [-d]
 *
 * The bytes of a line (batches.h) are the count of the call, as OSU's tests have it: what a rank
 * gives, or gives to each rank in Scatter, Alltoall and Alltoallv. Of still buffers the program
 * reads and writes nothing; touched ones are written before each call and read after it, where the
 * operation reads or writes them. A row of touched buffers has a second line, whose name ends in
 * /alone: each rank writes what the rank with most to write would, and reads likewise, without the
 * operation. */
#include "batches.h"
#include "buffers.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SETTLING: rounds of a reduction before it is measured. A runtime that keeps the order of the
 * library's sums leaves the first few to the library, and then tries it. */
enum { LEAST = 64 << 10, MOST = 4 << 20, STEP = 8, SETTLING = 6 };

static int rank, ranks;
static struct batches_options options;
static char *out, *in;
static int *counts, *places; /* doubles for each rank, of Alltoallv */

/* Which ranks write, and which read. */
enum ranks { ROOT, OTHERS, ALL };

/* What is being measured. */
static struct {
  const struct operation *operation;
  int count, root; /* doubles; Bcast's root moves */
  int touched;
} now;

#define CALL(NAME, ...)                                                                            \
  static void NAME(void) { MPI_##__VA_ARGS__; }

/* clang-format off */
CALL(bcast, Bcast(now.root == rank ? out : in, now.count, MPI_DOUBLE, now.root, MPI_COMM_WORLD))
CALL(reduce, Reduce(out, in, now.count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD))
CALL(allreduce, Allreduce(out, in, now.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
CALL(gather, Gather(out, now.count, MPI_DOUBLE, in, now.count, MPI_DOUBLE, 0, MPI_COMM_WORLD))
CALL(scatter, Scatter(out, now.count, MPI_DOUBLE, in, now.count, MPI_DOUBLE, 0, MPI_COMM_WORLD))
CALL(allgather, Allgather(out, now.count, MPI_DOUBLE, in, now.count, MPI_DOUBLE, MPI_COMM_WORLD))
CALL(alltoall, Alltoall(out, now.count, MPI_DOUBLE, in, now.count, MPI_DOUBLE, MPI_COMM_WORLD))
CALL(alltoallv, Alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD))

static const struct operation {
  const char *name;
  void (*call)(void);
  enum ranks writers, readers;
  int writes_parts, reads_parts; /* a part for each rank, else one */
  int moves_root, reduces;
} operations[] = {
    {"bcast", bcast, ROOT, OTHERS, 0, 0, 1, 0},
    {"allgather", allgather, ALL, ALL, 0, 1, 0, 0},
    {"alltoall", alltoall, ALL, ALL, 1, 1, 0, 0},
    {"alltoallv", alltoallv, ALL, ALL, 1, 1, 0, 0},
    {"allreduce", allreduce, ALL, ALL, 0, 0, 0, 1},
    {"reduce", reduce, ALL, ROOT, 0, 0, 0, 1},
    {"gather", gather, ALL, ROOT, 0, 1, 0, 0},
    {"scatter", scatter, ROOT, ALL, 1, 0, 0, 0},
};
/* clang-format on */
enum { OPERATIONS = sizeof operations / sizeof *operations };

static int is_among(enum ranks which) {
  return which == ALL || (rank == now.root) == (which == ROOT);
}

static size_t bytes_of(int parts) {
  return (size_t)now.count * sizeof(double) * (size_t)(parts ? ranks : 1);
}

static void write_out(void) { buffers_write(out, bytes_of(now.operation->writes_parts), 0); }
static void read_in(void) { buffers_read(in, bytes_of(now.operation->reads_parts), 0); }

static void operate(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    now.root = now.operation->moves_root ? round % ranks : 0;
    if (now.touched && is_among(now.operation->writers))
      write_out();
    now.operation->call();
    if (now.touched && is_among(now.operation->readers))
      read_in();
  }
}

static void touch_alone(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    write_out();
    read_in();
  }
}

static void measure(const struct operation *operation, int touched, size_t bytes) {
  char name[64], alone[80];
  snprintf(name, sizeof name, "%s/%s", operation->name, touched ? "touched" : "still");
  snprintf(alone, sizeof alone, "%s/alone", name);
  if (!strstr(name, options.only))
    return;
  now.operation = operation;
  now.count = (int)(bytes / sizeof(double));
  now.touched = touched;
  for (int i = 0; i < ranks; ++i) {
    counts[i] = now.count;
    places[i] = i * now.count;
  }
  if (operation->reduces)
    operate(SETTLING);
  batches_measure(name, bytes, 1, operate);
  if (touched && !batches_are_oversubscribed())
    batches_measure(alone, bytes, 1, touch_alone);
}

int main(int argc, char **argv) {
  options = batches_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  out = buffers_allocate((size_t)ranks * MOST);
  in = buffers_allocate((size_t)ranks * MOST);
  counts = calloc(2 * (size_t)ranks, sizeof *counts);
  places = counts + ranks;
  for (int i = 0; i < OPERATIONS; ++i)
    for (int touched = 0; touched <= 1; ++touched)
      for (size_t bytes = LEAST; bytes <= MOST; bytes *= options.factor == 2 ? 2 : STEP)
        measure(&operations[i], touched, bytes);
  free(counts);
  MPI_Finalize();
  return 0;
}
