/* The equations of collective operations: the fast path is taken. A rank that comes by a template meets those that
 * come by an ordinary call, and all get the same bits. Any number of ranks.
 */
#include "ordinary.h"

#include <mpi.h>
#include <stdint.h>

static int rank, size;

/* No template stands in for a call by a pointer. It is not counted. */
static int (*volatile barrier)(MPI_Comm) = MPI_Barrier;
static int (*volatile bcast)(void *, int, MPI_Datatype, int, MPI_Comm) = MPI_Bcast;
static int (*volatile reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int,
                              MPI_Comm) = MPI_Reduce;
static int (*volatile allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op,
                                 MPI_Comm) = MPI_Allreduce;
#define PLAIN(NAME, POINTER, ...) (--ordinary_##NAME, POINTER(__VA_ARGS__))

/* In some rounds some ranks. */
static int is_plain(int round) { return round % 3 == 1 && (rank + round / 3) % 2; }

/* --- the same bits -----------------------------------------------------------------------------*/

/* Numbers of all kinds. For floating point: zeros of both signs, infinities, denormal ones, and the processor's own
 * NaN. The result of two different NaNs is left open. Sums of the finite ones depend on their order. */
static const uint64_t words[] = {0,
                                 1,
                                 UINT64_MAX,
                                 UINT64_C(0x8000000000000000),
                                 UINT64_C(0x7fffffffffffffff),
                                 UINT64_C(0x8000000080000000),
                                 UINT64_C(0x0102030405060708),
                                 UINT64_C(0xff00ff00ff00ff80)};
static const uint64_t doubles[] = {0,
                                   UINT64_C(0x8000000000000000),
                                   UINT64_C(0x3ff0000000000000),
                                   UINT64_C(0xbff8000000000001),
                                   UINT64_C(0x7ff0000000000000),
                                   UINT64_C(0xfff0000000000000),
                                   UINT64_C(0xfff8000000000000),
                                   UINT64_C(0x0000000000000007)};
static const uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbfc00001,
                                  0x7f800000, 0xff800000, 0xffc00000, 0x00000007};
enum { WORDS = 8 };
static const double finite[WORDS] = {1, 1e16, -1e16, 1, 1e16, -1e16, 1, 3};
static const float finite_floats[WORDS] = {1, 1e8f, -1e8f, 1, 1e8f, -1e8f, 1, 3};

/* By pointers, for the bytes are of many types. */
static uint64_t bytes_in[6], bytes_one_way[7], bytes_other_way[7];
static void *in = bytes_in, *one_way = bytes_one_way, *other_way = bytes_other_way;

static int bytes_of(MPI_Datatype type) {
  int bytes;
  MPI_Type_size(type, &bytes);
  return bytes;
}

static void fill(int round, MPI_Datatype type) {
  for (int i = 0; i < 12; ++i) {
    const int which = (rank * 5 + i * 3 + round) % WORDS;
    if (type == MPI_FLOAT && round % 2)
      ((float *)in)[i] = finite_floats[which];
    else if (type == MPI_FLOAT)
      ((uint32_t *)in)[i] = floats[which];
    else if (type == MPI_DOUBLE && round % 2 && i < 6)
      ((double *)in)[i] = finite[which];
    else if (i < 6)
      bytes_in[i] = (type == MPI_DOUBLE ? doubles : words)[which];
  }
  memset(one_way, 0x55, sizeof bytes_one_way);
  memset(other_way, 0x55, sizeof bytes_other_way);
}

/* All 56 bytes are compared: nothing may be written behind the result. */
#define TRY(COUNT, DATATYPE, OP)                                                                   \
  for (int round = 0; round < 2 * WORDS; ++round) {                                                \
    const int root = round % size;                                                                 \
    fill(round, DATATYPE);                                                                         \
    PLAIN(Allreduce, allreduce, in, one_way, COUNT, DATATYPE, OP, MPI_COMM_WORLD);                 \
    MPI_Allreduce(in, other_way, COUNT, DATATYPE, OP, MPI_COMM_WORLD);                             \
    EXPECT(!memcmp(one_way, other_way, sizeof bytes_one_way));                                     \
    memcpy(other_way, in, (size_t)((COUNT) * bytes_of(DATATYPE)));                                 \
    if (is_plain(round))                                                                           \
      PLAIN(Allreduce, allreduce, MPI_IN_PLACE, other_way, COUNT, DATATYPE, OP, MPI_COMM_WORLD);   \
    else                                                                                           \
      MPI_Allreduce(MPI_IN_PLACE, other_way, COUNT, DATATYPE, OP, MPI_COMM_WORLD);                 \
    EXPECT(!memcmp(one_way, other_way, sizeof bytes_one_way));                                     \
    memset(one_way, 0x55, sizeof bytes_one_way);                                                   \
    memset(other_way, 0x55, sizeof bytes_other_way);                                               \
    PLAIN(Reduce, reduce, in, one_way, COUNT, DATATYPE, OP, root, MPI_COMM_WORLD);                 \
    if (is_plain(round))                                                                           \
      PLAIN(Reduce, reduce, in, other_way, COUNT, DATATYPE, OP, root, MPI_COMM_WORLD);             \
    else                                                                                           \
      MPI_Reduce(in, other_way, COUNT, DATATYPE, OP, root, MPI_COMM_WORLD);                        \
    EXPECT(rank != root || !memcmp(one_way, other_way, sizeof bytes_one_way));                     \
  }

#define TRY_ARITHMETIC(COUNT, DATATYPE)                                                            \
  TRY(COUNT, DATATYPE, MPI_SUM)                                                                    \
  TRY(COUNT, DATATYPE, MPI_PROD)                                                                   \
  TRY(COUNT, DATATYPE, MPI_MAX)                                                                    \
  TRY(COUNT, DATATYPE, MPI_MIN)
#define TRY_INTEGER(COUNT, DATATYPE)                                                               \
  TRY_ARITHMETIC(COUNT, DATATYPE)                                                                  \
  TRY(COUNT, DATATYPE, MPI_LAND)                                                                   \
  TRY(COUNT, DATATYPE, MPI_LOR)                                                                    \
  TRY(COUNT, DATATYPE, MPI_LXOR)                                                                   \
  TRY(COUNT, DATATYPE, MPI_BAND)                                                                   \
  TRY(COUNT, DATATYPE, MPI_BOR)                                                                    \
  TRY(COUNT, DATATYPE, MPI_BXOR)

static void floating_point(void) {
  TRY_ARITHMETIC(1, MPI_DOUBLE)
  TRY_ARITHMETIC(6, MPI_DOUBLE)
  TRY_ARITHMETIC(1, MPI_FLOAT)
  TRY_ARITHMETIC(12, MPI_FLOAT)
}

#define TRY_SIGNED(COUNT, DATATYPE)                                                                \
  TRY(COUNT, DATATYPE, MPI_SUM)                                                                    \
  TRY(COUNT, DATATYPE, MPI_MIN)                                                                    \
  TRY(COUNT, DATATYPE, MPI_LAND)

static void integers(void) {
  TRY_INTEGER(5, MPI_UNSIGNED)
  TRY_SIGNED(1, MPI_INT)
  TRY_SIGNED(1, MPI_LONG)
  TRY_SIGNED(3, MPI_SHORT)
  TRY_SIGNED(48, MPI_SIGNED_CHAR)
  TRY(6, MPI_UNSIGNED_LONG, MPI_MAX)
}

/* --- the fast path -----------------------------------------------------------------------------*/

/* The proven facts differ among call sites, but the algorithm is the same. */
static void reductions(MPI_Comm comm, int count) {
  for (int round = 0; round < ROUNDS; ++round) {
    double x = rank + round, sum = -1, several[6] = {1, 2, 3, 4, 5, 6}, sums[6];
    int y = rank + 1, most = 0, sum_of_ints = 0;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    EXPECT(sum == size * (size - 1) / 2 + size * round);
    MPI_Allreduce(several, sums, count, MPI_DOUBLE, MPI_SUM, comm);
    EXPECT(sums[0] == size && sums[count - 1] == count * size);
    MPI_Reduce(&y, &most, 1, MPI_INT, MPI_MAX, round % size, comm);
    EXPECT(most == (rank == round % size ? size : 0));
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &x, &x, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    EXPECT(x == (rank ? rank + round : size * (size - 1) / 2 + size * round));
    MPI_Allreduce(&y, &sum_of_ints, 1, MPI_INT, MPI_SUM, comm);
    EXPECT(sum_of_ints == size * (size + 1) / 2);
  }
  if (size > 2) { /* the runtime knows in which order numbers are rounded */
    ordinary_Allreduce -= is_fast() ? 2 * ROUNDS : 0;
    ordinary_Reduce -= is_fast() ? ROUNDS : 0;
  }
  EXPECT(ordinary_Allreduce >= 0 && ordinary_Reduce >= 0);
  ordinary_Allreduce -= is_fast() ? 0 : 2 * ROUNDS;
  ordinary_Reduce -= is_fast() ? 0 : ROUNDS;
  FEW(Allreduce, 6);
  FEW(Reduce, 5);
}

static void barriers(MPI_Comm comm) {
  for (int round = 0; round < ROUNDS; ++round)
    if (is_plain(round))
      PLAIN(Barrier, barrier, comm), ++ordinary_Barrier;
    else
      MPI_Barrier(comm);
  ordinary_Barrier -= is_fast() ? ROUNDS / 6 : 0;
  FEW(Barrier, 4);
}

/* Readers come when the root has shown, so that they need not wait. */
static void broadcasts(MPI_Comm comm, int count) {
  for (int round = 0; round < ROUNDS; ++round) {
    const int root = round % size;
    long numbers[7] = {0};
    for (int i = 0; rank == root && i < 6; ++i)
      numbers[i] = round + i;
    if (rank != root)
      MPI_Recv(NULL, 0, MPI_INT, root, 1, comm, MPI_STATUS_IGNORE);
    if (is_plain(round))
      PLAIN(Bcast, bcast, numbers, 48, MPI_BYTE, root, comm), ++ordinary_Bcast;
    else
      MPI_Bcast(numbers, count, MPI_LONG, root, comm);
    for (int i = 0; rank == root && i < size; ++i)
      if (i != root)
        MPI_Send(NULL, 0, MPI_INT, i, 1, comm);
    EXPECT(numbers[5] == round + 5 && !numbers[6]);
  }
  ordinary_Bcast -= is_fast() ? ROUNDS / 6 : 0;
  FEW(Bcast, ROUNDS / 4); /* a reader that is late keeps the root from showing the next */
}

int main(int argc, char **argv) {
  volatile int six = 6;
  MPI_Comm reversed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int lanes = strcmp(getenv("MPISPEC_MODE"), "off");
  if (is_fast()) { /* else both ways are the same, or plain MPI's, whose bits depend on more */
    floating_point();
    integers();
  }
  ordinary_Allreduce = ordinary_Reduce = 0;
  reductions(MPI_COMM_WORLD, six);
  barriers(MPI_COMM_WORLD);
  if (lanes && !is_mixed()) /* elsewhere a root might wait for those that wait for its word */
    broadcasts(MPI_COMM_WORLD, six);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  rank = size - 1 - rank;
  reductions(reversed, six);
  barriers(reversed);
  if (lanes && !is_mixed())
    broadcasts(reversed, six);
  MPI_Comm_free(&reversed);
  return expect_finish();
}

// Options are tried over MPICH.
// RUN: for options in -O0 %if !openmpi && !quick %{ "-O3 -ffast-math -mavx2" "-Os -masm=intel -ftrapv" %}; do \
// RUN:   echo "$options" && \
// RUN:   %specialise %t mpicc -std=c11 $options %s && \
// RUN:   env FAST=1 MPISPEC_MODE=full %mpirun -n 2 %t | grep 'all right' || exit 1; \
// RUN: done
// RUN: %if !sanitizer %{ %behind clang-22 %specialise %t mpicc -std=c11 -O3 -ffast-math %s && \
// RUN:   env FAST=1 MPISPEC_MODE=full %mpirun -n 2 %t | grep 'all right' %}
// RUN: %specialise %t mpicc -std=c11 -O2 %s
// RUN: %if !sanitizer %{ %everywhere 3 %t %}
// RUN: env FAST=1 MPISPEC_MODE=full %mpirun -n 5 %t | FileCheck %s
// CHECK: all right
