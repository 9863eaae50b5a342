/* Phases about one rule of MPI each. See stress.h. */
#include "stress.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Messages matched by probes and received in another order than they came. */
void phase_matched_probe(void) {
  enum { MANY = 16 };
  const int to = draw(world.size), from = draw(world.size), any = draw(2);
  int sizes[MANY], order[MANY];
  for (int i = 0; i < MANY; ++i)
    sizes[i] = draw(draw(4) ? 300 : 100000);
  shuffle(order, MANY);
  unsigned char *out[MANY], *in = malloc(100000);
  MPI_Request sends[MANY];
  MPI_Message messages[MANY];
  if (world.rank == from)
    for (int i = 0; i < MANY; ++i) {
      out[i] = malloc((size_t)sizes[i] + 1);
      memset(out[i], i, (size_t)sizes[i] + 1);
      MPI_Isend(out[i], sizes[i], MPI_BYTE, to, i % 3, BASE, &sends[i]);
    }
  if (world.rank == to) {
    for (int i = 0; i < MANY; ++i) {
      MPI_Status status;
      int count;
      MPI_Mprobe(any ? MPI_ANY_SOURCE : from, any ? i % 3 : MPI_ANY_TAG, BASE, &messages[i],
                 &status);
      MPI_Get_count(&status, MPI_BYTE, &count);
      require(count == sizes[i] && status.MPI_SOURCE == from && status.MPI_TAG == i % 3,
              "matched probe", NULL);
    }
    for (int i = 0; i < MANY; ++i) {
      const int m = order[i];
      MPI_Mrecv(in, 100000, MPI_BYTE, &messages[m], MPI_STATUS_IGNORE);
      require(!sizes[m] || (in[0] == m && in[sizes[m] - 1] == m), "matched receive", NULL);
    }
  }
  if (world.rank == from) {
    MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; ++i)
      free(out[i]);
  }
  free(in);
  note(sizes[0]);
}

/* Null, inactive and null-process requests among others; a request that is freed. */
void phase_odd_ends(void) {
  const int left = (world.rank + world.size - 1) % world.size,
            right = (world.rank + 1) % world.size;
  int in[4] = {-1, -1, -1, -1}, out = world.rank, flag, index;
  MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                             MPI_REQUEST_NULL};
  MPI_Status statuses[4];
  MPI_Recv_init(&in[1], 1, MPI_INT, left, 5, BASE, &requests[1]);
  MPI_Waitany(4, requests, &index, &statuses[0]);
  require(index == MPI_UNDEFINED, "inactive requests count", NULL);
  MPI_Testany(4, requests, &index, &flag, &statuses[0]);
  require(flag && index == MPI_UNDEFINED, "inactive requests count in a test", NULL);
  MPI_Wait(&requests[1], &statuses[0]);
  require(statuses[0].MPI_SOURCE == MPI_ANY_SOURCE, "status of an inactive request", NULL);
  MPI_Irecv(&in[2], 1, MPI_INT, left, 6, BASE, &requests[2]);
  MPI_Irecv(&in[3], 1, MPI_INT, MPI_PROC_NULL, 6, BASE, &requests[3]);
  MPI_Request freed;
  MPI_Isend(&out, 1, MPI_INT, right, 6, BASE, &freed);
  MPI_Request_free(&freed);
  MPI_Start(&requests[1]);
  MPI_Request_get_status(requests[1], &flag, &statuses[0]);
  require(!flag, "complete before its message was sent", NULL);
  gather();
  MPI_Send(&out, 1, MPI_INT, right, 5, BASE);
  MPI_Waitall(4, requests, statuses);
  require(in[1] == left && in[2] == left && in[3] == -1, "odd ends", NULL);
  require(statuses[1].MPI_SOURCE == left && statuses[1].MPI_TAG == 5, "status of persistent", NULL);
  require(requests[1] != MPI_REQUEST_NULL && requests[2] == MPI_REQUEST_NULL, "requests after",
          NULL);
  MPI_Request_free(&requests[1]);
  note(in[2]);
}

static int class_of(int error) {
  int class = MPI_SUCCESS;
  if (error)
    MPI_Error_class(error, &class);
  return class;
}

enum { SHORT_RECEIVES = 12 };

/* MPI leaves open what a receive that was too short writes to its buffer. Nothing is written beyond it. */
static void check_short(unsigned char *in, int size, int room, int from, int tag,
                        const MPI_Status *status) {
  const int fits = room >= size;
  require(class_of(status->MPI_ERROR) == (fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE), "error class",
          NULL);
  require(status->MPI_SOURCE == from && status->MPI_TAG == tag, "truncated status", NULL);
  for (int k = 0; k < size + 16; ++k)
    require(k < room && k < size ? !fits || in[k] == 7 : !in[k], "bytes of a short receive", NULL);
}

/* Some messages are longer than the receives that get them; nothing else is disturbed. */
void phase_truncation(void) {
  enum { MANY = SHORT_RECEIVES };
  const int c = draw_communicator(), from = draw(world.sizes[c]), to = draw(world.sizes[c]);
  const int single = from != to && draw(2), derived = draw(2), own = world.ranks[c];
  const enum completion way = (enum completion)draw(COMPLETIONS);
  MPI_Comm comm = world.communicators[c];
  unsigned char *in[MANY], *out = malloc(200016);
  int sizes[MANY], rooms[MANY], short_ones = 0;
  MPI_Request receives[MANY], sends[MANY];
  MPI_Status statuses[MANY];
  memset(out, 7, 200016);
  for (int i = 0; i < MANY; ++i) {
    sizes[i] = 1 + draw(draw(4) ? 3000 : 200000);
    rooms[i] = draw(3) ? sizes[i] + draw(10) : draw(sizes[i]);
    in[i] = calloc((size_t)sizes[i] + 16, 1);
    short_ones += rooms[i] < sizes[i];
  }
  world.expects_errors = 1;
  world.errors = 0;
  for (int i = 0; i < MANY && own == to && !single; ++i) {
    MPI_Datatype type = MPI_BYTE;
    if (derived)
      MPI_Type_contiguous(rooms[i], MPI_BYTE, &type);
    if (derived)
      MPI_Type_commit(&type);
    MPI_Irecv(in[i], derived ? 1 : rooms[i], type, from, tag_on(c, i), comm, &receives[i]);
    if (derived)
      MPI_Type_free(&type);
  }
  for (int i = 0; i < MANY && own == from; ++i)
    MPI_Isend(out, sizes[i], MPI_BYTE, to, tag_on(c, i), comm, &sends[i]);
  for (int i = 0; i < MANY && own == to && single; ++i)
    statuses[i].MPI_ERROR = MPI_Recv(in[i], rooms[i], MPI_BYTE, from, tag_on(c, i), comm, &statuses[i]);
  if (own == to && !single)
    complete(MANY, receives, statuses, way);
  if (own == to)
    require(single ? world.errors == short_ones : !short_ones == !world.errors,
            "calls of the error handler", NULL);
  world.expects_errors = 0;
  if (own == from)
    MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE);
  for (int i = 0; i < MANY; ++i) {
    if (own == to)
      check_short(in[i], sizes[i], rooms[i], from, tag_on(c, i), &statuses[i]);
    free(in[i]);
  }
  free(out);
  note(rooms[0]);
}

/* A receive is cancelled before anything fits it, or while its message is on its way. */
void phase_cancel(void) {
  const int left = (world.rank + world.size - 1) % world.size,
            right = (world.rank + 1) % world.size;
  const int any = draw(2), race = draw(2), ints = 1 + draw(draw(3) ? 20 : 30000);
  int *in = malloc(2 * (size_t)ints * sizeof *in), *out = calloc((size_t)ints, sizeof *out), flag;
  MPI_Request receive, next, send;
  MPI_Status status;
  out[ints - 1] = world.rank;
  MPI_Irecv(in, ints, MPI_INT, any ? MPI_ANY_SOURCE : left, 7, BASE, &receive);
  if (!race) {
    MPI_Irecv(in + ints, ints, MPI_INT, left, 7, BASE, &next);
    MPI_Cancel(&receive);
    MPI_Wait(&receive, &status);
    MPI_Test_cancelled(&status, &flag);
    require(flag, "a receive that nothing fits was not cancelled", NULL);
    gather();
  }
  MPI_Isend(out, ints, MPI_INT, right, 7, BASE, &send);
  if (race) {
    MPI_Cancel(&receive);
    MPI_Wait(&receive, &status);
    MPI_Test_cancelled(&status, &flag);
    next = MPI_REQUEST_NULL;
    if (flag)
      MPI_Irecv(in + ints, ints, MPI_INT, left, 7, BASE, &next);
  }
  if (flag)
    MPI_Wait(&next, &status);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  require(status.MPI_SOURCE == left && in[flag ? 2 * ints - 1 : ints - 1] == left,
          "after a cancelled receive", NULL);
  free(in);
  free(out);
  note(ints);
}

/* Looks at memory that another thread of this rank may be writing for MPI. */
__attribute__((no_sanitize("thread"))) static int is_written(const unsigned char *byte) {
  return *(const volatile unsigned char *)byte == 9;
}

/* Requests are given up while active: receives and sends, plain and persistent. */
void phase_release(void) {
  const int left = (world.rank + world.size - 1) % world.size,
            right = (world.rank + 1) % world.size;
  const int bytes = 1 + draw(draw(3) ? 3000 : 200000), persistent = draw(2), any = draw(2);
  unsigned char *in = calloc((size_t)bytes, 1), *out = malloc((size_t)bytes);
  MPI_Request receive, send;
  memset(out, 9, (size_t)bytes);
  if (persistent) {
    MPI_Recv_init(in, bytes, MPI_BYTE, any ? MPI_ANY_SOURCE : left, 8, BASE, &receive);
    MPI_Ssend_init(out, bytes, MPI_BYTE, right, 8, BASE, &send);
    MPI_Start(&receive);
    MPI_Start(&send);
  } else {
    MPI_Irecv(in, bytes, MPI_BYTE, any ? MPI_ANY_SOURCE : left, 8, BASE, &receive);
    MPI_Issend(out, bytes, MPI_BYTE, right, 8, BASE, &send);
  }
  MPI_Request_free(&receive);
  MPI_Request_free(&send);
  require(receive == MPI_REQUEST_NULL && send == MPI_REQUEST_NULL, "a freed handle stays", NULL);
  while (!is_written(&in[bytes - 1])) {
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 9998, BASE, &flag, MPI_STATUS_IGNORE);
    sched_yield();
  }
  gather(); /* the peer has it all, so the send is over */
  for (int k = 0; k < bytes; ++k)
    require(in[k] == 9, "byte of a freed receive", NULL);
  gather();
  free(in);
  free(out);
  note(bytes);
}

/* The attached buffer is taken away while messages in it are unread, and a small one has its
 * bounds.
 */
void phase_buffer(void) {
  enum { MANY = 6 };
  const int from = draw(world.size), to = (from + 1) % world.size;
  const int bytes = 1 + draw(draw(2) ? 500 : 80000);
  const int need = MANY * (bytes + MPI_BSEND_OVERHEAD + 64);
  unsigned char *in = malloc((size_t)bytes), *own = malloc((size_t)need),
                *out = malloc((size_t)bytes);
  void *before, *detached;
  int before_size, size;
  MPI_Buffer_detach(&before, &before_size);
  MPI_Buffer_attach(own, need);
  if (world.rank == from)
    for (int i = 0; i < MANY; ++i) {
      memset(out, i + 1, (size_t)bytes);
      MPI_Bsend(out, bytes, MPI_BYTE, to, 4, BASE);
    }
  if (world.rank == to)
    for (int i = 0; i < MANY; ++i) {
      MPI_Recv(in, bytes, MPI_BYTE, from, 4, BASE, MPI_STATUS_IGNORE);
      require(in[0] == i + 1 && in[bytes - 1] == i + 1, "buffered message", NULL);
    }
  MPI_Buffer_detach(&detached, &size);
  require(detached == own && size == need, "another buffer is detached", NULL);
  memset(own, 0xee, (size_t)need);
  MPI_Buffer_attach(before, before_size);
  free(in);
  free(out);
  free(own);
  note(bytes);
}
