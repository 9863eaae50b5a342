/* Probes and receives with wildcards read the heads of lanes first. Some messages they must neither take from there
 * nor miss. These messages are kept, of several cells, or too long, or belong to posted receives or to other
 * communicators. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { MANY = 700, LONGEST = 150000 };

static int rank, size;

static int probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  int flag = -1;
  /* Messages that were sent before a barrier have come, but the library may need a while to see them. */
  for (int i = 0; i < 1000 && flag != 1; ++i)
    MPI_Iprobe(source, tag, comm, &flag, status);
  return flag;
}

static int receive(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  int value = -1;
  MPI_Recv(&value, 1, MPI_INT, source, tag, comm, status);
  return value;
}

/* Tag 1 is kept when the receive of tag 2 goes past it. */
static void kept_elsewhere(void) {
  MPI_Status status;
  for (int value = 1; rank == 1 && value <= 3; ++value)
    MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    CHECK(receive(1, 3, MPI_COMM_WORLD, &status) == 3);
    CHECK(probe(1, 1, MPI_COMM_WORLD, &status) == 1 && status.MPI_TAG == 1);
    CHECK(probe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 1 && status.MPI_TAG == 1);
    CHECK(probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 1 && status.MPI_TAG == 1);
    CHECK(probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status) == 1 && status.MPI_SOURCE == 1);
    CHECK(probe(1, 3, MPI_COMM_WORLD, &status) == 0);
    CHECK(receive(1, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 1 && status.MPI_TAG == 1);
    CHECK(receive(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status) == 2 && status.MPI_SOURCE == 1);
    CHECK(probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A message for a posted receive is not for a probe, nor for a receive that comes later. */
static void posted(int source) {
  int out[2] = {50, 60}, in[2] = {0, 0};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  if (rank == 0)
    MPI_Irecv(&in[0], 1, MPI_INT, source, 5, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Send(&out[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Send(&out[1], 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    CHECK(probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 1);
    CHECK(probe(1, 5, MPI_COMM_WORLD, &status) == 1);
    CHECK(receive(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 60);
    CHECK(probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 0);
    MPI_Wait(&request, &status);
    CHECK(in[0] == 50 && status.MPI_SOURCE == 1 && status.MPI_TAG == 5);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Ranks in a communicator the other way round; a message of another communicator before. */
static void communicators(void) {
  MPI_Comm other;
  MPI_Status status;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other);
  const int to = size - 1; /* rank 0 of the world */
  int in_world = 7, in_other = 8;
  if (rank == 1) {
    MPI_Send(&in_world, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Send(&in_other, 1, MPI_INT, to, 3, other);
  }
  MPI_Barrier(other);
  if (rank == 0) {
    CHECK(probe(MPI_ANY_SOURCE, 3, other, &status) == 1 && status.MPI_SOURCE == size - 2);
    CHECK(receive(MPI_ANY_SOURCE, MPI_ANY_TAG, other, &status) == 8);
    CHECK(status.MPI_SOURCE == size - 2 && status.MPI_TAG == 3);
    CHECK(probe(MPI_ANY_SOURCE, MPI_ANY_TAG, other, &status) == 0);
    CHECK(receive(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 7);
    CHECK(status.MPI_SOURCE == 1);
  }
  MPI_Barrier(other);
  MPI_Comm_free(&other);
}

/* The same in calls with constant arguments: their templates read the heads themselves. */
static void constant_wildcards(void) {
  double in = 0, out = rank;
  MPI_Status status;
  for (int peer = 0; peer < size; ++peer)
    for (int n = 0; n < 3 && peer != rank; ++n)
      MPI_Send(&out, 1, MPI_DOUBLE, peer, n, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int peer = 0; peer < size; ++peer) {
    if (peer == rank)
      continue;
    MPI_Recv(&in, 1, MPI_DOUBLE, peer, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    CHECK(in == peer && status.MPI_SOURCE == peer && status.MPI_TAG == 0);
    MPI_Recv(&in, 1, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int n = 1, peers = 0; n < size; ++n) {
    MPI_Recv(&in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, n % 2 ? 2 : MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    CHECK(in == status.MPI_SOURCE && status.MPI_TAG == 2 && !(peers >> status.MPI_SOURCE & 1));
    peers |= 1 << status.MPI_SOURCE;
  }
  MPI_Recv(&in, 1, MPI_DOUBLE, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* In one cell, in some, in a block, and longer. */
static int length_of(int i) {
  return i % 50 == 49 ? LONGEST : i % 10 == 9 ? 500 : i % 10 == 4 ? 200 : i % 60;
}

/* Messages of all lengths from everyone else, more than lanes have room for: those of a rank in
 * their order. */
static void many(void) {
  static unsigned char bytes[LONGEST];
  int next[64] = {0};
  for (int i = 0; rank && i < MANY; ++i) {
    memset(bytes, i, (size_t)length_of(i));
    MPI_Send(bytes, length_of(i), MPI_BYTE, 0, i, MPI_COMM_WORLD);
  }
  for (int n = 0; rank == 0 && n < MANY * (size - 1); ++n) {
    MPI_Status status, probed;
    int length;
    if (n % 3 == 1)
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &probed);
    MPI_Recv(bytes, LONGEST, MPI_BYTE, n % 3 == 1 ? probed.MPI_SOURCE : MPI_ANY_SOURCE, MPI_ANY_TAG,
             MPI_COMM_WORLD, &status);
    const int i = next[status.MPI_SOURCE]++;
    MPI_Get_count(&status, MPI_BYTE, &length);
    CHECK(status.MPI_TAG == i && length == length_of(i));
    CHECK(!length || (bytes[0] == (unsigned char)i && bytes[length - 1] == (unsigned char)i));
    if (n % 3 == 1) {
      MPI_Get_count(&probed, MPI_BYTE, &length);
      CHECK(probed.MPI_TAG == i && length == length_of(i));
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A message longer than the room for it is an error, and gone; what comes behind it is whole. */
static void truncated(int length) {
  static unsigned char bytes[LONGEST];
  MPI_Status status;
  if (rank == 1) {
    MPI_Send(bytes, length, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    memset(bytes, 3, (size_t)length);
    MPI_Send(bytes, length, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    memset(bytes, 0, (size_t)length);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int class = MPI_SUCCESS, got = 0;
    bytes[length - 1] = 7;
    const int error = MPI_Recv(bytes, length - 1, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
                               MPI_COMM_WORLD, &status);
    MPI_Error_class(error, &class);
    CHECK(class == MPI_ERR_TRUNCATE && bytes[length - 1] == 7);
    CHECK(MPI_Recv(bytes, length + 1, MPI_BYTE, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status) ==
          MPI_SUCCESS);
    MPI_Get_count(&status, MPI_BYTE, &got);
    CHECK(got == length && status.MPI_TAG == 1 && bytes[0] == 3 && bytes[length - 1] == 3);
    CHECK(probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Calls that find nothing make progress with what else is under way: the long message comes from a
 * rank that from then on only asks. */
static void asking(void) {
  static int large[LONGEST];
  int small = 0, flag = 0, index, count = 0, indices[1];
  MPI_Request requests[2];
  for (int how = 0; how < 5; ++how) {
    flag = 0;
    if (rank == 0) {
      MPI_Irecv(&small, 1, MPI_INT, 1, how, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(large, LONGEST, MPI_INT, 1, how, MPI_COMM_WORLD, &requests[1]);
      while (!flag)
        switch (how) {
        case 0:
          MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
          break;
        case 1:
          MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
          break;
        case 2:
          MPI_Testall(1, requests, &flag, MPI_STATUSES_IGNORE);
          break;
        case 3:
          MPI_Testsome(1, requests, &count, indices, MPI_STATUSES_IGNORE);
          flag = count == 1;
          break;
        default:
          MPI_Iprobe(MPI_ANY_SOURCE, how + 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
      if (how == 4)
        receive(1, how + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      CHECK(small == how + 100);
    } else if (rank == 1) {
      small = how + 100;
      MPI_Recv(large, LONGEST, MPI_INT, 0, how, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (how == 4)
        MPI_Send(&small, 1, MPI_INT, 0, how + 1, MPI_COMM_WORLD);
      MPI_Send(&small, 1, MPI_INT, 0, how, MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* With an argument, with MPI_THREAD_MULTIPLE, where calls take a lock. */
int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  kept_elsewhere();
  posted(1);
  posted(MPI_ANY_SOURCE);
  communicators();
  constant_wildcards();
  many();
  for (int length = 16; length <= 2000; length *= 5)
    truncated(length);
  asking();
  MPI_Finalize();
  if (rank == 0)
    tell("as MPI says");
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// Without lanes, MPICH 5's error for a message that is too long has no class.
// RUN: %if mpich5 %{ env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s %}
// RUN: %if mpich5 %{ env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s %}
// RUN: %if !mpich5 %{ %both -n 2 %t | FileCheck %s %}
// RUN: %if !mpich5 %{ %both -n 3 %t | FileCheck %s %}
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 3 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t multiple | FileCheck %s
// CHECK: as MPI says
