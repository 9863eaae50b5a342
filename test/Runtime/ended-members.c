/* Rank 2 ends, and rank 1 finds that in a collective operation. Rank 0 calls MPI_Finalize without a further one: the
 * error that it gets is MPI_ERR_PROC_ABORTED, and no line names different operations. Later calls on that communicator
 * fail, too, also those without bytes.
 *
 *   ended-members          as above
 *   ended-members between  Rank 0 has examined rank 2 shortly before it ends, and rank 1 examines it afterwards. Rank 0
 *                          finds rank 1's note, and examines rank 2 again */
#include "check.h"
#include "job/node.h"

#include <mpi.h>
#include <signal.h>
#include <time.h>

static int class_of(int error) {
  int class;
  MPI_Error_class(error, &class);
  return class;
}

static int fails(int error) { return class_of(error) == MPI_ERR_PROC_ABORTED; }

/* The library's MPI_Finalize would wait for rank 2. */
static void pass(MPI_Comm *comm, int *error, ...) {
  (void)comm;
  CHECK(fails(*error));
  tell("passed");
  _exit(0);
}

static void check_later_calls(MPI_Comm comm) {
  int word = 0, words[3] = {0}, counts[3] = {0};
  CHECK(fails(MPI_Barrier(comm)));
  CHECK(fails(MPI_Bcast(&word, 0, MPI_INT, 2, comm)));
  CHECK(fails(MPI_Gather(&word, 0, MPI_INT, words, 0, MPI_INT, 1, comm)));
  CHECK(fails(MPI_Scatter(words, 0, MPI_INT, &word, 0, MPI_INT, 1, comm)));
  CHECK(fails(MPI_Allgather(&word, 0, MPI_INT, words, 0, MPI_INT, comm)));
  CHECK(fails(MPI_Allgatherv(&word, 0, MPI_INT, words, counts, counts, MPI_INT, comm)));
  CHECK(fails(MPI_Alltoall(&word, 0, MPI_INT, words, 0, MPI_INT, comm)));
  CHECK(fails(MPI_Alltoallv(&word, counts, counts, MPI_INT, words, counts, counts, MPI_INT, comm)));
  CHECK(fails(MPI_Allreduce(&word, words, 0, MPI_INT, MPI_SUM, comm)));
  CHECK(fails(MPI_Scan(&word, words, 0, MPI_INT, MPI_SUM, comm)));
}

/* A rank examines another one a second after it has begun to wait, and again a second later. */
static void between(int rank, MPI_Comm comm) {
  static const int late[3] = {0, 300, 1150}; /* ms */
  const struct timespec while_others_wait = {late[rank] / 1000, late[rank] % 1000 * 1000000l};
  int word = rank;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  nanosleep(&while_others_wait, NULL);
  if (rank == 2)
    kill(getpid(), SIGKILL);
  CHECK(fails(MPI_Bcast(&word, 1, MPI_INT, 2, comm)));
  tell("passed");
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &word, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  _exit(0);
}

int main(int argc, char **argv) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  int rank, word = 0;
  MPI_Init(&argc, &argv);
  CHECK(mpispec_node.size == 3);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Barrier(comm);
  if (argc > 1)
    between(rank, comm);
  if (rank == 2)
    kill(getpid(), SIGKILL);
  if (rank == 1) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(fails(MPI_Bcast(&word, 1, MPI_INT, 2, comm)));
    check_later_calls(comm);
    MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    _exit(0);
  }
  MPI_Comm_create_errhandler(pass, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  CHECK(!"reached");
}

// REQUIRES: mpich
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=30 mpiexec -n 3 %tool/outlive.sh %t >%t.out 2>&1; FileCheck %s <%t.out
// CHECK-NOT: different collective operations
// CHECK: passed
// RUN: env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=30 mpiexec -n 3 %tool/outlive.sh %t between >%t.out 2>&1; FileCheck %s --check-prefix=BETWEEN <%t.out
// BETWEEN-NOT: different collective operations
// BETWEEN-COUNT-2: passed
