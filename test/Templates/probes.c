/* Probes and tests, of which most find nothing: that is inline, and only where there is nothing.
 * Two ranks. */
#include "ordinary.h"

enum { MANY = 250, LARGE = 1 << 22 };

static int rank, peer, disturbed;
static MPI_Status status;

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

/* The work between two probes or tests of a program. A program that did nothing else would enter the runtime with
 * each call (test/Runtime/polling.c). */
static void work(void) {
  const double until = MPI_Wtime() + 2e-6;
  while (MPI_Wtime() < until)
    ;
}

/* Whether an interrupt or another program made the time since the last call longer than MPISPEC_RARE_TEST. */
static int was_long(void) {
  static double last;
  const double now = MPI_Wtime();
  const int is_long = now - last > 4e-6;
  last = now;
  return is_long;
}

static int error_class(int error) {
  int found = MPI_SUCCESS;
  if (error)
    MPI_Error_class(error, &found);
  return found;
}

static int length(void) {
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  return count;
}

/* So that the runtime knows the communicator, and each lane has carried something. */
static void warm_up(MPI_Comm comm, int other) {
  int out = 1, in = 0;
  MPI_Sendrecv(&out, 1, MPI_INT, other, 99, &in, 1, MPI_INT, other, 99, comm, MPI_STATUS_IGNORE);
  EXPECT(in == 1);
}

/* --- what is inline ----------------------------------------------------------------------------*/

/* Ordinary are the first 8, until the runtime sees that the program does not only poll, one of 64 others, and two
 * after each long round, because probes between long pieces of work make progress. */
#define FINDS_NOTHING(...)                                                                         \
  ordinary_Iprobe = 0;                                                                             \
  (void)was_long();                                                                                \
  for (int round = disturbed = 0; round < ROUNDS; ++round) {                                       \
    int flag = 7;                                                                                  \
    status.MPI_TAG = 1234;                                                                         \
    work();                                                                                        \
    MPI_Iprobe(__VA_ARGS__, &flag, &status);                                                       \
    EXPECT(!flag && status.MPI_TAG == 1234);                                                       \
    disturbed += was_long();                                                                       \
  }                                                                                                \
  FEW(Iprobe, 10 + 2 * disturbed);

static void nothing_there(MPI_Comm comm, int other, int tag) {
  warm_up(comm, other);
  meet();
  FINDS_NOTHING(MPI_ANY_SOURCE, MPI_ANY_TAG, comm)
  FINDS_NOTHING(MPI_ANY_SOURCE, tag, comm)
  FINDS_NOTHING(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD)
  FINDS_NOTHING(other, MPI_ANY_TAG, comm)
  FINDS_NOTHING(other, 7, comm)
  meet();
}

static void tests_of_nothing(void) {
  int in = 0, flag = 7;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &request);
  meet();
  ordinary_Test = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    work();
    MPI_Test(&request, &flag, round % 2 ? &status : MPI_STATUS_IGNORE);
    EXPECT(!flag && request != MPI_REQUEST_NULL && !in);
  }
  FEW(Test, 0);
  meet();
  MPI_Send(&peer, 1, MPI_INT, peer, 7, MPI_COMM_WORLD);
  do
    MPI_Test(&request, &flag, &status);
  while (!flag);
  EXPECT(request == MPI_REQUEST_NULL && in == rank && status.MPI_SOURCE == peer);
  meet();
}

#define FINDS(BYTES, SOURCE, ...)                                                                  \
  for (int round = 0; round < ROUNDS; ++round) {                                                   \
    if (rank == 0)                                                                                 \
      MPI_Send(out, BYTES, MPI_BYTE, SOURCE == 0 ? 1 : 0, 7, comm);                                \
    meet();                                                                                        \
    if (rank == 1) {                                                                               \
      MPI_Probe(__VA_ARGS__, comm, &status);                                                       \
      EXPECT(status.MPI_SOURCE == SOURCE && status.MPI_TAG == 7 && length() == BYTES);             \
      MPI_Probe(__VA_ARGS__, comm, MPI_STATUS_IGNORE);                                             \
      MPI_Recv(in, BYTES, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm, MPI_STATUS_IGNORE);   \
    }                                                                                              \
    meet();                                                                                        \
  }                                                                                                \
  if (rank == 1) {                                                                                 \
    EXPECT(is_mixed() || (is_fast() ? ordinary_Probe <= ROUNDS / 4                                 \
                                    : ordinary_Probe == 2 * ROUNDS));                              \
    ordinary_Probe = 0;                                                                            \
  }

/* `source`: rank 0 in the communicator. */
static void found(MPI_Comm comm, int source) {
  static char out[250], in[250];
  warm_up(comm, rank ? source : 1 - source);
  FINDS(8, source, MPI_ANY_SOURCE, MPI_ANY_TAG)
  FINDS(8, source, MPI_ANY_SOURCE, 7)
  FINDS(8, source, source, MPI_ANY_TAG)
  FINDS(0, source, source, 7)
  FINDS(250, source, MPI_ANY_SOURCE, 7)
}

/* So many messages that the lane begins again at its front. A probe that sees a message there must not take it out.
 * Otherwise the receives behind it would be ordinary calls. */
static void many_ahead(void) {
  static int numbers[MANY];
  static MPI_Request requests[MANY];
  int in = -1;
  ordinary_Recv = ordinary_Probe = 0;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; rank == 0 && i < MANY; ++i) {
      numbers[i] = i;
      MPI_Isend(&numbers[i], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[i]);
    }
    meet();
    for (int i = 0; rank == 1 && i < MANY; ++i) {
      MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
      MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(in == i);
    }
    if (rank == 0)
      MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    meet();
  }
  EXPECT(!is_fast() || (ordinary_Recv <= 4 * MANY / 16 && ordinary_Probe <= 4 * MANY / 16));
  ordinary_Recv = 0;
}

/* --- what is not -------------------------------------------------------------------------------*/

/* Until it finds something, the call is ordinary each time. */
#define SEES(TAG, ...)                                                                             \
  do {                                                                                             \
    int flag = 0;                                                                                  \
    while (!flag)                                                                                  \
      HANDS_OVER(Iprobe, 1, MPI_Iprobe(__VA_ARGS__, &flag, &status));                              \
    EXPECT(status.MPI_TAG == TAG);                                                                 \
  } while (0)

#define SEES_NOTHING(...)                                                                          \
  do {                                                                                             \
    int flag = 7;                                                                                  \
    HANDS_OVER(Iprobe, 1, MPI_Iprobe(__VA_ARGS__, &flag, &status));                                \
    EXPECT(!flag);                                                                                 \
  } while (0)

static void something_there(void) {
  int in = 0;
  warm_up(MPI_COMM_WORLD, peer);
  if (rank == 0)
    for (int tag = 1; tag <= 3; ++tag)
      MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  meet();
  if (rank == 1) {
    SEES(1, 0, MPI_ANY_TAG, MPI_COMM_WORLD);
    SEES(1, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD);
    SEES_NOTHING(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &status); /* keeps 1 elsewhere */
    SEES(1, 0, 1, MPI_COMM_WORLD);
    SEES(1, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD);
    HANDS_OVER(Probe, 1, MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    EXPECT(status.MPI_TAG == 1);
    HANDS_OVER(Probe, 1, MPI_Probe(0, 3, MPI_COMM_WORLD, &status));
    EXPECT(status.MPI_TAG == 3 && length() == sizeof in);
    for (int tag = 3; tag > 0; tag -= 2) {
      MPI_Recv(&in, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &status);
      EXPECT(in == tag);
    }
  }
  meet();
}

/* The message of a receive that was posted before is not for a probe. */
static void posted(int source) {
  int in[2] = {0, 0};
  MPI_Request request;
  warm_up(MPI_COMM_WORLD, peer);
  if (rank == 1) {
    MPI_Irecv(&in[0], 1, MPI_INT, source, 5, MPI_COMM_WORLD, &request);
    if (source == MPI_ANY_SOURCE) {
      SEES_NOTHING(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD);
      SEES_NOTHING(0, 5, MPI_COMM_WORLD);
    }
  }
  meet();
  if (rank == 0)
    for (int tag = 5; tag <= 6; ++tag)
      MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  meet();
  if (rank == 1) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    EXPECT(status.MPI_TAG == 6);
    SEES(6, 0, MPI_ANY_TAG, MPI_COMM_WORLD);
    MPI_Recv(&in[1], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, &status);
    EXPECT(in[0] == 5 && in[1] == 6 && status.MPI_TAG == 5);
  }
  meet();
}

/* Their bytes are not in the lane, or not in its first cell alone. */
static void other_kinds(void) {
  static char bytes[LARGE];
  const int lengths[] = {5000, LARGE, 8};
  for (int i = 0; i < 3; ++i) {
    MPI_Request request;
    if (rank == 0 && i == 2)
      MPI_Issend(bytes, lengths[i], MPI_BYTE, 1, 7, MPI_COMM_WORLD, &request);
    else if (rank == 0)
      MPI_Isend(bytes, lengths[i], MPI_BYTE, 1, 7, MPI_COMM_WORLD, &request);
    meet();
    if (rank == 1) {
      HANDS_OVER(Probe, 1, MPI_Probe(0, 7, MPI_COMM_WORLD, &status));
      EXPECT(length() == lengths[i]);
      HANDS_OVER(Probe, 1, MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status));
      EXPECT(length() == lengths[i] && status.MPI_SOURCE == 0);
      MPI_Recv(bytes, LARGE, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &status);
    } else {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    meet();
  }
}

static void other_communicators(void) {
  MPI_Comm other, alone, inter;
  int in = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  warm_up(other, peer);
  if (rank == 0)
    MPI_Send(&peer, 1, MPI_INT, 1, 7, other);
  meet();
  if (rank == 1) {
    SEES_NOTHING(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD);
    SEES_NOTHING(0, 7, MPI_COMM_WORLD);
    SEES(7, MPI_ANY_SOURCE, MPI_ANY_TAG, other);
    MPI_Recv(&in, 1, MPI_INT, 0, 7, other, &status);
    EXPECT(in == 1);
  }
  MPI_Comm_free(&other);
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
  MPI_Intercomm_create(alone, 0, MPI_COMM_WORLD, peer, 4, &inter);
  MPI_Send(&rank, 1, MPI_INT, 0, 7, inter);
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status);
  EXPECT(status.MPI_SOURCE == 0 && status.MPI_TAG == 7 && length() == sizeof in);
  MPI_Recv(&in, 1, MPI_INT, 0, 7, inter, &status);
  EXPECT(in == peer);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&alone);
}

static void nobody(int null_process) {
  int flag = 0;
  HANDS_OVER(Iprobe, 1, MPI_Iprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, &flag, &status));
  EXPECT(flag && status.MPI_SOURCE == MPI_PROC_NULL && length() == 0);
  flag = 0;
  HANDS_OVER(Iprobe, 1, MPI_Iprobe(null_process, 7, MPI_COMM_WORLD, &flag, &status));
  EXPECT(flag && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  HANDS_OVER(Probe, 1, MPI_Probe(null_process, 7, MPI_COMM_WORLD, &status));
  EXPECT(status.MPI_SOURCE == MPI_PROC_NULL);
}

static void mistakes(int minus_nine, int too_large, MPI_Comm zero, int *null) {
  int flag;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  warm_up(MPI_COMM_WORLD, peer);
  meet();
#define FAILS(NAME, CLASS, ...)                                                                    \
  HANDS_OVER(NAME, 1, EXPECT(error_class(MPI_##NAME(__VA_ARGS__)) == CLASS))
  FAILS(Iprobe, MPI_ERR_RANK, too_large, 7, MPI_COMM_WORLD, &flag, &status);
  FAILS(Iprobe, MPI_ERR_RANK, minus_nine, 7, MPI_COMM_WORLD, &flag, &status);
  FAILS(Iprobe, MPI_ERR_TAG, peer, minus_nine, MPI_COMM_WORLD, &flag, &status);
  FAILS(Iprobe, MPI_ERR_TAG, MPI_ANY_SOURCE, minus_nine, MPI_COMM_WORLD, &flag, &status);
#ifndef OPEN_MPI /* which looks for a null communicator's error handler, and crashes */
  FAILS(Iprobe, MPI_ERR_COMM, peer, 7, zero, &flag, &status);
  FAILS(Probe, MPI_ERR_COMM, peer, 7, zero, &status);
  FAILS(Iprobe, MPI_ERR_ARG, peer, 7, MPI_COMM_WORLD, null, &status); /* writes there */
#endif
  FAILS(Probe, MPI_ERR_RANK, too_large, 7, MPI_COMM_WORLD, &status);
  FAILS(Probe, MPI_ERR_TAG, peer, minus_nine, MPI_COMM_WORLD, &status);
  meet();
}

/* A program that only ever looks for another message gets on with a long one. */
static void progress(void) {
  static char bytes[LARGE];
  MPI_Request request;
  int flag = 0;
  if (rank == 0) {
    bytes[LARGE - 1] = 5;
    MPI_Ssend(bytes, LARGE, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(bytes, LARGE, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request);
    while (!flag)
      MPI_Iprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(&flag, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(bytes[LARGE - 1] == 5);
  }
  meet();
}

int main(int argc, char **argv) {
  volatile int seven = 7, null_process = MPI_PROC_NULL, minus_nine = -9, too_large = 1000;
  MPI_Comm volatile zero = 0;
  int *volatile null = NULL;
  MPI_Comm reversed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  nothing_there(MPI_COMM_WORLD, peer, seven);
  nothing_there(reversed, rank, seven);
  tests_of_nothing();
  found(MPI_COMM_WORLD, 0);
  found(reversed, 1);
  many_ahead();
  something_there();
  posted(0);
  posted(MPI_ANY_SOURCE);
  other_kinds();
  other_communicators();
  nobody(null_process);
  mistakes(minus_nine, too_large, zero, null);
  progress();
  MPI_Comm_free(&reversed);
  return expect_finish();
}

// Options are tried over MPICH, and those that change layouts also over Open MPI.
// RUN: for options in "-Os -fpack-struct" %if !openmpi && !quick %{ -O1 -O2 %}; do \
// RUN:   echo "$options" && \
// RUN:   env MPISPEC_FLAGS=--mpispec-inline-all %specialise %t mpicc -std=c11 $options %s && %everywhere 2 %t || exit 1; \
// RUN: done
// RUN: env MPISPEC_FLAGS=--mpispec-inline-all %behind clang-22 %specialise %t mpicc -std=c11 -O2 %s
// RUN: %everywhere 2 %t
