/* Orders that are expected of the MPI library before any trial.
 *
 *   compare    full trials find what the table expects, on both sides of each threshold
 *   refuse     an expectation that is wrong is found out, on all ranks
 *   use        the first call is combined in the expected order, without a trial
 *   no-table   a setting may contradict the table on one rank at least: it is not used
 *
 * The bits are those of the library throughout. */
#include "check.h"
#include "collective/discovery.h"
#include "collective/library_orders.h"
#include "collective/trial.h"
#include "progress/lock.h"
#include "sums.h"

#include <mpi.h>
#include <string.h>

enum { MOST_RANKS = 64 };
static int rank, size;

/* --- compared with trials ----------------------------------------------------------------------*/

static const struct type {
  MPI_Datatype type;
  MPI_Op op;
} types[] = {{MPI_DOUBLE, MPI_SUM},
             {MPI_FLOAT, MPI_PROD},
             {MPI_DOUBLE_INT, MPI_MAXLOC},
             {MPI_C_LONG_DOUBLE_COMPLEX, MPI_SUM}};

static int64_t counts[MOST_RANKS];
static struct mpispec_order *orders[MPISPEC_MOST_TREES];

static struct mpispec_trial trial_of(struct mpispec_question *question, const struct type *type) {
  struct mpispec_trial trial = {
      .collective = mpispec_communicator_find(MPI_COMM_WORLD)->collective,
      .question = question,
      .orders = orders};
  CHECK(mpispec_reduction_find(type->op, type->type, &trial.reduction));
  return trial;
}

static void compare(enum mpispec_reducing operation, const struct type *type, int64_t count) {
  struct mpispec_question question = {MPI_COMM_WORLD, operation, count, 0, counts};
  struct mpispec_trial trial = trial_of(&question, type);
  struct mpispec_octave octaves[MPISPEC_OCTAVES] = {0};
  const struct mpispec_known_key key = {.element = (int)trial.reduction.size, .operation = (int)operation};
  int number = 0;
  while (mpispec_octave_last(number) < count)
    ++number;
  CHECK(mpispec_octave_first(number) <= count);
  for (int i = 0; i < size; ++i)
    counts[i] = count / size + (i < count % size);
  mpispec_library_orders_expect(size, &key, octaves);
  const struct mpispec_octave *octave = &octaves[number];
  CHECK(octave->expectation == MPISPEC_FROM_TABLE);
  CHECK(count <= octave->low_count || count >= octave->high_count ||
        octave->low == octave->high);
  const uint32_t expected = count <= octave->low_count ? octave->low : octave->high;
  const uint32_t found = mpispec_trial_run(&trial, count);
  if (!(found & expected))
    fprintf(stderr, "operation %d, %d bytes, count %d: expected %x, found %x\n", operation,
            (int)trial.reduction.size, (int)count, expected, found);
  CHECK(found & expected);
}

static void compare_type(const struct type *type) {
  int bytes, power = 1;
  MPI_Type_size(type->type, &bytes);
  while (2 * power <= size)
    power *= 2;
  const int64_t reduce = 2048 / bytes, scatter = 524288 / bytes;
  const int64_t few[] = {1, 2, power - 1, power, 8 / bytes, 8 / bytes + 1, reduce, reduce + 1, 9999};
  const int64_t many[] = {size, scatter - 1, scatter, scatter + 1};
  const int64_t blocks[] = {1, scatter / size - 1, scatter / size + 1};
  for (unsigned i = 0; i < sizeof few / sizeof *few; ++i)
    for (int operation = MPISPEC_ALLREDUCE; few[i] && operation <= MPISPEC_EXSCAN; ++operation)
      compare(operation, type, few[i]);
  for (unsigned i = 0; i < sizeof many / sizeof *many; ++i)
    compare(MPISPEC_REDUCE_SCATTER, type, many[i]);
  for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; ++i)
    compare(MPISPEC_REDUCE_SCATTER_BLOCK, type, blocks[i]);
}

/* --- wrong expectations ------------------------------------------------------------------------*/

/* Confirmed orders are exactly those that a full trial finds at these sizes. At other sizes some orders differ only
 * in the result of two NaNs, which the few numbers here do not show. */
static void refuse(enum mpispec_reducing operation, int64_t count) {
  struct mpispec_question question = {MPI_COMM_WORLD, operation, count, 0, NULL};
  struct mpispec_trial trial = trial_of(&question, &types[0]);
  const uint32_t found = mpispec_trial_run(&trial, count);
  CHECK(found);
  for (int tree = 0; mpispec_trees[tree].name; ++tree)
    if (mpispec_trial_confirm(&trial, count, UINT32_C(1) << tree) != (found & UINT32_C(1) << tree)) {
      fprintf(stderr, "operation %d of %d: a trial found %x, but as to %s\n", operation, (int)count,
              found, mpispec_trees[tree].name);
      CHECK(!"the same");
    }
  CHECK(!mpispec_trial_confirm(&trial, count, 0));
  CHECK(!mpispec_trial_confirm(&trial, count, ~found));
}

/* --- as programs use them ----------------------------------------------------------------------*/

static void use(int has_table) {
  static const int lengths[] = {1, 3, 7, 50, 300, 5000};
  for (int round = 0; round < 3; ++round) {
    const unsigned long trials = mpispec_trial_runs, confirmations = mpispec_trial_confirmations;
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, 0, round == 1 ? -rank : rank, &part);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; ++i)
      sums_compare(part, rank, has_table ? 2 : 14, lengths[i], MPI_DOUBLE);
    MPI_Comm_free(&part);
    CHECK((mpispec_trial_confirmations > confirmations) == (has_table && !round));
    CHECK((mpispec_trial_runs > trials) == (!has_table && !round));
  }
}

int main(int argc, char **argv) {
  int one = 1, sum;
  const char *what = argv[1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* now it has its slot */
  for (unsigned i = 0; !strcmp(what, "compare") && i < sizeof types / sizeof *types; ++i)
    compare_type(&types[i]);
  if (!strcmp(what, "refuse")) {
    refuse(MPISPEC_ALLREDUCE, 1);
    refuse(MPISPEC_ALLREDUCE, 20000);
    if (size & (size - 1)) /* no power of two */
      refuse(MPISPEC_REDUCE, 40);
    refuse(MPISPEC_SCAN, 9);
    refuse(MPISPEC_REDUCE_SCATTER_BLOCK, 2);
  }
  if (!strcmp(what, "use") || !strcmp(what, "no-table"))
    use(!strcmp(what, "use"));
  MPI_Finalize();
  return passed();
}

// The table is that of MPICH 4.0.
// REQUIRES: mpich4
// RUN: %mpicc -w %include -I%S %s -o %t %runtime
// RUN: for n in 4 7 %if !quick %{ 3 5 9 %}; do %mpirun -n $n %t compare > %t.out && FileCheck %s < %t.out || exit 1; done
// RUN: for n in 4 7; do %mpirun -n $n %t refuse > %t.out && FileCheck %s < %t.out || exit 1; done
// RUN: for n in 4 6; do %mpirun -n $n %t use > %t.out && FileCheck %s < %t.out || exit 1; done
// Its own default, but a later MPICH might obey it.
// DEFINE: %{set} = env MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=2048
// RUN: %{set} %mpirun -n 4 %t no-table | FileCheck %s
// RUN: %mpirun -n 3 %t no-table : -n 1 %{set} %t no-table | FileCheck %s
// CHECK: passed
