/* Samples of the cost of a way, by times that this program invents. In exchanges that are back to back, the copies of
 * both messages count. By the received message alone, the pipe would always be cheaper here. */
#include "p2p/traffic.h"
#include "p2p/way_sample.h"
#include "progress/ticks.h"

#include "check.h"

#include <mpi.h>
#include <stdlib.h>

enum { MIB = 1 << 20, BYTES = 4 * MIB, MESSAGES = 4000, LAST = 100, PEER = 1 };

/* The times of copies, picoseconds a byte. */
struct times {
  unsigned receive, send; /* by the pipe */
  unsigned shared;
};

static uint64_t ticks_of(unsigned picoseconds, int64_t bytes) {
  return mpispec_ticks_in((uint64_t)picoseconds * (uint64_t)bytes / 1000);
}

/* Only alone, messages are samples. By turns, every second message is in company. */
enum sort { ALONE, MIXED, IN_COMPANY, BY_TURNS };

/* One message each way. */
static enum mpispec_way exchange(struct times times, enum sort sort) {
  struct mpispec_traffic *traffic = &mpispec_traffic[PEER];
  struct mpispec_request request = {.peer = PEER};
  traffic->back_to_back = traffic->began_soon = 1;
  request.transfer = (struct mpispec_transfer){
      .wanted = BYTES, .both_ways = 1, .mixed = sort == MIXED, .in_company = sort == IN_COMPANY};
  const struct mpispec_situation situation = mpispec_situation_of(&request);
  const enum mpispec_way way = mpispec_way_choose(&situation);
  const int is_pipe = way == MPISPEC_WAY_PIPE;
  request.transfer.way = (uint8_t)way;
  /* By the shared way, the peer copies a quarter. */
  traffic->received = is_pipe ? BYTES : BYTES / 4 * 3;
  traffic->receiving = ticks_of(is_pipe ? times.receive : times.shared, (int64_t)traffic->received);
  traffic->sending = is_pipe ? ticks_of(times.send, BYTES) : 0;
  mpispec_way_learn(&request, 1);
  CHECK(!traffic->receiving && !traffic->received && !traffic->sending);
  return way;
}

/* The way of most of the last messages. */
static enum mpispec_way way_after(struct times times, enum sort sort) {
  int by_pipe = 0;
  for (int i = 0; i < MESSAGES; ++i) {
    const enum sort now = sort != BY_TURNS ? sort : i % 2 ? ALONE : IN_COMPANY;
    by_pipe += exchange(times, now) == MPISPEC_WAY_PIPE && i >= MESSAGES - LAST;
  }
  return by_pipe > LAST / 2 ? MPISPEC_WAY_PIPE : MPISPEC_WAY_SHARED;
}

static void wait_for(uint64_t ticks) {
  for (const uint64_t end = mpispec_ticks() + ticks; mpispec_ticks() < end;)
    ;
}

/* A message that comes after one in company, or with it, has the costs of messages back to back. */
static void check_company(struct times times) {
  struct mpispec_traffic *traffic = &mpispec_traffic[PEER];
  struct mpispec_request request = {.peer = PEER, .transfer = {.wanted = BYTES, .both_ways = 1}};
  for (int in_company = 0; in_company < 2; ++in_company) {
    exchange(times, in_company ? IN_COMPANY : ALONE);
    traffic->back_to_back = traffic->began_soon = 0;
    CHECK(mpispec_situation_of(&request).back_to_back == in_company);
  }
}

/* The time between two copies counts while a receive is awaited, and not otherwise. */
static void check_idle_time(void) {
  struct mpispec_traffic *traffic = &mpispec_traffic[PEER];
  const uint64_t idle = ticks_of(1000, MIB); /* a millisecond */
  for (int is_awaited = 0; is_awaited < 2; ++is_awaited) {
    traffic->awaited_since = is_awaited ? mpispec_ticks() : 0;
    mpispec_traffic_copied(traffic, mpispec_ticks(), &traffic->sending);
    wait_for(idle);
    traffic->sending = 0;
    const uint64_t began = mpispec_ticks();
    const uint64_t copy = mpispec_traffic_copied(traffic, began, &traffic->sending) - began;
    CHECK(is_awaited ? traffic->sending >= idle : traffic->sending == copy);
  }
  /* It ends with the next message. */
  mpispec_traffic_end(PEER);
  mpispec_traffic_begin(PEER, MIB);
  CHECK(!traffic->awaited_since);
  traffic->sending = 0;
}

int main(int argc, char **argv) {
  int rank;
  setenv("MPISPEC_COST_MODEL", "built-in", 1);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    const struct times dear_sends = {80, 80, 120}, cheap = {50, 50, 120};
    check_idle_time();
    /* Messages beside others are no samples. */
    const enum mpispec_way first = exchange(cheap, MIXED);
    for (enum sort sort = MIXED; sort <= BY_TURNS; ++sort)
      CHECK(way_after(first == MPISPEC_WAY_PIPE ? dear_sends : cheap, sort) == first);
    CHECK(way_after(dear_sends, ALONE) == MPISPEC_WAY_SHARED);
    CHECK(way_after(cheap, ALONE) == MPISPEC_WAY_PIPE);
    CHECK(way_after(dear_sends, ALONE) == MPISPEC_WAY_SHARED);
    check_company(dear_sends);
  }
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: %mpirun -n 2 %t | FileCheck %s
// CHECK-COUNT-2: passed
