/* A part of a buffer is memory that other processes cannot reach, as a device's. Pieces that touch it are copied
 * another way, whichever rank first finds it. Later messages with other memory are pulled and pushed as before. */
#include "long-message.h"
#include "p2p/rendezvous.h"
#include "refuse.h"

enum { BYTES = 1024 * KIB + 3, LENGTH = 100000, ROUNDS = 30, TRIES = 20000 };

/* A part of the peer's memory from `begin` on, which the peer announces. */
static void refuse_to_peer(const unsigned char *begin, int length) {
  uint64_t own = (uint64_t)(uintptr_t)begin, theirs = 0;
  MPI_Sendrecv(&own, 1, MPI_UINT64_T, !rank, 1, &theirs, 1, MPI_UINT64_T, !rank, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  refuse(theirs, (uint64_t)length);
}

static void exchange(struct receiving *r, enum send_way way, int both_ways) {
  ++number;
  if (rank == 0 || both_ways)
    r->error = MPI_Irecv(place_of(r), BYTES, MPI_BYTE, !rank, 6, MPI_COMM_WORLD, &r->request);
  if (rank == 1 || both_ways)
    send(way, BYTES, dense, !rank, 6);
  if (rank == 0 || both_ways) {
    MPI_Wait(&r->request, &r->status);
    receive_check(r, !rank);
  }
}

/* The receiver's memory is refused to the sender, or the sender's to the receiver, or nothing. */
enum { TARGET, SOURCE, NOTHING };

static void exchange_with(int what, enum send_way way, int both_ways) {
  struct receiving r = receive_new(BYTES, dense, 6);
  const unsigned char *const refused = what == SOURCE ? outs[6] : place_of(&r);
  const unsigned begin = number * 100003 % (BYTES - LENGTH);
  refuse_to_peer(refused + begin, what == NOTHING ? 0 : LENGTH);
  if (rank == 0 || both_ways) {
    exchange(&r, way, both_ways);
  } else {
    exchange(NULL, way, both_ways);
    room_leave(r.room);
  }
}

/* A fault ends no permission: rank 0 still pulls, rank 1 still pushes. */
static uint64_t own_count(void) {
  return rank ? mpispec_rendezvous_counts.pushed : mpispec_rendezvous_counts.pulled;
}

static void are_still_permitted(void) {
  const uint64_t before = own_count(), filled = mpispec_rendezvous_counts.filled;
  uint64_t least = 0;
  for (int i = 0; i < TRIES && !least; ++i) {
    exchange_with(NOTHING, SEND, 0);
    const uint64_t own = own_count() - before;
    MPI_Allreduce(&own, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  }
  CHECK(least && filled == mpispec_rendezvous_counts.filled);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  long_messages_begin();
  for (int i = 0; i < ROUNDS; ++i)
    for (int what = TARGET; what <= NOTHING; ++what) {
      exchange_with(what, SEND, 0);
      exchange_with(what, TESTED_SEND, 0);
      exchange_with(what, ISEND, 1);
      exchange_with(what, TESTED_SEND, 1);
    }
  if (argc == 1)
    are_still_permitted();
  MPI_Finalize();
  long_messages_end();
  if (rank == 0)
    passed();
  return 0;
}

// Preloads into programs that know nothing of a sanitizer.
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %mpicc -fPIC -shared %tool/refuse.c -o %t.refuse.so
// DEFINE: %{long} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES
// DEFINE: %{refuse} = env LD_PRELOAD=%t.refuse.so REFUSE=fault-one
// RUN: %{long}=shared %mpirun -n 2 %{refuse} %t | FileCheck %s
// RUN: %{long}=shared %mpirun -n 2 %{refuse} REFUSE_RANK=0 %t | FileCheck %s
// RUN: %{long}=shared %mpirun -n 2 %{refuse} REFUSE_RANK=1 %t | FileCheck %s
// RUN: %{long}=pipe %mpirun -n 2 %{refuse} %t pipe | FileCheck %s
//
// ENOMEM ends no permission, either.
// RUN: %{long}=shared %mpirun -n 2 %{refuse} REFUSE_ERROR=12 %t | FileCheck %s
// CHECK: passed
