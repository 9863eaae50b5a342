/* Communicators by MPI_Comm_idup: several at once, completed in any order by any function. */
#include "adopted_rings.h"

static void complete(int way, int count, MPI_Request requests[]) {
  int flag = 0, index, found, indices[16];
  MPI_Status statuses[16];
  switch (way) {
  case 0:
    for (int i = 0; i < count; ++i)
      MPI_Wait(&requests[rank % 2 ? i : count - 1 - i], MPI_STATUS_IGNORE);
    break;
  case 1:
    MPI_Waitall(count, requests, statuses);
    break;
  case 2:
    for (int i = 0; i < count; ++i)
      MPI_Waitany(count, requests, &index, &statuses[0]);
    break;
  case 3:
    for (int done = 0; done < count; done += found)
      MPI_Waitsome(count, requests, &found, indices, statuses);
    break;
  case 4:
    while (!flag)
      MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
    break;
  case 5:
    for (int i = count - 1; i >= 0; --i)
      for (flag = 0; !flag; MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE))
        MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
    break;
  }
  for (int i = 0; i < count; ++i)
    CHECK(requests[i] == MPI_REQUEST_NULL);
}

/* On overlapping communicators, beside a message. */
static void many_idups(void) {
  MPI_Comm half, pair, parents[3];
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  parents[0] = half;
  parents[1] = MPI_COMM_WORLD;
  parents[2] = pair;
  /* (MPICH needs long for it where ranks outnumber cores.) */
  for (int way = 0; way < 6; way += size > 2 ? 3 : 1) {
    MPI_Comm made[9];
    MPI_Request requests[10];
    int in = -1;
    for (int i = 0; i < 9; ++i)
      MPI_Comm_idup(parents[(i + way) % 3], &made[i], &requests[i]);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[9]);
    MPI_Send(&way, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    complete(way, 10, requests);
    CHECK(in == way);
    rings(9, made);
    ADOPTED(made[(4 - way + 3) % 3]); /* the duplicate of MPI_COMM_WORLD */
    free_all(9, made);
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&pair);
}

/* Nobody waits for a rank that has begun and sits in a collective since. */
static void idup_and_barrier(void) {
  MPI_Comm made;
  MPI_Request request;
  int word = rank;
  for (int i = 0; i < 4; ++i) {
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    if (rank % 2)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!(rank % 2))
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&word, 1, MPI_INT, 0, made);
    ADOPTED(made);
    MPI_Comm_free(&made);
  }
}

/* A communicator that was never asked for another has numbers for seven. */
static void numbers_of_a_young_one(void) {
  MPI_Comm young, made[10], grandchild, after;
  MPI_Request requests[10];
  MPI_Comm_dup(MPI_COMM_WORLD, &young);
  for (int i = 0; i < 10; ++i)
    MPI_Comm_idup(young, &made[i], &requests[i]);
  MPI_Waitall(10, requests, MPI_STATUSES_IGNORE);
  rings(10, made);
  for (int i = 0; i < 10; ++i)
    CHECK(is_adopted(made[i]) == (lanes && i < 7));
  MPI_Comm_idup(made[0], &grandchild, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  rings(1, &grandchild);
  CHECK(!is_adopted(grandchild));
  MPI_Comm_dup(young, &after);
  ADOPTED(after);
  MPI_Comm_free(&after);
  MPI_Comm_free(&grandchild);
  MPI_Comm_idup(young, &after, &requests[0]);
  MPI_Comm_free(&young); /* while it is being copied */
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  rings(1, &after);
  ADOPTED(after);
  MPI_Comm_free(&after);
  free_all(10, made);
}

static void with_info(void) {
  MPI_Comm made;
  MPI_Request request;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ADOPTED(made);
  rings(1, &made);
  MPI_Comm_free(&made);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  many_idups();
  idup_and_barrier();
  numbers_of_a_young_one();
  with_info();
  return end();
}

// Open MPI 4.1 alone crashes or hangs where several MPI_Comm_idup overlap.
// UNSUPPORTED: openmpi
//
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{lanes} = env MPISPEC_MODE=lanes
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s --check-prefix=OFF
// RUN: %{lanes} %mpirun -n 1 %t | FileCheck %s
// RUN: %{lanes} %mpirun -n 3 %t | FileCheck %s
// RUN: %if nodes %{ %{lanes} MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// OFF: all communicators did, without
// CHECK: all communicators did, with lanes
