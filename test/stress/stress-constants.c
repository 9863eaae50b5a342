/* A phase whose sizes, tags and communicator are constants, as templates like them. See stress.h.
 */
#include "stress.h"

#include <string.h>

enum { ROOM = 1100, TAG = 4, SIZES = 9, WAYS = 3 };

#define EACH_SIZE(DO)                                                                              \
  DO(0, 0) DO(1, 1) DO(2, 8) DO(3, 48) DO(4, 49) DO(5, 104) DO(6, 400) DO(7, 1024) DO(8, 1025)

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

static void receive_constant(unsigned char *in, int size, int way, int from, MPI_Status *status) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (size * WAYS + way) {
#define RECEIVE(INDEX, BYTES)                                                                      \
  case INDEX *WAYS:                                                                                \
    MPI_Recv(in, BYTES, MPI_BYTE, from, TAG, MPI_COMM_WORLD, status);                              \
    return;                                                                                        \
  case INDEX *WAYS + 1:                                                                            \
    MPI_Irecv(in, BYTES, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request);                           \
    break;                                                                                         \
  case INDEX *WAYS + 2:                                                                            \
    MPI_Recv(in, ROOM, MPI_BYTE, from, TAG, MPI_COMM_WORLD, status);                               \
    return;
    EACH_SIZE(RECEIVE)
  }
  MPI_Wait(&request, status);
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
  static const int bytes[SIZES] = {0, 1, 8, 48, 49, 104, 400, 1024, 1025};
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
    for (int k = 0; k < burst && world.rank == other && from != other; ++k) {
      MPI_Status status;
      int got;
      memset(in, i + k + 1, sizeof in);
      receive_constant(in, size, receive_way, from, &status);
      MPI_Get_count(&status, MPI_BYTE, &got);
      memset(out, i + k, sizeof out);
      require(got == bytes[size] && status.MPI_SOURCE == from && status.MPI_TAG == TAG &&
                  !memcmp(in, out, (size_t)got) && in[got] == (unsigned char)(i + k + 1),
              "constant message", NULL);
    }
    note(size);
  }
}
