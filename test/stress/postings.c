/* A phase of posted receives, and all events that may happen meanwhile. See stress.h.
 *
 * Some receives of a list of messages are posted before any send, and the others after. Between them are some that no
 * message fits, to be cancelled. Some have too little room, and the request of some is freed. Until the first message
 * is sent, tests and probes find nothing. After the last receive is posted, no message is left for a probe. */
#include "stress.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* The fate of a receive. */
enum deed {
  POSTED,     /* MPI_Irecv */
  RESTARTED,  /* MPI_Recv_init and MPI_Start */
  SHORT,      /* with too little room */
  GIVEN_UP,   /* MPI_Request_free while it waits */
  IN_VAIN,    /* nothing fits it: cancelled */
  MATCHED,    /* MPI_Mprobe or MPI_Improbe, then MPI_Imrecv */
  IMMEDIATELY /* over when the call returns, by whatever functions */
};

struct deal {
  enum deed deed;
  struct message message;
  int room; /* bytes, if it is too short */
};

enum { IN_VAIN_TAG = 7000, MOST_IN_VAIN = 8, ROOM = 2 * MAXIMUM_MESSAGES + MOST_IN_VAIN };

/* One rank's receives that are under way. */
struct hand {
  MPI_Request requests[ROOM];
  MPI_Status statuses[ROOM];
  const struct deal *deals[ROOM];
  struct typed typed[ROOM];
  int count, settled; /* below that all are complete */
  const struct deal *given_up[MAXIMUM_MESSAGES];
  struct typed given_up_typed[MAXIMUM_MESSAGES];
  int given_up_count;
};

/* The plan, the same on all ranks. */
struct plan {
  struct message list[MAXIMUM_MESSAGES];
  struct deal deals[MAXIMUM_MESSAGES + MOST_IN_VAIN];
  int messages, deal_count, early; /* the first so many are posted before anything is sent */
  int with_barrier, has_short;
};

/* --- the plan ----------------------------------------------------------------------------------*/

/* In half of the phases all are on one communicator, in a third from one rank to one other. */
static void draw_list(struct plan *plan) {
  const int c = draw(2) ? draw_communicator() : -1, is_pair = c >= 0 && draw(3) > 0;
  const int most = draw(2) ? 200 : 0;
  plan->messages = 1 + draw(draw(3) ? 16 : MAXIMUM_MESSAGES);
  for (int i = 0; i < plan->messages; ++i) {
    struct message *m = &plan->list[i];
    *m = message_draw(draw(3) ? i + 10 : draw(3));
    if (most)
      m->bytes %= most;
    if (c >= 0) {
      m->communicator = c;
      m->source = is_pair ? 0 : m->source % world.sizes[c];
      m->target = is_pair ? world.sizes[c] - 1 : m->target % world.sizes[c];
    }
  }
}

static enum deed draw_deed(int is_late) {
  const int of_100 = draw(100);
  if (is_late && of_100 < 40)
    return of_100 < 15 ? MATCHED : IMMEDIATELY;
  return of_100 < 75 ? POSTED : of_100 < 85 ? RESTARTED : of_100 < 93 ? GIVEN_UP : SHORT;
}

/* MPICH 4.0.2 crashes when a rank sends to itself what a receive waits for whose
 * request is gone. */
static int bears(const struct message *m, enum deed deed, int with_errors) {
  if (deed == GIVEN_UP)
    return m->source != m->target;
  return deed != SHORT || (TRUNCATES && with_errors && m->bytes > 0);
}

static struct deal draw_in_vain(void) {
  struct deal deal = {.deed = IN_VAIN, .message = message_draw(IN_VAIN_TAG + draw(3))};
  deal.message.any_source = draw(2);
  return deal;
}

static void draw_plan(struct plan *plan) {
  struct message receives[MAXIMUM_MESSAGES];
  const int with_errors = draw(4) == 0;
  int in_vain = draw(2) ? draw(MOST_IN_VAIN) : 0;
  draw_list(plan);
  plan_receives(plan->list, plan->messages, receives);
  const int early = draw(2) ? plan->messages : draw(plan->messages + 1);
  plan->with_barrier = draw(2);
  for (int i = 0; i < plan->messages; ++i) {
    while (in_vain && draw(4) == 0) {
      plan->deals[plan->deal_count++] = draw_in_vain();
      --in_vain;
    }
    if (i == early)
      plan->early = plan->deal_count;
    struct deal *deal = &plan->deals[plan->deal_count++];
    *deal = (struct deal){.deed = draw_deed(i >= early), .message = receives[i]};
    if (!bears(&receives[i], deal->deed, with_errors))
      deal->deed = POSTED;
    if (deal->deed == SHORT)
      deal->room = draw(receives[i].bytes);
    plan->has_short |= deal->deed == SHORT;
  }
  if (early == plan->messages)
    plan->early = plan->deal_count;
}

/* --- receives ----------------------------------------------------------------------------------*/

static void begin(struct hand *hand, const struct deal *deal) {
  struct message m = deal->message;
  const int i = hand->count++;
  MPI_Comm comm = world.communicators[m.communicator];
  if (deal->deed == SHORT)
    m.receive_layout = TOGETHER;
  struct typed t = message_room(&m);
  if (deal->deed == SHORT)
    t.count = deal->room;
  if (deal->deed == RESTARTED) {
    MPI_Recv_init(t.buffer, t.count, t.type, message_source(&m), message_tag(&m), comm,
                  &hand->requests[i]);
    MPI_Start(&hand->requests[i]);
  } else {
    MPI_Irecv(t.buffer, t.count, t.type, message_source(&m), message_tag(&m), comm,
              &hand->requests[i]);
  }
  message_type_free(&t);
  hand->deals[i] = deal;
  hand->typed[i] = t;
  if (deal->deed != GIVEN_UP)
    return;
  hand->given_up[hand->given_up_count] = deal;
  hand->given_up_typed[hand->given_up_count++] = t;
  (m.id % 2 ? MPI_Request_free : PMPI_Request_free)(&hand->requests[--hand->count]);
}

static void begin_matched(struct hand *hand, const struct deal *deal) {
  const struct message *m = &deal->message;
  const int i = hand->count++;
  MPI_Comm comm = world.communicators[m->communicator];
  MPI_Message matched;
  MPI_Status status;
  int found = 0;
  if (m->receive_way % 2)
    MPI_Mprobe(message_source(m), message_tag(m), comm, &matched, &status);
  while (m->receive_way % 2 == 0 && !found)
    MPI_Improbe(message_source(m), message_tag(m), comm, &found, &matched, &status);
  message_check_probe(m, &status);
  hand->typed[i] = message_room(m);
  hand->deals[i] = deal;
  MPI_Imrecv(hand->typed[i].buffer, hand->typed[i].count, hand->typed[i].type, &matched,
             &hand->requests[i]);
  message_type_free(&hand->typed[i]);
}

/* A receive that no message fits can be cancelled for certain. */
static void cancel(struct hand *hand, int from) {
  for (int i = from; i < hand->count; ++i)
    if (hand->deals[i]->deed == IN_VAIN && hand->requests[i] != MPI_REQUEST_NULL)
      (i % 3 ? MPI_Cancel : PMPI_Cancel)(&hand->requests[i]);
}

/* Completes what is under way, and sends with it. */
static void settle(struct hand *hand, struct pending *sends, enum completion way) {
  const int from = hand->settled, receives = hand->count - from;
  cancel(hand, from);
  memcpy(&hand->requests[hand->count], sends->requests,
         (size_t)sends->count * sizeof *sends->requests);
  complete(receives + sends->count, &hand->requests[from], &hand->statuses[from], way);
  memcpy(sends->requests, &hand->requests[hand->count],
         (size_t)sends->count * sizeof *sends->requests);
  hand->settled = hand->count;
}

/* --- nothing is there --------------------------------------------------------------------------*/

/* No posted receive has its message either. */
static void test_in_vain(struct hand *hand, int way) {
  int flag = 0, index, found = 0, indices[ROOM];
  if (!hand->count)
    return;
  if (way == 0)
    MPI_Testall(hand->count, hand->requests, &flag, MPI_STATUSES_IGNORE);
  else if (way == 1)
    MPI_Testany(hand->count, hand->requests, &index, &flag, MPI_STATUS_IGNORE);
  else if (way == 2)
    MPI_Testsome(hand->count, hand->requests, &found, indices, hand->statuses);
  else
    for (int i = 0; i < hand->count && !flag; ++i)
      MPI_Test(&hand->requests[i], &flag, MPI_STATUS_IGNORE);
  require(!flag && !found, "a receive is complete before its message was sent", NULL);
}

static void probe_in_vain(int communicator, int tag, int way) {
  MPI_Comm comm = world.communicators[communicator];
  MPI_Message matched;
  MPI_Status status;
  int flag = 0;
  if (world.ranks[communicator] < 0)
    return;
  if (way == 0)
    MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &flag, &status);
  else if (way == 1)
    PMPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &flag, MPI_STATUS_IGNORE);
  else
    MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &flag, &matched, &status);
  require(!flag, "a probe finds what is not there", NULL);
}

/* --- the end -----------------------------------------------------------------------------------*/

static void check(struct hand *hand) {
  for (int i = 0; i < hand->count; ++i) {
    const struct deal *deal = hand->deals[i];
    int cancelled;
    if (deal->deed == RESTARTED)
      MPI_Request_free(&hand->requests[i]);
    require(hand->requests[i] == MPI_REQUEST_NULL, "request is not null after", &deal->message);
    if (deal->deed == SHORT) {
      message_check_short(&deal->message, &hand->typed[i], deal->room, &hand->statuses[i]);
    } else if (deal->deed == IN_VAIN) {
      MPI_Test_cancelled(&hand->statuses[i], &cancelled);
      require(cancelled, "a receive that nothing fits was not cancelled", &deal->message);
      free(hand->typed[i].room);
    } else {
      message_check(&deal->message, &hand->typed[i], &hand->statuses[i]);
    }
  }
}

static void await_given_up(struct hand *hand) {
  for (int i = 0; i < hand->given_up_count; ++i)
    while (!message_is_there(&hand->given_up[i]->message, &hand->given_up_typed[i])) {
      int flag;
      MPI_Iprobe(MPI_ANY_SOURCE, IN_VAIN_TAG - 1, BASE, &flag, MPI_STATUS_IGNORE);
      sched_yield();
    }
  gather(); /* whichever thread of this rank wrote them is through */
  for (int i = 0; i < hand->given_up_count; ++i)
    message_check_bytes(&hand->given_up[i]->message, &hand->given_up_typed[i]);
}

/* --- the phase ---------------------------------------------------------------------------------*/

static void receive(struct hand *hand, const struct deal *deal) {
  if (world.ranks[deal->message.communicator] != deal->message.target)
    return;
  if (deal->deed == IMMEDIATELY)
    message_receive(&deal->message);
  else if (deal->deed == MATCHED)
    begin_matched(hand, deal);
  else
    begin(hand, deal);
}

/* Blocking only where all receives are posted. */
static void send_all(struct plan *plan, struct pending *sends) {
  const int all_posted = plan->early == plan->deal_count;
  for (int i = 0; i < plan->messages; ++i) {
    struct message *m = &plan->list[i];
    if (m->form == BLOCKING && !all_posted)
      m->form = IMMEDIATE;
    if (all_posted && plan->with_barrier && i % 3 == 0)
      m->mode = READY;
    if (world.ranks[m->communicator] == m->source)
      pending_send(sends, m);
  }
}

static void await_all(struct plan *plan, struct hand *hand) {
  for (int i = 0; i < plan->early; ++i)
    receive(hand, &plan->deals[i]);
  const int test_way = draw(4), probe_way = draw(3), c = draw(MAXIMUM_COMMUNICATORS);
  if (!plan->with_barrier)
    return;
  test_in_vain(hand, test_way);
  probe_in_vain(c, MPI_ANY_TAG, probe_way);
  gather();
}

void phase_postings(void) {
  struct plan *plan = calloc(1, sizeof *plan);
  struct hand *hand = calloc(1, sizeof *hand);
  struct pending sends = {.count = 0}, none = {.count = 0};
  draw_plan(plan);
  world.expects_errors = plan->has_short;
  await_all(plan, hand);
  send_all(plan, &sends);
  for (int i = plan->early; i < plan->deal_count; ++i) {
    const int settles = draw(10) == 0, way = draw(COMPLETIONS), probe_way = draw(3);
    receive(hand, &plan->deals[i]);
    const int c = plan->deals[i].message.communicator;
    probe_in_vain(c, tag_on(c, IN_VAIN_TAG + 5), probe_way);
    if (settles)
      settle(hand, &none, (enum completion)way);
  }
  const int with_sends = draw(2), way = draw(COMPLETIONS), probe_way = draw(3);
  for (int c = 0; c < MAXIMUM_COMMUNICATORS; ++c)
    probe_in_vain(c, MPI_ANY_TAG, probe_way);
  settle(hand, with_sends ? &sends : &none, (enum completion)way);
  world.expects_errors = 0;
  check(hand);
  await_given_up(hand);
  pending_finish(&sends);
  note(plan->messages);
  free(hand);
  free(plan);
}
