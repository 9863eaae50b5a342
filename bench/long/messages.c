/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* messages.c - the time of long messages as programs use them: one way, both ways at once, and to
 * neighbours in a ring. In some rows, several messages are under way at once. Buffers are still,
 * touched by the program, or in no cache. The data are contiguous or columns. `rows` below has the
 * combinations that are measured.
 *
 *   messages [-t milliseconds] [-o part of a name] [-d]       two ranks, or four
 *
 * A name is shape/operation/buffers/layout. A line (batches.h) has the time of one message, and
 * with messages both ways the time of one each way. A row of touched buffers has a second line,
 * whose name ends in /alone, unless ranks share cores. It has the time of the same round without
 * its messages: each rank only writes and reads its buffers. Works with any MPI.
 *
 * The still window sends from one buffer and receives into one, as OSU's bandwidth test does. The
 * standard forbids receives into overlapping buffers (MPI-4.0, 3.7.2), but every library allows
 * them.
 */
#include "batches.h"
#include "buffers.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW = 8, NEIGHBOUR_MESSAGES = 4, KIB = 1 << 10, MIB = 1 << 20 };

enum shape { ONE_WAY, BOTH_WAYS, NEIGHBOURS, ONE_WAY_WINDOW, TWO_WAY_WINDOW };
enum operation { SEND, SENDRECV, IRECV_FIRST, ISEND_FIRST, PERSISTENT };
enum buffers { STILL, TOUCHED, COLD };
enum layout { CONTIGUOUS, COLUMNS, COLUMNS_ONE_SIDE };

struct row {
  enum shape shape;
  enum operation operation;
  enum buffers buffers;
  enum layout layout;
  size_t least, most; /* bytes of a message */
};

/* clang-format off */
static const struct row rows[] = {
    {ONE_WAY, SEND, STILL, CONTIGUOUS, 4 * KIB, 16 * MIB},
    {ONE_WAY, SEND, TOUCHED, CONTIGUOUS, 4 * KIB, 16 * MIB},
    {ONE_WAY, SEND, COLD, CONTIGUOUS, 4 * KIB, 16 * MIB},
    {ONE_WAY, SEND, STILL, COLUMNS, 64 * KIB, 4 * MIB},
    {ONE_WAY, SEND, STILL, COLUMNS_ONE_SIDE, 64 * KIB, 4 * MIB},
    {BOTH_WAYS, IRECV_FIRST, STILL, CONTIGUOUS, 4 * KIB, 16 * MIB},
    {BOTH_WAYS, IRECV_FIRST, TOUCHED, CONTIGUOUS, 64 * KIB, 16 * MIB},
    {BOTH_WAYS, IRECV_FIRST, COLD, CONTIGUOUS, 64 * KIB, 16 * MIB},
    {BOTH_WAYS, IRECV_FIRST, STILL, COLUMNS, 256 * KIB, 4 * MIB},
    {BOTH_WAYS, ISEND_FIRST, STILL, CONTIGUOUS, 64 * KIB, 16 * MIB},
    {BOTH_WAYS, ISEND_FIRST, TOUCHED, CONTIGUOUS, 256 * KIB, 4 * MIB},
    {BOTH_WAYS, SENDRECV, STILL, CONTIGUOUS, 64 * KIB, 16 * MIB},
    {BOTH_WAYS, SENDRECV, TOUCHED, CONTIGUOUS, 256 * KIB, 4 * MIB},
    {BOTH_WAYS, PERSISTENT, STILL, CONTIGUOUS, 64 * KIB, 4 * MIB},
    {BOTH_WAYS, PERSISTENT, TOUCHED, CONTIGUOUS, 256 * KIB, 4 * MIB},
    {ONE_WAY_WINDOW, IRECV_FIRST, STILL, CONTIGUOUS, 4 * KIB, 16 * MIB},
    {ONE_WAY_WINDOW, IRECV_FIRST, TOUCHED, CONTIGUOUS, 256 * KIB, 4 * MIB},
    {TWO_WAY_WINDOW, IRECV_FIRST, STILL, CONTIGUOUS, 64 * KIB, 16 * MIB},
    {TWO_WAY_WINDOW, IRECV_FIRST, TOUCHED, CONTIGUOUS, 256 * KIB, 4 * MIB},
    {NEIGHBOURS, IRECV_FIRST, STILL, CONTIGUOUS, 64 * KIB, 4 * MIB},
    {NEIGHBOURS, IRECV_FIRST, TOUCHED, CONTIGUOUS, 64 * KIB, 4 * MIB},
    {NEIGHBOURS, SENDRECV, STILL, CONTIGUOUS, 256 * KIB, 4 * MIB},
    {NEIGHBOURS, PERSISTENT, STILL, CONTIGUOUS, 256 * KIB, 4 * MIB},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof *rows };

static int rank, ranks;
static struct batches_options options;
static char *out, *in;
static size_t pool; /* bytes through which cold buffers rotate */

/* The row that is being measured. */
static struct {
  struct row row;
  size_t bytes, span; /* a message: its data, and from its first byte to its last */
  size_t at;          /* where the messages of this round begin */
  int messages;       /* in a round, each way */
  int columns;        /* on this rank's side */
  int sends, receives;
  int count;
  MPI_Datatype type;
  MPI_Request requests[2 * WINDOW];
} now;

/* --- buffers -----------------------------------------------------------------------------------*/

static int messages_of(enum shape shape) {
  switch (shape) {
  case ONE_WAY_WINDOW:
  case TWO_WAY_WINDOW:
    return WINDOW;
  case NEIGHBOURS:
    return NEIGHBOUR_MESSAGES;
  default:
    return 1;
  }
}

static size_t span_of(const struct row *row, size_t bytes) {
  return row->layout == CONTIGUOUS ? bytes : bytes * BUFFERS_STRIDE / BUFFERS_BLOCK;
}

static size_t room_of(const struct row *row) {
  const size_t room = (size_t)messages_of(row->shape) * span_of(row, row->most);
  return row->buffers == COLD && pool > room ? pool : room;
}

static size_t place(int i) {
  const int shared = messages_of(now.row.shape) == WINDOW && now.row.buffers == STILL;
  return shared ? 0 : now.at + (size_t)i * now.span;
}

/* The buffers of the next round. */
static void advance(void) {
  const size_t step = (size_t)now.messages * now.span;
  if (now.row.buffers == COLD)
    now.at = now.at + 2 * step > pool ? 0 : now.at + step;
}

static void write_out(void) {
  for (int i = 0; i < now.messages && now.row.buffers == TOUCHED; ++i)
    buffers_write(out + place(i), now.bytes, now.columns);
}

static void read_in(void) {
  for (int i = 0; i < now.messages && now.row.buffers == TOUCHED; ++i)
    buffers_read(in + place(i), now.bytes, now.columns);
}

/* --- messages ----------------------------------------------------------------------------------*/

/* Messages go right and left in turn, the first one right. Two ranks are each other's right and
 * left. */
static int destination(int i) { return (rank + (i % 2 ? ranks - 1 : 1)) % ranks; }
static int source(int i) { return (rank + (i % 2 ? 1 : ranks - 1)) % ranks; }

static void irecv_all(void) {
  for (int i = 0; i < now.messages && now.receives; ++i)
    MPI_Irecv(in + place(i), now.count, now.type, source(i), i, MPI_COMM_WORLD, &now.requests[i]);
}

static void isend_all(void) {
  for (int i = 0; i < now.messages && now.sends; ++i)
    MPI_Isend(out + place(i), now.count, now.type, destination(i), i, MPI_COMM_WORLD,
              &now.requests[WINDOW + i]);
}

static void sendrecv_all(void) {
  for (int i = 0; i < now.messages; ++i)
    MPI_Sendrecv(out + place(i), now.count, now.type, destination(i), i, in + place(i), now.count,
                 now.type, source(i), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Requests of receives stand in the first half of the array, those of sends in the second. Places
 * without a request on this rank are null. */
static void transfer(void) {
  if (now.row.operation == SENDRECV) {
    sendrecv_all();
    return;
  }
  if (now.row.operation == ISEND_FIRST)
    isend_all();
  if (now.row.operation != PERSISTENT)
    irecv_all();
  if (now.row.operation == IRECV_FIRST)
    isend_all();
  if (now.row.operation == PERSISTENT) {
    MPI_Startall(now.messages, now.requests);
    MPI_Startall(now.messages, now.requests + WINDOW);
  }
  MPI_Waitall(WINDOW + now.messages, now.requests, MPI_STATUSES_IGNORE);
}

/* The receiver's word that a window is complete, as in OSU's bandwidth test. */
static void acknowledge(void) {
  char word[4] = "";
  if (rank == 0)
    MPI_Recv(word, sizeof word, MPI_BYTE, 1, WINDOW, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(word, sizeof word, MPI_BYTE, 0, WINDOW, MPI_COMM_WORLD);
}

/* --- bodies ------------------------------------------------------------------------------------*/

static void exchange(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    advance();
    if (now.sends)
      write_out();
    transfer();
    if (now.receives)
      read_in();
    if (now.row.shape == ONE_WAY_WINDOW)
      acknowledge();
  }
}

static void send(void) {
  write_out();
  MPI_Send(out + place(0), now.count, now.type, !rank, 0, MPI_COMM_WORLD);
}

static void receive(void) {
  MPI_Recv(in + place(0), now.count, now.type, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  read_in();
}

static void ping_pong(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    advance();
    if (rank == 0)
      send();
    receive();
    if (rank == 1)
      send();
  }
}

static void touch_alone(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    write_out();
    read_in();
  }
}

/* --- rows --------------------------------------------------------------------------------------*/

static void name_of(const struct row *row, char *name, size_t room) {
  static const char *const shapes[] = {"one-way", "both-ways", "neighbours", "window",
                                       "two-way-window"},
                           *const operations[] = {"send", "sendrecv", "irecv", "isend",
                                                  "persistent"},
                           *const buffers[] = {"still", "touched", "cold"},
                           *const layouts[] = {"contiguous", "columns", "columns-one-side"};
  snprintf(name, room, "%s/%s/%s/%s", shapes[row->shape], operations[row->operation],
           buffers[row->buffers], layouts[row->layout]);
}

static void make_type(void) {
  const int doubles = (int)(now.bytes / sizeof(double));
  now.type = MPI_DOUBLE;
  now.count = doubles;
  if (now.columns) {
    now.count = 1;
    MPI_Type_vector(doubles / BUFFERS_BLOCK, BUFFERS_BLOCK, BUFFERS_STRIDE, MPI_DOUBLE, &now.type);
    MPI_Type_commit(&now.type);
  }
}

static void make_requests(void) {
  for (int i = 0; i < 2 * WINDOW; ++i)
    now.requests[i] = MPI_REQUEST_NULL;
  for (int i = 0; i < now.messages && now.row.operation == PERSISTENT; ++i) {
    MPI_Recv_init(in + place(i), now.count, now.type, source(i), i, MPI_COMM_WORLD,
                  &now.requests[i]);
    MPI_Send_init(out + place(i), now.count, now.type, destination(i), i, MPI_COMM_WORLD,
                  &now.requests[WINDOW + i]);
  }
}

static void free_row(void) {
  for (int i = 0; i < 2 * WINDOW; ++i)
    if (now.requests[i] != MPI_REQUEST_NULL)
      MPI_Request_free(&now.requests[i]);
  if (now.type != MPI_DOUBLE)
    MPI_Type_free(&now.type);
}

static void make_row(const struct row *row, size_t bytes) {
  memset(&now, 0, sizeof now);
  now.row = *row;
  now.bytes = bytes;
  now.span = span_of(row, bytes);
  now.messages = messages_of(row->shape);
  now.columns = row->layout == COLUMNS || (row->layout == COLUMNS_ONE_SIDE && rank == 0);
  now.sends = row->shape != ONE_WAY_WINDOW || rank == 0;
  now.receives = row->shape != ONE_WAY_WINDOW || rank == 1;
  make_type();
  make_requests();
}

static void measure(const struct row *row, const char *name, size_t bytes) {
  char alone[96];
  make_row(row, bytes);
  if (row->shape == ONE_WAY)
    batches_measure(name, bytes, 2, ping_pong);
  else
    batches_measure(name, bytes, now.messages, exchange);
  snprintf(alone, sizeof alone, "%s/alone", name);
  if (row->buffers == TOUCHED && !batches_are_oversubscribed())
    batches_measure(alone, bytes, now.messages, touch_alone);
  free_row();
}

static int is_for_these_ranks(const struct row *row) {
  return (row->shape == NEIGHBOURS) == (ranks == 4);
}

static void allocate(void) {
  size_t room = 0;
  pool = buffers_pool(ranks);
  for (int i = 0; i < ROWS; ++i)
    if (is_for_these_ranks(&rows[i]) && room_of(&rows[i]) > room)
      room = room_of(&rows[i]);
  out = buffers_allocate(room);
  in = buffers_allocate(room);
}

static void measure_row(const struct row *row) {
  char name[80];
  name_of(row, name, sizeof name);
  if (!is_for_these_ranks(row) || !batches_are_wanted(name))
    return;
  for (size_t bytes = row->least; bytes <= row->most; bytes *= (size_t)options.factor)
    measure(row, name, bytes);
}

int main(int argc, char **argv) {
  options = batches_begin(&argc, &argv,
                          (struct batches_options){.seconds = 0.008, .only = "", .factor = 4});
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2 && ranks != 4)
    MPI_Abort(MPI_COMM_WORLD, 2);
  allocate();
  for (int i = 0; i < ROWS; ++i)
    measure_row(&rows[i]);
  MPI_Finalize();
  return 0;
}
