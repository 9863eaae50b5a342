/* Every send and every receive in every situation that its template must leave to the ordinary call. The ordinary
 * call is counted, and the messages arrive all the same, each in its turn. Two ranks; 0 sends. */
#include "ordinary.h"

enum { fill_tag = 1, tag = 7, other_tag = 8, own_tag = 9 };
static int rank;
static MPI_Request last = MPI_REQUEST_NULL;

/* --- the operations ----------------------------------------------------------------------------*/

struct operation {
  void (*go)(int *value, int peer, int of_tag, MPI_Comm comm);
  int *ordinary;
};

#define SEND(NAME)                                                                                 \
  static void go_##NAME(int *value, int peer, int of_tag, MPI_Comm comm) {                         \
    MPI_##NAME(value, 1, MPI_INT, peer, of_tag, comm);                                             \
  }
#define ISEND(NAME)                                                                                \
  static void go_##NAME(int *value, int peer, int of_tag, MPI_Comm comm) {                         \
    MPI_##NAME(value, 1, MPI_INT, peer, of_tag, comm, &last);                                      \
  }
SEND(Send)
SEND(Ssend)
SEND(Rsend)
SEND(Bsend)
ISEND(Isend)
ISEND(Issend)
ISEND(Irecv)

static void go_Recv(int *value, int peer, int of_tag, MPI_Comm comm) {
  MPI_Recv(value, 1, MPI_INT, peer, of_tag, comm, MPI_STATUS_IGNORE);
}

/* The messages that they send go to the caller itself, where a receive is posted. */
static void go_Sendrecv(int *value, int peer, int of_tag, MPI_Comm comm) {
  int out = 5, in = 0;
  MPI_Request own;
  MPI_Irecv(&in, 1, MPI_INT, rank, own_tag, comm, &own);
  MPI_Sendrecv(&out, 1, MPI_INT, rank, own_tag, value, 1, MPI_INT, peer, of_tag, comm,
               MPI_STATUS_IGNORE);
  MPI_Wait(&own, MPI_STATUS_IGNORE);
  EXPECT(in == 5);
}
static void go_Sendrecv_replace(int *value, int peer, int of_tag, MPI_Comm comm) {
  int in = 0;
  MPI_Request own;
  *value = 6;
  MPI_Irecv(&in, 1, MPI_INT, rank, own_tag, comm, &own);
  MPI_Sendrecv_replace(value, 1, MPI_INT, rank, own_tag, peer, of_tag, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&own, MPI_STATUS_IGNORE);
  EXPECT(in == 6);
}

#define ROW(NAME) {go_##NAME, &ordinary_##NAME}
static const struct operation sends[] = {ROW(Send),  ROW(Ssend), ROW(Rsend),
                                         ROW(Bsend), ROW(Isend), ROW(Issend)};
static const struct operation receives[] = {ROW(Recv), ROW(Irecv), ROW(Sendrecv),
                                            ROW(Sendrecv_replace)};
#define EACH(LIST)                                                                                 \
  for (const struct operation *o = LIST; o < LIST + sizeof LIST / sizeof *LIST; ++o)

/* Is that a possible number of ordinary calls where the message wanted may not be the next one? An Irecv is posted
 * without a poll, unless that message has been taken out of the lane. The Barrier before it takes it out, because it
 * makes progress while it waits. */
static int is_due(const struct operation *o, int calls) {
  return calls == 1 || (calls == 0 && o->go == go_Irecv && is_fast());
}

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

/* Calls, and returns how many ordinary calls that took. */
static int go(const struct operation *o, int *value, int peer, int of_tag, MPI_Comm comm) {
  const int before = *o->ordinary;
  o->go(value, peer, of_tag, comm);
  return *o->ordinary - before;
}

static void finish(void) { MPI_Wait(&last, MPI_STATUS_IGNORE); }

static int receive(int of_tag) {
  int in = -1;
  MPI_Recv(&in, 1, MPI_INT, 0, of_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return in;
}

static void send(int value, int of_tag) { MPI_Send(&value, 1, MPI_INT, 1, of_tag, MPI_COMM_WORLD); }

/* --- in no special situation -------------------------------------------------------------------*/

/* If the peer is here and the fast paths are open, some of a few calls are inline; else none are. A synchronous send
 * waits for its receive as long as it takes, so that time decides nothing. */
static void nothing_special(void) {
  enum { FEW_CALLS = 4 };
  templates_wait(1);
  EACH(sends) {
    int calls = 0;
    for (int i = 0; i < FEW_CALLS; ++i) {
      if (rank == 0) {
        calls += go(o, &i, 1, tag, MPI_COMM_WORLD);
        finish();
      } else {
        EXPECT(receive(tag) == i);
      }
    }
    EXPECT(rank || (is_fast() ? calls < FEW_CALLS : calls == FEW_CALLS));
    meet();
  }
  EACH(receives) {
    int calls = 0;
    for (int i = 0; i < FEW_CALLS; ++i) {
      int in = -1;
      if (rank == 0)
        send(i, tag);
      meet();
      if (rank == 1) {
        calls += go(o, &in, 0, tag, MPI_COMM_WORLD);
        finish();
        EXPECT(in == i);
      }
    }
    EXPECT(!rank || (is_fast() ? calls < FEW_CALLS : calls == FEW_CALLS));
    meet();
  }
  templates_wait(0);
}

/* --- sends -------------------------------------------------------------------------------------*/

/* Messages until the next one finds the lane at its limit; returns how many. Far from the ring, the
 * limit comes every 64 cells. */
static int fill_lane(int values[], MPI_Request requests[]) {
  enum { RING = 300, STEP = 64 };
  int n = 0, before;
  do {
    before = ordinary_Isend;
    values[n] = n;
    MPI_Isend(&values[n], 1, MPI_INT, 1, fill_tag, MPI_COMM_WORLD, &requests[n]);
    ++n;
  } while (n < RING || (n < RING + 2 * STEP && ordinary_Isend == before));
  for (int end = n + STEP - 1; n < end; ++n) {
    values[n] = n;
    MPI_Isend(&values[n], 1, MPI_INT, 1, fill_tag, MPI_COMM_WORLD, &requests[n]);
  }
  return n;
}

static void into_a_full_lane(void) {
  enum { MANY = 1000 };
  static int values[MANY];
  static MPI_Request requests[MANY];
  EACH(sends) {
    int n = 0, out = 11;
    if (rank == 0)
      n = fill_lane(values, requests);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
      EXPECT(go(o, &out, 1, tag, MPI_COMM_WORLD) == 1);
      finish();
      MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    } else {
      for (int i = 0; i < n; ++i)
        EXPECT(receive(fill_tag) == i);
      EXPECT(receive(tag) == 11);
    }
    meet();
  }
}

/* --- receives ----------------------------------------------------------------------------------*/

/* A receive that was posted before still waits. */
static void behind_a_posted_one(int source) {
  EACH(receives) {
    int first = 0, in = 0;
    MPI_Request posted;
    if (rank == 1)
      MPI_Irecv(&first, 1, MPI_INT, source, other_tag, MPI_COMM_WORLD, &posted);
    else
      send(21, tag);
    meet();
    if (rank == 1) {
      const int calls = go(o, &in, 0, tag, MPI_COMM_WORLD);
      EXPECT(source == MPI_ANY_SOURCE ? calls == 1 : is_due(o, calls));
      finish();
      EXPECT(in == 21);
    }
    meet();
    if (rank == 0)
      send(22, other_tag);
    if (rank == 1) {
      MPI_Wait(&posted, MPI_STATUS_IGNORE);
      EXPECT(first == 22);
    }
    meet();
  }
}

/* The same, before anything has come: then an Irecv always posts itself. */
static void behind_a_posted_one_of_none(void) {
  EACH(receives) {
    int first = 0, in = 0;
    MPI_Request posted;
    if (o->go != go_Irecv)
      continue;
    meet();
    if (rank == 1) {
      MPI_Irecv(&first, 1, MPI_INT, 0, other_tag, MPI_COMM_WORLD, &posted);
      EXPECT(go(o, &in, 0, tag, MPI_COMM_WORLD) == !is_fast());
    }
    meet();
    if (rank == 0) {
      send(23, tag);
      send(24, other_tag);
    } else {
      finish();
      MPI_Wait(&posted, MPI_STATUS_IGNORE);
      EXPECT(in == 23 && first == 24);
    }
  }
}

/* An earlier message is not the one wanted; then it is unexpected, and wanted. */
static void among_unexpected(void) {
  EACH(receives) {
    int in = 0;
    if (rank == 0) {
      send(31, other_tag);
      send(32, tag);
    }
    meet();
    if (rank == 1) {
      EXPECT(is_due(o, go(o, &in, 0, tag, MPI_COMM_WORLD)));
      finish();
      EXPECT(in == 32);
      EXPECT(go(o, &in, 0, other_tag, MPI_COMM_WORLD) == 1);
      finish();
      EXPECT(in == 31);
    }
    meet();
  }
}

/* Messages that overflowed into the arena. */
static void of_an_overflow(void) {
  enum { MANY = 400 };
  static int values[MANY];
  static MPI_Request requests[MANY];
  EACH(receives) {
    int calls = 0;
    for (int i = 0; rank == 0 && i < MANY; ++i) {
      values[i] = i;
      MPI_Isend(&values[i], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[i]);
    }
    meet();
    for (int i = 0; rank == 1 && i < MANY; ++i) {
      int in = -1;
      calls += go(o, &in, 0, tag, MPI_COMM_WORLD);
      finish();
      EXPECT(in == i);
    }
    EXPECT(!rank || calls || is_due(o, calls));
    if (rank == 0)
      MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    meet();
  }
}

static void from_anyone(void) {
  EACH(receives)
  for (int way = 0; way < 2; ++way) {
    int in = 0;
    if (rank == 0)
      send(41, tag);
    meet();
    if (rank == 1) {
      EXPECT(go(o, &in, way ? 0 : MPI_ANY_SOURCE, way ? MPI_ANY_TAG : tag, MPI_COMM_WORLD) == 1);
      finish();
      EXPECT(in == 41);
    }
    meet();
  }
}

/* --- both --------------------------------------------------------------------------------------*/

static void with_nobody(void) {
  int value = 51;
  EACH(sends) {
    EXPECT(go(o, &value, MPI_PROC_NULL, tag, MPI_COMM_WORLD) == 1);
    finish();
  }
  EACH(receives) {
    EXPECT(go(o, &value, MPI_PROC_NULL, tag, MPI_COMM_WORLD) == 1);
    finish();
  }
}

/* A handle that templates knew as an adopted communicator's, and that means another one now. */
static MPI_Comm reused_handle(void) {
  MPI_Comm comm, other;
  int value = 61;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Sendrecv_replace(&value, 1, MPI_INT, 1 - rank, tag, 1 - rank, tag, comm, MPI_STATUS_IGNORE);
  const MPI_Comm kept = comm;
  MPI_Comm_free(&comm);
  PMPI_Comm_dup(MPI_COMM_WORLD, &other); /* behind the runtime's back */
  EXPECT(kept == other);
  return other;
}

static void on_a_reused_handle(void) {
  EACH(sends) {
    MPI_Comm comm = reused_handle();
    int value = 62;
    if (rank == 0) {
      EXPECT(go(o, &value, 1, tag, comm) == 1);
      finish();
    } else {
      BEHIND(Recv)(&value, 1, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
  }
  EACH(receives) {
    MPI_Comm comm = reused_handle();
    int value = 63;
    if (rank == 0) {
      BEHIND(Send)(&value, 1, MPI_INT, 1, tag, comm);
    } else {
      value = 0;
      EXPECT(go(o, &value, 0, tag, comm) == 1);
      finish();
      EXPECT(value == 63);
    }
    MPI_Comm_free(&comm);
  }
}

int main(int argc, char **argv) {
  static char attached[1 << 16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach(attached, sizeof attached);
  nothing_special();
  into_a_full_lane();
  behind_a_posted_one(MPI_ANY_SOURCE);
  behind_a_posted_one(0);
  behind_a_posted_one_of_none();
  among_unexpected();
  of_an_overflow();
  from_anyone();
  with_nobody();
  if (HANDLES_COME_AGAIN)
    on_a_reused_handle();
  MPI_Buffer_detach(&argv, &argc);
  return expect_finish();
}

// RUN: %specialise %t mpicc -std=c11 -O2 %s && %everywhere 2 %t
