/* mpispec_receive_has_news, by which parked threads look at lanes: the heads of the lanes on which a receive waits, and
 * whether one of them has a message. A stream from a rank for which no receive is posted is received by another thread.
 * It does not count as movement, because the parked thread would look ever more rarely for its own message. */
#include "check.h"
#include "p2p/receiver.h"

#include <mpi.h>

static int rank, number;

static void receive_from(int peer) { MPI_Recv(&number, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void send_to(int peer) { MPI_Send(&number, 1, MPI_INT, peer, 1, MPI_COMM_WORLD); }

/* Asks `peer` for a message, and lets it come. */
static void ask(int peer) {
  uintptr_t heads;
  send_to(peer);
  for (double end = MPI_Wtime() + 20; !mpispec_receive_has_head(peer) && MPI_Wtime() < end;)
    mpispec_receive_has_news(&heads);
  CHECK(mpispec_receive_has_head(peer));
}

/* A message of another tag comes on a lane on which `request` waits. Then the awaited one comes. */
static void check_awaited(int peer, MPI_Request *request, const int *answer) {
  uintptr_t before, heads;
  CHECK(!mpispec_receive_has_news(&before));
  ask(peer);
  CHECK(mpispec_receive_has_news(&heads) && heads == before);
  receive_from(peer);
  CHECK(!mpispec_receive_has_news(&heads) && heads != before);
  send_to(peer);
  MPI_Wait(request, MPI_STATUS_IGNORE);
  CHECK(*answer == peer);
}

static void listen(void) {
  uintptr_t before, heads;
  MPI_Request request;
  int late = -1;
  for (int peer = 1; peer <= 2; ++peer) { /* lanes without any message so far do not count */
    ask(peer);
    receive_from(peer);
  }
  MPI_Irecv(&late, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &request);
  CHECK(!mpispec_receive_has_news(&before));
  for (int i = 0; i < 10; ++i) { /* nothing is posted for rank 1 */
    ask(1);
    CHECK(!mpispec_receive_has_news(&heads) && heads == before);
    receive_from(1);
    CHECK(!mpispec_receive_has_news(&heads) && heads == before);
  }
  check_awaited(2, &request, &late);
  MPI_Irecv(&late, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
  check_awaited(1, &request, &late);
}

/* Answers with tag 1 `times` times, then with tag 2. */
static void answer(int times) {
  for (int i = 0; i < times; ++i) {
    receive_from(0);
    send_to(0);
  }
  receive_from(0);
  MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    listen();
  else
    answer(rank == 1 ? 12 : 2);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// CHECK: passed
