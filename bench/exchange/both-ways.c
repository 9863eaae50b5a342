/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* both-ways.c - messages both ways at once, as in the exchange of halos. All ranks post receives
 * and sends, and complete them together. Prints "name nanoseconds", one a line: the time of one
 * message of each rank, the best of several repetitions. Works with any MPI and at least two ranks,
 * which form a ring. Two ranks are bound to two cores, and measure more forms. With more ranks than
 * cores, most of the time is that of the system's time slices.
 *
 * With two ranks, a third word of each line is the raw handoff between the cores in nanoseconds. A
 * shared machine moves its cores away from each other and back. Therefore the word is the longer
 * one of the handoffs before and after the measurement.
 *
 *   both-ways [milliseconds per repetition [part of a name...]] */
#include "cores.h"
#include "handoff.h"
#include "thread_level.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 7, MOST = 64, LARGEST = 65536, NEIGHBOURS = 26 };

enum completion { WAITALL, WAITANY, WAITSOME, TEST };
enum order { IRECV_FIRST, ISEND_FIRST };
enum tags { ONE_TAG, TAGS };

static int rank, ranks;
static double budget; /* seconds a repetition */
static char *out, *in;
static MPI_Request requests[2 * MOST];

/* The messages that are under way at a time. */
static struct exchange {
  int bytes, messages;
  enum order order;
  enum tags tags;
  enum completion completion;
} now;

/* --- completion --------------------------------------------------------------------------------*/

static void wait_any(int count) {
  int index;
  for (int i = 0; i < count; ++i)
    MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
}

static void wait_some(int count) {
  int indices[2 * MOST], found;
  for (int done = 0; done < count; done += found)
    MPI_Waitsome(count, requests, &found, indices, MPI_STATUSES_IGNORE);
}

static void test_each(int count) {
  for (int i = 0; i < count; ++i)
    for (int flag = 0; !flag;)
      MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
}

static void complete(int count) {
  switch (now.completion) {
  case WAITALL:
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    break;
  case WAITANY:
    wait_any(count);
    break;
  case WAITSOME:
    wait_some(count);
    break;
  case TEST:
    test_each(count);
    break;
  }
}

/* --- patterns ----------------------------------------------------------------------------------*/

static void receive(int from, int i) {
  MPI_Irecv(in + (size_t)i * now.bytes, now.bytes, MPI_BYTE, from, now.tags == TAGS ? i : 0,
            MPI_COMM_WORLD, &requests[i]);
}

static void send(int to, int i) {
  MPI_Isend(out + (size_t)i * now.bytes, now.bytes, MPI_BYTE, to, now.tags == TAGS ? i : 0,
            MPI_COMM_WORLD, &requests[now.messages + i]);
}

/* Messages to one neighbour and from another: the same one if there are two ranks. */
static void exchange(int rounds) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < now.messages && now.order == IRECV_FIRST; ++i)
      receive(left, i);
    for (int i = 0; i < now.messages; ++i)
      send(right, i);
    for (int i = 0; i < now.messages && now.order == ISEND_FIRST; ++i)
      receive(left, i);
    complete(2 * now.messages);
  }
}

/* A cell's 26 neighbours: 6 faces, 12 edges, 8 corners, of 8 KiB, 256 and 8 bytes, dealt to the few
 * ranks there are. */
static void halo(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < NEIGHBOURS; ++i) {
      const int bytes = i < 6 ? 8192 : i < 18 ? 256 : 8, step = 1 + i % (ranks - 1);
      MPI_Irecv(in + (size_t)i * 8192, bytes, MPI_BYTE, (rank + ranks - step) % ranks, i,
                MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < NEIGHBOURS; ++i) {
      const int bytes = i < 6 ? 8192 : i < 18 ? 256 : 8, step = 1 + i % (ranks - 1);
      MPI_Isend(out + (size_t)i * 8192, bytes, MPI_BYTE, (rank + step) % ranks, i, MPI_COMM_WORLD,
                &requests[NEIGHBOURS + i]);
    }
    MPI_Waitall(2 * NEIGHBOURS, requests, MPI_STATUSES_IGNORE);
  }
}

/* --- measuring ---------------------------------------------------------------------------------*/

static double seconds(void (*body)(int rounds), int rounds) {
  double took, slowest;
  MPI_Barrier(MPI_COMM_WORLD);
  took = MPI_Wtime();
  body(rounds);
  took = MPI_Wtime() - took;
  MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

/* The best time of one round. `rounds` grows until the budget is met. */
static double best_of(void (*body)(int rounds)) {
  double best = 1e9;
  int rounds = 4;
  for (double took; (took = seconds(body, rounds)) < budget / 2;)
    rounds = took < budget / 20 ? rounds * 10 : (int)(rounds * budget / took * 1.2);
  for (int i = 0; i < REPETITIONS; ++i) {
    const double took = seconds(body, rounds) / rounds;
    best = took < best ? took : best;
  }
  return best;
}

static char **wanted; /* parts of names, up to a null; none means all */

static int is_wanted(const char *name) {
  char **word = wanted;
  while (*word && !strstr(name, *word))
    ++word;
  return *word || !*wanted;
}

static double handoff; /* nanoseconds; 0 if it is not known */

static void tell(const char *name, void (*body)(int rounds), int messages) {
  const double before = handoff;
  if (!is_wanted(name))
    return;
  const double best = best_of(body) / messages;
  handoff = handoff_nanoseconds();
  if (rank == 0 && handoff > 0)
    printf("%s %.1f %.1f\n", name, best * 1e9, handoff > before ? handoff : before);
  else if (rank == 0)
    printf("%s %.1f\n", name, best * 1e9);
  fflush(stdout);
}

static void measure(enum order order, enum tags tags, enum completion completion, int bytes,
                    int messages) {
  static const char *const orders[] = {"irecv", "isend"}, *const tag_words[] = {"tag", "tags"},
                           *const completions[] = {"waitall", "waitany", "waitsome", "test"};
  char name[80];
  now = (struct exchange){bytes, messages, order, tags, completion};
  snprintf(name, sizeof name, "%s-%s-%s-%dx%d", orders[order], tag_words[tags],
           completions[completion], bytes, messages);
  tell(name, exchange, messages);
}

enum { SIZES = 6, COUNTS = 3 };
static const int sizes[SIZES] = {8, 64, 512, 1024, 8192, 65536}, counts[COUNTS] = {1, 8, 64};

static void measure_usual_form(void) {
  for (int s = 0; s < SIZES; ++s)
    for (int c = 0; c < COUNTS; ++c)
      measure(IRECV_FIRST, TAGS, WAITALL, sizes[s], counts[c]);
}

/* One thing at a time is another. */
static void measure_other_forms(int bytes) {
  for (int c = 0; c < COUNTS; ++c) {
    measure(ISEND_FIRST, TAGS, WAITALL, bytes, counts[c]);
    measure(IRECV_FIRST, ONE_TAG, WAITALL, bytes, counts[c]);
    measure(IRECV_FIRST, TAGS, WAITANY, bytes, counts[c]);
    measure(IRECV_FIRST, TAGS, WAITSOME, bytes, counts[c]);
    measure(IRECV_FIRST, TAGS, TEST, bytes, counts[c]);
  }
}

static void measure_pair(void) {
  measure_usual_form();
  measure_other_forms(8);
  measure_other_forms(1024);
  measure_other_forms(65536);
}

static void measure_ring(void) {
  for (int s = 0; s < SIZES; ++s)
    measure(IRECV_FIRST, TAGS, WAITALL, sizes[s], 8);
}

int main(int argc, char **argv) {
  init_with_level(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2)
    MPI_Abort(MPI_COMM_WORLD, 2);
  if (ranks == 2)
    bind_to_core(rank);
  budget = (argc > 1 ? atof(argv[1]) : 10) / 1000;
  wanted = argv + (argc > 1 ? 2 : argc);
  out = calloc(MOST, LARGEST);
  in = calloc(MOST, LARGEST);
  handoff = handoff_nanoseconds();
  if (ranks == 2)
    measure_pair();
  else
    measure_ring();
  tell("halo-26", halo, NEIGHBOURS);
  MPI_Finalize();
  return 0;
}
