/* Long portions of collective operations, which go from rank to rank like messages. Operations are drawn at random.
 * Every byte is checked, and no byte beside them may change, now or later. Lengths are around those at which the
 * algorithm changes. Some ranks come late, and the system refuses some calls.
 *
 *   collective-parts           all operations, on three communicators; few: on two; plain: without
 *                              those in which a message is too long
 *   collective-parts faults    like few; the system refuses this rank a part of a peer's buffer, in each
 *                              operation another part (Inputs/refuse.c)
 *   collective-parts apart     ranks in different operations, of which the first is long
 *   collective-parts swapped   the last rank makes two calls in the other order; others go on
 *   collective-parts dies      rank 1 ends in the middle of the others' operation */
#include "check.h"
#include "refuse.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KIB = 1024, MOST = 1024 * KIB + 8, RANKS = 8, GUARD = 64, ROUNDS = 150 };
static const int sizes[] = {0,         8,        48,        49,        1000,           9 * KIB,
                            32 * KIB,  64 * KIB, 65537,     128 * KIB, 256 * KIB,      262145,
                            500 * KIB, 70000,    1024 * KIB, MOST,     64 * KIB - 32};
enum { SIZES = sizeof sizes / sizeof *sizes };
static int rank, size;
static unsigned number; /* the number of the operation */
static unsigned char *out, *in;
static int lengths[RANKS], places[RANKS], end; /* the portions, with guards between */
static MPI_Comm communicator;

/* Equal on all ranks. */
static unsigned draw(void) {
  static unsigned word = 4711;
  word = word * 1664525u + 1013904223u;
  return word >> 8;
}

/* The bytes of portions are copied and compared by calls: a sanitizer looks at each of a loop's accesses. */
enum { PIECE = 4096 };
static unsigned char sevenfold[PIECE + 256]; /* i * 7 */
static unsigned char untouched[PIECE];

/* A piece of the portion that `from` gives `to`: from byte to byte it grows by 7, from piece to piece by 1. */
static const unsigned char *piece(int from, int to, int index) {
  const unsigned first = number * 29 + (unsigned)(from * 5 + to * 11 + index);
  return sevenfold + first * 183 % 256; /* 183 * 7 is 1, modulo 256 */
}

static size_t piece_length(int at, int length) {
  return (size_t)(length - at < PIECE ? length - at : PIECE);
}

static void write_portion(unsigned char *portion, int from, int to, int length) {
  for (int at = 0; at < length; at += PIECE)
    memcpy(portion + at, piece(from, to, at / PIECE), piece_length(at, length));
}

static void check_portion(const unsigned char *portion, int from, int to, int length) {
  for (int at = 0; at < length; at += PIECE)
    CHECK(!memcmp(portion + at, piece(from, to, at / PIECE), piece_length(at, length)));
}

static void prepare_pieces(void) {
  for (unsigned i = 0; i < sizeof sevenfold; ++i)
    sevenfold[i] = (unsigned char)(i * 7);
  memset(untouched, 0xa5, sizeof untouched);
}

static void guard(void) { memset(in, 0xa5, (size_t)end + GUARD); }

/* Nothing but the portions `first` to `last` was written. */
static void check_guards(int first, int last) {
  for (int at = 0, i = 0; i <= size; ++i) {
    const int until = i < size ? places[i] : end + GUARD;
    for (; at < until; at += PIECE)
      CHECK(!memcmp(in + at, untouched, piece_length(at, until)));
    at = until + (i < size && i >= first && i <= last ? lengths[i] : 0);
  }
}

/* Portions of equal lengths lie side by side. */
static void lay_out(int length, int equal) {
  const int gap = equal ? 0 : GUARD;
  end = gap;
  for (int i = 0; i < size; ++i) {
    lengths[i] = equal ? length : length / (1 + (i + (int)number) % 3);
    places[i] = end;
    end += lengths[i] + gap;
  }
}

/* The addresses of all ranks' buffers; zeros unless parts are refused. */
static uint64_t buffers[2 * RANKS];

static void announce_buffers(void) {
  const uint64_t own[2] = {(uint64_t)(uintptr_t)out, (uint64_t)(uintptr_t)in};
  MPI_Allgather(own, 2, MPI_UINT64_T, buffers, 2, MPI_UINT64_T, MPI_COMM_WORLD);
}

static void refuse_a_part(void) {
  const unsigned word = number * 2654435761u + (unsigned)rank * 40503u;
  const uint64_t buffer = buffers[word / 7 % (2 * (unsigned)size)];
  refuse(buffer + word % MOST, buffer ? 100000 : 0);
}

/* The number of refused calls on all ranks, so far. */
static unsigned refusals(void) {
  const unsigned own = refused_so_far();
  unsigned all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* Keeps some ranks back, now and then. */
static void dawdle(void) {
  const struct timespec moment = {0, 300 * 1000};
  if ((number * 2654435761u >> (3 * rank + 2)) % 4 == 0)
    nanosleep(&moment, NULL);
}

static void bcast(int length, int root) {
  lay_out(length, 1);
  guard();
  if (rank == root)
    write_portion(in, root, 0, length);
  MPI_Bcast(in, length, MPI_BYTE, root, communicator);
  check_portion(in, root, 0, length);
  check_guards(0, 0);
}

static void scatter(int root, int equal) {
  unsigned char *own = rank == root && number % 2 ? MPI_IN_PLACE : in + places[rank];
  for (int i = 0; rank == root && i < size; ++i)
    write_portion(out + places[i], root, i, lengths[i]);
  guard();
  if (equal)
    MPI_Scatter(out, lengths[0], MPI_BYTE, own, lengths[0], MPI_BYTE, root, communicator);
  else
    MPI_Scatterv(out, lengths, places, MPI_BYTE, own, lengths[rank], MPI_BYTE, root, communicator);
  memset(out, 0x5a, (size_t)end);
  if (own == MPI_IN_PLACE)
    return;
  check_portion(own, root, rank, lengths[rank]);
  check_guards(rank, rank);
}

static void gather(int root, int equal) {
  unsigned char *own = rank == root && number % 2 ? MPI_IN_PLACE : out;
  guard();
  write_portion(own == out ? out : in + places[rank], rank, root, lengths[rank]);
  if (equal)
    MPI_Gather(own, lengths[0], MPI_BYTE, in, lengths[0], MPI_BYTE, root, communicator);
  else
    MPI_Gatherv(own, lengths[rank], MPI_BYTE, in, lengths, places, MPI_BYTE, root, communicator);
  memset(out, 0x5a, (size_t)lengths[rank]);
  for (int i = 0; rank == root && i < size; ++i)
    check_portion(in + places[i], i, root, lengths[i]);
  check_guards(0, rank == root ? size - 1 : -1);
}

static void allgather(int equal) {
  unsigned char *own = number % 2 ? MPI_IN_PLACE : out;
  guard();
  write_portion(own == out ? out : in + places[rank], rank, 0, lengths[rank]);
  if (equal)
    MPI_Allgather(own, lengths[0], MPI_BYTE, in, lengths[0], MPI_BYTE, communicator);
  else
    MPI_Allgatherv(own, lengths[rank], MPI_BYTE, in, lengths, places, MPI_BYTE, communicator);
  memset(out, 0x5a, (size_t)lengths[rank]);
  for (int i = 0; i < size; ++i)
    check_portion(in + places[i], i, 0, lengths[i]);
  check_guards(0, size - 1);
}

/* Between two ranks as much goes one way as the other. */
static void alltoall(int length, int equal) {
  const int in_place = number % 3 == 0;
  int counts[RANKS];
  unsigned char *from = in_place ? in : out;
  lay_out(length, 1);
  guard();
  for (int i = 0; i < size; ++i) {
    counts[i] = lengths[i] = equal ? length : length / (1 + (rank + i + (int)number) % 3);
    write_portion(from + places[i], rank, i, counts[i]);
  }
  if (equal)
    MPI_Alltoall(in_place ? MPI_IN_PLACE : out, length, MPI_BYTE, in, length, MPI_BYTE,
                 communicator);
  else
    MPI_Alltoallv(in_place ? MPI_IN_PLACE : out, counts, places, MPI_BYTE, in, counts, places,
                  MPI_BYTE, communicator);
  memset(out, 0x5a, (size_t)end);
  for (int i = 0; i < size; ++i)
    check_portion(in + places[i], i, rank, counts[i]);
  check_guards(0, size - 1);
}

static void one_operation(void) {
  const int length = sizes[draw() % SIZES] / (size > 3 ? 4 : 1);
  const int root = (int)(draw() % (unsigned)size);
  const unsigned what = draw() % 9;
  lay_out(length, what % 2);
  refuse_a_part();
  dawdle();
  if (what == 0)
    bcast(length, root);
  else if (what < 3)
    scatter(root, what % 2);
  else if (what < 5)
    gather(root, what % 2);
  else if (what < 7)
    allgather(what % 2);
  else
    alltoall(length, what % 2);
}

static void all_operations(int rounds) {
  const unsigned begin = number;
  MPI_Comm_rank(communicator, &rank);
  for (; number < begin + (unsigned)rounds; ++number)
    one_operation();
}

/* The root takes less than there is. */
static void truncated(int length) {
  int error = MPI_SUCCESS, class = MPI_SUCCESS;
  for (int i = 0; i < size; ++i) {
    lengths[i] = length / 2;
    places[i] = GUARD + i * (length / 2 + GUARD);
  }
  end = GUARD + size * (length / 2 + GUARD);
  guard();
  write_portion(out, rank, 0, length);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  error = MPI_Gatherv(out, rank ? length : length / 2, MPI_BYTE, in, lengths, places, MPI_BYTE, 0,
                      communicator);
  if (error)
    MPI_Error_class(error, &class);
  CHECK(rank ? !error : class == MPI_ERR_TRUNCATE);
  check_guards(0, rank ? -1 : size - 1);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_ARE_FATAL);
}

/* The last rank calls something else. No rank reports success, and no rank hangs. Messages that are under way between
 * the others end first. */
static void apart(int length, int which) {
  int error;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Barrier(communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  if (rank == size - 1)
    error = which % 2 ? MPI_Barrier(communicator)
                      : MPI_Bcast(out, MOST, MPI_BYTE, size - 1, communicator);
  else if (length < 0)
    error = MPI_Scatter(out, -length, MPI_BYTE, in, -length, MPI_BYTE, 0, communicator);
  else
    error = MPI_Alltoall(out, length, MPI_BYTE, in, length, MPI_BYTE, communicator);
  CHECK(error || length < 0 || rank == size - 1);
  memset(out, 0, MOST);
  CHECK(MPI_Barrier(communicator));
  MPI_Comm_free(&communicator);
}

/* The words of the second calls are equal, so that the last rank looks for a portion in a chunk or a cell of another
 * operation. The next operation reports the mistake at the latest. Another communicator goes on. */
static void swapped(int length) {
  const int is_last = rank == size - 1;
  int token = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Barrier(communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  for (int i = 0; i < 2; ++i)
    if (i == is_last)
      MPI_Scatter(out, length, MPI_BYTE, in, length, MPI_BYTE, 0, communicator);
    else
      MPI_Gather(out, length, MPI_BYTE, in, length, MPI_BYTE, 1, communicator);
  CHECK(MPI_Barrier(communicator));
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &token, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(token == (rank + size - 1) % size);
  MPI_Comm_free(&communicator);
}

/* A communicator with small chunks: the numbers of large ones are taken. */
static void on_many_communicators(void) {
  enum { COMMUNICATORS = 70 };
  static MPI_Comm all[COMMUNICATORS];
  for (int i = 0; i < COMMUNICATORS; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
    MPI_Barrier(all[i]);
  }
  communicator = all[COMMUNICATORS - 1];
  all_operations(ROUNDS / 3);
  for (int i = 0; i < COMMUNICATORS; ++i)
    MPI_Comm_free(&all[i]);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  out = malloc(RANKS * (MOST + GUARD) + 2 * GUARD);
  in = malloc(RANKS * (MOST + GUARD) + 2 * GUARD);
  communicator = MPI_COMM_WORLD;
  prepare_pieces();
  if (!strcmp(what, "apart")) {
    static const int tries[] = {1000, 70000, 300 * KIB, MOST, -100 * KIB, -MOST};
    for (int i = 0; i < 12; ++i)
      apart(tries[i % 6], i / 6);
  } else if (!strcmp(what, "swapped")) {
    static const int tries[] = {1000, 8192, 20000};
    for (int i = 0; i < 3; ++i)
      swapped(tries[i]);
  } else {
    if (!strcmp(what, "faults"))
      announce_buffers();
    all_operations(ROUNDS);
    for (int i = 0; i < 5 && !strcmp(what, "faults") && !refusals(); ++i)
      all_operations(ROUNDS); /* a rank that was always late has copied nothing by address */
    if (strcmp(what, "plain")) {
      truncated(1000);
      truncated(200 * KIB);
      truncated(1024 * KIB);
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &communicator);
    all_operations(ROUNDS / 3);
    MPI_Comm_free(&communicator);
    if (strcmp(what, "few") && strcmp(what, "faults"))
      on_many_communicators(); /* some of their operations are the library's */
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(what, "faults"))
    CHECK(refusals());
  MPI_Finalize();
  free(out);
  free(in);
  if (rank == 0)
    passed();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %mpirun -n 2 %t plain | FileCheck %s
// DEFINE: %{long} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES
// RUN: for ranks in %if quick && sanitizer %{ 4 %} %else %{ 5 %} %if !quick %{ 2 3 %}; do %{long}=measured %mpirun -n $ranks %t | FileCheck %s || exit 1; done
// RUN: for way in pipe shared; do for ranks in 3 %if !quick %{ 2 %}; do \
// RUN:   %{long}=$way %mpirun -n $ranks %t | FileCheck %s || exit 1; done; done
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t plain | FileCheck %s %}
//
// Some ranks may not read or write the others' memory, from the beginning or from now on.
// RUN: %if !sanitizer %{ %mpicc -fPIC -shared %tool/refuse.c -o %t.refuse.so && \
// RUN:   for what in readv readv-later readv-more,writev writev-later readv-later,writev-later; do \
// RUN:     for by in %if quick %{ REFUSE_RANK=1 %} %else %{ "" REFUSE_RANK=0 REFUSE_RANK=1 %}; do \
// RUN:       %{long}=shared %mpirun -n 3 env $by LD_PRELOAD=%t.refuse.so REFUSE=$what %t few | \
// RUN:         FileCheck %s || exit 1; done; done && \
// RUN:   %if !quick %{ for error in 3 38; do for what in readv-later writev-later; do \
// RUN:     %{long}=shared %mpirun -n 3 env REFUSE_ERROR=$error LD_PRELOAD=%t.refuse.so REFUSE=$what %t few | \
// RUN:       FileCheck %s || exit 1; done; done && %} \
// RUN:   for by in "" %if !quick %{ REFUSE_RANK=0 REFUSE_RANK=1 %}; do \
// RUN:     %{long}=shared %mpirun -n 3 env $by LD_PRELOAD=%t.refuse.so REFUSE=fault-one %t faults | \
// RUN:       FileCheck %s || exit 1; done %}
//
// RUN: for ranks in 3 %if !quick %{ 2 %}; do for way in shared %if !(quick && sanitizer) %{ pipe %}; do \
// RUN:   %{long}=$way %mpirun -n $ranks %t apart | FileCheck %s || exit 1; done; done
// RUN: for ranks in 3 4 %if !quick %{ 8 %}; do %{long}=shared %mpirun -n $ranks %t swapped | FileCheck %s || exit 1; done
// CHECK: passed
