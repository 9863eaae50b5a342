/* A template must pass some calls to the ordinary call, which then has its usual result. Two ranks. */
#include "ordinary.h"

#include <unistd.h>

static int rank, peer;
static MPI_Status status;

static int error_class(int error) {
  int found = MPI_SUCCESS;
  if (error)
    MPI_Error_class(error, &found);
  return found;
}

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

/* So that a lane has room, and the runtime knows the communicator. */
static void warm_up(MPI_Comm comm, int to, int from) {
  int out = 1, in = 0;
  MPI_Request request;
  MPI_Isend(&out, 1, MPI_INT, to, 99, comm, &request);
  MPI_Recv(&in, 1, MPI_INT, from, 99, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(in == 1);
}

static void posted_wildcard(void) {
  int one = 1, two = 2, three = 3, any = 0, named = 0, other = 0;
  MPI_Request request;
  warm_up(MPI_COMM_WORLD, peer, peer);
  if (rank == 1) {
    MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    meet();
    if (*(volatile int *)&any) /* the barrier's progress has matched it: nothing is posted now */
      MPI_Recv(&named, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
    else
      HANDS_OVER(Recv, 1, MPI_Recv(&named, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status));
    MPI_Wait(&request, &status);
    EXPECT(any == 1 && status.MPI_TAG == 7 && named == 2);
    MPI_Recv(&other, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
    EXPECT(other == 3);
  } else {
    meet();
    MPI_Send(&one, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(&two, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(&three, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  }
  meet();
}

static void earlier_unexpected(void) {
  int out[4] = {1, 2, 3, 4}, in = 0;
  warm_up(MPI_COMM_WORLD, peer, peer);
  if (rank == 0)
    for (int i = 0; i < 4; ++i)
      MPI_Send(&out[i], 1, MPI_INT, 1, i == 1 ? 8 : 7, MPI_COMM_WORLD);
  meet();
  if (rank == 1) {
    HANDS_OVER(Recv, 1, MPI_Recv(&in, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &status));
    EXPECT(in == 2);
    HANDS_OVER(Recv, 1, MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status));
    EXPECT(in == 1);
    MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
    EXPECT(in == 3);
    MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
    EXPECT(in == 4);
  }
  meet();
}

/* Messages of every length and beyond any lane: cells, links, extents. */
static void full_lane(void) {
  enum { MANY = 5000 };
  static int numbers[13];
  const int before = ordinary_Send;
  if (rank == 0)
    for (int i = 0; i < MANY; ++i) {
      numbers[0] = numbers[12] = i;
      if (i % 3)
        MPI_Send(numbers, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
      else
        MPI_Send(numbers, 13, MPI_INT, 1, 7, MPI_COMM_WORLD);
    }
  if (rank == 0)
    EXPECT(ordinary_Send > before);
  if (rank == 1)
    for (int i = 0; i < MANY; ++i) {
      int count;
      MPI_Recv(numbers, 13, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      EXPECT(numbers[0] == i && count == (i % 3 ? 1 : 13) && (i % 3 || numbers[12] == i));
    }
  meet();
}

/* A handle that meant an adopted communicator comes to mean one that is not. */
static void reused_handle(void) {
  int out = rank, in = -1;
  for (int round = 0; HANDLES_COME_AGAIN && round < 4; ++round) {
    MPI_Comm comm, other;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const MPI_Comm kept = comm;
    warm_up(comm, peer, peer);
    if (rank == 0)
      TAKES(Send, 1, MPI_Send(&out, 1, MPI_INT, 1, 7, comm));
    else
      MPI_Recv(&in, 1, MPI_INT, 0, 7, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    PMPI_Comm_dup(MPI_COMM_WORLD, &other); /* behind the runtime's back */
    EXPECT(kept == other);
    meet();
    if (rank == 0)
      HANDS_OVER(Send, 1, MPI_Send(&out, 1, MPI_INT, 1, 7, kept));
    else
      HANDS_OVER(Recv, 1, BEHIND(Recv)(&in, 1, MPI_INT, 0, 7, other, MPI_STATUS_IGNORE);
                 ++ordinary_Recv);
    meet();
    MPI_Comm_free(&other);
  }
}

static void nobody_and_anybody(void) {
  double b = 1, kept = 2;
  int count;
  HANDS_OVER(Send, 1, MPI_Send(&b, 1, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD));
  HANDS_OVER(Recv, 1, MPI_Recv(&b, 1, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &status));
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  EXPECT(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && !count && b == 1);
  HANDS_OVER(Sendrecv, 1,
             MPI_Sendrecv(&b, 1, MPI_DOUBLE, MPI_PROC_NULL, 7, &kept, 1, MPI_DOUBLE, MPI_PROC_NULL,
                          7, MPI_COMM_WORLD, &status));
  EXPECT(kept == 2 && status.MPI_SOURCE == MPI_PROC_NULL);
  if (rank == 0)
    MPI_Send(&b, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
  meet();
  if (rank == 1) {
    MPI_Recv(&kept, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    EXPECT(kept == 1 && status.MPI_SOURCE == 0 && status.MPI_TAG == 5);
  }
  if (rank == 0)
    MPI_Send(&b, 1, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
  meet();
  if (rank == 1) {
    MPI_Recv(&kept, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    EXPECT(status.MPI_SOURCE == 0 && status.MPI_TAG == 6);
  }
}

/* The mistakes come as variables: a compiler that sees a constant one knows better. */
static void mistakes(int minus_one, int too_large, MPI_Comm zero, void *null) {
  double b[4] = {0};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  warm_up(MPI_COMM_WORLD, peer, peer);
#define FAILS(NAME, CLASS, ...)                                                                    \
  HANDS_OVER(NAME, 1, EXPECT(error_class(MPI_##NAME(__VA_ARGS__)) == CLASS))
  FAILS(Send, MPI_ERR_COUNT, b, minus_one, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD);
  FAILS(Send, MPI_ERR_TAG, b, 1, MPI_DOUBLE, peer, minus_one * 5, MPI_COMM_WORLD);
  FAILS(Send, MPI_ERR_RANK, b, 1, MPI_DOUBLE, too_large, 7, MPI_COMM_WORLD);
  FAILS(Send, MPI_ERR_RANK, b, 1, MPI_DOUBLE, minus_one * 9, 7, MPI_COMM_WORLD);
  FAILS(Send, MPI_ERR_COMM, b, 1, MPI_DOUBLE, peer, 7, zero);
  FAILS(Send, MPI_ERR_BUFFER, null, 1, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD);
  FAILS(Isend, MPI_ERR_COMM, b, 1, MPI_DOUBLE, peer, 7, zero, &request);
  FAILS(Isend, NULL_REQUEST, b, 1, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD, (MPI_Request *)null);
  FAILS(Ssend, MPI_ERR_TAG, b, 1, MPI_DOUBLE, peer, minus_one * 5, MPI_COMM_WORLD);
  FAILS(Rsend, MPI_ERR_COUNT, b, minus_one, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD);
  FAILS(Bsend, MPI_ERR_COUNT, b, minus_one, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD);
  FAILS(Recv, MPI_ERR_COUNT, b, minus_one, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD, &status);
  FAILS(Recv, MPI_ERR_RANK, b, 1, MPI_DOUBLE, too_large, 7, MPI_COMM_WORLD, &status);
  if (MPI_STATUS_IGNORE) /* where that is null, null is no mistake */
    FAILS(Recv, MPI_ERR_ARG, b, 1, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD, (MPI_Status *)null);
  FAILS(Irecv, MPI_ERR_TAG, b, 1, MPI_DOUBLE, peer, minus_one * 5, MPI_COMM_WORLD, &request);
  FAILS(Sendrecv, MPI_ERR_COUNT, b, 1, MPI_DOUBLE, peer, 7, b + 1, minus_one, MPI_DOUBLE, peer, 7,
        MPI_COMM_WORLD, &status);
  FAILS(Sendrecv, MPI_ERR_TAG, b, 1, MPI_DOUBLE, peer, 7, b + 1, 1, MPI_DOUBLE, peer, minus_one * 5,
        MPI_COMM_WORLD, &status);
  FAILS(Waitall, NEGATIVE_COUNT, minus_one, &request, MPI_STATUSES_IGNORE);
  /* None of them has sent anything. */
  meet();
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  EXPECT(!flag);
  meet();
}

static void truncation(void) {
  int out[3] = {1, 2, 3}, in[3] = {0}, after = 0;
  warm_up(MPI_COMM_WORLD, peer, peer);
  if (rank == 0) {
    MPI_Send(out, 3, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(out, 3, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(out, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  }
  meet();
  if (rank == 1) {
    FAILS(Recv, MPI_ERR_TRUNCATE, in, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
    EXPECT(!in[2]);
    MPI_Request request;
    TAKES(Irecv, 1, MPI_Irecv(in, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, &request));
    FAILS(Wait, MPI_ERR_TRUNCATE, &request, &status);
    MPI_Recv(&after, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
    EXPECT(after == 1);
  }
  /* To oneself, and of the second half of an exchange. */
#ifdef OPEN_MPI /* which does not tell, of a message to oneself */
  const int is_told = is_fast();
#else
  const int is_told = 1;
#endif
  if (is_told)
    FAILS(Sendrecv, MPI_ERR_TRUNCATE, out, 3, MPI_INT, rank, 7, in, 1, MPI_INT, rank, 7,
          MPI_COMM_WORLD, &status);
  FAILS(Sendrecv, MPI_ERR_TRUNCATE, out, 3, MPI_INT, peer, 7, in, 1, MPI_INT, peer, 7,
        MPI_COMM_WORLD, &status);
  MPI_Sendrecv(&rank, 1, MPI_INT, peer, 7, &after, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &status);
  EXPECT(after == peer);
  meet();
}

static void long_and_derived(void) {
  static double out[200], in[200];
  MPI_Datatype pair;
  for (int i = 0; i < 200; ++i)
    out[i] = i + rank;
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  warm_up(MPI_COMM_WORLD, peer, peer);
  if (rank == 0) {
    TAKES(Send, 1, MPI_Send(out, 129, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD));
    HANDS_OVER(Send, 1, MPI_Send(out, 1, pair, 1, 7, MPI_COMM_WORLD));
    TAKES(Ssend, 1, MPI_Ssend(out, 8, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD));
  } else {
    MPI_Probe(0, 7, MPI_COMM_WORLD, &status);
    TAKES(Recv, 1, MPI_Recv(in, 129, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &status));
    EXPECT(in[128] == 128);
    HANDS_OVER(Recv, 1, MPI_Recv(in, 1, pair, 0, 7, MPI_COMM_WORLD, &status));
    EXPECT(in[2] == 2);
    HANDS_OVER(Recv, 1, MPI_Recv(in, 8, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &status));
    EXPECT(in[7] == 7);
  }
  MPI_Type_free(&pair);
  meet();
}

/* A peer with our own rank in an intercommunicator is somebody else. */
static void other_group(void) {
  MPI_Comm alone, inter;
  int out = 10 + rank, in = -1, self;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
  MPI_Intercomm_create(alone, 0, MPI_COMM_WORLD, peer, 4, &inter);
  MPI_Comm_rank(inter, &self);
  EXPECT(self == 0);
  HANDS_OVER(
      Sendrecv, 1,
      MPI_Sendrecv(&out, 1, MPI_INT, self, 7, &in, 1, MPI_INT, self, 7, inter, MPI_STATUS_IGNORE));
  EXPECT(in == 10 + peer);
  HANDS_OVER(Sendrecv_replace, 1,
             MPI_Sendrecv_replace(&out, 1, MPI_INT, self, 7, self, 7, inter, MPI_STATUS_IGNORE));
  EXPECT(out == 10 + peer);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&alone);
}

/* To oneself, behind what was sent or posted before. */
static void to_oneself_in_turn(void) {
  int first = 1, second = 2, in = 0, posted = 0;
  MPI_Request request;
  warm_up(MPI_COMM_SELF, 0, 0);
  if (is_fast()) { /* plain MPICH does not buffer what goes to oneself */
    MPI_Isend(&first, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    HANDS_OVER(
        Sendrecv, 1,
        MPI_Sendrecv(&second, 1, MPI_INT, 0, 7, &in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &status));
    EXPECT(in == 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &status);
    EXPECT(in == 2);
  }
  MPI_Irecv(&posted, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_SELF, &request);
  MPI_Request last;
  MPI_Isend(&first, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &last);
  HANDS_OVER(
      Sendrecv, 1,
      MPI_Sendrecv(&second, 1, MPI_INT, 0, 7, &in, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &status));
  MPI_Wait(&request, &status);
  MPI_Wait(&last, MPI_STATUS_IGNORE);
  EXPECT(posted == 2 && in == 1);
}

/* The second half waits for a peer that comes late. */
static void send_issued(void) {
  int in = -1, value = rank;
  for (int round = 0; round < 6; ++round) {
    if (rank == round % 2)
      usleep(20000);
    MPI_Sendrecv(&rank, 1, MPI_INT, peer, 7, &in, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &status);
    EXPECT(in == peer && status.MPI_SOURCE == peer);
    if (rank == round % 2)
      usleep(20000);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, peer, 8, peer, 8, MPI_COMM_WORLD, &status);
    EXPECT(value == (round % 2 ? rank : peer) && status.MPI_TAG == 8);
    if (rank == 0) {
      MPI_Ssend(&round, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
      MPI_Ssend(&round, 0, MPI_INT, 1, 9, MPI_COMM_WORLD);
    } else {
      usleep(20000);
      MPI_Recv(&in, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &status);
      EXPECT(in == round);
      usleep(20000);
      MPI_Recv(&in, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, &status);
    }
  }
}

/* Ends the first of two requests, the other of which is null, in one of all ways. Returns nonzero
 * if it was cancelled. */
enum { WAYS = 11, CANCEL = 8 };
static int end(int way, MPI_Request request[2], MPI_Status statuses[2]) {
  int flag, index, count, indices[2], cancelled = 0;
  MPI_Request *r = request;
  switch (way) {
  case 0:
    MPI_Wait(r, statuses);
    break;
  case 1:
    do
      MPI_Test(r, &flag, statuses);
    while (!flag);
    break;
  case 2:
    MPI_Waitany(2, request, &index, statuses);
    EXPECT(index == 0);
    break;
  case 3:
    MPI_Waitsome(2, request, &count, indices, statuses);
    EXPECT(count == 1 && indices[0] == 0);
    break;
  case 4:
    do
      MPI_Testall(2, request, &flag, statuses);
    while (!flag);
    break;
  case 5:
    MPI_Waitall(2, request, statuses);
    break;
  case 6:
    do
      MPI_Testany(2, request, &index, &flag, statuses);
    while (!flag);
    break;
  case 7:
    do
      MPI_Request_get_status(*r, &flag, statuses);
    while (!flag);
    EXPECT(*r != MPI_REQUEST_NULL);
    MPI_Wait(r, statuses);
    break;
  case CANCEL:
    MPI_Cancel(r);
    MPI_Wait(r, statuses);
    MPI_Test_cancelled(statuses, &cancelled);
    break;
  case 9:
    EXPECT(error_class(MPI_Start(r)) == MPI_ERR_REQUEST);
    MPI_Wait(r, statuses);
    break;
  default:
    do
      MPI_Request_get_status(*r, &flag, statuses);
    while (!flag);
    MPI_Request_free(r);
  }
  return cancelled;
}

/* A request whose receive was over when it was made, ended in every way. */
static void receipts(void) {
  int out[WAYS], in[WAYS] = {0}, count;
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, *r = request;
  MPI_Status statuses[2];
  warm_up(MPI_COMM_WORLD, peer, peer);
  for (int way = 0; way < WAYS; ++way) {
    out[way] = way + 1;
    if (rank == 0)
      MPI_Send(&out[way], 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    meet();
    if (rank == 0)
      continue;
    TAKES(Irecv, 1, MPI_Irecv(&in[way], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, r));
    EXPECT(*r != MPI_REQUEST_NULL);
    memset(&statuses, 0x55, sizeof statuses);
    if (end(way, request, statuses)) /* allowed; then the message is still there */
      MPI_Recv(&in[way], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, statuses);
    EXPECT(*r == MPI_REQUEST_NULL && in[way] == way + 1);
    MPI_Get_count(statuses, MPI_INT, &count);
    EXPECT(statuses->MPI_SOURCE == 0 && statuses->MPI_TAG == 7 && count == 1);
  }
  meet();
}

/* A synchronous send that is not matched yet, ended in every way. There is one at a time. */
static void awaited(void) {
  int in[2], flag;
  for (int way = 0; way <= WAYS; ++way) {
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, second;
    MPI_Status statuses[2];
    warm_up(MPI_COMM_WORLD, peer, peer);
    if (rank == 0) {
      HANDS_OVER(Issend, is_fast() ? 1 : 2, /* which of them, says the room in the lane */
                 MPI_Issend(&way, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request[0]);
                 MPI_Issend(&way, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &second));
      HANDS_OVER(Test, 2, MPI_Test(&request[0], &flag, &status); EXPECT(!flag);
                 MPI_Test(&second, &flag, &status); EXPECT(!flag));
      EXPECT(request[0] != second && request[0] != MPI_REQUEST_NULL);
    }
    meet();
    if (rank == 1) {
      usleep(way % 2 * 2000);
      MPI_Recv(&in[1], 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &status);
      MPI_Recv(&in[0], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
      EXPECT(in[0] == way && in[1] == way);
    } else {
      memset(statuses, 0x55, sizeof statuses);
      if (way == WAYS)
        MPI_Request_free(&request[0]);
      else if (way == CANCEL && !is_fast()) /* would succeed there */
        MPI_Wait(&request[0], statuses);
      else
        EXPECT(!end(way, request, statuses));
      EXPECT(request[0] == MPI_REQUEST_NULL);
      MPI_Wait(&second, MPI_STATUS_IGNORE);
      MPI_Ssend(&way, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
      MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, &status); /* ends what was freed */
    }
    if (rank == 1)
      MPI_Recv(&in[0], 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &status);
    meet();
  }
}

/* Without a buffer, or with one too small. Open MPI sends short messages all the same. */
#ifdef OPEN_MPI
#define LACKS_BUFFER(WHO_SENDS, COUNT)                                                             \
  do {                                                                                             \
    WHO_SENDS(Bsend, 1, EXPECT(!MPI_Bsend(b, COUNT, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD)));        \
    MPI_Recv(b, COUNT, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                    \
  } while (0)
#else
#define LACKS_BUFFER(WHO_SENDS, COUNT)                                                             \
  FAILS(Bsend, MPI_ERR_BUFFER, b, COUNT, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD)
#endif
static void no_buffer(void) {
  enum { SMALL = 5, LARGE = 100, HUGE_ONE = 20000 };
  static char small[SMALL * sizeof(double) + MPI_BSEND_OVERHEAD];
  static double b[HUGE_ONE];
  int size;
  void *where;
  warm_up(MPI_COMM_WORLD, peer, peer);
  LACKS_BUFFER(HANDS_OVER, 1);
  LACKS_BUFFER(HANDS_OVER, 0);
  MPI_Buffer_attach(small, sizeof small);
  TAKES(Bsend, 1, MPI_Bsend(b, SMALL, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD));
  MPI_Recv(b, SMALL, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  LACKS_BUFFER(TAKES, LARGE);
#ifndef OPEN_MPI /* which delivers nothing more to that rank when it has refused a message */
  FAILS(Bsend, MPI_ERR_BUFFER, b, HUGE_ONE, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD);
#endif
  MPI_Buffer_detach(&where, &size);
  LACKS_BUFFER(HANDS_OVER, 0);
  meet();
}

int main(int argc, char **argv) {
  volatile int minus_one = -1, too_large = 1000;
  MPI_Comm volatile zero = 0;
  void *volatile null = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  posted_wildcard();
  earlier_unexpected();
  reused_handle();
  nobody_and_anybody();
  long_and_derived();
  other_group();
  to_oneself_in_turn();
  send_issued();
  mistakes(minus_one, too_large, zero, null);
  truncation();
  receipts();
  awaited();
  no_buffer();
  full_lane(); /* last: where in the ring it ends depends on time, and whoever is at a limit there makes an ordinary call */
  return expect_finish();
}

// RUN: for options in -O0 %if !quick %{ -O2 %}; do \
// RUN:   echo "$options" && \
// RUN:   %specialise %t mpicc -D_GNU_SOURCE -std=c11 $options %s && %everywhere 2 %t || exit 1; \
// RUN: done
// RUN: %behind clang-22 %specialise %t mpicc -D_GNU_SOURCE -std=c11 -O2 %s && %everywhere 2 %t
