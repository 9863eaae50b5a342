/* Which long messages count as back to back: those between which no rank has touched their bytes. Their costs are kept
 * apart from those of other messages. */
#include "p2p/cost_model_file.h"
#include "p2p/traffic.h"
#include "p2p/way.h"
#include "progress/ticks.h"

#include "check.h"

#include <mpi.h>

enum { KIB = 1024, BYTES = 2 << 20, MESSAGES = 400 };
static unsigned char outgoing[BYTES], incoming[BYTES];

static enum mpispec_way way_after(struct mpispec_situation situation, unsigned pipe, unsigned shared) {
  enum mpispec_way way = MPISPEC_WAY_OPEN;
  for (int i = 0; i < MESSAGES; ++i) {
    way = mpispec_way_choose(&situation);
    const uint64_t nanoseconds = (way == MPISPEC_WAY_PIPE ? pipe : shared) * (uint64_t)situation.bytes / 1000;
    mpispec_way_record(&situation, way, mpispec_ticks_in(nanoseconds));
    mpispec_way_plan(&situation);
  }
  return mpispec_way_choose(&situation);
}

/* The costs of messages whose bytes are touched do not change those of other messages, nor the other way round. */
static void check_costs(int bytes) {
  const struct mpispec_situation apart = {1, bytes, 0, 0}, back_to_back = {1, bytes, 0, 1};
  CHECK(way_after(back_to_back, 100, 50) == MPISPEC_WAY_SHARED);
  CHECK(way_after(apart, 100, 200) == MPISPEC_WAY_PIPE);
  CHECK(mpispec_way_plan(&back_to_back) == MPISPEC_WAY_SHARED);
  CHECK(mpispec_way_plan(&apart) == MPISPEC_WAY_PIPE);
}

/* Pulled bytes that are back to back are read by no program: nothing is added to their cost. */
static void check_reading(void) {
  struct mpispec_cost_model model;
  mpispec_cost_model_build_in(&model);
  const unsigned unwritten = model.costs[0][mpispec_size_class(512 * KIB)][0][1].picoseconds[MPISPEC_WAY_SHARED];
  const unsigned pipe = unwritten * 5 / 2, shared = unwritten * 2;
  CHECK(way_after((struct mpispec_situation){1, 512 * KIB, 0, 1}, pipe, shared) == MPISPEC_WAY_SHARED);
  CHECK(way_after((struct mpispec_situation){1, 512 * KIB, 0, 0}, pipe, shared) == MPISPEC_WAY_PIPE);
}

static void pause_for(double seconds) {
  for (const double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
    ;
}

static void exchange(int rank, int bytes, double pause) {
  MPI_Request requests[2];
  pause_for(pause);
  MPI_Isend(outgoing, bytes, MPI_BYTE, !rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(incoming, bytes, MPI_BYTE, !rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void ping_pong(int rank, int bytes, double pause) {
  if (rank == 1)
    MPI_Recv(incoming, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pause_for(pause);
  MPI_Send(outgoing, bytes, MPI_BYTE, !rank, 0, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Recv(incoming, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* How many of 40 rounds are back to back. */
static int count(void (*round)(int rank, int bytes, double pause), int rank, int bytes, double pause) {
  int found = 0;
  for (int i = 0; i < 40; ++i) {
    round(rank, bytes, pause);
    found += mpispec_traffic[!rank].back_to_back;
  }
  return found;
}

/* A rank that has lost its core notices the end of a message late. Therefore each count is repeated till it is right on
 * both ranks. On a machine that never lets them run at the same time, the test ends by its time limit. */
static void check_messages(void (*round)(int rank, int bytes, double pause), int rank) {
  for (int done[2] = {0, 0}, all[2] = {0, 0}; !all[0] || !all[1];) {
    done[0] |= count(round, rank, 256 * KIB, 1e-3) < 10;
    done[1] |= count(round, rank, BYTES, 0) > 10;
    MPI_Allreduce(done, all, 2, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && rank == 0) {
    check_costs(256 * KIB);
    check_costs(BYTES);
    check_reading();
  }
  check_messages(exchange, rank);
  check_messages(ping_pong, rank);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: env MPISPEC_COST_MODEL=built-in MPISPEC_LONG_MESSAGES=pipe %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_COST_MODEL=built-in MPISPEC_LONG_MESSAGES=shared %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_COST_MODEL=built-in %mpirun -n 1 %t costs : -n 1 %t costs | FileCheck %s
// CHECK-COUNT-2: passed
