// Uses of collective operations that look odd and are legal: no rank may report that others are in a different one.
// Ranks describe the same bytes in different ways, or leave out arguments that matter only at other ranks. They
// contribute nothing, come late, and use communicators in different orders.
#include "../Inputs/mpi3.h"
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int rank, size, is_odd;
static double a[64], b[64];
static int counts[16], places[16];

#define OK(CALL) CHECK((CALL) == MPI_SUCCESS)

/* So that those who wait begin to doubt. */
static void come_late(int who) {
  if (rank == who % size)
    usleep(30000);
}

/* The same bytes, otherwise described. */
static void types(MPI_Comm comm) {
  MPI_Datatype pair, strided;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_vector(4, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&pair);
  MPI_Type_commit(&strided);
  OK(is_odd ? MPI_Bcast(a, 2, MPI_DOUBLE, 0, comm) : MPI_Bcast(a, 1, pair, 0, comm));
  OK(is_odd ? MPI_Bcast(a, 16, MPI_BYTE, 0, comm) : MPI_Bcast(a, 1, strided, 0, comm));
  OK(is_odd ? MPI_Gather(a, 1, pair, b, 2, MPI_DOUBLE, size - 1, comm)
            : MPI_Gather(a, 2, MPI_DOUBLE, b, 1, pair, size - 1, comm));
  OK(is_odd ? MPI_Scatter(a, 1, pair, b, 2, MPI_DOUBLE, 0, comm)
            : MPI_Scatter(a, 2, MPI_DOUBLE, b, 1, pair, 0, comm));
  OK(is_odd ? MPI_Allgather(a, 1, pair, b, 2, MPI_DOUBLE, comm)
            : MPI_Allgather(a, 16, MPI_BYTE, b, 1, pair, comm));
  OK(is_odd ? MPI_Alltoall(a, 1, pair, b, 2, MPI_DOUBLE, comm)
            : MPI_Alltoall(a, 1, strided, b, 4, MPI_INT, comm));
  OK(MPI_Allreduce(a, b, 2, is_odd ? MPI_LONG : MPI_INT64_T, MPI_SUM, comm));
  OK(MPI_Allreduce(a, b, 2, is_odd ? MPI_INTEGER : MPI_INT, MPI_MAX, comm));
  a[0] = rank + 1;
  OK(MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, comm));
  OK(MPI_Allreduce(a, b + 1, 1, is_odd ? MPI_DOUBLE_PRECISION : MPI_DOUBLE, MPI_SUM, comm));
  CHECK(b[0] == b[1]);
  OK(is_odd ? MPI_Allreduce_c(a, b, 2, MPI_DOUBLE, MPI_SUM, comm)
            : MPI_Allreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, comm));
  OK(is_odd ? MPI_Bcast_c(a, 2, MPI_DOUBLE, 1 % size, comm)
            : MPI_Bcast(a, 2, MPI_DOUBLE, 1 % size, comm));
  MPI_Type_free(&pair);
  MPI_Type_free(&strided);
}

/* Arguments that are significant at the root only are nonsense elsewhere. In place is used at the root only, or at
 * some ranks of operations that allow it there. */
static void roots(MPI_Comm comm) {
  const int root = size - 1, is_root = rank == root;
  OK(MPI_Reduce(is_root ? MPI_IN_PLACE : a, is_root ? a : NULL, 3, MPI_DOUBLE, MPI_SUM, root, comm));
  OK(is_root ? MPI_Gather(MPI_IN_PLACE, -5, MPI_DATATYPE_NULL, b, 1, MPI_DOUBLE, root, comm)
             : MPI_Gather(a, 1, MPI_DOUBLE, NULL, -7, MPI_DATATYPE_NULL, root, comm));
  OK(is_root ? MPI_Scatter(b, 1, MPI_DOUBLE, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, root, comm)
             : MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, a, 1, MPI_DOUBLE, root, comm));
  OK(MPI_Allreduce(is_odd ? MPI_IN_PLACE : a, b, 1, MPI_DOUBLE, MPI_MIN, comm));
  OK(MPI_Scan(is_odd ? MPI_IN_PLACE : a, b, 2, MPI_DOUBLE, MPI_SUM, comm));
  OK(MPI_Exscan(a, b, 2, MPI_DOUBLE, MPI_SUM, comm));
  OK(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_DOUBLE, comm));
  OK(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_DOUBLE, comm));
}

static void fill(int mine) {
  for (int i = 0; i < size; ++i) {
    counts[i] = mine < 0 ? i : mine;
    places[i] = 3 * i;
  }
}

/* Lengths that differ, and are nothing at some. */
static void lengths(MPI_Comm comm) {
  fill(-1);
  OK(MPI_Gatherv(a, rank, MPI_DOUBLE, b, counts, places, MPI_DOUBLE, 0, comm));
  OK(MPI_Scatterv(a, counts, places, MPI_DOUBLE, b, rank, MPI_DOUBLE, 0, comm));
  OK(MPI_Allgatherv(a, rank, MPI_DOUBLE, b, counts, places, MPI_DOUBLE, comm));
  OK(MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, comm));
  int sent[16], received[16], zero[16] = {0};
  for (int i = 0; i < size; ++i) {
    sent[i] = (rank + i) % 2;
    received[i] = (rank + i) % 2;
  }
  OK(MPI_Alltoallv(a, sent, places, MPI_DOUBLE, b, received, places, MPI_DOUBLE, comm));
  OK(MPI_Alltoallv(a, zero, places, MPI_DOUBLE, b, zero, places, MPI_DOUBLE, comm));
  OK(MPI_Gather(is_odd ? NULL : a, 0, MPI_DOUBLE, b, 0, MPI_DOUBLE, 0, comm));
  OK(MPI_Bcast(is_odd ? NULL : a, 0, is_odd ? MPI_INT : MPI_DOUBLE, 0, comm));
  OK(MPI_Allreduce(a, b, 0, MPI_DOUBLE, MPI_SUM, comm));
  OK(MPI_Reduce_scatter_block(a, b, 0, MPI_DOUBLE, MPI_SUM, comm));
}

/* Roots have room for more than they get, and for far more than a step takes. MPI requires both to be equal, and
 * libraries accept it. Each rank sends another length, roots change, and senders run ahead.
 */
static void rooms(MPI_Comm comm) {
  enum { ROOM = 40000 };
  static const int sent[] = {1, 3, 700, 20000, ROOM};
  static double many[ROOM], all[16 * ROOM];
  int room[16], place[16];
  for (int i = 0; i < ROOM; ++i)
    many[i] = rank + 1;
  for (int i = 0; i < size; ++i) {
    room[i] = ROOM;
    place[i] = i * ROOM;
  }
  for (int i = 0; i < 60; ++i) {
    const int root = i / 3 % size;
    for (int k = 0; k < size * ROOM; ++k)
      all[k] = -1;
    if (i % 7 == 0)
      come_late(i);
    OK(MPI_Gatherv(many, sent[(i + rank) % 5], MPI_DOUBLE, all, room, place, MPI_DOUBLE, root,
                   comm));
    for (int k = 0; rank == root && k < size * ROOM; ++k) {
      const int from = k / ROOM, length = sent[(i + from) % 5];
      CHECK(all[k] == (k % ROOM < length ? from + 1 : -1));
    }
  }
  OK(MPI_Allreduce(&is_odd, room, 1, MPI_INT, MPI_SUM, comm));
  CHECK(room[0] == size / 2);
}

/* Roots that run ahead, ranks that come late, one after the other. */
static void pace(MPI_Comm comm) {
  static double many[40000], sums[40000];
  for (int i = 0; i < 40; ++i)
    OK(MPI_Bcast(a, i % 6 + 1, MPI_DOUBLE, i / 20 % size, comm));
  for (int i = 0; i < 40; ++i)
    OK(MPI_Reduce(a, b, i % 6 + 1, MPI_DOUBLE, MPI_SUM, i / 20 % size, comm));
  for (int who = 0; who < size; ++who) {
    come_late(who);
    OK(MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, comm));
    come_late(who + 1);
    OK(MPI_Bcast(many, 40000, MPI_DOUBLE, who, comm));
    come_late(who);
    OK(MPI_Reduce(a, b, 1, MPI_DOUBLE, MPI_SUM, who, comm));
    come_late(who + 1);
    OK(MPI_Scan(many, sums, 20000, MPI_DOUBLE, MPI_SUM, comm));
    come_late(who);
    OK(MPI_Allreduce(many, sums, 40000, MPI_DOUBLE, MPI_MAX, comm));
    come_late(who + 2);
    OK(MPI_Alltoall(many, 5000, MPI_DOUBLE, sums, 5000, MPI_DOUBLE, comm));
    come_late(who);
    OK(MPI_Barrier(comm));
  }
}

/* Different operations at a time on different communicators, some freed while others still wait. */
static void communicators(MPI_Comm comm) {
  for (int i = 0; i < 12; ++i) {
    MPI_Comm half, copy;
    OK(MPI_Comm_split(comm, is_odd, -rank, &half));
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    OK(is_odd ? MPI_Barrier(half) : MPI_Allreduce(a, b, i + 1, MPI_INT, MPI_SUM, half));
    OK(MPI_Comm_dup(comm, &copy));
    if (is_odd)
      OK(MPI_Bcast(a, 1, MPI_DOUBLE, 0, half));
    OK(MPI_Bcast(a, 1, MPI_DOUBLE, i % size, copy));
    come_late(i);
    OK(MPI_Comm_free(&half));
    OK(i % 2 ? MPI_Comm_free(&copy) : MPI_Comm_disconnect(&copy));
  }
}

static void own_operation(void *in, void *out, int *count, MPI_Datatype *type) {
  (void)in, (void)out, (void)count, (void)type;
}

/* Calls of the MPI library, in between. */
static void others(MPI_Comm comm) {
  MPI_Request request;
  MPI_Op op;
  MPI_Op_create(own_operation, 1, &op);
  OK(MPI_Allreduce(a, b, 1, MPI_DOUBLE, op, comm));
  OK(MPI_Ibarrier(comm, &request));
  OK(MPI_Bcast(a, 1, MPI_DOUBLE, 0, comm));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  OK(MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, comm));
  MPI_Op_free(&op);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  is_odd = rank % 2;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i) {
    types(MPI_COMM_WORLD);
    roots(MPI_COMM_WORLD);
    lengths(MPI_COMM_WORLD);
    others(MPI_COMM_WORLD);
  }
  rooms(MPI_COMM_WORLD);
  pace(MPI_COMM_WORLD);
  communicators(MPI_COMM_WORLD);
  come_late(1);
  OK(MPI_Bcast(a, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD)); /* the root is in MPI_Finalize before others */
  OK(MPI_Finalize());
  return passed();
}

// LABEL: core
// RUN: %mpicc -w %s -I%S -o %t %runtime
// RUN: %mpirun -n 1 %t | FileCheck %s
// RUN: %mpirun -n 2 %t | FileCheck %s
// RUN: %mpirun -n 4 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
