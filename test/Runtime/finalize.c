/* A rank that has nothing left to do enters MPI_Finalize while others have still to read its messages. Some are short
 * or of middle size, and long ones were buffered or had their requests freed. */
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { LARGE = 300000 };
static const int sizes[] = {0, 8, 1000, 5000, 65536, LARGE};
enum { SIZES = sizeof sizes / sizeof sizes[0] };
static int rank, size;
static char out[SIZES][LARGE], in[LARGE], buffer[4 * LARGE];

static void nap(int milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000L};
  nanosleep(&time, NULL);
}

static void send_all(int to) {
  MPI_Request request;
  MPI_Buffer_attach(buffer, sizeof buffer);
  for (int i = 0; i < SIZES; ++i) {
    memset(out[i], 'a' + i, sizeof out[i]);
    MPI_Isend(out[i], sizes[i], MPI_CHAR, to, i, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Bsend(out[i], sizes[i], MPI_CHAR, to, SIZES + i, MPI_COMM_WORLD);
  }
}

static void receive_all(int from) {
  for (int tag = 2 * SIZES - 1; tag >= 0; --tag) {
    const int bytes = sizes[tag % SIZES];
    memset(in, 0, sizeof in);
    MPI_Recv(in, LARGE, MPI_CHAR, tag % 3 ? from : MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    CHECK(!bytes || (in[0] == 'a' + tag % SIZES && in[bytes - 1] == in[0]));
    nap(5);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  const int reader = size > 2 ? 2 : 1;
  if (rank == 0) {
    send_all(reader);
  } else if (rank == reader) {
    nap(300); /* by then, rank 0 waits in there */
    receive_all(0);
    tell("all came from a rank that was leaving");
  }
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// CHECK: all came from a rank that was leaving
