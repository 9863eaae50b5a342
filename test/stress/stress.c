/* What all phases use: random numbers, messages, checks; and the loop over phases. See stress.h.
 *
 *   stress <seed> <phases> [largest message in bytes] */
#include "stress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world world;

static uint64_t next_random(void) {
  world.random += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = world.random;
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

int draw(int below) { return (int)(next_random() % (uint64_t)below); }

void note(int64_t number) {
  world.digest = (world.digest ^ (uint64_t)number) * UINT64_C(0x100000001b3) + 1;
}

void require(int condition, const char *what, const struct message *message) {
  if (condition)
    return;
  fprintf(stderr, "rank %d, phase %d: %s", world.rank, world.phase, what);
  if (message)
    fprintf(stderr, " (message %d from %d to %d on %d, tag %d, %d bytes, way %d, receive %d%s%s)",
            message->id, message->source, message->target, message->communicator, message->tag,
            message->bytes, message->way, message->receive_way,
            message->any_source ? ", any source" : "", message->any_tag ? ", any tag" : "");
  fprintf(stderr, "\n");
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int draw_bytes(void) {
  static const int bounds[] = {2, 49, 49, 200, 1100, 5000, 70000, 300000, 4 << 20};
  int bound = bounds[draw(40) < 39 ? draw(7) : draw(9)];
  if (bound > world.largest)
    bound = world.largest + 1;
  return draw(bound);
}

struct message draw_message(int tag) {
  struct message message = {.id = world.next_id++, .tag = tag};
  message.communicator = draw(MAXIMUM_COMMUNICATORS);
  message.source = draw(world.sizes[message.communicator]);
  message.target = draw(world.sizes[message.communicator]);
  message.bytes = draw_bytes();
  message.way = (enum send_way)draw(SEND_WAYS);
  message.derived_send = draw(5) == 0;
  message.derived_receive = draw(5) == 0;
  message.receive_way = draw(1 << 20);
  return message;
}

/* A vector of single bytes with a byte between each two: twice the room. */
static size_t room_for(int bytes) { return 2 * (size_t)bytes + 16; }

static unsigned char byte_of(const struct message *message, int k) {
  return (unsigned char)(message->id * 37 + k * 11 + (k >> 8));
}

void *message_fill(const struct message *message) {
  unsigned char *room = malloc(room_for(message->bytes));
  const int step = message->derived_send ? 2 : 1;
  for (int k = 0; k < message->bytes; ++k)
    room[step * k] = byte_of(message, k);
  return room;
}

void *message_room(const struct message *message) {
  unsigned char *room = malloc(room_for(message->bytes));
  memset(room, 0xee, room_for(message->bytes));
  return room;
}

MPI_Datatype message_type(const struct message *message, int derived, int *count) {
  MPI_Datatype type = MPI_BYTE;
  *count = message->bytes;
  if (!derived)
    return type;
  *count = 1;
  MPI_Type_vector(message->bytes, 1, 2, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

void message_type_free(MPI_Datatype *type) {
  if (*type != MPI_BYTE)
    MPI_Type_free(type);
}

void message_check(const struct message *message, void *room, const MPI_Status *status) {
  const unsigned char *bytes = room;
  const int step = message->derived_receive ? 2 : 1;
  int count, cancelled;
  MPI_Get_count(status, MPI_BYTE, &count);
  MPI_Test_cancelled(status, &cancelled);
  require(count == message->bytes, "wrong count", message);
  require(status->MPI_SOURCE == message->source, "wrong source", message);
  require(status->MPI_TAG == message->tag, "wrong tag", message);
  require(!cancelled, "cancelled", message);
  for (int k = 0; k < message->bytes; ++k) {
    require(bytes[step * k] == byte_of(message, k), "wrong byte", message);
    require(step == 1 || bytes[2 * k + 1] == 0xee, "byte in a gap was written", message);
  }
  require(bytes[step * message->bytes] == 0xee, "written beyond the end", message);
  note(message->id);
  note(count);
  free(room);
}

static void (*const phases[])(void) = {phase_sequence,      phase_sequence,      phase_posted_first,
                                       phase_posted_first,  phase_from_anywhere, phase_collective,
                                       phase_persistent,    phase_flood,         phase_exchange,
                                       phase_matched_probe, phase_communicators, phase_odd_ends};

/* The world, and communicators made of it: never two that are one. */
static void start(int seed) {
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  world.random = (uint64_t)seed;
  world.communicators[0] = MPI_COMM_WORLD;
  world.ranks[0] = world.rank;
  world.sizes[0] = world.size;
  for (int c = 1; c < MAXIMUM_COMMUNICATORS; ++c) {
    world.communicators[c] = MPI_COMM_NULL;
    make_communicator(c);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int count = argc > 2 ? atoi(argv[2]) : 20;
  const int only = argc > 4 ? atoi(argv[4]) : -1;
  world.largest = argc > 3 ? atoi(argv[3]) : 4 << 20;
  start(argc > 1 ? atoi(argv[1]) : 1);
  static char attached[32 << 20];
  MPI_Buffer_attach(attached, sizeof attached);
  for (world.phase = 0; world.phase < count; ++world.phase) {
    const int kind = draw((int)(sizeof phases / sizeof phases[0]));
    if (getenv("STRESS_VERBOSE") && world.rank == 0)
      fprintf(stderr, "phase %d: kind %d\n", world.phase, kind);
    phases[only < 0 ? kind : only]();
    MPI_Barrier(MPI_COMM_WORLD); /* a wildcard must not see the next phase */
  }
  void *detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
  uint64_t digests[64] = {0};
  MPI_Gather(&world.digest, 1, MPI_UINT64_T, digests, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (int i = 0; world.rank == 0 && i < world.size; ++i)
    printf("rank %d: %016llx\n", i, (unsigned long long)digests[i]);
  MPI_Finalize();
  return 0;
}
