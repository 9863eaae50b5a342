/* Collective operations in which a rank has room for half of what it is sent, or for less. It gets MPI_ERR_TRUNCATE, no
 * byte beyond its room is written, the other ranks get all, and the next operation works. It gets the first bytes,
 * except in Bcast. In Allgather and Alltoall, ranks with other lengths are in different operations (mismatched.c). Where
 * each of several readers gets another number of bytes out of one chunk, a reader may not notice.
 *
 *   collective-truncated         all operations
 *   collective-truncated nodes   over several nodes: only a rank's portion for itself is too long, and the rooms are so
 *                                short that leaders execute the operations */
#include "check.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, MOST = 1024 * KIB, RANKS = 8, GUARD = 64, CHUNK = 64 * KIB, OVER_NODES = 4000 };
enum operation { BCAST, SCATTER, SCATTERV, GATHER, GATHERV, ALLGATHERV, ALLTOALLV, ALLTOALLW, OPERATIONS, ALLGATHER, ALLTOALL };
static int rank, size;
static unsigned char *out, *in;
static MPI_Comm comm;

/* Rank 0 has less room, not all others. */
static int is_root_short(enum operation operation) {
  return operation >= GATHER;
}

/* Portions of `room` bytes in `in`, with a guard behind each. */
static void lay_out(int room, int got[], int got_at[]) {
  for (int i = 0; i < size; ++i) {
    got[i] = room;
    got_at[i] = i * (room + GUARD);
  }
}

static int class_of(int error) {
  int class = MPI_SUCCESS;
  if (error)
    MPI_Error_class(error, &class);
  return class;
}

static void check_next(void) {
  int one = 1, sum = 0;
  CHECK(!MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) && sum == size);
}

/* Each rank that sends sends `length` bytes to each rank. Each portion of `in` has room for `room` bytes. */
static int call(enum operation operation, int length, int room) {
  int sent[RANKS], sent_at[RANKS], got[RANKS], got_at[RANKS];
  MPI_Datatype types[RANKS];
  for (int i = 0; i < size; ++i) {
    /* The own portion always fits. */
    sent[i] = i == rank && operation >= ALLTOALLV ? room : length;
    sent_at[i] = i * length;
    types[i] = MPI_BYTE;
  }
  lay_out(room, got, got_at);
  switch (operation) {
  case BCAST:
    return MPI_Bcast(rank ? in : out, rank ? room : length, MPI_BYTE, 0, comm);
  case SCATTER:
    return MPI_Scatter(out, length, MPI_BYTE, in, room, MPI_BYTE, 0, comm);
  case SCATTERV:
    return MPI_Scatterv(out, sent, sent_at, MPI_BYTE, in, room, MPI_BYTE, 0, comm);
  case GATHER:
    return MPI_Gather(out, rank ? length : room, MPI_BYTE, in, room, MPI_BYTE, 0, comm);
  case GATHERV:
    return MPI_Gatherv(out, rank ? length : room, MPI_BYTE, in, got, got_at, MPI_BYTE, 0, comm);
  case ALLGATHERV:
    got[0] = length / 2; /* rank 0 sends no more than it has room for */
    return MPI_Allgatherv(out, rank ? length : room, MPI_BYTE, in, got, got_at, MPI_BYTE, comm);
  case ALLTOALLW:
    return MPI_Alltoallw(out, sent, sent_at, types, in, got, got_at, types, comm);
  default:
    return MPI_Alltoallv(out, sent, sent_at, MPI_BYTE, in, got, got_at, MPI_BYTE, comm);
  }
}

/* The bytes that rank `from` sends are all 'a' + from. -1: nothing is known about them. */
static void check_portion(int place, int from, int room, int guard, int got) {
  const unsigned char *portion = in + place * (room + guard);
  for (int i = 0; i < got && from >= 0; ++i)
    CHECK(portion[i] == 'a' + from);
  for (int i = got; i < room + guard; ++i)
    CHECK(portion[i] == 0xa5);
}

static void check_bytes(enum operation operation, int length, int room) {
  if (operation == BCAST) {
    check_portion(0, -1, rank ? room : 0, GUARD, rank ? room : 0);
  } else if (operation == SCATTER || operation == SCATTERV) {
    check_portion(0, 0, room, GUARD, room);
  } else if (rank == 0 || operation >= ALLGATHERV) {
    for (int i = 0; i < size; ++i)
      check_portion(i, i, room, operation == GATHER ? 0 : GUARD, operation == ALLGATHERV && !i ? length / 2 : room);
  }
}

static void test(enum operation operation, int length) {
  const int root_is_short = is_root_short(operation), is_short = root_is_short == (rank == 0);
  const int may_miss = size > 2 && length <= CHUNK && (operation == SCATTERV || operation >= ALLTOALLV);
  /* The root of Scatter and Scatterv sends itself a whole portion. Rank 0 of Alltoallv sends less to itself. */
  const int room = is_short ? length / 2 : length;
  memset(in, 0xa5, (size_t)RANKS * (MOST + GUARD));
  memset(out, 'a' + rank, (size_t)RANKS * MOST);
  const int class = class_of(call(operation, length, room));
  const int is_right = class == (is_short ? MPI_ERR_TRUNCATE : MPI_SUCCESS) || (may_miss && class == MPI_SUCCESS);
  if (!is_right)
    printf("operation %d of %d bytes on rank %d of %d: class %d\n", operation, length, rank, size, class);
  CHECK(is_right);
  check_bytes(operation, length, room);
  check_next();
}

/* All ranks have less room for each portion, also for their own. */
static void test_own_portions(enum operation operation, int length, int room) {
  const int guard = operation == ALLGATHERV ? GUARD : 0;
  int got[RANKS], got_at[RANKS], error;
  lay_out(room, got, got_at);
  memset(in, 0xa5, (size_t)RANKS * (MOST + GUARD));
  memset(out, 'a' + rank, (size_t)size * length);
  if (operation == ALLGATHER)
    error = MPI_Allgather(out, length, MPI_BYTE, in, room, MPI_BYTE, comm);
  else if (operation == ALLTOALL)
    error = MPI_Alltoall(out, length, MPI_BYTE, in, room, MPI_BYTE, comm);
  else
    error = MPI_Allgatherv(out, length, MPI_BYTE, in, got, got_at, MPI_BYTE, comm);
  CHECK(class_of(error) == MPI_ERR_TRUNCATE);
  for (int i = 0; i < size; ++i)
    check_portion(i, i, room, guard, room);
  CHECK(in[size * (room + guard)] == 0xa5);
  check_next();
}

/* The root has less room for its own portion. All others send or receive portions of `other` bytes, as the root
 * expects. */
static void test_own_portion_of_root(enum operation operation, int length, int other) {
  const int is_root = rank == 0;
  memset(in, 0xa5, (size_t)RANKS * (MOST + GUARD));
  memset(out, 'a' + rank, (size_t)size * length);
  const int error = operation == GATHER
                        ? MPI_Gather(out, is_root ? length : other, MPI_BYTE, in, other, MPI_BYTE, 0, comm)
                        : MPI_Scatter(out, length, MPI_BYTE, in, is_root ? other : length, MPI_BYTE, 0, comm);
  CHECK(class_of(error) == (is_root ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
  const int portions = operation == SCATTER ? 1 : is_root ? size : 0;
  const int room = operation == SCATTER && !is_root ? length : other;
  for (int i = 0; i < portions; ++i)
    check_portion(i, i, room, 0, room);
  CHECK(in[portions * room] == 0xa5);
  check_next();
}

static void test_own(int length, int room) {
  test_own_portions(ALLGATHERV, length, room);
  test_own_portions(ALLGATHER, length, room);
  test_own_portions(ALLTOALL, length, room);
  test_own_portion_of_root(GATHER, length, room);
  if (length == 2 * room)
    test_own_portion_of_root(SCATTER, length, room);
}

int main(int argc, char **argv) {
  static const int lengths[] = {2, 40, 1000, 9 * KIB, 32 * KIB, 40 * KIB, 200 * KIB, MOST};
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  in = malloc(RANKS * (MOST + GUARD));
  out = malloc(RANKS * MOST);
  for (int i = 0; i < (int)(sizeof lengths / sizeof *lengths); ++i) {
    const int room = lengths[i] / 2, is_ours = argc == 1 || room <= OVER_NODES;
    for (int operation = 0; argc == 1 && operation < OPERATIONS; ++operation)
      test(operation, lengths[i]);
    test_own(lengths[i], is_ours ? room : OVER_NODES);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  free(in);
  free(out);
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{long} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES
// RUN: for way in measured %if !(quick && sanitizer) %{ pipe shared %}; do for ranks in 2 3; do \
// RUN:   %{long}=$way %mpirun -n $ranks %t | FileCheck %s || exit 1; done; done
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t nodes | FileCheck %s %}
// CHECK: passed
