/* Rank 1 ends in the middle of a collective operation: the second half of what it gives to another rank cannot be read, so
 * that it dies of a signal while it copies. The other ranks return within ten seconds. Those that need its bytes get
 * MPI_ERR_PROC_ABORTED. The others get their bytes, and ranks still reach each other.
 *
 *   killed-in-a-collective OPERATION BYTES [fatal|reversed]
 *
 * fatal: with the default error handler, which ends the job. reversed: on a communicator of the same ranks in the other
 * order */
#include "check.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LIMIT = 10, PAGE = 4096, RANKS = 3 };
static int rank, size, bytes;
static MPI_Comm communicator = MPI_COMM_WORLD;
static unsigned char *out, *in; /* a portion for each rank, and one from each */

/* Memory of `length` bytes. Rank 1 can read the first half of the first portion. */
static unsigned char *half(size_t length) {
  const size_t readable = (size_t)bytes / 2, pages = (readable + PAGE - 1) / PAGE * PAGE,
               all = pages + (length / PAGE + 1) * PAGE;
  unsigned char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  memory += pages - readable;
  memset(memory, 'a' + rank, length);
  if (rank == 1)
    CHECK(mprotect(memory + readable, all - pages, PROT_NONE) == 0);
  return memory;
}

static int call(const char *name) {
  MPI_Datatype types[RANKS];
  int counts[RANKS], places[RANKS];
  for (int i = 0; i < size; ++i) {
    counts[i] = bytes;
    places[i] = i * bytes;
    types[i] = MPI_BYTE;
  }
  if (!strcmp(name, "bcast"))
    return MPI_Bcast(rank == 1 ? out : in, bytes, MPI_BYTE, 1, communicator);
  if (!strcmp(name, "gather"))
    return MPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, communicator);
  if (!strcmp(name, "gatherv"))
    return MPI_Gatherv(out, bytes, MPI_BYTE, in, counts, places, MPI_BYTE, 0, communicator);
  if (!strcmp(name, "scatter"))
    return MPI_Scatter(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 1, communicator);
  if (!strcmp(name, "scatterv"))
    return MPI_Scatterv(out, counts, places, MPI_BYTE, in, bytes, MPI_BYTE, 1, communicator);
  if (!strcmp(name, "allgather"))
    return MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, communicator);
  if (!strcmp(name, "allgatherv"))
    return MPI_Allgatherv(out, bytes, MPI_BYTE, in, counts, places, MPI_BYTE, communicator);
  if (!strcmp(name, "alltoall"))
    return MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, communicator);
  if (!strcmp(name, "alltoallv"))
    return MPI_Alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, communicator);
  if (!strcmp(name, "alltoallw"))
    return MPI_Alltoallw(out, counts, places, types, in, counts, places, types, communicator);
  if (!strcmp(name, "reduce"))
    return MPI_Reduce(out, in, bytes, MPI_BYTE, MPI_BOR, 0, communicator);
  if (!strcmp(name, "allreduce"))
    return MPI_Allreduce(out, in, bytes, MPI_BYTE, MPI_BOR, communicator);
  if (!strcmp(name, "scan"))
    return MPI_Scan(out, in, bytes, MPI_BYTE, MPI_BOR, communicator);
  if (!strcmp(name, "exscan"))
    return MPI_Exscan(out, in, bytes, MPI_BYTE, MPI_BOR, communicator);
  if (!strcmp(name, "reduce-scatter-counts"))
    return MPI_Reduce_scatter(out, in, counts, MPI_BYTE, MPI_BOR, communicator);
  CHECK(!strcmp(name, "reduce-scatter"));
  return MPI_Reduce_scatter_block(out, in, bytes, MPI_BYTE, MPI_BOR, communicator);
}

static int is_one_of(const char *name, const char *const *names) {
  while (*names && strcmp(name, *names))
    ++names;
  return *names != NULL;
}

/* Only a rank to which rank 1 gives nothing may succeed. */
static void check_success(const char *name) {
  if (!strcmp(name, "exscan"))
    CHECK(rank == 0);
  else if (!strcmp(name, "scan"))
    for (int i = 0; i < bytes; ++i)
      CHECK(rank == 0 && in[i] == 'a');
  else
    CHECK(rank == 2 && is_one_of(name, (const char *const[]){"gather", "gatherv", "reduce", NULL}));
}

int main(int argc, char **argv) {
  int class, other = -1;
  time_t begin;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(argc >= 3 && size <= RANKS);
  bytes = atoi(argv[2]);
  const int is_fatal = argc > 3 && !strcmp(argv[3], "fatal");
  if (argc > 3 && !is_fatal) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &communicator);
    MPI_Comm_rank(communicator, &rank);
  }
  const int gives_to_each = is_one_of(
      argv[1], (const char *const[]){"scatter", "scatterv", "alltoall", "alltoallv", "alltoallw", "reduce-scatter",
                                     "reduce-scatter-counts", NULL});
  out = half((size_t)bytes * (gives_to_each ? size : 1));
  in = calloc((size_t)size, (size_t)bytes);
  for (int i = 0; i < 20; ++i) /* later ones are the runtime's */
    MPI_Allreduce(&rank, &other, 1, MPI_INT, MPI_SUM, communicator);
  if (!is_fatal)
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  MPI_Barrier(communicator);
  signal(SIGSEGV, SIG_DFL);
  begin = time(NULL);
  const int error = call(argv[1]);
  CHECK(!is_fatal && rank != 1 && time(NULL) - begin <= LIMIT);
  MPI_Error_class(error, &class);
  if (error)
    CHECK(class == MPI_ERR_PROC_ABORTED);
  else
    check_success(argv[1]);
  tell(error ? "passed with an error" : "passed");
  if (size == 3) { /* no rank ends before the other one has come as far */
    MPI_Sendrecv(&rank, 1, MPI_INT, 2 - rank, 0, &other, 1, MPI_INT, 2 - rank, 0, communicator, MPI_STATUS_IGNORE);
    CHECK(other == 2 - rank);
  }
  _exit(0);
}

// REQUIRES: mpich
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{job} = env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=30 mpiexec -n
// Each job waits for more than a second, therefore several run at once.
// RUN: for ranks in 2 3; do for bytes in 9000 24000 %if !quick %{ 60000 200000 %} 1000000; do \
// RUN:   for call in bcast gather allreduce scatter %if !quick %{ gatherv scatterv allgather allgatherv alltoall \
// RUN:     alltoallv alltoallw reduce scan exscan reduce-scatter reduce-scatter-counts %}; do echo $ranks $call $bytes; done; done; done >%t.jobs
// RUN: for call in bcast scatter %if !quick %{ gather alltoallv reduce %}; do echo 3 $call 200000 reversed; done >>%t.jobs
// RUN: xargs -P5 -L1 sh -c '%{job} $0 %tool/outlive.sh %t $1 $2 $3 >%t.$0.$1.$2$3.out 2>&1; \
// RUN:   test $(grep -c passed %t.$0.$1.$2$3.out) = $(($0 - 1)) && \
// RUN:   { [ $0$1 = 2scan ] || [ $0$1 = 2exscan ] || grep -q "passed with an error" %t.$0.$1.$2$3.out; } || \
// RUN:   { echo "$*"; cat %t.$0.$1.$2$3.out; exit 255; }' <%t.jobs
//
// RUN: for call in "allreduce 24000" "bcast 1000000" %if !quick %{ "alltoall 200000" "gather 1000000" %}; do \
// RUN:   not env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=10 mpiexec -n 3 %tool/outlive.sh %t $call fatal >%t.out 2>&1 && \
// RUN:     FileCheck %s <%t.out || exit 1; done
// CHECK: has ended: calls that wait for it fail
// CHECK-NOT: {{failed:|passed|TIMED OUT}}
