/* The library refuses wrong arguments, with the same error classes as plain MPI. A root that sends another length is
 * an error that only a receiver can see. It gives an error, too, and no hang. */
#include "check.h"

#include <mpi.h>
#include <string.h>

static int rank, size, lanes;
static double a[64], b[64];

static void report(const char *what, int error) {
  int class;
  MPI_Error_class(error, &class);
  printf("%d: %s %d\n", rank, what, class);
}

static void averages(void *in, void *out, int *count, MPI_Datatype *type) {
  for (int i = 0; i < *count; ++i)
    ((double *)out)[i] = (((double *)in)[i] + ((double *)out)[i]) / 2;
}

/* Operations that are never ours give what they give; not commutative, so in the order of ranks. */
static void own_operations(MPI_Comm comm) {
  MPI_Op op;
  MPI_Op_create(averages, 0, &op);
  a[0] = 1 << rank;
  MPI_Allreduce(a, b, 1, MPI_DOUBLE, op, comm);
  printf("%d: own operation %g\n", rank, b[0]);
  MPI_Op_free(&op);
}

/* Only with lanes: plain MPI may not notice. */
static void other_lengths(MPI_Comm comm) {
  static char bytes[100000];
  const int lengths[][2] = {{8, 4}, {4, 8}, {40, 4000}, {4000, 40}, {90000, 20000}, {20000, 90000}};
  for (int i = 0; lanes && i < 6; ++i) {
    const int error = MPI_Bcast(bytes, lengths[i][rank > 0], MPI_BYTE, 0, comm);
    CHECK((error == MPI_SUCCESS) == (rank == 0));
    int one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size);
  }
}

/* Only with lanes. A rank that passes no bytes returns at once, while others expect some, or the other way round. The
 * ranks are in different operations then, which all of them find at the latest in the next one. */
static void no_bytes_but_expected(MPI_Comm comm) {
  const int lengths[][2] = {{0, 5}, {5, 0}, {0, 90000}, {90000, 0}};
  static char bytes[90000];
  for (int i = 0; lanes && size > 1 && i < 4; ++i) {
    MPI_Comm other;
    MPI_Comm_dup(comm, &other);
    MPI_Bcast(bytes, lengths[i][rank > 0], MPI_BYTE, 0, other);
    CHECK(MPI_Barrier(other) != MPI_SUCCESS);
    MPI_Comm_free(&other);
  }
}

/* Only with lanes. The last of three ranks expects as much as the other one gets. It does not wait for more than it
 * gets. */
static void less_than_expected(MPI_Comm comm) {
  enum { LESS = 9000, MORE = 20000 };
  static char bytes[3 * MORE], got[MORE];
  const int counts[] = {LESS, MORE, LESS}, places[] = {0, MORE, 2 * MORE};
  int one = 1, sum;
  if (!lanes || size != 3)
    return;
  memset(bytes, 7, sizeof bytes);
  MPI_Scatterv(bytes, counts, places, MPI_BYTE, got, rank ? MORE : LESS, MPI_BYTE, 0, comm);
  CHECK(got[0] == 7 && got[LESS - 1] == 7);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK(sum == size);
}

/* Only with lanes, of two ranks. The signatures of these lengths are equal, so that no rank finds the mistake. The root
 * does not wait for more than the other rank has. */
static void lengths_of_one_signature(MPI_Comm comm) {
  enum { LONG = 6000, SHORTER = 1819 };
  static double in[LONG], out[LONG];
  MPI_Comm pair;
  int one = 1, sum, members;
  if (!lanes || size != 3)
    return;
  MPI_Comm_split(comm, rank == 2, rank, &pair);
  MPI_Comm_size(pair, &members);
  for (int i = 0; i < 20; ++i) /* the first ones are the library's: they must be right */
    MPI_Reduce(in, out, LONG, MPI_DOUBLE, MPI_SUM, 0, pair);
  MPI_Reduce(in, out, rank == 1 ? SHORTER : LONG, MPI_DOUBLE, MPI_SUM, 0, pair);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, pair);
  CHECK(sum == members);
  MPI_Comm_free(&pair);
}

int main(int argc, char **argv) {
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  lanes = strcmp(getenv("MPISPEC_MODE"), "off");
  int counts[16] = {-1};
  report("bcast root", MPI_Bcast(a, 1, MPI_DOUBLE, size, comm));
  report("bcast root below", MPI_Bcast(a, 1, MPI_DOUBLE, -1, comm));
  report("bcast count", MPI_Bcast(a, -1, MPI_DOUBLE, 0, comm));
  report("bcast type", MPI_Bcast(a, 1, MPI_DATATYPE_NULL, 0, comm));
  report("bcast buffer", MPI_Bcast(NULL, 1, MPI_DOUBLE, 0, comm));
  report("bcast nothing", MPI_Bcast(NULL, 0, MPI_DOUBLE, 0, comm));
  report("allreduce null op", MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_OP_NULL, comm));
  report("allreduce type", MPI_Allreduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
  report("allreduce in one buffer", MPI_Allreduce(a, a, 1, MPI_DOUBLE, MPI_SUM, comm));
  report("scan in one buffer", MPI_Scan(a, a, 1, MPI_DOUBLE, MPI_SUM, comm));
  report("exscan in one buffer", MPI_Exscan(a, a, 1, MPI_DOUBLE, MPI_SUM, comm));
  report("reduce root", MPI_Reduce(a, b, 1, MPI_DOUBLE, MPI_SUM, 77, comm));
  report("reduce_scatter count", MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, comm));
  report("gather root", MPI_Gather(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, -5, comm));
  report("gather root -1", MPI_Gather(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, -1, comm));
  report("allgather count", MPI_Allgather(a, -1, MPI_DOUBLE, b, -1, MPI_DOUBLE, comm));
  report("alltoall type", MPI_Alltoall(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_DOUBLE, comm));
  report("alltoallv count",
         MPI_Alltoallv(a, counts, counts, MPI_DOUBLE, b, counts, counts, MPI_DOUBLE, comm));
  report("barrier", MPI_Barrier(comm));
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  report("barrier of nobody", MPI_Barrier(MPI_COMM_NULL));
  own_operations(comm);
  other_lengths(comm);
  less_than_expected(comm);
  no_bytes_but_expected(comm);
  lengths_of_one_signature(comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}

// Open MPI looks at fewer arguments, and ends with a signal; MPICH 5 ends over a null datatype.
// LABEL: core
// UNSUPPORTED: openmpi, mpich5
//
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: %both -n 1 %t | FileCheck %s
// RUN: %both -n 3 %t | FileCheck %s
// CHECK: exit 0
