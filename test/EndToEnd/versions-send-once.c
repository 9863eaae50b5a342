// A version of a call, for a likely count, sends and then declines because the answer is late. Only the ordinary call may
// follow: another template would send once more.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 200, MOST = 64 };
static int rank, wrong;
static double out[MOST], in[MOST];
static char text[MOST], answer[MOST];

/* Rank 1 is late in some rounds. */
static void be_late(int round) {
  if (rank == 1 && round % 7 == 0)
    usleep(300);
}

static void exchange(double *send, double *receive, int n, int peer) {
  MPI_Sendrecv(send, n, MPI_DOUBLE, peer, 0, receive, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void replace(double *both, int n, int peer) {
  MPI_Sendrecv_replace(both, n, MPI_DOUBLE, peer, 1, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(const char *bytes, int n, int peer) { MPI_Ssend(bytes, n, MPI_CHAR, peer, 2, MPI_COMM_WORLD); }

static void check(const double *got, int n, int number) {
  for (int i = 0; i < n; ++i)
    wrong += got[i] != number * 1000 + i;
}

static void fill(double *to, int number) {
  for (int i = 0; i < MOST; ++i)
    to[i] = number * 1000 + i;
}

/* Each rank sends the numbers 1, 2, 3, and so on. */
static int number;
static void exchanges(int peer, int round) {
  be_late(round);
  fill(out, ++number), exchange(out, in, 10, peer), check(in, 10, number);
  be_late(round + 3);
  fill(out, ++number), exchange(out, in, 10, peer), check(in, 10, number);
  be_late(round + 5);
  fill(out, ++number), exchange(out, in, 20, peer), check(in, 20, number);
}

static void short_exchanges(int peer, int round) {
  be_late(round);
  fill(in, ++number), replace(in, 10, peer), check(in, 10, number);
  be_late(round + 2);
  fill(in, ++number), replace(in, 10, peer), check(in, 10, number);
  be_late(round + 4);
  fill(in, ++number), replace(in, 4, peer), check(in, 4, number);
}

static void receive(int n) {
  MPI_Status status;
  int bytes;
  MPI_Recv(answer, MOST, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_CHAR, &bytes);
  wrong += bytes != n || memcmp(answer, text, (size_t)n);
}

static void synchronous(int round) {
  memset(text, round, sizeof text);
  be_late(round);
  if (rank == 0)
    send(text, 50, 1), send(text, 50, 1), send(text, 52, 1);
  else
    receive(50), be_late(round + 1), receive(50), be_late(round + 6), receive(52);
}

int main(int argc, char **argv) {
  int all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < ROUNDS; ++round) {
    exchanges(1 - rank, round);
    short_exchanges(1 - rank, round);
    synchronous(round);
  }
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong\n", all);
  MPI_Finalize();
  return 0;
}

// RUN: for option in "" --mpispec-inline-all; do %mpispec $option mpicc -O2 %s -o %t && %mpirun -n 2 %t | FileCheck %s || exit 1; done
// CHECK: {{^}}0 wrong
