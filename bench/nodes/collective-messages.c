/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts the messages between nodes of each collective operation, and the longest chain of these
 * messages.
 *
 * usage: collective-messages DELAY
 *
 * Prints for each operation: name, messages of all ranks, most messages of one rank, rounds. The
 * figures are for one operation of 8 bytes. Rounds are the number of messages in the longest chain.
 * In a chain, each message is sent after the one before has arrived, or after an earlier message of
 * the same rank. To measure rounds, each message is delayed by DELAY microseconds. The time of an
 * operation, divided by DELAY, is the number of rounds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern int transport_calibrates;
extern unsigned char transport_is_far[];
extern long transport_messages, transport_delay;

enum { MOST = 64, TIMES = 3, COUNTED = 8, BYTES = 8 };
static char in[MOST * BYTES], out[MOST * BYTES];
static int counts[MOST], places[MOST], rank, size;

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void bcast(void) { MPI_Bcast(in, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void reduce(void) { MPI_Reduce(in, out, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD); }
static void allreduce(void) { MPI_Allreduce(in, out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
static void scan(void) { MPI_Scan(in, out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
static void reduce_scatter(void) {
  MPI_Reduce_scatter_block(in, out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}
static void gather(void) {
  MPI_Gather(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void scatter(void) {
  MPI_Scatter(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void allgather(void) {
  MPI_Allgather(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, MPI_COMM_WORLD);
}
static void alltoall(void) {
  MPI_Alltoall(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, MPI_COMM_WORLD);
}
static void allgatherv(void) {
  MPI_Allgatherv(in, BYTES, MPI_BYTE, out, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}
static void alltoallv(void) {
  MPI_Alltoallv(in, counts, places, MPI_BYTE, out, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}

static const struct {
  const char *name;
  void (*call)(void);
} operations[] = {
    {"Barrier", barrier},       {"Bcast", bcast},       {"Reduce", reduce},
    {"Allreduce", allreduce},   {"Scan", scan},         {"Reduce_scatter_block", reduce_scatter},
    {"Gather", gather},         {"Scatter", scatter},   {"Allgather", allgather},
    {"Allgatherv", allgatherv}, {"Alltoall", alltoall}, {"Alltoallv", alltoallv}};

/* Which endpoint leads to which rank, and which ranks are on other nodes. */
static void calibrate(void) {
  int node, nodes[MOST];
  MPI_Comm here;
  MPI_Request request;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  PMPI_Allreduce(&rank, &node, 1, MPI_INT, MPI_MIN, here);
  PMPI_Allgather(&node, 1, MPI_INT, nodes, 1, MPI_INT, MPI_COMM_WORLD);
  for (int distance = 1; distance < size; ++distance) {
    const int to = (rank + distance) % size, from = (rank + size - distance) % size;
    PMPI_Irecv(NULL, 0, MPI_BYTE, from, 0, MPI_COMM_WORLD, &request);
    transport_calibrates = to;
    PMPI_Send(NULL, 0, MPI_BYTE, to, 0, MPI_COMM_WORLD);
    transport_calibrates = -1;
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    transport_is_far[to] = nodes[to] != node;
  }
  PMPI_Comm_free(&here);
}

/* The time of one operation, in seconds. It ends when all ranks have left it. */
static double repeat(void (*call)(void), long delay) {
  double best = 0;
  for (int i = 0; i < TIMES; ++i) {
    double time, last;
    PMPI_Barrier(MPI_COMM_WORLD);
    transport_delay = delay;
    time = -MPI_Wtime();
    call();
    time += MPI_Wtime();
    transport_delay = 0;
    PMPI_Allreduce(&time, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    best = !i || last < best ? last : best;
  }
  return best;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; ++i) {
    counts[i] = BYTES;
    places[i] = BYTES * i;
  }
  calibrate();
  const long delay = argc > 1 ? atol(argv[1]) : 20000;
  for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; ++i) {
    for (int k = 0; k < 40; ++k)
      operations[i].call(); /* orders of reductions are found out, endpoints are connected */
    PMPI_Barrier(MPI_COMM_WORLD);
    const long before = transport_messages;
    for (int k = 0; k < COUNTED; ++k)
      operations[i].call();
    const long own = (transport_messages - before) / COUNTED;
    long sum, most;
    PMPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Allreduce(&own, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    const double time = repeat(operations[i].call, delay);
    if (!rank) {
      printf("%s|%ld|%ld|%.1f\n", operations[i].name, sum, most, time * 1e6 / (double)delay);
      fflush(stdout);
    }
  }
  PMPI_Barrier(MPI_COMM_WORLD);
  _exit(0); /* MPICH 4.0.2 sometimes hangs in MPI_Finalize over TCP */
}
