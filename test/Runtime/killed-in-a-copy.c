/* Rank 1 is killed while one of the two ranks copies a long message, or a long part of a collective operation, out of
 * the other's memory or into it. Rank 0 gets MPI_ERR_PROC_ABORTED within ten seconds, and never MPI_SUCCESS with bytes
 * that are not rank 1's. On a busy machine, one rank may copy all pieces, and the other one is not killed. Then
 * rank 1 says so; in two of the calls at least, it must be killed. The argument names the call. */
#include "check.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 1 << 20, LIMIT = 10 };
static unsigned char out[2 * BYTES], in[2 * BYTES];
static MPI_Comm comm;

static int call(const char *name) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (!strcmp(name, "send"))
    return rank ? MPI_Recv(in, BYTES, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE)
                : MPI_Ssend(out, BYTES, MPI_BYTE, 1, 0, comm);
  if (!strcmp(name, "receive"))
    return rank ? MPI_Ssend(out, BYTES, MPI_BYTE, 0, 0, comm)
                : MPI_Recv(in, BYTES, MPI_BYTE, 1, 0, comm, MPI_STATUS_IGNORE);
  if (!strcmp(name, "bcast-from-0"))
    return MPI_Bcast(rank ? in : out, BYTES, MPI_BYTE, 0, comm);
  if (!strcmp(name, "bcast-from-1"))
    return MPI_Bcast(rank ? out : in, BYTES, MPI_BYTE, 1, comm);
  if (!strcmp(name, "gather"))
    return MPI_Gather(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, 0, comm);
  if (!strcmp(name, "scatter"))
    return MPI_Scatter(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, 0, comm);
  if (!strcmp(name, "allgather"))
    return MPI_Allgather(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, comm);
  CHECK(!strcmp(name, "alltoall"));
  return MPI_Alltoall(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, comm);
}

/* The bytes that rank 0 got from rank 1 are at `in`, or behind rank 0's own. */
static void check_bytes(const char *name) {
  const int is_behind = !strcmp(name, "gather") || !strncmp(name, "all", 3);
  if (!strcmp(name, "send") || !strcmp(name, "scatter") || !strcmp(name, "bcast-from-0"))
    return;
  for (int i = 0; i < BYTES; ++i)
    CHECK(in[is_behind * BYTES + i] == 'b');
}

int main(int argc, char **argv) {
  int rank, class;
  time_t begin;
  MPI_Init(&argc, &argv);
  CHECK(argc == 2);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm, &rank);
  memset(out, 'a' + rank, sizeof out);
  MPI_Barrier(comm); /* its slot is agreed on */
  begin = time(NULL);
  const int error = call(argv[1]);
  if (rank) {
    tell("lives");
    _exit(0);
  }
  CHECK(time(NULL) - begin <= LIMIT);
  MPI_Error_class(error, &class);
  if (class == MPI_SUCCESS)
    check_bytes(argv[1]);
  else
    CHECK(class == MPI_ERR_PROC_ABORTED);
  tell("passed");
  _exit(0);
}

// REQUIRES: mpich
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %mpicc -fPIC -shared %tool/stop.c -o %t.stop.so
// RUN: %mpicc -fPIC -shared %tool/stale.c -o %t.stale.so
// DEFINE: %{run} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES=shared MPIEXEC_TIMEOUT=30 mpiexec -n 2
//
// Rank 1 dies in its own copy, before and after the bytes have gone.
// RUN: rm -f %t.all && for call in send receive bcast-from-0 bcast-from-1 gather scatter allgather alltoall; do \
// RUN:   for after in 0 %if !quick %{ 1 %}; do %{run} env LD_PRELOAD=%t.stop.so \
// RUN:   STOP_RANK=1 STOP_BY=9 STOP_AFTER=$after %tool/outlive.sh %t $call >%t.out 2>&1; \
// RUN:   FileCheck %s <%t.out || { echo "$call $after"; cat %t.out; exit 1; }; cat %t.out >>%t.all; done; done
// RUN: test $(grep -c lives %t.all) -le %if quick %{ 6 %} %else %{ 12 %}
//
// Rank 1 dies while rank 0 reads its memory, and another process has its number.
// RUN: rm %t.all && for call in receive bcast-from-1 gather allgather alltoall; do \
// RUN:   %{run} env LD_PRELOAD=%t.stale.so STALE_RANK=0 %tool/outlive.sh %t $call >%t.out 2>&1; \
// RUN:   FileCheck %s <%t.out || { echo "$call"; cat %t.out; exit 1; }; cat %t.out >>%t.all; done
// RUN: test $(grep -c lives %t.all) -le 3
// CHECK: passed
