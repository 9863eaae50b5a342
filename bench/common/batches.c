/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* batches.c - see batches.h. Works with any MPI. */
#include "batches.h"
#include "cores.h"
#include "handoff.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ROW_SECONDS bounds the time of a row: rounds that take long get fewer batches. */
enum { MOST_BATCHES = 9, LEAST_BATCHES = 3, MOST_ROUNDS = 1000000 };
static const double ROW_SECONDS = 0.4;

static struct batches_options options;
static int rank, ranks;

static double handoff; /* nanoseconds, when it was last measured; 0 unless ranks are two */

static void measure_handoff(void) {
  if (ranks == 2)
    handoff = handoff_nanoseconds();
}

static void read_options(int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "t:o:s:m:dl")) != -1)
    if (option == 't')
      options.seconds = atof(optarg) / 1000;
    else if (option == 'o')
      options.only = optarg;
    else if (option == 's')
      options.least = strtoull(optarg, NULL, 0);
    else if (option == 'm')
      options.most = strtoull(optarg, NULL, 0);
    else if (option == 'd')
      options.factor = 2;
    else if (option == 'l')
      options.late = 1;
    else
      MPI_Abort(MPI_COMM_WORLD, 2);
}

int batches_are_wanted(const char *name) {
  for (const char *part = options.only; *part;) {
    const size_t length = strcspn(part, ",");
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, part);
    if (strstr(name, word))
      return 1;
    part += length + (part[length] == ',');
  }
  return !*options.only;
}

int batches_are_oversubscribed(void) { return ranks > sysconf(_SC_NPROCESSORS_ONLN); }

struct batches_options batches_begin(int *argc, char ***argv, struct batches_options usual) {
  options = usual;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!batches_are_oversubscribed())
    bind_to_core(rank);
  read_options(*argc, *argv);
  measure_handoff();
  if (rank == 0 && handoff > 0)
    printf("handoff %.1f\n", handoff);
  return options;
}

/* The time of the rounds of a batch, and their time with the barrier before them. If ranks are more
 * than cores, the barrier takes longer than the rounds. The times are those of the slowest rank;
 * therefore all ranks decide alike. */
struct batch {
  double seconds, whole;
};

static struct batch run_batch(void (*body)(int rounds), int rounds) {
  struct batch slowest;
  const double begin = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  body(rounds);
  const double end = MPI_Wtime();
  const struct batch mine = {end - start, end - begin};
  MPI_Allreduce(&mine, &slowest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

/* The number of rounds that fill a batch. The first round makes connections and maps memory: it is
 * not timed. */
static int rounds_of_a_batch(void (*body)(int rounds)) {
  int rounds = 1;
  body(1);
  for (double took; (took = run_batch(body, rounds).seconds) < options.seconds / 2;) {
    if (rounds >= MOST_ROUNDS)
      break;
    rounds = took < options.seconds / 20 ? rounds * 10 : (int)(rounds * options.seconds / took) + 1;
  }
  return rounds;
}

static int batches_of_a_row(double whole) {
  const int fitting = (int)(ROW_SECONDS / whole);
  const int most = options.batches ? options.batches : MOST_BATCHES;
  return fitting > most ? most : fitting < LEAST_BATCHES ? LEAST_BATCHES : fitting;
}

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static void print(const char *name, size_t bytes, double before, double *batches, int count) {
  printf("%s %zu %.3f %.1f %.1f", name, bytes, median(batches, count), before, handoff);
  for (int i = 0; i < count; ++i)
    printf(" %.3f", batches[i]);
  printf("\n");
  fflush(stdout);
}

void batches_measure(const char *name, size_t bytes, int parts, void (*body)(int rounds)) {
  const double before = handoff;
  const int rounds = rounds_of_a_batch(body);
  const struct batch first = run_batch(body, rounds);
  const int count = batches_of_a_row(first.whole);
  double batches[MOST_BATCHES] = {first.seconds};
  for (int i = 1; i < count; ++i)
    batches[i] = run_batch(body, rounds).seconds;
  for (int i = 0; i < count; ++i)
    batches[i] *= 1e6 / rounds / parts;
  measure_handoff();
  if (rank == 0)
    print(name, bytes, before, batches, count);
}

void batches_print_slowest(const char *name, size_t bytes, double *microseconds, int count) {
  double mine = median(microseconds, count), slowest;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    print(name, bytes, handoff, &slowest, 1);
}
