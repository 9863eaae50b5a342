/* A rank that waits leaves its processor to others, whatever it waits for: rank 0 is late in each of these calls, and
 * the others use less than a fifth of that time. The ranks share a processor, and sleep. With the argument "multiple",
 * the program requests MPI_THREAD_MULTIPLE. With "library", it also makes calls that the MPI library carries out: the
 * runtime naps only where it sees the library's polls. */
#include "check.h"
#include "progress/doorbell.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SHORT = 8, PAGE = 4096, CHUNK = 200000, LONG = 3 << 20, MANY = 4000 };
static int rank, size;
static char *in, *out;

static void receive(int bytes) {
  if (rank)
    MPI_Recv(in, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int peer = 1; peer < size && !rank; ++peer)
    MPI_Send(out, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
}

static void send(int bytes) {
  if (rank)
    MPI_Ssend(out, bytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
  for (int peer = 1; peer < size && !rank; ++peer)
    MPI_Recv(in, bytes, MPI_CHAR, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* More messages than a lane holds. */
static void fill(int bytes) {
  for (int i = 0; i < MANY && rank; ++i)
    MPI_Send(out, bytes, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
  for (int i = 0; i < MANY * (size - 1) && !rank; ++i)
    MPI_Recv(in, bytes, MPI_CHAR, 1 + i / MANY, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_for_any(int bytes) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int index;
  if (rank) {
    for (int i = 0; i < 2; ++i)
      MPI_Irecv(in + i * bytes, bytes, MPI_CHAR, 0, 4 + i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, statuses);
  }
  for (int peer = 1; peer < size && !rank; ++peer)
    for (int i = 0; i < 2; ++i)
      MPI_Send(out, bytes, MPI_CHAR, peer, 5 - i, MPI_COMM_WORLD);
}

static void probe(int bytes) {
  MPI_Message message;
  if (rank) {
    MPI_Mprobe(0, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, bytes, MPI_CHAR, &message, MPI_STATUS_IGNORE);
  }
  for (int peer = 1; peer < size && !rank; ++peer)
    MPI_Send(out, bytes, MPI_CHAR, peer, 6, MPI_COMM_WORLD);
}

static void exchange(int bytes) {
  for (int peer = 1; peer < size && !rank; ++peer)
    MPI_Sendrecv(out, bytes, MPI_CHAR, peer, 7, in, bytes, MPI_CHAR, peer, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  if (rank)
    MPI_Sendrecv(out, bytes, MPI_CHAR, 0, 7, in, bytes, MPI_CHAR, 0, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void barrier(int bytes) {
  (void)bytes;
  MPI_Barrier(MPI_COMM_WORLD);
}
static void bcast(int bytes) { MPI_Bcast(in, bytes, MPI_CHAR, 0, MPI_COMM_WORLD); }
static void bcast_of_another(int bytes) { MPI_Bcast(in, bytes, MPI_CHAR, 1, MPI_COMM_WORLD); }
static void reduce(int bytes) { MPI_Reduce(out, in, bytes, MPI_CHAR, MPI_BOR, 0, MPI_COMM_WORLD); }
static void reduce_to_another(int bytes) {
  MPI_Reduce(out, in, bytes, MPI_CHAR, MPI_BOR, 1, MPI_COMM_WORLD);
}
static void allreduce(int bytes) {
  MPI_Allreduce(out, in, bytes, MPI_CHAR, MPI_BOR, MPI_COMM_WORLD);
}
static void scan(int bytes) { MPI_Scan(out, in, bytes, MPI_CHAR, MPI_BOR, MPI_COMM_WORLD); }
static void gather(int bytes) {
  MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}
static void gather_to_another(int bytes) {
  MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, 1, MPI_COMM_WORLD);
}
static void scatter(int bytes) {
  MPI_Scatter(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}
static void scatter_of_another(int bytes) {
  MPI_Scatter(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, 1, MPI_COMM_WORLD);
}
static void allgather(int bytes) {
  MPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
}
static void alltoall(int bytes) {
  MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
}
static void duplicate(int bytes) {
  MPI_Comm copy;
  (void)bytes;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_free(&copy);
}

static double processor_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* The call takes longer than rank 0 is late if the machine is busy. Then less of it is a wait. */
static int spends_in(void (*call)(int bytes), int bytes) {
  enum { LATE = 100 * 1000 };
  call(bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = processor_time();
  if (!rank)
    usleep(LATE);
  call(bytes);
  return rank && processor_time() - before > 0.2e-6 * LATE;
}

/* In two of five tries the ranks must sleep. A virtual machine may need a quarter of a millisecond to wake a process, a
 * hundred times in a wait, but not for long. */
static int sleeps_in(void (*call)(int bytes), int bytes) {
  enum { GOOD = 2, BAD = 4 };
  int good = 0, bad = 0;
  while (good < GOOD && bad < BAD) {
    const int spends = spends_in(call, bytes);
    int some_spend;
    MPI_Allreduce(&spends, &some_spend, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    *(some_spend ? &bad : &good) += 1;
  }
  return good == GOOD;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*call)(int bytes);
    int by_library; /* communicators, and reductions whose order is not known yet */
  } calls[] = {{"receive", receive, 0},
               {"send", send, 0},
               {"fill", fill, 0},
               {"wait for any", wait_for_any, 0},
               {"probe", probe, 0},
               {"exchange", exchange, 0},
               {"barrier", barrier, 0},
               {"bcast", bcast, 0},
               {"bcast of another", bcast_of_another, 0},
               {"reduce", reduce, 1},
               {"reduce to another", reduce_to_another, 1},
               {"allreduce", allreduce, 1},
               {"scan", scan, 1},
               {"gather", gather, 0},
               {"gather to another", gather_to_another, 0},
               {"scatter", scatter, 0},
               {"scatter of another", scatter_of_another, 0},
               {"allgather", allgather, 0},
               {"alltoall", alltoall, 0},
               {"duplicate", duplicate, 1}};
  static const int sizes[] = {SHORT, PAGE, CHUNK, LONG};
  int level = MPI_THREAD_SINGLE, with_library = 0, all_sleep = 1;
  for (int i = 1; i < argc; ++i) {
    with_library |= !strcmp(argv[i], "library");
    level = !strcmp(argv[i], "multiple") ? MPI_THREAD_MULTIPLE : level;
  }
  MPI_Init_thread(&argc, &argv, level, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(mpispec_doorbells_used);
  in = calloc((size_t)size, LONG);
  out = calloc((size_t)size, LONG);
  CHECK(in && out);
  for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; ++i)
    for (unsigned j = 0; j < sizeof sizes / sizeof sizes[0]; ++j) {
      if ((calls[i].call == fill && sizes[j] > PAGE) || calls[i].by_library > with_library)
        continue;
      const int sleeps = sleeps_in(calls[i].call, sizes[j]);
      if (!sleeps)
        fprintf(stderr, "rank %d does not sleep in %s of %d bytes\n", rank, calls[i].name,
                sizes[j]);
      all_sleep &= sleeps;
    }
  CHECK(all_sleep);
  free(in);
  free(out);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// UNSUPPORTED: sanitizer
// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: for level in single multiple; do for ranks in 2 3; do \
// RUN:   %mpirun -n $ranks taskset -c 0 %t $level %if mpich4 %{ library %} | FileCheck %s || exit 1; done; done
// RUN: env MPISPEC_REDUCTIONS=ranks %mpirun -n 3 taskset -c 0 %t single %if mpich4 %{ library %} | FileCheck %s
// CHECK: passed
