/* The parts that tests of long messages share: memory to receive in, bytes and their places, the modes of
 * sending and receiving.
 *
 * Each receive's buffer lies between guards. After the receive, the buffer, the guards and the gaps of its datatype
 * get a pattern. The pattern is compared when the memory is used again, which shows a rank that writes late. A send's
 * buffer is overwritten as soon as the send is over. */
#ifndef MPISPEC_TEST_LONG_MESSAGE_H
#define MPISPEC_TEST_LONG_MESSAGE_H

#include "check.h"

#include <mpi.h>
#include <string.h>

enum { KIB = 1024, MOST = 3 * 1024 * KIB, GUARD = 256, ROOMS = 16, WINDOW = 12 };

static int rank, size, left, right;
static unsigned number; /* the number of the message: equal on all ranks */

static int is_all(const unsigned char *bytes, size_t length, unsigned char value) {
  return !length || (bytes[0] == value && !memcmp(bytes, bytes + 1, length - 1));
}

/* Keeps this rank back now and then, each at other times: the other one copies meanwhile. */
static void dawdle(void) {
  if ((number * 2654435761u >> (4 * rank + 5)) % 8 == 0)
    usleep(200);
}

/* --- memory to receive in ----------------------------------------------------------------------*/

enum { UNTOUCHED = 0xee, USED_AGAIN = 0x5a, OVER = 0xdd };

static struct room {
  unsigned char *bytes;
  size_t length; /* with both guards */
  int in_use;
} rooms[ROOMS];

static void check_later(const struct room *room) {
  CHECK(!room->in_use && is_all(room->bytes, room->length, USED_AGAIN));
}

static struct room *room_take(size_t span) {
  static unsigned next;
  struct room *room = &rooms[next++ % ROOMS];
  check_later(room);
  room->length = span + (size_t)2 * GUARD;
  room->in_use = 1;
  memset(room->bytes, UNTOUCHED, room->length);
  return room;
}

static void room_leave(struct room *room) {
  memset(room->bytes, USED_AGAIN, room->length);
  room->in_use = 0;
}

/* --- bytes, and where they lie -----------------------------------------------------------------*/

/* Blocks with gaps; no block: all bytes side by side. */
struct layout {
  int block, gap;
};
static const struct layout dense = {0, 0};
static const struct layout gaps[] = {{8, 8}, {24, 10}, {5000, 3000}, {70000, 100}};
enum { GAPS = sizeof gaps / sizeof *gaps };

static size_t span_of(int bytes, struct layout layout) {
  return (size_t)bytes + (size_t)(layout.block ? bytes / layout.block * layout.gap : 0);
}

/* Bytes that other messages do not have at the same places. */
static const unsigned char *content(unsigned seed) {
  static unsigned char table[MOST + 4096];
  for (unsigned i = 0, word = 1; !table[0] && i < sizeof table; ++i) {
    word = word * 1664525u + 1013904223u;
    table[sizeof table - 1 - i] = (unsigned char)(word >> 24 | 1);
  }
  return table + seed * 1009 % 4096;
}

static const unsigned char *content_from(int source) {
  return content(7 * number + (unsigned)source);
}

static void scatter(unsigned char *memory, int bytes, struct layout layout,
                    const unsigned char *from) {
  const int block = layout.block ? layout.block : bytes;
  for (int done = 0; done < bytes; done += block, memory += block + layout.gap)
    memcpy(memory, from + done, (size_t)(bytes - done < block ? bytes - done : block));
}

/* The blocks have the message's bytes, and the gaps are untouched. */
static void check_blocks(const unsigned char *memory, int bytes, struct layout layout,
                         const unsigned char *expected) {
  const int block = layout.block ? layout.block : bytes;
  for (int done = 0; done < bytes; done += block, memory += block + layout.gap) {
    const int here = bytes - done < block ? bytes - done : block;
    CHECK(!memcmp(memory, expected + done, (size_t)here));
    if (here == block)
      CHECK(is_all(memory + block, (size_t)layout.gap, UNTOUCHED));
  }
}

/* The arguments of a call: so many bytes as a vector of blocks and the bytes that are left. */
struct typed {
  MPI_Datatype type;
  int count;
};

static struct typed typed_of(int bytes, struct layout layout) {
  if (!layout.block)
    return (struct typed){MPI_BYTE, bytes};
  const int blocks = bytes / layout.block, stride = layout.block + layout.gap;
  const int counts[2] = {1, bytes % layout.block};
  const MPI_Aint places[2] = {0, (MPI_Aint)blocks * stride};
  MPI_Datatype members[2] = {MPI_DATATYPE_NULL, MPI_BYTE}, type;
  MPI_Type_vector(blocks, layout.block, stride, MPI_BYTE, &members[0]);
  MPI_Type_create_struct(2, counts, places, members, &type);
  MPI_Type_free(&members[0]);
  MPI_Type_commit(&type);
  return (struct typed){type, 1};
}

static void typed_free(struct typed *typed) {
  if (typed->type != MPI_BYTE)
    MPI_Type_free(&typed->type);
}

/* --- a send ------------------------------------------------------------------------------------*/

enum send_way { SEND, SSEND, BSEND, ISEND, ISSEND, TESTED_SEND, FREED, SEND_WAYS };

struct sending {
  unsigned char *bytes;
  size_t span;
  MPI_Request request;
  enum send_way way;
};

static unsigned char *outs[WINDOW];

static void start_of(enum send_way way, struct sending *sending, struct typed typed, int to,
                     int tag) {
  typedef int blocking(const void *, int, MPI_Datatype, int, int, MPI_Comm);
  static blocking *const calls[] = {MPI_Send, MPI_Ssend, MPI_Bsend};
  if (way <= BSEND)
    CHECK(!calls[way](sending->bytes, typed.count, typed.type, to, tag, MPI_COMM_WORLD));
  else if (way == ISSEND)
    MPI_Issend(sending->bytes, typed.count, typed.type, to, tag, MPI_COMM_WORLD, &sending->request);
  else
    MPI_Isend(sending->bytes, typed.count, typed.type, to, tag, MPI_COMM_WORLD, &sending->request);
}

static struct sending send_start(enum send_way way, int bytes, struct layout layout, int to,
                                 int tag) {
  struct sending sending = {outs[tag % WINDOW], span_of(bytes, layout), MPI_REQUEST_NULL, way};
  struct typed typed = typed_of(bytes, layout);
  scatter(sending.bytes, bytes, layout, content_from(rank));
  start_of(way, &sending, typed, to, tag);
  typed_free(&typed);
  return sending;
}

static void wait_for(MPI_Request *request, MPI_Status *status, int by_tests) {
  int done = 0;
  while (by_tests && !done)
    MPI_Test(request, &done, status);
  if (!by_tests)
    MPI_Wait(request, status);
}

/* The send is over: its buffer is the program's again. */
static void send_end(struct sending *sending) {
  wait_for(&sending->request, MPI_STATUS_IGNORE, sending->way == TESTED_SEND);
  memset(sending->bytes, OVER, sending->span);
}

static void send(enum send_way way, int bytes, struct layout layout, int to, int tag) {
  int token;
  struct sending sending = send_start(way, bytes, layout, to, tag);
  dawdle();
  if (way == FREED) {
    MPI_Request_free(&sending.request);
    MPI_Recv(&token, 1, MPI_INT, to, 1000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  send_end(&sending);
}

/* --- a receive ---------------------------------------------------------------------------------*/

enum receive_way { RECV, ANYBODY, IRECV, TESTED_RECV, MATCHED, RECEIVE_WAYS };

struct receiving {
  struct room *room;
  int bytes, tag, error;
  struct layout layout;
  MPI_Request request;
  MPI_Status status;
};

static unsigned char *place_of(const struct receiving *r) { return r->room->bytes + GUARD; }

static struct receiving receive_new(int bytes, struct layout layout, int tag) {
  return (struct receiving){
      room_take(span_of(bytes, layout)), bytes, tag, MPI_SUCCESS, layout, MPI_REQUEST_NULL, {0}};
}

static struct receiving receive_start(int bytes, struct layout layout, int from, int tag) {
  struct receiving r = receive_new(bytes, layout, tag);
  struct typed typed = typed_of(bytes, layout);
  r.error = MPI_Irecv(place_of(&r), typed.count, typed.type, from, tag, MPI_COMM_WORLD, &r.request);
  typed_free(&typed);
  return r;
}

static struct receiving receive_matched(int bytes, struct layout layout, int from, int tag) {
  struct receiving r = receive_new(bytes, layout, tag);
  struct typed typed = typed_of(bytes, layout);
  MPI_Message message;
  MPI_Mprobe(from, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  dawdle();
  r.error = MPI_Mrecv(place_of(&r), typed.count, typed.type, &message, &r.status);
  typed_free(&typed);
  return r;
}

static struct receiving receive_at_once(int bytes, struct layout layout, int from, int tag) {
  struct receiving r = receive_new(bytes, layout, tag);
  struct typed typed = typed_of(bytes, layout);
  r.error = MPI_Recv(place_of(&r), typed.count, typed.type, from, tag, MPI_COMM_WORLD, &r.status);
  typed_free(&typed);
  return r;
}

static void check_guards(const struct receiving *r) {
  CHECK(is_all(r->room->bytes, GUARD, UNTOUCHED));
  CHECK(is_all(r->room->bytes + r->room->length - GUARD, GUARD, UNTOUCHED));
}

static void receive_check(struct receiving *r, int from) {
  int count = -1;
  MPI_Get_count(&r->status, MPI_BYTE, &count);
  CHECK(!r->error && count == r->bytes);
  CHECK(r->status.MPI_SOURCE == from && r->status.MPI_TAG == r->tag);
  check_blocks(place_of(r), r->bytes, r->layout, content_from(from));
  check_guards(r);
  room_leave(r->room);
}

static struct receiving receive_end(enum receive_way way, int bytes, struct layout layout, int from,
                                    int tag) {
  if (way == MATCHED)
    return receive_matched(bytes, layout, from, tag);
  if (way <= ANYBODY)
    return receive_at_once(bytes, layout, way ? MPI_ANY_SOURCE : from, tag);
  struct receiving r = receive_start(bytes, layout, from, tag);
  dawdle();
  wait_for(&r.request, &r.status, way == TESTED_RECV);
  return r;
}

static void receive(enum receive_way way, int bytes, struct layout layout, int from, int tag) {
  struct receiving r = receive_end(way, bytes, layout, from, tag);
  receive_check(&r, from);
}

/* --- begin and end ----------------------------------------------------------------------------*/

/* After MPI_Init. */
static void long_messages_begin(void) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  const size_t span = 2 * (size_t)MOST;
  for (int i = 0; i < ROOMS; ++i)
    rooms[i] = (struct room){malloc(span + (size_t)2 * GUARD), 0, 0};
  for (int i = 0; i < WINDOW; ++i)
    outs[i] = malloc(span);
}

/* After MPI_Finalize. */
static void long_messages_end(void) {
  for (int i = 0; i < ROOMS; ++i)
    check_later(&rooms[i]);
}

#endif
