/* Receives of all kinds, with and without wildcards, beside receives from any source that stay posted. Some of these are
 * on another communicator or for another tag, so that they are no rivals of the others. Others were posted first, and
 * must get the message. All messages come from one rank, therefore the receive of each message is known: a receive gets
 * the first message that it fits and that no earlier receive gets.
 *
 *   wildcards-kept-posted [multiple] */
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 3000, MOST = 14, COMMUNICATORS = 2, TAGS = 3, BYTES = 6000 };
enum kind { RECV, IRECV, START, PROBED, IPROBED, MPROBED, TESTED, SENDRECV, KINDS };
static MPI_Comm comms[COMMUNICATORS];
static int rank;

/* Equal on both ranks. */
static unsigned draw(unsigned below) {
  static unsigned word = 12345;
  word = word * 1664525u + 1013904223u;
  return (word >> 8) % below;
}

static struct message {
  int comm, tag, bytes, is_taken;
} messages[MOST];

static struct receive {
  enum kind kind;
  int comm, source, tag, gets; /* the number of its message */
  MPI_Request request;
  MPI_Status status;
  unsigned char in[BYTES];
} receives[MOST];
static int count;

static int fits(const struct receive *r, const struct message *m) {
  return !m->is_taken && m->comm == r->comm && (r->tag == MPI_ANY_TAG || r->tag == m->tag);
}

static void draw_round(void) {
  static const int lengths[] = {0, 8, 8, 48, 300, BYTES};
  count = 1 + (int)draw(MOST);
  for (int i = 0; i < count; ++i)
    messages[i] = (struct message){(int)draw(COMMUNICATORS), (int)draw(TAGS), lengths[draw(6)], 0};
  for (int i = 0; i < count; ++i) {
    struct receive *r = &receives[i];
    int aim = (int)draw((unsigned)count), at = 0;
    while (messages[aim].is_taken)
      aim = (aim + 1) % count;
    r->kind = draw(2) ? IRECV : draw(KINDS);
    r->comm = messages[aim].comm;
    r->source = draw(2) ? 1 : MPI_ANY_SOURCE;
    r->tag = draw(3) ? messages[aim].tag : MPI_ANY_TAG;
    while (!fits(r, &messages[at]))
      ++at;
    r->gets = at;
    messages[at].is_taken = 1;
  }
}

/* No send waits for its receive, which may be posted after that of a later message. */
static void send_all(int round) {
  static unsigned char out[MOST][BYTES];
  MPI_Request requests[MOST];
  for (int i = 0; i < count; ++i) {
    const struct message *m = &messages[i];
    memset(out[i], round + i, sizeof out[i]);
    requests[i] = MPI_REQUEST_NULL;
    if (draw(4) && m->bytes < BYTES)
      MPI_Send(out[i], m->bytes, MPI_BYTE, 0, m->tag, comms[m->comm]);
    else
      MPI_Isend(out[i], m->bytes, MPI_BYTE, 0, m->tag, comms[m->comm], &requests[i]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void check(const struct receive *r, int round) {
  const struct message *m = &messages[r->gets];
  int bytes, wrong = 0;
  MPI_Get_count(&r->status, MPI_BYTE, &bytes);
  CHECK(r->status.MPI_SOURCE == 1 && r->status.MPI_TAG == m->tag && bytes == m->bytes);
  for (int i = 0; i < bytes; ++i)
    wrong += r->in[i] != (unsigned char)(round + r->gets);
  CHECK(!wrong);
}

/* Receives the message that a probe has found. Another receive of the same message would be the first that fits. */
static void receive_probed(struct receive *r) {
  int found = 0;
  MPI_Message message;
  const MPI_Comm comm = comms[r->comm];
  if (r->kind == MPROBED) {
    MPI_Mprobe(r->source, r->tag, comm, &message, &r->status);
    MPI_Mrecv(r->in, BYTES, MPI_BYTE, &message, &r->status);
    return;
  }
  if (r->kind == PROBED)
    MPI_Probe(r->source, r->tag, comm, &r->status);
  while (r->kind == IPROBED && !found)
    MPI_Iprobe(r->source, r->tag, comm, &found, &r->status);
  MPI_Recv(r->in, BYTES, MPI_BYTE, r->status.MPI_SOURCE, r->status.MPI_TAG, comm, &r->status);
}

static void post(struct receive *r) {
  const MPI_Comm comm = comms[r->comm];
  int flag = 0, nothing = 0;
  r->request = MPI_REQUEST_NULL;
  switch (r->kind) {
  case RECV:
    MPI_Recv(r->in, BYTES, MPI_BYTE, r->source, r->tag, comm, &r->status);
    break;
  case START:
    MPI_Recv_init(r->in, BYTES, MPI_BYTE, r->source, r->tag, comm, &r->request);
    MPI_Start(&r->request);
    break;
  case SENDRECV:
    MPI_Sendrecv(&nothing, 1, MPI_INT, MPI_PROC_NULL, 0, r->in, BYTES, MPI_BYTE, r->source, r->tag, comm, &r->status);
    break;
  case IRECV:
  case TESTED:
    MPI_Irecv(r->in, BYTES, MPI_BYTE, r->source, r->tag, comm, &r->request);
    break;
  default:
    receive_probed(r);
  }
  while (r->kind == TESTED && !flag)
    MPI_Test(&r->request, &flag, &r->status);
}

/* In the order in which they were posted, or in the other order. */
static void end_all(int round) {
  for (int i = 0; i < count; ++i) {
    struct receive *r = &receives[round % 2 ? i : count - 1 - i];
    if (r->request != MPI_REQUEST_NULL)
      MPI_Wait(&r->request, &r->status);
    if (r->kind == START)
      MPI_Request_free(&r->request);
    check(r, round);
  }
}

/* Messages of a rank to itself, which no lane carries. */
static void to_oneself(void) {
  int out[3] = {1, 2, 3}, in[3] = {0};
  MPI_Request any;
  MPI_Status status;
  MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 7, comms[0], &any);
  MPI_Sendrecv(&out[1], 1, MPI_INT, rank, 8, &in[1], 1, MPI_INT, rank, 8, comms[0], &status);
  CHECK(in[1] == 2 && in[0] == 0);
  MPI_Sendrecv(&out[2], 1, MPI_INT, rank, 7, &in[2], 1, MPI_INT, MPI_PROC_NULL, 7, comms[0], &status);
  MPI_Wait(&any, &status);
  CHECK(in[0] == 3 && status.MPI_SOURCE == rank);
}

int main(int argc, char **argv) {
  static const struct timespec moment = {0, 100000};
  int level;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_rank(comms[0], &rank);
  to_oneself();
  for (int round = 0; round < ROUNDS; ++round) {
    draw_round();
    const unsigned who_is_late = draw(8);
    if (who_is_late == (unsigned)rank)
      nanosleep(&moment, NULL);
    if (rank == 1)
      send_all(round);
    for (int i = 0; rank == 0 && i < count; ++i)
      post(&receives[i]);
    if (rank == 0)
      end_all(round);
    for (int i = 0; rank == 0 && i < count; ++i)
      (void)draw(4); /* as the other rank */
    MPI_Barrier(comms[round % 2]);
  }
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t multiple | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s %}
// CHECK: passed
