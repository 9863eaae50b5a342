/* Long messages between the two ranks of ranks-as-threads.c, one way and both ways at once. A message
 * has more pieces than a pipe has slots. Both ranks wait, or one of them is away. Datatypes have gaps.
 * Both ranks draw the same numbers. */
#include "check.h"
#include "p2p/rendezvous.h"
#include "rank.h"

#include <mpi.h>
#include <string.h>

/* The runtime divides messages into pieces of 64 to 256 KiB. Few pieces are in a pipe at a time: mostly some of the
 * small ones, seldom many of the large ones. */
enum { BLOCK = 4096, PIECE = 64 * 1024, FEW = 6, MANY = 40, LONGEST = (MANY + 2) * PIECE };

/* An exchange as both ranks see it. */
struct exchange {
  int bytes, tag;
  unsigned content; /* the content of rank 0's message; rank 1's is the next one */
  int from[RANKS];  /* which ranks send */
  int gaps[RANKS];  /* which ranks' data have gaps */
  int away[RANKS];  /* which ranks do something else meanwhile, in microseconds */
  int order[RANKS]; /* which ranks send before they receive */
};

static struct exchange draw_exchange(unsigned *state, int thread) {
  const unsigned sides = 1 + draw(state, 3);
  struct exchange e = {.tag = 100 + thread, .content = draw(state, 256)};
  const unsigned pieces = 2 + draw(state, draw(state, 3) ? FEW : MANY);
  e.bytes = (int)(pieces * PIECE - draw(state, 2) * draw(state, 70000) / 8 * 8);
  for (int rank = 0; rank < RANKS; ++rank) {
    e.from[rank] = (int)(sides >> rank & 1);
    e.gaps[rank] = draw(state, 5) == 0;
    e.away[rank] = draw(state, 3) ? 0 : (int)draw(state, 400);
    e.order[rank] = (int)draw(state, 2);
  }
  return e;
}

/* Where the next bytes begin, at most a block of content and of a datatype with gaps. */
static int length_at(const struct exchange *e, int done) {
  return e->bytes - done < BLOCK ? e->bytes - done : BLOCK;
}

static unsigned char byte_at(const struct exchange *e, int from, int done) {
  return (unsigned char)(e->content + (unsigned)from + (unsigned)(done / BLOCK) * 13);
}

static void compose(const struct exchange *e, unsigned char *buffer, int from) {
  const int stride = BLOCK * (1 + e->gaps[from]);
  for (int done = 0; done < e->bytes; done += BLOCK, buffer += stride)
    memset(buffer, byte_at(e, from, done), (size_t)length_at(e, done));
}

static void check_arrived(const struct exchange *e, const unsigned char *buffer, int me) {
  const int stride = BLOCK * (1 + e->gaps[me]);
  for (int done = 0; done < e->bytes; done += BLOCK, buffer += stride) {
    const size_t length = (size_t)length_at(e, done);
    CHECK(buffer[0] == byte_at(e, 1 - me, done) && !memcmp(buffer, buffer + 1, length - 1));
  }
}

/* Whole blocks with gaps of the same length, and the rest of the bytes. */
static MPI_Datatype type_of(const struct exchange *e, int rank) {
  const int blocks = e->bytes / BLOCK, stride = BLOCK * (1 + e->gaps[rank]);
  const int counts[2] = {1, e->bytes % BLOCK};
  const MPI_Aint places[2] = {0, (MPI_Aint)blocks * stride};
  MPI_Datatype members[2] = {MPI_DATATYPE_NULL, MPI_BYTE}, type;
  MPI_Type_vector(blocks, BLOCK, stride, MPI_BYTE, &members[0]);
  MPI_Type_create_struct(2, counts, places, members, &type);
  MPI_Type_free(&members[0]);
  MPI_Type_commit(&type);
  return type;
}

struct side {
  unsigned char *out, *in;
  MPI_Datatype type;
  int count;
  MPI_Request requests[2];
};

static void start(const struct exchange *e, struct side *side, int me, int sends) {
  if (sends && e->from[me])
    MPI_Isend(side->out, side->count, side->type, 1 - me, e->tag, MPI_COMM_WORLD,
              &side->requests[0]);
  if (!sends && e->from[1 - me])
    MPI_Irecv(side->in, side->count, side->type, 1 - me, e->tag, MPI_COMM_WORLD,
              &side->requests[1]);
}

/* By calls that do not wait: the other rank copies while this one is away. */
static void carry_out(const struct exchange *e, struct side *side, int me) {
  start(e, side, me, e->order[me]);
  start(e, side, me, !e->order[me]);
  if (e->away[me]) {
    int done;
    MPI_Testall(2, side->requests, &done, MPI_STATUSES_IGNORE);
    usleep((unsigned)e->away[me]);
  }
  MPI_Waitall(2, side->requests, MPI_STATUSES_IGNORE);
}

/* By one that waits from the begin on. */
static void carry_out_waiting(const struct exchange *e, struct side *side, int me) {
  if (e->from[0] && e->from[1])
    MPI_Sendrecv(side->out, side->count, side->type, 1 - me, e->tag, side->in, side->count,
                 side->type, 1 - me, e->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else if (e->from[me])
    MPI_Send(side->out, side->count, side->type, 1 - me, e->tag, MPI_COMM_WORLD);
  else
    MPI_Recv(side->in, side->count, side->type, 1 - me, e->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void rank_exchange_long(int me, int thread, unsigned *state) {
  const struct exchange e = draw_exchange(state, thread);
  struct side side = {malloc((size_t)2 * LONGEST),
                      malloc((size_t)2 * LONGEST),
                      MPI_BYTE,
                      e.bytes,
                      {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};
  if (e.gaps[me]) {
    side.type = type_of(&e, me);
    side.count = 1;
  }
  if (e.from[me])
    compose(&e, side.out, me);
  (e.away[me] || e.order[me] ? carry_out : carry_out_waiting)(&e, &side, me);
  memset(side.out, 0, (size_t)e.bytes); /* the send is over */
  if (e.from[1 - me])
    check_arrived(&e, side.in, me);
  if (e.gaps[me])
    MPI_Type_free(&side.type);
  free(side.out);
  free(side.in);
}

/* The receiver matches the message, which copies nothing, and stays away for some time. */
static void receive_late(int from, void *bytes, int length, int microseconds) {
  MPI_Request request;
  MPI_Probe(from, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv(bytes, length, MPI_BYTE, from, 98, MPI_COMM_WORLD, &request);
  usleep((unsigned)microseconds);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void rank_push(int me, struct job *job) {
  enum { TRIES = 100, LENGTH = 24 * PIECE };
  unsigned char *bytes = calloc(1, LENGTH);
  for (int from = 0; from < RANKS; ++from)
    for (int i = 0, pushed = 0; i < TRIES && !pushed; ++i) {
      if (me == from)
        MPI_Send(bytes, LENGTH, MPI_BYTE, 1 - me, 98, MPI_COMM_WORLD);
      else
        receive_late(from, bytes, LENGTH, 1000 * (i + 1));
      job->pushed[me] = mpispec_rendezvous_counts.pushed;
      PMPI_Barrier(MPI_COMM_WORLD);
      pushed = job->pushed[from] > 0;
      PMPI_Barrier(MPI_COMM_WORLD);
    }
  free(bytes);
}
