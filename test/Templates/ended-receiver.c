/* The receiver of a synchronous send ends before it matches. The request of a template's Issend ends with an error, as
 * that of the runtime does, and the error handler of a template's Send is called once.
 *
 *   ended-receiver freed   the program has freed the communicator before, and another one has its handle
 *   ended-receiver freed tested   tests of another request have ended the Issend before that
 *   ended-receiver failed  an Ssend to the ended rank fails while an Issend to the other rank is matched, but not yet
 *                          completed. That Issend completes */
#include "ordinary.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 1 << 20 };

static int handled, numbers[LONG];

static void note(MPI_Comm *communicator, int *error, ...) {
  int class;
  MPI_Error_class(*error, &class);
  EXPECT(class == MPI_ERR_PROC_ABORTED);
  EXPECT(*communicator == MPI_COMM_WORLD);
  ++handled;
}

/* Long enough for two examinations of the other rank. */
static void test_another(MPI_Comm comm) {
  int number, flag, rank;
  MPI_Request own;
  MPI_Comm_rank(comm, &rank);
  MPI_Irecv(&number, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &own);
  for (const double end = MPI_Wtime() + 2.5; MPI_Wtime() < end;)
    MPI_Test(&own, &flag, MPI_STATUS_IGNORE);
  MPI_Send(&rank, 1, MPI_INT, rank, 9, MPI_COMM_WORLD);
  MPI_Wait(&own, MPI_STATUS_IGNORE);
}

/* Rank 2 receives, and waits for the next message of rank 0. */
static void fail_between(int rank) {
  int number = rank, class;
  MPI_Request request;
  if (rank == 2) {
    MPI_Recv(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (int peer = 1; peer < 3; ++peer) /* templates send where there is a lane */
    MPI_Send(&number, 1, MPI_INT, peer, 5, MPI_COMM_WORLD);
  const int ordinary = ordinary_Issend;
  MPI_Issend(&number, 1, MPI_INT, 2, 6, MPI_COMM_WORLD, &request);
  EXPECT(ordinary_Issend == ordinary);
  MPI_Recv(&number, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Error_class(MPI_Ssend(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD), &class);
  EXPECT(class == MPI_ERR_PROC_ABORTED && handled == 1);
  EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  MPI_Send(&number, 1, MPI_INT, 2, 8, MPI_COMM_WORLD);
}

/* A launcher would end rank 0, too. Therefore the shell of rank 1 stays (outlive.sh). */
int main(int argc, char **argv) {
  int rank, number = 5, class;
  MPI_Request request;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(note, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  const int is_freed = argc > 1 && !strcmp(argv[1], "freed");
  MPI_Comm comm = MPI_COMM_WORLD, other;
  if (is_freed)
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (argc > 1 && !is_freed) {
    if (rank != 1)
      fail_between(rank);
    if (rank == 0)
      puts("all as expected");
    fflush(stdout);
    _exit(0);
  }
  if (rank == 1) {
    MPI_Recv(&number, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    _exit(0);
  }
  MPI_Issend(&number, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const int ordinary = ordinary_Issend;
  MPI_Issend(&number, 1, MPI_INT, 1, 7, comm, &request);
  EXPECT(ordinary_Issend == ordinary);
  if (argc > 2)
    test_another(comm);
  if (is_freed) {
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_SELF, &other);
  }
  MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &class);
  EXPECT(class == MPI_ERR_PROC_ABORTED && handled == 1);
  EXPECT(request == MPI_REQUEST_NULL);
  MPI_Issend(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request); /* FIN never came: the ordinary call */
  EXPECT(ordinary_Issend == ordinary + 1);
  MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &class);
  EXPECT(class == MPI_ERR_PROC_ABORTED && handled == 2);
  MPI_Error_class(MPI_Send(numbers, LONG, MPI_INT, 1, 8, MPI_COMM_WORLD), &class);
  EXPECT(class == MPI_ERR_PROC_ABORTED && handled == 3);
  puts("all as expected");
  fflush(stdout);
  _exit(0);
}

// REQUIRES: mpich
// UNSUPPORTED: sanitizer
// RUN: %specialise %t mpicc -std=c11 -O2 %s
// RUN: env MPISPEC_MODE=full MPIEXEC_TIMEOUT=30 mpiexec -n 2 %S/../Runtime/Inputs/outlive.sh %t >%t.out 2>&1; FileCheck --implicit-check-not=wrong: %s <%t.out
// RUN: for what in "2 %t freed" "2 %t freed tested" "3 %t failed"; do set -- $what; env MPISPEC_MODE=full MPIEXEC_TIMEOUT=30 mpiexec -n $1 %S/../Runtime/Inputs/outlive.sh $2 $3 $4 >%t.out 2>&1; FileCheck --implicit-check-not=wrong: %s <%t.out || exit 1; done
// CHECK: all as expected
