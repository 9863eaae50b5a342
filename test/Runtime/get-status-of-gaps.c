/* A request that is complete according to MPI_Request_get_status has its data in the buffer (MPI-4.0, section 3.7.6),
 * also if the library unpacks them, as it does for pairs with gaps. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { COUNT = 4 };
struct pair {
  short value;
  int place;
};

static int rank;

static void exchange(MPI_Datatype type, int count, void *buffer, size_t bytes, int source, int way) {
  MPI_Status status;
  MPI_Request request;
  unsigned char expected[COUNT * sizeof(struct pair)];
  int done = 0, elements;
  memcpy(expected, buffer, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    (way == 0 ? MPI_Send : MPI_Ssend)(buffer, count, type, 1, 7, MPI_COMM_WORLD);
    return;
  }
  memset(buffer, 0, bytes);
  MPI_Irecv(buffer, count, type, source, 7, MPI_COMM_WORLD, &request);
  while (!done)
    MPI_Request_get_status(request, &done, way ? &status : MPI_STATUS_IGNORE);
  if (way) {
    MPI_Get_count(&status, type, &elements);
    CHECK(elements == count && status.MPI_SOURCE == 0 && status.MPI_TAG == 7);
  }
  unsigned char *bytes_now = buffer;
  char elements_sent[sizeof expected], elements_now[sizeof expected];
  int different = 0, sent = 0, now = 0;
  MPI_Pack(expected, count, type, elements_sent, sizeof elements_sent, &sent, MPI_COMM_WORLD);
  MPI_Pack(buffer, count, type, elements_now, sizeof elements_now, &now, MPI_COMM_WORLD);
  CHECK(sent && sent == now && !memcmp(elements_sent, elements_now, (size_t)sent));
  for (size_t i = 0; i < bytes; ++i) /* gaps stay zero */
    different += bytes_now[i] && bytes_now[i] != expected[i];
  CHECK(!different && memchr(bytes_now, expected[0], 1) && bytes_now[bytes - sizeof(int)]);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, type, &elements);
  CHECK(elements == count && request == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int way = 0; way < 4; ++way) {
    struct pair pairs[COUNT];
    memset(pairs, 0, sizeof pairs);
    for (int i = 0; i < COUNT; ++i)
      pairs[i] = (struct pair){(short)(i + 1), 100 + i};
    exchange(MPI_SHORT_INT, COUNT, pairs, sizeof pairs, way / 2 ? MPI_ANY_SOURCE : 0, way % 2);
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
