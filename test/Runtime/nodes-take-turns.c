/* Receives and probes from any source reach a message of another node while messages of this node are there. */
#include "check.h"

#include <mpi.h>

enum { MESSAGES = 40, TAG = 3, HERE = 2, ELSEWHERE = 1 };
enum kind { RECV, IRECV, PERSISTENT, PROBE, MPROBE, KINDS };

static int rank;
static char byte;

/* Receives one message. Returns its source. */
static int receive(enum kind kind) {
  MPI_Request request;
  MPI_Message message;
  MPI_Status status;
  switch (kind) {
  case RECV:
    MPI_Recv(&byte, 1, MPI_CHAR, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    break;
  case IRECV:
    MPI_Irecv(&byte, 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    break;
  case PERSISTENT:
    MPI_Recv_init(&byte, 1, MPI_CHAR, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
    break;
  case PROBE:
    MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(&byte, 1, MPI_CHAR, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status);
    break;
  default:
    MPI_Mprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&byte, 1, MPI_CHAR, &message, &status);
  }
  CHECK(byte == 'a' + status.MPI_SOURCE);
  return status.MPI_SOURCE;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int kind = RECV; kind < KINDS; ++kind) {
    int seen_here = 0, seen_elsewhere = 0, before = 0;
    byte = (char)('a' + rank);
    for (int i = 0; rank == HERE && i < MESSAGES; ++i)
      MPI_Send(&byte, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    if (rank == ELSEWHERE)
      MPI_Send(&byte, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i <= MESSAGES; ++i) {
      const int source = receive(kind);
      seen_here += source == HERE;
      if (source == ELSEWHERE) {
        ++seen_elsewhere;
        before = seen_here;
      }
    }
    CHECK(rank || (seen_here == MESSAGES && seen_elsewhere == 1));
    CHECK(rank || before < MESSAGES);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// REQUIRES: nodes
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
