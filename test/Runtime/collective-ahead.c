/* How far a root gets ahead of ranks that have not come yet: 63 parts that fit a cell, fifteen short
 * chunks, four long ones after a Barrier. None is written before the last part in the same place has been read. */
#define _GNU_SOURCE
#include "check.h"
#include "collective/collective.h"
#include "progress/progress.h"

#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { WORD = 8, SHORT = 1000, LONGEST_CHUNK = 32 * 1024, LONG = 300000, ROUNDS = 200 };
static unsigned char bytes[LONG];
static int rank, size;

static void bcast(int number, int length) {
  if (rank == 0)
    memset(bytes, number, (size_t)length);
  MPI_Bcast(bytes, length, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < length; ++i)
    CHECK(bytes[i] == (unsigned char)number);
}

/* The others come when the root has made so many calls; if it had to wait for them, both would for
 * ever. */
static void get_ahead(int calls, int length) {
  int token = calls;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank)
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < calls; ++i)
    bcast(i, length);
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Send(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
}

static double in[4 * LONG], out[4 * LONG];

static void fill(double *values, int count, double value) {
  for (int i = 0; i < count; ++i)
    values[i] = value;
}

static int are(const double *values, int count, double value) {
  for (int k = 0; k < count; ++k)
    if (values[k] != value)
      return 0;
  return 1;
}

/* An operation with root 0, in which either the root gives, or the others. The third one of either is an Alltoallv. */
enum kind { BCAST, SCATTER, SCATTERV, FROM_ONE, GATHER, GATHERV, TO_ONE, REDUCE };

static void one_way(int count, int root_gives) {
  int sends[8] = {0}, takes[8] = {0}, from[8], to[8];
  for (int i = 0; i < size; ++i) {
    const int is_pair = (i == 0) != (rank == 0);
    *((rank == 0) == root_gives ? &sends[i] : &takes[i]) = is_pair ? count : 0;
    from[i] = to[i] = rank ? 0 : (i - 1) * count;
  }
  MPI_Alltoallv(out, sends, from, MPI_DOUBLE, in, takes, to, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void call(enum kind kind, int count) {
  int counts[8], places[8];
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    places[i] = i * count;
  }
  switch (kind) {
  case BCAST:
    MPI_Bcast(rank ? in : out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    break;
  case SCATTER:
    MPI_Scatter(out, count, MPI_DOUBLE, in, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    break;
  case SCATTERV:
    MPI_Scatterv(out, counts, places, MPI_DOUBLE, in, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    break;
  case GATHER:
    MPI_Gather(out, count, MPI_DOUBLE, in, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    break;
  case GATHERV:
    MPI_Gatherv(out, count, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    break;
  case FROM_ONE:
  case TO_ONE:
    one_way(count, kind == FROM_ONE);
    break;
  default:
    MPI_Reduce(out, in, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
}

/* The numbers that a rank takes. The root of a Gather counts its own. */
static int taken(enum kind kind, int count) {
  const int is_root_of_some = !rank && (kind == GATHER || kind == GATHERV || kind == TO_ONE);
  return is_root_of_some ? (size - (kind == TO_ONE)) * count : count;
}

/* Those that take come when those that give have left. If these waited, all would for ever. */
static void give_and_leave(enum kind kind, int count) {
  const int root_gives = kind < GATHER, gives = root_gives == !rank;
  int token = 0;
  const double value = kind + 1 + count; /* differs from that of the size before */
  fill(out, size * count, value);
  fill(in, size * count, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!gives)
    for (int i = 0; i < (root_gives ? 1 : size - 1); ++i)
      MPI_Recv(&token, 1, MPI_INT, root_gives ? 0 : i + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  call(kind, count);
  if (gives)
    for (int i = 0; i < (root_gives ? size - 1 : 1); ++i)
      MPI_Send(&token, 1, MPI_INT, root_gives ? i + 1 : 0, 0, MPI_COMM_WORLD);
  fill(out, size * count, -1);
  CHECK(gives || are(in, taken(kind, count), kind == REDUCE ? size * value : value));
}

/* Up to MPISPEC_LATE_BYTES in all. */
static void give_all(enum kind last) {
  for (int kind = BCAST; kind <= (int)last; ++kind)
    for (int bytes = WORD; bytes <= MPISPEC_LATE_BYTES / (size - 1); bytes *= 2)
      give_and_leave((enum kind)kind, bytes / (int)sizeof(double));
}

/* Readers that come at about the time at which the others stop waiting for them: they read the memory of these, or a
 * block, but nothing that was written after the call. */
static void meet(void) {
  const int count = MPISPEC_LATE_BYTES / (size - 1) / (int)sizeof(double);
  for (int i = 0; i < 6 * ROUNDS; ++i) {
    const enum kind kind = (enum kind)(i % REDUCE);
    const int gives = (kind < GATHER) == !rank;
    fill(out, size * count, i);
    fill(in, size * count, -1);
    MPI_Barrier(MPI_COMM_WORLD);
    for (const double end = MPI_Wtime() + (gives ? 0 : i / REDUCE % 50 * 1e-6); MPI_Wtime() < end;)
      ;
    call(kind, count);
    fill(out, size * count, -2);
    CHECK(gives || are(in, taken(kind, count), i));
  }
}

/* Readers that dawdle find what was meant for them. */
static void mix(void) {
  for (int i = 0; i < ROUNDS; ++i) {
    if (rank && i % 8 == rank)
      usleep(2000);
    bcast(i, i * 7 % 5 > 2 ? LONG : i % 11 == 3 ? WORD : SHORT);
  }
}

/* Operations with a root, of which only one rank waits. The other rank gets ahead, or comes late, in
 * the chunks of the exchanges before and after them. */
static void rooted(MPI_Comm pair, int i, int count) {
  int self, members;
  MPI_Comm_rank(pair, &self);
  MPI_Comm_size(pair, &members);
  const int root = i / 2 % members;
  MPI_Bcast(in, count % 1000, MPI_DOUBLE, root, pair);
  MPI_Reduce(in, out, count % 5000, MPI_DOUBLE, MPI_SUM, root, pair);
  CHECK(self != root || are(out, count % 5000, members * i));
  MPI_Gather(in, count % 700, MPI_DOUBLE, out, count % 700, MPI_DOUBLE, root, pair);
  CHECK(self != root || are(out, members * (count % 700), i));
}

/* Two that show a step ahead of what they read, whose last piece is short. */
static void pairs(void) {
  MPI_Comm pair;
  int members;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  MPI_Comm_size(pair, &members);
  for (int i = 0; i < ROUNDS; ++i) {
    const int count = 8192 * (i % 4) + i * 97 % 3000 + 1;
    for (int k = 0; k < 2 * count; ++k)
      in[k] = i;
    if (i % 16 == 5 + rank % 2)
      usleep(1000);
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, pair);
    CHECK(are(out, count, members * i));
    if (i % 3)
      rooted(pair, i, count);
    MPI_Alltoall(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, pair);
    CHECK(are(out, members * count, i));
    MPI_Allgather(in, count % 4000, MPI_DOUBLE, out, count % 4000, MPI_DOUBLE, pair);
    CHECK(are(out, members * (count % 4000), i));
    MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, pair);
    CHECK(are(out, count, (rank % 2 + 1) * i));
  }
  MPI_Comm_free(&pair);
}

/* Steps after which no member publishes that it has left them, and then an exchange in several
 * chunks. There each member waits for room in the second step before it leaves the first. */
static void unpublished(void) {
  MPI_Comm pair, alone;
  int self, members;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  MPI_Comm_rank(pair, &self);
  MPI_Comm_size(pair, &members);
  fill(in, LONG, 1);
  for (int steps = 1; steps < 8; ++steps)
    for (int i = 0; i < 24; ++i) {
      for (int k = 0; k < steps; ++k)
        if (i % 3)
          MPI_Scan(in, out, i % 3 == 1 ? 1 : SHORT, MPI_DOUBLE, MPI_SUM, pair);
        else if (!MPI_Comm_split(pair, self, 0, &alone))
          MPI_Comm_free(&alone);
      if (i % 2)
        MPI_Allreduce(in, out, LONG, MPI_DOUBLE, MPI_SUM, pair);
      else
        MPI_Reduce_scatter_block(in, out, LONG / members, MPI_DOUBLE, MPI_SUM, pair);
      CHECK(are(out, LONG / members, members));
    }
  MPI_Comm_free(&pair);
}

/* In whose slot is the chunk of member 0? */
static int slot_of_first(int members, int root, int oversubscribed, uint64_t step) {
  static struct mpispec_slot some[3];
  struct mpispec_slot *slots[] = {&some[0], &some[1], &some[2]};
  struct mpispec_collective collective = {.steps = {.members = members, .slots = slots},
                                          .chunk_bytes = 0, /* chunks lie at the slot's end */
                                          .oversubscribed = oversubscribed,
                                          .call = {.root = root}};
  const unsigned char *chunk = mpispec_step_chunk(&collective, slots[0], step, SHORT);
  return (int)((const struct mpispec_slot *)chunk - some) - 1;
}

/* Only two members that exchange, each on a core of its own, take turns. */
static void turns(void) {
  for (uint64_t step = 0; step < 32; ++step) {
    CHECK(slot_of_first(2, -1, 0, step) == (int)(step / MPISPEC_SLOT_CHUNKS % 2));
    CHECK(slot_of_first(2, 0, 0, step) == 0 && slot_of_first(2, 1, 0, step) == 0);
    CHECK(slot_of_first(2, -1, 1, step) == 0);
    CHECK(slot_of_first(3, -1, 0, step) == 0);
  }
}

/* Parts of these lengths, in so many steps. */
enum { STEPS = 32, LENGTHS = 5, SHORT_ROOM = MPISPEC_SLOT_SHORT_CHUNKS * MPISPEC_SHORT_CHUNK };

/* Parts of two steps may overlap only if the later step waits for the earlier one. */
static void are_apart(int oversubscribed, int root, int64_t chunk) {
  const int64_t lengths[LENGTHS] = {64, SHORT, MPISPEC_SHORT_CHUNK, MPISPEC_SHORT_CHUNK + 1, chunk};
  struct mpispec_slot slot;
  struct mpispec_slot *slots[] = {&slot, &slot};
  const struct mpispec_collective collective = {.steps = {.members = 3, .slots = slots},
                                                .chunk_bytes = chunk,
                                                .oversubscribed = oversubscribed,
                                                .call = {.root = root}};
  for (int a = 0; a < LENGTHS * STEPS; ++a)
    for (int b = 0; b < a; ++b) {
      const int64_t step = a / LENGTHS, earlier = b / LENGTHS, length = lengths[a % LENGTHS],
                    other = lengths[b % LENGTHS];
      const unsigned char *place = mpispec_step_chunk(&collective, &slot, (uint64_t)step, length),
                          *before = mpispec_step_chunk(&collective, &slot, (uint64_t)earlier, other);
      const int64_t at = place - (unsigned char *)(&slot + 1), was = before - (unsigned char *)(&slot + 1);
      CHECK(at >= 0 && at + length <= MPISPEC_SLOT_CHUNKS * chunk + SHORT_ROOM);
      const int overlap = at < was + other && was < at + length;
      CHECK(step == earlier || !overlap || step - earlier >= (int64_t)mpispec_step_places(&collective, length));
    }
}

/* Short chunks: where ranks share cores, and in operations with a root. In exchanges of ranks with a
 * core each they would be slower. */
static void kinds(void) {
  struct mpispec_collective collective = {.chunk_bytes = MPISPEC_LARGE_CHUNK, .call = {.root = 0}};
  CHECK(mpispec_step_places(&collective, MPISPEC_SLOT_PAYLOAD) == MPISPEC_SLOT_CELLS);
  CHECK(mpispec_step_places(&collective, MPISPEC_SHORT_CHUNK) == MPISPEC_SLOT_SHORT_CHUNKS);
  CHECK(mpispec_step_places(&collective, MPISPEC_SHORT_CHUNK + 1) == MPISPEC_SLOT_CHUNKS);
  collective.call.root = -1;
  CHECK(mpispec_step_places(&collective, 64) == MPISPEC_SLOT_CHUNKS);
  collective.oversubscribed = 1;
  CHECK(mpispec_step_places(&collective, MPISPEC_SHORT_CHUNK) == MPISPEC_SLOT_SHORT_CHUNKS);
  collective = (struct mpispec_collective){.chunk_bytes = MPISPEC_SMALL_CHUNK, .call = {.root = 0}};
  CHECK(mpispec_step_places(&collective, 64) == MPISPEC_SLOT_CHUNKS); /* which has none */
  CHECK(mpispec_slot_chunk_bytes(MPISPEC_LONG_SLOTS - 1, 1) == MPISPEC_LONG_CHUNK);
  CHECK(mpispec_slot_chunk_bytes(MPISPEC_LONG_SLOTS - 1, 0) == MPISPEC_LARGE_CHUNK);
  CHECK(mpispec_slot_chunk_bytes(MPISPEC_LONG_SLOTS, 1) == MPISPEC_LARGE_CHUNK);
  CHECK(mpispec_slot_offset(MPISPEC_LONG_SLOTS) - mpispec_slot_offset(MPISPEC_LONG_SLOTS - 1) >=
        sizeof(struct mpispec_slot) + MPISPEC_SLOT_CHUNKS * MPISPEC_LONG_CHUNK + SHORT_ROOM);
}

/* Each rank knows which step has used a chunk last, also if another member has written it, perhaps into this rank's
 * slot. Over nodes, a leader alone writes the last chunk of an Alltoall, and reads it itself after others have left. */
static void last_chunk(void) {
  enum { BYTES = 4096 };
  static unsigned char given[LONGEST_CHUNK], taken[8 * BYTES];
  MPI_Barrier(MPI_COMM_WORLD);
  const struct mpispec_collective *collective = mpispec_communicator_find(MPI_COMM_WORLD)->collective;
  for (int i = 0; i < 3 * MPISPEC_SLOT_CHUNKS; ++i) {
    MPI_Alltoall(given, BYTES, MPI_BYTE, taken, BYTES, MPI_BYTE, MPI_COMM_WORLD);
    const uint64_t last = collective->steps.step - 1;
    CHECK(collective->chunk_steps[last % MPISPEC_SLOT_CHUNKS] == last);
    MPI_Bcast(given, i % 3 ? WORD : LONGEST_CHUNK, MPI_BYTE, i % size, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 2 || strcmp(argv[1], "nodes"))
    CHECK(mpispec_progress_was_oversubscribed() == (size > sysconf(_SC_NPROCESSORS_ONLN)));
  last_chunk();
  if (argc > 1 && !strcmp(argv[1], "nodes"))
    return MPI_Finalize() || passed();
  get_ahead(MPISPEC_SLOT_CELLS - 1, WORD);
  get_ahead(MPISPEC_SLOT_SHORT_CHUNKS - 1, SHORT);
  get_ahead(MPISPEC_SLOT_CHUNKS, LONGEST_CHUNK);
  give_all(argc > 1 ? REDUCE : TO_ONE);
  meet();
  mix();
  pairs();
  unpublished();
  turns();
  kinds();
  are_apart(0, 0, MPISPEC_LARGE_CHUNK);
  are_apart(0, -1, MPISPEC_LARGE_CHUNK);
  are_apart(1, 0, MPISPEC_LARGE_CHUNK);
  are_apart(1, -1, MPISPEC_LONG_CHUNK);
  MPI_Finalize();
  return passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 4 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 5 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t nodes | FileCheck %s %}
//
// Reductions are the runtime's own from the first one on, because the library's may wait for the root. Of more than two
// ranks, each combines a share of a long reduction, and therefore waits for the others.
// RUN: env MPISPEC_MODE=lanes MPISPEC_REDUCTIONS=ranks %mpirun -n 2 %t reductions | FileCheck %s
// CHECK: passed
