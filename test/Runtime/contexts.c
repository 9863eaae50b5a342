/* Context ids run out (this runtime has four blocks of 256). Then those of dead communicators are used again. If
 * there are none, communicators are the MPI library's. */
#include "adopted.h"
#include "check.h"

#include <mpi.h>

static int rank, size;

static void ring(MPI_Comm comm, int word) {
  int in = -1, me, all;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  MPI_Sendrecv(&word, 1, MPI_INT, (me + 1) % all, 3, &in, 1, MPI_INT, (me + all - 1) % all, 3, comm,
               MPI_STATUS_IGNORE);
  CHECK(in == word);
}

/* More at once than there are numbers; each gets its own messages, all of them
 * under way at once. */
static void too_many(void) {
  enum { MANY = 300 };
  static MPI_Comm made[MANY];
  static MPI_Request requests[MANY];
  static int in[MANY];
  int adopted = 0;
  for (int i = 0; i < MANY; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &made[i]);
  for (int i = MANY - 1; i >= 0; --i) {
    adopted += is_adopted(made[i]);
    MPI_Irecv(&in[i], 1, MPI_INT, (rank + size - 1) % size, 0, made[i], &requests[i]);
  }
  for (int i = 0; i < MANY; ++i)
    MPI_Send(&i, 1, MPI_INT, (rank + 1) % size, 0, made[i]);
  MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < MANY; ++i) {
    CHECK(in[i] == i);
    MPI_Comm_free(&made[i]);
  }
  CHECK(adopted >= 16 && adopted < MANY);
}

/* Used again while a receive is under way on the dead one: its number is not. */
static void still_in_use(void) {
  MPI_Comm dead, made;
  MPI_Request request;
  int in = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &dead);
  CHECK(is_adopted(dead));
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 3, dead, &request);
  if (rank % 2)
    MPI_Comm_free(&dead);
  for (int i = 0; i < 100; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    CHECK(is_adopted(made));
    ring(made, i);
    MPI_Comm_free(&made);
  }
  MPI_Request_get_status(request, &(int){0}, MPI_STATUS_IGNORE);
  CHECK(in == -1);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (dead != MPI_COMM_NULL)
    MPI_Comm_free(&dead);
}

static void generations(void) {
  MPI_Comm made, child, late;
  MPI_Request request;
  for (int i = 0; i < 80; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    CHECK(is_adopted(made));
    MPI_Comm_idup(made, &late, &request);
#ifdef OPEN_MPI /* which hangs where both overlap */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Comm_split(made, rank % 2, 0, &child);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    ring(made, i);
    ring(late, i + 1);
    ring(child, i + 2);
    MPI_Comm_free(&made);
    ring(late, i + 3);
    MPI_Comm_free(&child);
    MPI_Comm_free(&late);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  generations();
  too_many();
  still_in_use();
  generations();
  if (rank == 0)
    puts("numbers suffice");
  MPI_Finalize();
  return 0;
}

//
// RUN: %mpicc -w %include -DMPISPEC_CONTEXTS=1024 %s %sources/comm/context.c -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 1 %t | FileCheck %s
// CHECK: numbers suffice
