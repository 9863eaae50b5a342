/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Measures operations of ranks that share processors. Prints "name|microseconds" on the slowest
 * rank, one a line. The last line is the processor time of all ranks divided by the wall time.
 *
 *   shared-cores <milliseconds for each operation> [multiple]
 *
 * Each operation is repeated for about this time, at least three times. All ranks take part in each
 * operation. In "ping-pong, others in ..." ranks 0 and 1 exchange messages while the others wait.
 * In "1 ms of computing, others in ..." only rank 0 computes. In "lock, Accumulate, unlock" it does
 * so in the memory of rank 1. With "multiple", the program requests
 * MPI_THREAD_MULTIPLE, and calls MPI from one thread.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { LONG = 1 << 20, PIECE = 64 * 1024, PORTION = 1024, ROUNDS = 20, FLOOD = 30 };
static int rank, size, right, left;
static char *out, *in;

static void sendrecv(int bytes) {
  MPI_Sendrecv(out, bytes, MPI_CHAR, right, 1, in, bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}
static void sendrecv_short(void) { sendrecv(8); }
static void sendrecv_page(void) { sendrecv(4096); }
static void sendrecv_long(void) { sendrecv(LONG); }
static void allreduce(int count) {
  MPI_Allreduce(out, in, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void allreduce_short(void) { allreduce(1); }
static void allreduce_long(void) { allreduce(LONG / 8); }
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void bcast(void) { MPI_Bcast(in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }
static void alltoall(void) {
  MPI_Alltoall(out, PORTION, MPI_CHAR, in, PORTION, MPI_CHAR, MPI_COMM_WORLD);
}
static void mix(void) {
  for (int i = 0; i < 4; ++i) {
    sendrecv(8);
    sendrecv(PIECE);
  }
  allreduce(1);
  allreduce(LONG / 8);
  alltoall();
}
static void flood(void) {
  for (int i = 0; i < FLOOD; ++i)
    for (int peer = 0; peer < size; ++peer)
      MPI_Send(out, 8, MPI_CHAR, peer, 4, MPI_COMM_WORLD);
  for (int i = 0; i < FLOOD * size; ++i)
    MPI_Recv(in, 8, MPI_CHAR, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void communicator(void) {
  MPI_Comm copy;
  double sum, mine = rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (int i = 0; i < 6; ++i)
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, copy);
  MPI_Comm_free(&copy);
}

static void ping_pong(void) {
  for (int i = 0; i < ROUNDS && rank < 2; ++i) {
    if (rank == 0)
      MPI_Send(out, 8, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
    MPI_Recv(in, 8, MPI_CHAR, !rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
      MPI_Send(out, 8, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
  }
}
static void ping_pong_in_barrier(void) {
  ping_pong();
  MPI_Barrier(MPI_COMM_WORLD);
}
/* Ranks from `first` on wait in MPI_Recv for rank 0. */
static void await_rank_0(int first) {
  for (int peer = first; peer < size && rank == 0; ++peer)
    MPI_Send(NULL, 0, MPI_CHAR, peer, 3, MPI_COMM_WORLD);
  if (rank >= first)
    MPI_Recv(NULL, 0, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void ping_pong_in_recv(void) {
  ping_pong();
  await_rank_0(2);
}

/* Rank 0 uses its processor for a millisecond. The time is longer if others use that processor. */
static void compute(void) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while (rank == 0 &&
         (now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 1000000);
}
static void compute_in_barrier(void) {
  compute();
  MPI_Barrier(MPI_COMM_WORLD);
}
static void compute_in_recv(void) {
  compute();
  await_rank_0(1);
}

/* Rank 0 adds to rank 1's memory while the others wait for it in MPI_Recv. */
static MPI_Win window;
static void accumulate_in_recv(void) {
  static const double one = 1;
  for (int i = 0; i < ROUNDS && rank == 0; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
    MPI_Accumulate(&one, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_unlock(1, window);
  }
  await_rank_0(1);
}

/* The time of the slowest rank, in seconds. */
static double slowest(double mine) {
  double all;
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Bcast(&all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return all;
}

static double run(void (*operation)(void), int times) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < times; ++i)
    operation();
  return slowest(MPI_Wtime() - begin);
}

static void measure(const char *name, void (*operation)(void), double budget, double parts) {
  run(operation, 1);
  const double estimate = run(operation, 3) / 3, wanted = budget / estimate;
  const int times = wanted < 3 ? 3 : wanted > 10000 ? 10000 : (int)wanted;
  const double took = run(operation, times) / times;
  if (!rank)
    printf("%s|%.2f\n", name, took / parts * 1e6);
}

/* The last row: in a program with windows, waits may be others. */
static void measure_window(double budget) {
  double *memory;
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  *memory = 0;
  measure("lock, Accumulate, unlock, target in Recv", accumulate_in_recv, budget, ROUNDS);
  MPI_Win_free(&window);
}

static double processor_time(void) {
  struct rusage usage;
  double all, mine;
  getrusage(RUSAGE_SELF, &usage);
  mine = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*operation)(void);
    double parts;
  } rows[] = {{"mix", mix, 1},
              {"Sendrecv 8 B", sendrecv_short, 1},
              {"Sendrecv 4 KiB", sendrecv_page, 1},
              {"Sendrecv 1 MiB", sendrecv_long, 1},
              {"Allreduce 8 B", allreduce_short, 1},
              {"Allreduce 1 MiB", allreduce_long, 1},
              {"Barrier", barrier, 1},
              {"Bcast 8 B", bcast, 1},
              {"Alltoall 1 KiB", alltoall, 1},
              {"flood, 30 messages to each", flood, 1},
              {"dup and 6 Allreduce", communicator, 1},
              {"ping-pong, others in Barrier", ping_pong_in_barrier, ROUNDS},
              {"ping-pong, others in Recv", ping_pong_in_recv, ROUNDS},
              {"1 ms of computing, others in Barrier", compute_in_barrier, 1},
              {"1 ms of computing, others in Recv", compute_in_recv, 1}};
  int level = argc > 2 && !strcmp(argv[2], "multiple") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, level, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double budget = argc > 1 ? atof(argv[1]) / 1000 : 0.02;
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  const size_t bytes = (size_t)(size * PORTION > LONG ? size * PORTION : LONG);
  out = calloc(bytes, 1);
  in = calloc(bytes, 1);
  if (size < 2 || !out || !in)
    MPI_Abort(MPI_COMM_WORLD, 1);
  memset(out, 1, bytes); /* pages that are never written are all the same memory */
  const double before = processor_time(), begin = MPI_Wtime();
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    measure(rows[i].name, rows[i].operation, budget, rows[i].parts);
  measure_window(budget);
  const double took = MPI_Wtime() - begin, used = processor_time() - before;
  if (!rank)
    printf("processor time per time|%.2f\n", used / took);
  MPI_Finalize();
  return 0;
}
