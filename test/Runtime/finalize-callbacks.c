/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF (MPI-4.0, 11.2.4). Libraries clean up in the callbacks:
 * parallel HDF5 closes its files there. Until the callbacks have returned, ranks may be in any call of MPI. */
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 1000000 };
static int rank, size;
static MPI_Comm used;

/* All ranks: collective operations on a communicator that has been used before. Rank 0 comes late. */
static void clean_up_together(void) {
  int word = rank, sum;
  if (rank == 0)
    usleep(2000);
  MPI_Bcast(&word, 1, MPI_INT, 0, used);
  CHECK(word == 0);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2);
  MPI_Barrier(used);
}

/* Rank 0 alone has a callback. The others take part before they call MPI_Finalize. */
static void meet(void) {
  int sum, word = 42;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2);
  if (rank == size - 1)
    MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Recv(&word, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(word == 42);
}

/* Rank 1 receives the message that the callback of rank 0 sends, and only then a long one that rank 0 has sent before,
 * by a request that it has freed. */
static int in[LONG], out[LONG];
static void send_long(void) {
  MPI_Request request;
  out[LONG - 1] = 5;
  MPI_Isend(out, LONG, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
}
static void send_word(void) {
  int word = 7;
  MPI_Send(&word, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
}
static void receive_both(void) {
  int word = 0;
  MPI_Recv(&word, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(in, LONG, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(word == 7 && in[LONG - 1] == 5);
}

static int call_back(MPI_Comm self, int keyval, void *value, void *extra) {
  (void)self, (void)keyval, (void)extra;
  const union {
    void *value;
    void (*clean_up)(void);
  } callback = {value};
  callback.clean_up();
  return MPI_SUCCESS;
}
static void at_finalize(void (*clean_up)(void)) {
  int keyval;
  const union {
    void (*clean_up)(void);
    void *value;
  } callback = {clean_up};
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_back, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, callback.value);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &used);
  MPI_Barrier(used);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(argv[1], "together")) {
    at_finalize(clean_up_together);
  } else if (!strcmp(argv[1], "alone")) {
    if (rank == 0)
      at_finalize(meet);
    else
      meet();
  } else if (rank == 0) {
    send_long();
    at_finalize(send_word);
  } else if (rank == 1) {
    receive_both();
  }
  MPI_Finalize();
  return passed();
}

// LABEL: core
// DEFINE: %{lanes} = env MPISPEC_MODE=lanes
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t together | FileCheck %s
// RUN: %{lanes} %mpirun -n 2 %t together | FileCheck %s
// RUN: %{lanes} %mpirun -n 3 %t together | FileCheck %s
// RUN: %{lanes} %mpirun -n 3 %t alone | FileCheck %s
// RUN: %{lanes} %mpirun -n 2 %t messages | FileCheck %s
// RUN: %if nodes %{ %{lanes} MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t together | FileCheck %s %}
// RUN: %if nodes %{ %{lanes} MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t alone | FileCheck %s %}
// RUN: %if nodes %{ %{lanes} MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 3 %t messages | FileCheck %s %}

// CHECK: passed
// CHECK: passed
