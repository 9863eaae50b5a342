/* Correct programs that end in unusual ways. One rank alone has a persistent request, or a freed receive, on a
 * communicator that all ranks have freed. An attribute's deletion callback frees a request in MPI_Finalize, or uses the
 * communicator that is being freed. The program clears its environment. */
#define _GNU_SOURCE
#include "check.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, word;
static MPI_Request request;

/* The other ranks of the node have freed the communicator when this rank finalizes. */
static void keep_communicator(int is_persistent) {
  MPI_Comm communicator;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Barrier(communicator);
  if (rank == 0 && is_persistent) {
    MPI_Recv_init(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, communicator, &request);
  } else if (rank == 0) {
    MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, communicator, &request);
    MPI_Request_free(&request);
  }
  MPI_Comm_free(&communicator);
  if (rank == 0)
    usleep(100 * 1000);
}

static int free_request(MPI_Comm communicator, int keyval, void *value, void *extra) {
  (void)communicator, (void)keyval, (void)extra;
  return MPI_Request_free(value);
}

static void free_in_callback(void) {
  int keyval;
  MPI_Send_init(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_request, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &request);
}

/* Rank 0 is late in its callback. */
static int meet(MPI_Comm communicator, int keyval, void *value, void *extra) {
  (void)keyval, (void)value, (void)extra;
  int sum = 0, size;
  if (rank == 0)
    usleep(300 * 1000);
  MPI_Comm_size(communicator, &size);
  MPI_Barrier(communicator);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicator);
  CHECK(sum == size * (size - 1) / 2);
  return MPI_SUCCESS;
}

static void meet_in_callback(void) {
  int keyval;
  MPI_Comm communicator;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Barrier(communicator);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, meet, &keyval, NULL);
  MPI_Comm_set_attr(communicator, keyval, NULL);
  MPI_Comm_free(&communicator);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void clear_environment(void) {
  double one = 1, sum = 0;
  int size;
  CHECK(!clearenv());
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(argv[1], "environment"))
    clear_environment();
  else if (!strcmp(argv[1], "callback"))
    free_in_callback();
  else if (!strcmp(argv[1], "meeting"))
    meet_in_callback();
  else
    keep_communicator(!strcmp(argv[1], "persistent"));
  MPI_Finalize();
  return rank ? 0 : passed();
}

// Open MPI reads the environment in MPI_Finalize.
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: for what in callback meeting persistent freed %if mpich %{ environment %}; do \
// RUN:   env MPISPEC_MODE=lanes %mpirun -n 3 %t $what | FileCheck %s || exit 1; done
// RUN: %if nodes %{ for what in meeting persistent freed; do \
// RUN:   env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t $what | FileCheck %s || exit 1; done %}
// CHECK: passed
