/* Derived types on either side, parts of elements, absolute addresses, types freed in flight and
 * unseen, types with large counts. */
#include "../Inputs/mpi3.h"
#include "check.h"

#include <mpi.h>
#include <string.h>

static int rank;

/* Sends `bytes` raw bytes, receives them into `count` of a type; shows counts and the buffer. */
static void receive_into(const char *name, MPI_Datatype type, int count, int bytes) {
  unsigned char out[256], in[512];
  for (int i = 0; i < 256; ++i)
    out[i] = (unsigned char)(i + 1);
  memset(in, 0, sizeof in);
  if (rank == 0) {
    MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    return;
  }
  MPI_Status status;
  int whole, elements;
  MPI_Recv(in, count, type, 0, 0, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &whole);
  MPI_Get_elements(&status, type, &elements);
  unsigned sum = 0;
  for (unsigned i = 0; i < sizeof in; ++i)
    sum = sum * 31 + in[i];
  printf("%s: count %d, elements %d, sum %u\n", name, whole, elements, sum);
}

static void kinds(void) {
  MPI_Datatype vector, structure, resized, backwards, row, copy;
  const int lengths[2] = {1, 2}, places[2] = {3, 0};
  const MPI_Aint offsets[2] = {0, 8};
  const MPI_Datatype types[2] = {MPI_CHAR, MPI_INT};
  MPI_Type_vector(4, 2, 3, MPI_SHORT, &vector);
  MPI_Type_create_struct(2, lengths, offsets, types, &structure);
  MPI_Type_create_resized(MPI_INT, 0, 12, &resized);
  MPI_Type_indexed(2, lengths, places, MPI_INT, &backwards); /* dense, but out of order */
  MPI_Type_contiguous(5, MPI_INT, &row);
  MPI_Type_dup(row, &copy);
  MPI_Datatype all[] = {vector, structure, resized, backwards, row, copy};
  const char *names[] = {"vector", "struct", "resized", "backwards", "row", "copy"};
  for (int i = 0; i < 6; ++i) {
    MPI_Type_commit(&all[i]);
    receive_into(names[i], all[i], 2, 2 * (i == 1 ? 9 : 4));
    receive_into(names[i], all[i], 8, 28); /* ends within an element */
    receive_into(names[i], all[i], 3, 0);
    MPI_Type_free(&all[i]);
  }
  receive_into("pair", MPI_DOUBLE_INT, 2, 24);
  receive_into("pair of shorts", MPI_SHORT_INT, 3, 12);
}

static void absolute_addresses(void) {
  int data[3] = {rank ? 0 : 17, 18, rank ? 0 : 19};
  MPI_Aint places[2];
  const int ones[2] = {1, 1};
  const MPI_Datatype ints[2] = {MPI_INT, MPI_INT};
  MPI_Datatype both;
  MPI_Get_address(&data[0], &places[0]);
  MPI_Get_address(&data[2], &places[1]);
  MPI_Type_create_struct(2, ones, places, ints, &both);
  MPI_Type_commit(&both);
  for (int is_synchronous = 0; is_synchronous < 2; ++is_synchronous)
    if (rank == 1) {
      data[0] = data[2] = 0;
      MPI_Recv(MPI_BOTTOM, 1, both, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(data[0] == 17 && data[1] == 18 && data[2] == 19);
    } else if (is_synchronous) {
      MPI_Ssend(MPI_BOTTOM, 1, both, 1, 0, MPI_COMM_WORLD);
    } else {
      MPI_Send(MPI_BOTTOM, 1, both, 1, 0, MPI_COMM_WORLD);
    }
  MPI_Type_free(&both);
}

/* The type goes before its receive is over, and another takes its handle. */
static void freed_in_flight(void) {
  int out[8] = {1, 2, 3, 4, 5, 6, 7, 8}, in[16] = {0};
  MPI_Datatype every_other, other;
  MPI_Request request;
  if (rank == 1) {
    MPI_Type_vector(8, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Irecv(in, 1, every_other, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Type_free(&every_other);
    MPI_Type_contiguous(2, MPI_INT, &other);
    MPI_Type_commit(&other);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Send(out, 8, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; ++i)
      CHECK(in[2 * i] == i + 1 && in[2 * i + 1] == 0);
    MPI_Type_free(&other);
  }
}

/* A type ends where the runtime sees no call, as in a library's own calls of PMPI. The next type has its handle and
 * another layout. The same happens to a duplicate, which has other attributes. */
static void freed_unseen(void) {
  MPI_Datatype type, copy = MPI_DATATYPE_NULL;
  int reused = 0;
  for (int stride = 1; stride < 6; ++stride) {
    int out[4] = {10, 11, 12, 13}, in[32] = {0}, again[32] = {0};
    const MPI_Datatype old_copy = copy;
    MPI_Type_vector(4, 1, stride, MPI_INT, &type);
    MPI_Type_commit(&type);
    reused += type == old_copy;
    if (rank == 0) {
      MPI_Send(out, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Send(out, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1)
      MPI_Recv(in, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_dup(type, &copy);
    const MPI_Datatype handle = copy;
    PMPI_Type_free(&type);
    if (rank == 1)
      MPI_Recv(again, 1, copy, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    PMPI_Type_free(&copy);
    copy = handle;
    for (int i = 0; rank && i < 32; ++i) {
      const int value = i % stride || i / stride > 3 ? 0 : 10 + i / stride;
      CHECK(in[i] == value && again[i] == value);
    }
  }
  CHECK(reused == 4);
}

/* Made with large counts: the MPI library tells what such a type was made of to nobody who does not
 * ask with large counts. */
static void large_counts(void) {
  MPI_Datatype type;
  int out[6] = {1, 2, 3, 4, 5, 6}, in[12] = {0};
  MPI_Type_vector_c(6, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  if (rank == 0)
    MPI_Send(out, 6, MPI_INT, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(in, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; rank && i < 6; ++i)
    CHECK(in[2 * i] == i + 1 && !in[2 * i + 1]);
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  kinds();
  freed_unseen();
  large_counts();
  absolute_addresses();
  freed_in_flight();
  MPI_Finalize();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// CHECK-DAG: exit 0
// CHECK-DAG: backwards: count -32766, elements 7
