/* The templates of collective operations must pass some calls to the ordinary call, which then has its usual result.
 * After some steps they may no longer pass a call on. Two ranks. */
#include "ordinary.h"

#include <unistd.h>

static int rank, peer;

static int error_class(int error) {
  int found = MPI_SUCCESS;
  if (error)
    MPI_Error_class(error, &found);
  return found;
}

/* So that the members have a slot, and the next steps are not those that visit the runtime. */
static void warm_up(MPI_Comm comm) {
  for (int i = 0; i < 65; ++i) {
    const int before = ordinary_Barrier;
    MPI_Barrier(comm);
    if (i && is_fast() && ordinary_Barrier > before)
      return;
  }
}

/* The first operation of a communicator whose members agree on a slot in it. */
static void first_of_all(void) {
  for (int round = 0; round < 3; ++round) {
    MPI_Comm comm;
    MPI_Request made;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &made);
    MPI_Wait(&made, MPI_STATUS_IGNORE);
    HANDS_OVER(Barrier, 1, MPI_Barrier(comm));
    warm_up(comm);
    TAKES(Barrier, 1, MPI_Barrier(comm));
    MPI_Comm_free(&comm);
  }
}

/* The members have agreed in MPI_Comm_dup. One of two operations may visit the runtime. */
static void agreed_before(void) {
  for (int round = 0; round < 3; ++round) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int before = ordinary_Barrier;
    MPI_Barrier(comm);
    MPI_Barrier(comm);
    EXPECT(ordinary_Barrier - before <= (is_fast() ? 1 : 2));
    MPI_Comm_free(&comm);
  }
}

/* A handle that meant an adopted communicator comes to mean one that is not. */
static void reused_handle(void) {
  for (int round = 0; HANDLES_COME_AGAIN && round < 3; ++round) {
    MPI_Comm comm, other;
    double x = rank + 1, sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const MPI_Comm kept = comm;
    warm_up(comm);
    TAKES(Allreduce, 1, MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, comm));
    EXPECT(sum == 3);
    MPI_Comm_free(&comm);
    PMPI_Comm_dup(MPI_COMM_WORLD, &other); /* behind the runtime's back */
    EXPECT(kept == other);
    HANDS_OVER(Allreduce, 1, MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_MAX, kept));
    EXPECT(sum == 2);
    HANDS_OVER(Barrier, 1, MPI_Barrier(kept));
    MPI_Comm_free(&other);
  }
}

static void average(void *in, void *out, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; ++i)
    ((double *)out)[i] = (((double *)in)[i] + ((double *)out)[i]) / 2;
}

/* Too long, not contiguous, or arithmetic that templates leave out. */
static void long_derived_and_strange(void) {
  double x[7] = {1, 2, 3, 4, 5, 6, 7}, y[7] = {0};
  long double wide = 2, wider = 0;
  struct {
    double value;
    int index;
  } pair = {.value = rank, .index = rank}, most = {0};
  _Bool yes = rank == 0, all = 1;
  MPI_Datatype two;
  MPI_Op op;
  warm_up(MPI_COMM_WORLD);
  HANDS_OVER(Allreduce, 1, MPI_Allreduce(x, y, 7, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  EXPECT(y[6] == 14);
  HANDS_OVER(Bcast, 1, MPI_Bcast(x, 7, MPI_DOUBLE, 0, MPI_COMM_WORLD));
  HANDS_OVER(Reduce, 1, MPI_Reduce(x, y, 7, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD));
  HANDS_OVER(Allreduce, 1,
             MPI_Allreduce(&wide, &wider, 1, MPI_LONG_DOUBLE, MPI_PROD, MPI_COMM_WORLD));
  EXPECT(wider == 4);
  HANDS_OVER(Allreduce, 1,
             MPI_Allreduce(&pair, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD));
  EXPECT(most.index == 1 && most.value == 1);
  HANDS_OVER(Allreduce, 1, MPI_Allreduce(&yes, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD));
  EXPECT(!all);
  MPI_Op_create(average, 1, &op);
  HANDS_OVER(Allreduce, 1, MPI_Allreduce(&x[rank], y, 1, MPI_DOUBLE, op, MPI_COMM_WORLD));
  EXPECT(y[0] == 1.5);
  MPI_Op_free(&op);
  MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &two);
  MPI_Type_commit(&two);
  if (rank == 1)
    memset(x, 0, sizeof x);
  HANDS_OVER(Bcast, 1, MPI_Bcast(x, 1, two, 0, MPI_COMM_WORLD));
  EXPECT(x[0] == 1 && x[3] == 4);
  MPI_Type_free(&two);
  HANDS_OVER(Allreduce, 1, MPI_Allreduce(x, y, 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  HANDS_OVER(Bcast, 1, MPI_Bcast(x, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD));
}

static void other_group(void) {
  MPI_Comm alone, inter;
  double x = rank + 1, sum = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
  MPI_Intercomm_create(alone, 0, MPI_COMM_WORLD, peer, 4, &inter);
  HANDS_OVER(Barrier, 1, MPI_Barrier(inter));
  HANDS_OVER(Allreduce, 1, MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, inter));
  EXPECT(sum == peer + 1);
  HANDS_OVER(Bcast, 1, MPI_Bcast(&x, 1, MPI_DOUBLE, rank ? 0 : MPI_ROOT, inter));
  EXPECT(x == 1);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&alone);
}

/* The mistakes come as variables: a compiler that sees a constant one knows better. */
static void mistakes(int minus_one, int too_large, MPI_Comm zero, void *null) {
  double b[2] = {0}, *same = b;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  warm_up(MPI_COMM_WORLD);
#define FAILS(NAME, CLASS, ...)                                                                    \
  HANDS_OVER(NAME, 1, EXPECT(error_class(MPI_##NAME(__VA_ARGS__)) == CLASS))
  FAILS(Barrier, MPI_ERR_COMM, zero);
  FAILS(Bcast, MPI_ERR_COUNT, b, minus_one, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  FAILS(Bcast, MPI_ERR_ROOT, b, 1, MPI_DOUBLE, too_large, MPI_COMM_WORLD);
  FAILS(Bcast, MPI_ERR_ROOT, b, 1, MPI_DOUBLE, minus_one * 9, MPI_COMM_WORLD);
  FAILS(Reduce, MPI_ERR_ROOT, b, b + 1, 1, MPI_DOUBLE, MPI_SUM, too_large, MPI_COMM_WORLD);
#ifndef OPEN_MPI /* which does not look at buffers: it adds them up, or crashes */
  FAILS(Bcast, MPI_ERR_BUFFER, null, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  FAILS(Allreduce, MPI_ERR_BUFFER, b, same, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  FAILS(Allreduce, MPI_ERR_BUFFER, null, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
  FAILS(Allreduce, MPI_ERR_OP, b, b + 1, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
  FAILS(Allreduce, MPI_ERR_COMM, b, b + 1, 1, MPI_DOUBLE, MPI_SUM, zero);
  /* None of them has taken a step. */
  b[0] = rank;
  MPI_Allreduce(b, b + 1, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(b[1] == 1);
}

/* A root that is far ahead of its readers waits for room; a reader that comes
 * early for the root. */
static void far_ahead(void) {
  for (int i = 0; i < 120; ++i) {
    int number = rank == 0 ? i : -1;
    if ((i == 20 && rank == 1) || (i == 70 && rank == 0))
      usleep(20000);
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT(number == i);
  }
  for (int i = 0; i < 60; ++i) {
    int number = i, sum = -1;
    if (i == 20 && rank == 0)
      usleep(20000);
    MPI_Reduce(&number, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    EXPECT(sum == (rank ? -1 : 2 * i));
  }
}

/* A rank that has shown a part cannot pass the call on. While it waits, all else goes on. */
static void late_peer(void) {
  enum { LONG = 100000 };
  static int in[LONG], out[LONG];
  for (int round = 0; round < 4; ++round) {
    MPI_Request request = MPI_REQUEST_NULL;
    double x = rank, sum = -1;
    warm_up(MPI_COMM_WORLD);
    if (rank == round % 2) {
      MPI_Irecv(in, LONG, MPI_INT, peer, 3, MPI_COMM_WORLD, &request);
      TAKES(Allreduce, 1, MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    } else {
      usleep(20000);
      out[LONG - 1] = round;
      MPI_Ssend(out, LONG, MPI_INT, peer, 3, MPI_COMM_WORLD);
      MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(sum == 1 && (rank != round % 2 || in[LONG - 1] == round));
  }
}

/* A root that says another length: only the ordinary call can tell the reader. */
static void other_lengths(void) {
  long bytes[8] = {0};
  if (!is_fast())
    return;
  warm_up(MPI_COMM_WORLD);
  const int error = rank == 0 ? MPI_Bcast(bytes, 2, MPI_LONG, 0, MPI_COMM_WORLD)
                              : MPI_Bcast(bytes, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  EXPECT(error_class(error) == (rank ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  volatile int minus_one = -1, too_large = 1000;
  MPI_Comm volatile zero = 0;
  void *volatile null = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  HANDS_OVER(Barrier, 1, MPI_Barrier(MPI_COMM_WORLD));
  first_of_all();
  agreed_before();
  reused_handle();
  long_derived_and_strange();
  other_group();
  far_ahead();
  late_peer();
  mistakes(minus_one, too_large, zero, null);
  other_lengths();
  return expect_finish();
}

// RUN: for options in -O0 %if !quick %{ -O2 %}; do \
// RUN:   echo "$options" && \
// RUN:   %specialise %t mpicc -D_GNU_SOURCE -std=c11 $options %s && %everywhere 2 %t || exit 1; \
// RUN: done
// RUN: %behind clang-22 %specialise %t mpicc -D_GNU_SOURCE -std=c11 -O2 %s && %everywhere 2 %t
