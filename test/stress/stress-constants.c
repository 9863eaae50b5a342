/* A phase whose sizes, tags and communicator are constants, as templates like
 * them. See stress.h. */
#include "stress.h"

#include <string.h>

enum { ROOM = 1100, TAG = 4, SIZES = 11, WAYS = 3, WINDOW = 8 };

#define EACH_SIZE(DO)                                                                              \
  DO(0, 0) DO(1, 1) DO(2, 8) DO(3, 48) DO(4, 49) DO(5, 104) DO(6, 256) DO(7, 257)  \
  DO(8, 400) DO(9, 1024) DO(10, 1025)

static void send_constant(const unsigned char *out, int size, int way, int to) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (size * WAYS + way) {
#define SEND(INDEX, BYTES)                                                                         \
  case INDEX *WAYS:                                                                                \
    MPI_Send(out, BYTES, MPI_BYTE, to, TAG, MPI_COMM_WORLD);                                       \
    break;                                                                                         \
  case INDEX *WAYS + 1:                                                                            \
    MPI_Isend(out, BYTES, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);                            \
    break;                                                                                         \
  case INDEX *WAYS + 2:                                                                            \
    MPI_Ssend(out, BYTES, MPI_BYTE, to, TAG, MPI_COMM_WORLD);                                      \
    break;
    EACH_SIZE(SEND)
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void post_constant(unsigned char *in, int size, int from, MPI_Request *request) {
  switch (size) {
#define POST(INDEX, BYTES)                                                                         \
  case INDEX:                                                                                      \
    MPI_Irecv(in, BYTES, MPI_BYTE, from, TAG, MPI_COMM_WORLD, request);                            \
    break;
    EACH_SIZE(POST)
  }
}

static void receive_constant(unsigned char *in, int size, int way, int from, MPI_Status *status) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (size * WAYS + way) {
#define RECEIVE(INDEX, BYTES)                                                                      \
  case INDEX *WAYS:                                                                                \
    MPI_Recv(in, BYTES, MPI_BYTE, from, TAG, MPI_COMM_WORLD, status);                              \
    return;                                                                                        \
  case INDEX *WAYS + 1:                                                                            \
    post_constant(in, size, from, &request);                                                       \
    break;                                                                                         \
  case INDEX *WAYS + 2:                                                                            \
    MPI_Recv(in, ROOM, MPI_BYTE, from, TAG, MPI_COMM_WORLD, status);                               \
    return;
    EACH_SIZE(RECEIVE)
  }
  MPI_Wait(&request, status);
}

/* So many bytes came, each of this value, and behind them is what was there. */
static void check_constant(const unsigned char *in, int length, int value, int from,
                           const MPI_Status *status) {
  unsigned char out[ROOM];
  int got;
  MPI_Get_count(status, MPI_BYTE, &got);
  memset(out, value, sizeof out);
  require(got == length && status->MPI_SOURCE == from && status->MPI_TAG == TAG &&
              !memcmp(in, out, (size_t)got) && in[got] == (unsigned char)(value + 1),
          "constant message", NULL);
}

/* Receives are posted, so many at a time; message k has the value `first` + k. */
static void receive_windows(int count, int size, int length, int first, int from,
                            enum completion way) {
  static unsigned char in[WINDOW][ROOM];
  for (int done = 0; done < count; done += WINDOW) {
    const int posted = count - done < WINDOW ? count - done : WINDOW;
    MPI_Request requests[WINDOW];
    MPI_Status statuses[WINDOW];
    for (int k = 0; k < posted; ++k) {
      memset(in[k], first + done + k + 1, ROOM);
      post_constant(in[k], size, from, &requests[k]);
    }
    complete(posted, requests, statuses, way);
    for (int k = 0; k < posted; ++k)
      check_constant(in[k], length, first + done + k, from, &statuses[k]);
  }
}

/* To the right by so many ranks: the value of everyone, and what is there already. */
static void shift(int stride) {
  const int to = (world.rank + stride) % world.size,
            from = (world.rank + world.size - stride) % world.size;
  double out[3] = {world.rank, 1, 2}, in[3] = {-1, -1, -1};
  MPI_Status status;
  MPI_Sendrecv(out, 3, MPI_DOUBLE, to, TAG, in, 3, MPI_DOUBLE, from, TAG, MPI_COMM_WORLD, &status);
  require(in[0] == from && in[2] == 2 && status.MPI_SOURCE == from, "constant exchange", NULL);
  MPI_Sendrecv_replace(out, 3, MPI_DOUBLE, to, TAG, from, TAG, MPI_COMM_WORLD, &status);
  require(out[0] == from && out[2] == 2 && status.MPI_TAG == TAG, "constant replacement", NULL);
}

/* Messages between pairs, in an order that all ranks follow; now and then all take part. */
void phase_constants(void) {
  static const int bytes[SIZES] = {0, 1, 8, 48, 49, 104, 256, 257, 400, 1024, 1025};
  const int count = world.size > 1 ? draw(300) : 0;
  for (int i = 0; i < count; ++i) {
    const int from = draw(world.size), other = (from + draw(world.size - 1) + 1) % world.size;
    const int size = draw(SIZES), way = draw(WAYS), receive_way = draw(WAYS);
    const int burst = draw(10) ? 1 : draw(200); /* and the receiver comes late */
    unsigned char out[ROOM] = {0}, in[ROOM];
    if (!draw(10))
      shift(draw(world.size));
    for (int k = 0; k < burst && world.rank == from && from != other; ++k) {
      memset(out, i + k, sizeof out);
      send_constant(out, size, burst > 1 ? way % 2 : way, other);
    }
    if (burst > 1 && receive_way == 1) {
      const enum completion completion = (enum completion)draw(COMPLETIONS);
      if (world.rank == other)
        receive_windows(burst, size, bytes[size], i, from, completion);
      note(size);
      continue;
    }
    for (int k = 0; k < burst && world.rank == other; ++k) {
      MPI_Status status;
      memset(in, i + k + 1, sizeof in);
      receive_constant(in, size, receive_way, from, &status);
      check_constant(in, bytes[size], i + k, from, &status);
    }
    note(size);
  }
}
