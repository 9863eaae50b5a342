/* Operations with a length for each rank where many ranks have nothing to move. These ranks do not wait, and may be
 * far ahead of the others. Every moved byte is checked. It is also checked in the operations between, in some of
 * which all ranks take part.
 *
 *   collective-nothing             operations drawn at random
 *   collective-nothing ahead       a rank with nothing to move goes through many operations alone
 *   collective-nothing unexpected  a program that errs: a rank sends to one that expects nothing */
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 400, RANKS = 8, MOST = 150000, PITCH = MOST + 64, AHEAD = 4, MANY = 100 };
static int rank, size;
static int lengths[RANKS][RANKS]; /* from, to */
static int sent[RANKS], received[RANKS], places[RANKS];
static unsigned char out[RANKS * PITCH], in[RANKS * PITCH];

/* Equal on all ranks. */
static unsigned draw(void) {
  static unsigned word = 99;
  word = word * 1664525u + 1013904223u;
  return word >> 8;
}

static int draw_length(void) {
  static const int some[] = {1, 8, 48, 49, 1000, 5000, 40000, 70000, MOST};
  return draw() % 10 < 8 ? 0 : some[draw() % (sizeof some / sizeof *some)];
}

static unsigned char byte(int round, int from, int to, int at) {
  return (unsigned char)(round * 31 + from * 7 + to * 3 + at);
}

static void write_portion(int round, int from, int to) {
  for (int at = 0; at < lengths[from][to]; ++at)
    out[places[to] + at] = byte(round, from, to, at);
}

static void check_portion(int round, const unsigned char *portion, int from, int to) {
  int wrong = portion[lengths[from][to]] != 0xa5;
  for (int at = 0; at < lengths[from][to]; ++at)
    wrong += portion[at] != byte(round, from, to, at);
  CHECK(!wrong);
}

static void draw_lengths(int round) {
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to)
      lengths[from][to] = draw_length();
  for (int i = 0; i < size; ++i) {
    sent[i] = lengths[rank][i];
    received[i] = lengths[i][rank];
    places[i] = i * PITCH;
    write_portion(round, rank, i);
  }
  for (int i = 0; i < size; ++i)
    memset(in + i * PITCH, 0xa5, (size_t)received[i] + 1);
}

static void exchange(int round) {
  draw_lengths(round);
  MPI_Alltoallv(out, sent, places, MPI_BYTE, in, received, places, MPI_BYTE, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    check_portion(round, in + places[i], i, rank);
}

/* Where `root` has nothing for itself either, it waits for nobody. */
static void collect(int round, int root) {
  draw_lengths(round);
  int to_root[RANKS];
  for (int i = 0; i < size; ++i) {
    to_root[i] = lengths[i][root];
    memset(in + i * PITCH, 0xa5, (size_t)to_root[i] + 1);
  }
  MPI_Gatherv(out + places[root], sent[root], MPI_BYTE, in, to_root, places, MPI_BYTE, root,
              MPI_COMM_WORLD);
  for (int i = 0; rank == root && i < size; ++i)
    check_portion(round, in + places[i], i, root);
}

static void deal(int round, int root) {
  draw_lengths(round);
  memset(in, 0xa5, (size_t)received[root] + 1);
  MPI_Scatterv(out, sent, places, MPI_BYTE, in, received[root], MPI_BYTE, root, MPI_COMM_WORLD);
  check_portion(round, in, root, rank);
}

static void gather_everywhere(int round) {
  draw_lengths(round);
  int of_each[RANKS];
  for (int i = 0; i < size; ++i) {
    of_each[i] = lengths[i][0];
    memset(in + i * PITCH, 0xa5, (size_t)of_each[i] + 1);
  }
  MPI_Allgatherv(out, of_each[rank], MPI_BYTE, in, of_each, places, MPI_BYTE, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    check_portion(round, in + places[i], i, 0);
}

/* In which all ranks wait for all: nobody may be counted as having left what it has not. */
static void meet(int round) {
  int sum = 0;
  MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == round * size);
}

static void sleep_for(int milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void draw_operations(void) {
  for (int round = 0; round < ROUNDS; ++round) {
    const int late = (int)(draw() % 40), root = (int)(draw() % (unsigned)size);
    if (late == rank)
      sleep_for(2);
    switch (draw() % 8) {
    case 0:
      collect(round, root);
      break;
    case 1:
      deal(round, root);
      break;
    case 2:
      gather_everywhere(round);
      break;
    case 3:
      meet(round);
      break;
    default:
      exchange(round);
    }
  }
}

/* Rank 0 comes only when the others are through. */
static void go_ahead(void) {
  int counts[RANKS] = {0}, none[RANKS] = {0};
  meet(1); /* the first operation on a communicator waits for all */
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Recv(NULL, 0, MPI_BYTE, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < AHEAD; ++i) {
    MPI_Gatherv(NULL, 0, MPI_BYTE, in, counts, none, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Scatterv(NULL, counts, none, MPI_BYTE, NULL, 0, MPI_BYTE, 1, MPI_COMM_WORLD);
    MPI_Alltoallv(NULL, counts, none, MPI_BYTE, NULL, counts, none, MPI_BYTE, MPI_COMM_WORLD);
  }
  if (rank)
    MPI_Send(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  /* Beyond the cells of a slot a rank waits for the others, and goes on. */
  for (int i = 0; i < MANY; ++i)
    MPI_Alltoallv(out, counts, none, MPI_BYTE, in, counts, none, MPI_BYTE, MPI_COMM_WORLD);
  meet(3);
}

/* Long and short; whatever the functions say, they return, and the next operations are right. */
static void send_unexpected(void) {
  static const int unexpected[] = {8, 1000, 50000, 1 << 20};
  static unsigned char many[1 << 20];
  int none[RANKS] = {0};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < 4; ++i) {
    int counts[RANKS] = {0};
    counts[1] = rank ? 0 : unexpected[i];
    MPI_Alltoallv(many, counts, none, MPI_BYTE, in, none, none, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Gatherv(many, rank == 1 ? unexpected[i] : 0, MPI_BYTE, in, none, none, MPI_BYTE, 0,
                MPI_COMM_WORLD);
    MPI_Scatterv(many, counts, none, MPI_BYTE, in, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
    meet(i);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc == 1)
    draw_operations();
  else if (!strcmp(argv[1], "ahead"))
    go_ahead();
  else
    send_unexpected();
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: for ranks in 2 3 5; do env MPISPEC_MODE=lanes %mpirun -n $ranks %t | FileCheck %s || exit 1; done
// RUN: env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES=shared %mpirun -n 3 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t ahead | FileCheck %s
// RUN: for ranks in 2 3; do for way in pipe shared; do \
// RUN:   env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES=$way %mpirun -n $ranks %t unexpected | \
// RUN:     FileCheck %s || exit 1; done; done
// CHECK: passed
