// Ranks call different collective operations on one communicator. At the latest in the next operation, all ranks
// report the calls of all members. No rank hangs, and other communicators go on.
//
// Each pair of calls of the table, on a communicator of its own. `here` and `there` are the calls as
// two objects have them: of one program, or one of them rewritten.
#include <mpi.h>

#ifdef CALLS
static double a[8][8], b[8][8];
static int counts[8] = {1, 1, 1, 1, 1, 1, 1, 1}, places[8] = {0, 1, 2, 3, 4, 5, 6, 7};

#define REDUCTION(TYPE, OP, COUNT) a, b, COUNT, TYPE, OP
#define EQUAL a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE
int CALLS(int which, MPI_Comm comm) {
  switch (which) {
  case 0:
    return MPI_Barrier(comm);
  case 1:
    return MPI_Bcast(a, 1, MPI_DOUBLE, 0, comm);
  case 2:
    return MPI_Bcast(a, 1, MPI_DOUBLE, 1, comm);
  case 3:
    return MPI_Reduce(REDUCTION(MPI_DOUBLE, MPI_SUM, 1), 0, comm);
  case 4:
    return MPI_Reduce(REDUCTION(MPI_DOUBLE, MPI_SUM, 1), 1, comm);
  case 5:
    return MPI_Allreduce(REDUCTION(MPI_DOUBLE, MPI_SUM, 1), comm);
  case 6:
    return MPI_Allreduce(REDUCTION(MPI_DOUBLE, MPI_PROD, 1), comm);
  case 7:
    return MPI_Allreduce(REDUCTION(MPI_LONG, MPI_SUM, 1), comm);
  case 8:
    return MPI_Allreduce(REDUCTION(MPI_DOUBLE, MPI_SUM, 2), comm);
  case 9:
    return MPI_Scan(REDUCTION(MPI_DOUBLE, MPI_SUM, 1), comm);
  case 10:
    return MPI_Exscan(REDUCTION(MPI_DOUBLE, MPI_SUM, 1), comm);
  case 11:
    return MPI_Reduce_scatter_block(REDUCTION(MPI_DOUBLE, MPI_SUM, 1), comm);
  case 12:
    return MPI_Gather(EQUAL, 0, comm);
  case 13:
    return MPI_Gather(EQUAL, 1, comm);
  case 14:
    return MPI_Scatter(EQUAL, 0, comm);
  case 15:
    return MPI_Scatter(EQUAL, 1, comm);
  case 16:
    return MPI_Allgather(EQUAL, comm);
  case 17:
    return MPI_Alltoall(EQUAL, comm);
  case 18:
    return MPI_Allgatherv(a, 1, MPI_DOUBLE, b, counts, places, MPI_DOUBLE, comm);
  case 19:
    return MPI_Alltoallv(a, counts, places, MPI_DOUBLE, b, counts, places, MPI_DOUBLE, comm);
  default:
    return MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, comm);
  }
}
#else
#include "check.h"
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
    "Barrier", "Bcast",   "Bcast",     "Reduce",   "Reduce",     "Allreduce", "Allreduce",
    "Allreduce", "Allreduce", "Scan",  "Exscan",   "Reduce_scatter_block", "Gather", "Gather",
    "Scatter", "Scatter", "Allgather", "Alltoall", "Allgatherv", "Alltoallv", "Reduce_scatter"};
enum { KINDS = sizeof names / sizeof names[0] };

int here(int which, MPI_Comm comm);
int there(int which, MPI_Comm comm);

static int rank, size;

/* The name, and not the beginning of a longer one. */
static int names_one(const char *text, const char *name) {
  char whole[64];
  const int length = snprintf(whole, sizeof whole, "MPI_%s", name);
  for (const char *at = text; (at = strstr(at, whole)); at += length)
    if (!at[length] || strchr(" ;", at[length]))
      return 1;
  return 0;
}

static void check_text(int error, int x, int y) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(error, text, &length);
  /* Open MPI has room for 256 bytes, where MPICH has 512: of four ranks the last may be cut off. */
  const int is_cut = length == MPI_MAX_ERROR_STRING - 1;
  const int fits = names_one(text, names[x]) && (is_cut || names_one(text, names[y]));
  if (!fits)
    tell("%s / %s: %s", names[x], names[y], text);
  CHECK(fits);
}

/* The last rank calls y, all others x, after some operations that agree; or all of the second node. */
static void mismatch(int x, int y, int by_nodes) {
  const int differs = by_nodes ? rank % 2 : rank == size - 1;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < (x + y) % 5; ++i)
    CHECK(there(5, comm) == MPI_SUCCESS);
  const int error = differs ? there(y, comm) : here(x, comm);
  if (error)
    check_text(error, x, y);
  const int next = there(0, comm);
  CHECK(next != MPI_SUCCESS);
  check_text(next, x, y);
  CHECK(here(5, comm) != MPI_SUCCESS);
  MPI_Comm_free(&comm);
}

/* One node or the other comes late, by more than leaders wait before they ask: nothing is wrong, and no message is
 * left over. */
static void late(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 7; ++i) {
    if (rank % 2 == i % 2)
      usleep(30000);
    CHECK(here(i % 2 ? 7 : 16, comm) == MPI_SUCCESS);
    if (i % 3 == 2)
      CHECK(there(0, comm) == MPI_SUCCESS);
  }
  MPI_Comm_free(&comm);
}

/* Where each second rank is on the other node, sums of floating-point numbers are the MPI library's, and so are
 * blocks of several lengths. */
static int is_library_between_nodes(int which) {
  return (which >= 3 && which <= 11 && which != 7) || which >= 19;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int every = argc > 1 ? atoi(argv[1]) : 1, by_nodes = argc > 2;
  for (int i = 0; every == 0 && i < 5; ++i)
    late();
  for (int x = 0; every && x < KINDS; ++x)
    for (int y = x % every; y < KINDS; y += every)
      if (x != y && !(by_nodes && (is_library_between_nodes(x) || is_library_between_nodes(y))))
        mismatch(x, y, by_nodes);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return passed();
}
#endif

// The sanitizers' trees have no driver.
// LABEL: core
// UNSUPPORTED: sanitizer
// None of these calls is the MPI library's. (MPI_MAX of floating-point numbers is, over Open MPI.)
//
// REQUIRES: compiler
// RUN: %mpicc -w -DCALLS=here -c %s -o %t.here.o && %mpicc -w -DCALLS=there -c %s -o %t.there.o
// RUN: %mpispec --mpispec-inline-all mpicc -O2 -w -DCALLS=here -c %s -o %t.here2.o
// RUN: %mpispec --mpispec-inline-all mpicc -O2 -w -DCALLS=there -c %s -o %t.there2.o
// RUN: %mpicc -w -I%S %s %t.here.o %t.there.o -o %t %runtime
// RUN: %mpicc -w -I%S %s %t.here.o %t.there2.o -o %t.half %runtime
// RUN: %mpicc -w -I%S %s %t.here2.o %t.there2.o -o %t.whole %runtime
// RUN: %mpirun -n 2 %t | FileCheck %s
// RUN: %mpirun -n 2 %t.half | FileCheck %s
// RUN: %mpirun -n 2 %t.whole | FileCheck %s
// RUN: %mpirun -n 3 %t.half 3 | FileCheck %s
// RUN: %mpirun -n 4 %t 5 | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t 3 nodes | FileCheck %s %}
// RUN: env MPIR_CVAR_NUM_CLIQUES=3 %mpirun -n 7 %t 7 nodes | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t 0 >%t.late 2>&1 %}
// RUN: %if nodes %{ FileCheck %s --check-prefix=LATE <%t.late %}
// CHECK: passed
// LATE-NOT: {{[^ p]}}
// LATE-COUNT-4: {{^passed}}
// LATE-NOT: {{.}}
