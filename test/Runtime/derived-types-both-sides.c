/* Derived types on either side and on both, in every mode of sending and every way of the bytes. Also zero elements
 * of a null type, MPI_BOTTOM for long messages, and MPI_IN_PLACE where it is allowed. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { MOST = 60000 };
static int rank, size, left, right;
static int in[2 * MOST + 1], out[2 * MOST + 1];
static const int counts[] = {0, 1, 10, 100, 1000, 5000, MOST};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* `count` integers, each second place of memory. */
static MPI_Datatype strided(int count) {
  MPI_Datatype type;
  MPI_Type_vector(count, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

static void fill(int count, int is_strided, int seed) {
  memset(in, 0xff, sizeof in);
  memset(out, 0x7f, sizeof out);
  for (int i = 0; i < count; ++i)
    out[is_strided ? 2 * i : i] = rank + seed + i;
}

static void check(int count, int is_strided, int seed) {
  for (int i = 0; i < count; ++i) {
    CHECK(in[is_strided ? 2 * i : i] == left + seed + i);
    CHECK(!is_strided || in[2 * i + 1] == -1);
  }
  CHECK(in[is_strided ? 2 * count : count] == -1);
}

typedef int start_send(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static start_send *const starts[] = {MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Send_init,
                                     MPI_Ssend_init};
enum { STARTS = sizeof starts / sizeof starts[0] };

/* The type is freed as soon as the call is over: the operation keeps it. */
static void one(int start, int count, int send_strided, int receive_strided, int posted) {
  MPI_Datatype type = strided(count);
  MPI_Request requests[2];
  MPI_Status status;
  const int seed = start + count;
  fill(count, send_strided, seed);
  if (posted)
    MPI_Irecv(in, receive_strided ? 1 : count, receive_strided ? type : MPI_INT, left, 1,
              MPI_COMM_WORLD, &requests[0]);
  starts[start](out, send_strided ? 1 : count, send_strided ? type : MPI_INT, right, 1,
                MPI_COMM_WORLD, &requests[1]);
  if (start > 2)
    MPI_Start(&requests[1]);
  if (posted) {
    MPI_Type_free(&type);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Recv(in, receive_strided ? 1 : count, receive_strided ? type : MPI_INT, MPI_ANY_SOURCE, 1,
             MPI_COMM_WORLD, &status);
    int whole = -1;
    MPI_Get_elements(&status, receive_strided ? type : MPI_INT, &whole);
    CHECK(whole == count);
    MPI_Type_free(&type);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  }
  if (start > 2)
    MPI_Request_free(&requests[1]);
  check(count, receive_strided, seed);
}

static void exchanges(int count) {
  MPI_Datatype type = strided(count);
  fill(count, 1, 3);
  MPI_Sendrecv(out, 1, type, right, 2, in, count, MPI_INT, left, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  check(count, 0, 3);
  fill(count, 1, 4);
  for (int i = 0; i < count; ++i)
    in[2 * i] = out[2 * i];
  MPI_Sendrecv_replace(in, 1, type, right, 2, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(count, 1, 4);
  MPI_Type_free(&type);
}

/* All of it by absolute addresses. */
static void bottom(int count) {
  MPI_Datatype types[2];
  MPI_Aint places[2];
  MPI_Request request;
  MPI_Get_address(in, &places[0]);
  MPI_Get_address(out, &places[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Type_create_hindexed(1, &count, &places[i], MPI_INT, &types[i]);
    MPI_Type_commit(&types[i]);
  }
  for (int way = 0; way < 3; ++way) {
    fill(count, 0, way);
    MPI_Irecv(MPI_BOTTOM, 1, types[0], left, 4, MPI_COMM_WORLD, &request);
    if (way == 0)
      MPI_Send(MPI_BOTTOM, 1, types[1], right, 4, MPI_COMM_WORLD);
    if (way == 1)
      MPI_Bsend(MPI_BOTTOM, 1, types[1], right, 4, MPI_COMM_WORLD);
    if (way == 2)
      MPI_Ssend(MPI_BOTTOM, 1, types[1], right, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(count, 0, way);
  }
  MPI_Type_free(&types[0]);
  MPI_Type_free(&types[1]);
}

/* For zero elements, MPICH checks neither the type nor the buffer. */
static void nothing(void) {
  MPI_Datatype raw;
  MPI_Status status;
  MPI_Request request;
  MPI_Type_contiguous(3, MPI_INT, &raw);
#ifdef OPEN_MPI /* which does */
  const MPI_Datatype types[] = {MPI_CHAR, MPI_FLOAT, MPI_INT, MPI_DOUBLE_INT};
#else
  const MPI_Datatype types[] = {MPI_DATATYPE_NULL, raw, MPI_INT, MPI_DOUBLE_INT};
#endif
  for (int i = 0; i < 16; ++i) {
    int count = -1;
    MPI_Isend(i % 2 ? NULL : MPI_IN_PLACE, 0, types[i % 4], right, i, MPI_COMM_WORLD, &request);
    MPI_Recv(i % 3 ? NULL : MPI_IN_PLACE, 0, types[i / 4], left, i, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(!count && status.MPI_SOURCE == left && status.MPI_TAG == i);
  }
  MPI_Type_free(&raw);
}

/* In collectives, while a receive is under way. */
static void in_place(void) {
  int sum = rank, all[64], word = -1, unexpected;
  MPI_Request request;
  MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2);
  all[rank] = rank;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  sum = rank;
  if (rank == 0)
    MPI_Reduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  else
    MPI_Reduce(&sum, NULL, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  CHECK(rank || sum == size - 1);
  for (int i = 0; i < size; ++i)
    CHECK(all[i] == i);
  MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &unexpected, MPI_STATUS_IGNORE);
  CHECK(!unexpected);
  MPI_Send(&rank, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(word == left);
}

int main(int argc, char **argv) {
  static char buffer[3 * sizeof out];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  MPI_Buffer_attach(buffer, sizeof buffer);
  for (int i = 0; i < COUNTS; ++i) {
    for (int sides = 1; sides < 4; ++sides)
      for (int start = 0; start < STARTS; ++start)
        one(start, counts[i], sides & 1, sides >> 1, (i + start) % 2);
    exchanges(counts[i]);
    bottom(counts[i]);
  }
  nothing();
  in_place();
  MPI_Finalize();
  tell("rank %d of %d did", rank, size);
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 1 %t | FileCheck %s
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 3 %t | FileCheck %s %}
// CHECK: rank 0 of {{[123]}} did
