/* Phases made of messages in a list that every rank knows. See stress.h. */
#include "stress.h"

#include <stdlib.h>

/* One message after the other, in an order that all ranks follow: blocking calls everywhere. */
void phase_sequence(void) {
  struct message list[MAXIMUM_MESSAGES];
  struct pending pending = {.count = 0};
  const int count = 1 + draw(MAXIMUM_MESSAGES);
  for (int i = 0; i < count; ++i) {
    list[i] = message_draw(draw(3) ? i + 10 : 0);
    if (list[i].source == list[i].target && list[i].form == BLOCKING)
      list[i].form = IMMEDIATE; /* a blocking send to oneself needs a posted receive */
    list[i].any_source = list[i].tag != 0 && draw(3) == 0;
    list[i].any_tag = !list[i].any_source && draw(3) == 0;
  }
  for (int i = 0; i < count; ++i) {
    const int rank = world.ranks[list[i].communicator];
    if (rank == list[i].source)
      pending_send(&pending, &list[i]);
    if (rank == list[i].target)
      message_receive(&list[i]);
  }
  pending_finish(&pending);
}

/* --- which receive gets which message
 * ------------------------------------------------------------*/

/* A receive's pattern fits a message. */
static int fits(const struct message *receive, const struct message *m) {
  return receive->communicator == m->communicator && receive->target == m->target &&
         (receive->any_source || receive->source == m->source) &&
         (takes_any_tag(receive) || receive->tag == m->tag);
}

/* Returns the message of that number among those that are not taken, or the first that the pattern fits. */
static int find_left(const struct message list[], const int taken[], int number,
                     const struct message *pattern) {
  int k = 0;
  for (;; ++k)
    if (!taken[k] && (pattern ? fits(pattern, &list[k]) : number-- == 0))
      return k;
}

/* All that the pattern fits are from one rank, so that it is known which of them comes first. */
static int has_one_source(const struct message list[], const int taken[], int count,
                          const struct message *pattern) {
  for (int k = 0; k < count; ++k)
    if (!taken[k] && fits(pattern, &list[k]) && list[k].source != pattern->source)
      return 0;
  return 1;
}

void plan_receives(const struct message list[], int count, struct message receives[]) {
  enum { SAME_ORDER, REVERSED, SHUFFLED, ORDERS };
  int taken[MAXIMUM_MESSAGES] = {0};
  const int order = draw(ORDERS);
  for (int i = 0, left = count; i < count; ++i, --left) {
    const int wanted = order == SAME_ORDER ? 0 : order == REVERSED ? left - 1 : draw(left);
    struct message pattern = list[find_left(list, taken, wanted, NULL)];
    pattern.any_tag = draw(4) == 0;
    pattern.any_source = draw(3) == 0;
    pattern.any_source = pattern.any_source && has_one_source(list, taken, count, &pattern);
    const int got = find_left(list, taken, 0, &pattern);
    taken[got] = 1;
    receives[i] = list[got];
    receives[i].any_tag = pattern.any_tag;
    receives[i].any_source = pattern.any_source;
  }
}

/* The receives that a rank has posted, and among them requests of other kinds. */
enum { OTHERS = 4, ROOM = MAXIMUM_MESSAGES + OTHERS };
struct posted {
  MPI_Request requests[ROOM];
  MPI_Status statuses[ROOM];
  struct message messages[ROOM]; /* the message that each shall get, with its wildcards */
  struct typed typed[ROOM];
  int is_other[ROOM], is_persistent[ROOM];
  int count;
};

static void post(struct posted *posted, const struct message *receive, int persistent) {
  const int i = posted->count++;
  MPI_Comm comm = world.communicators[receive->communicator];
  posted->messages[i] = *receive;
  posted->is_other[i] = 0;
  posted->is_persistent[i] = persistent;
  posted->typed[i] = message_room(receive);
  const struct typed t = posted->typed[i];
  if (persistent) {
    MPI_Recv_init(t.buffer, t.count, t.type, message_source(receive), message_tag(receive), comm,
                  &posted->requests[i]);
    MPI_Startall(1, &posted->requests[i]);
  } else {
    MPI_Irecv(t.buffer, t.count, t.type, message_source(receive), message_tag(receive), comm,
              &posted->requests[i]);
  }
  message_type_free(&posted->typed[i]);
}

/* Null, inactive, over at once, the library's own: all may stand in one array. */
static void post_other(struct posted *posted, int kind) {
  static char nothing;
  const int i = posted->count++;
  posted->is_other[i] = 1;
  posted->is_persistent[i] = kind == 1;
  posted->requests[i] = MPI_REQUEST_NULL;
  if (kind == 1)
    MPI_Recv_init(&nothing, 1, MPI_BYTE, 0, 9999, BASE, &posted->requests[i]);
  else if (kind == 2)
    MPI_Ibarrier(BASE, &posted->requests[i]);
  else if (kind == 3)
    MPI_Irecv(&nothing, 1, MPI_BYTE, MPI_PROC_NULL, 1, BASE, &posted->requests[i]);
}

static void check_posted(struct posted *posted) {
  for (int i = 0; i < posted->count; ++i) {
    if (posted->is_persistent[i])
      MPI_Request_free(&posted->requests[i]);
    require(posted->requests[i] == MPI_REQUEST_NULL, "request is not null after",
            &posted->messages[i]);
    if (!posted->is_other[i])
      message_check(&posted->messages[i], &posted->typed[i], &posted->statuses[i]);
  }
}

/* All receives are posted, then all is sent, in whatever modes; completed in whatever way. */
void phase_posted_first(void) {
  struct message list[MAXIMUM_MESSAGES], receives[MAXIMUM_MESSAGES];
  int others[OTHERS];
  struct posted *posted = calloc(1, sizeof *posted);
  struct pending pending = {.count = 0};
  const int count = 1 + draw(MAXIMUM_MESSAGES), with_barrier = draw(2), other_count = draw(OTHERS);
  const enum completion way = (enum completion)draw(COMPLETIONS);
  for (int i = 0; i < count; ++i)
    list[i] = message_draw(draw(4) ? i + 10 : draw(3));
  plan_receives(list, count, receives);
  for (int i = 0; i < OTHERS; ++i)
    others[i] = draw(count);
  for (int i = 0; i < count; ++i) {
    const struct message *m = &receives[i];
    const int persistent = draw(6) == 0;
    for (int k = 0; k < other_count; ++k)
      if (others[k] == i)
        post_other(posted, k);
    if (world.ranks[m->communicator] == m->target)
      post(posted, m, persistent);
  }
  if (with_barrier)
    gather();
  for (int i = 0; i < count; ++i) {
    if (with_barrier && i % 3 == 0)
      list[i].mode = READY;
    if (world.ranks[list[i].communicator] == list[i].source)
      pending_send(&pending, &list[i]);
  }
  complete(posted->count, posted->requests, posted->statuses, way);
  check_posted(posted);
  pending_finish(&pending);
  free(posted);
}

/* Every rank floods rank 0 of a communicator, which takes what comes: all must come, each source's
 * in order. */
void phase_from_anywhere(void) {
  const int c = draw_communicator(), each = 1 + draw(200), bytes = 8 + draw(2000);
  const int any_tag = draw(2) && c != SHARED, own = tag_on(c, 5), size = world.sizes[c], way = draw(3), synchronous = draw(4) == 0;
  MPI_Comm comm = world.communicators[c];
  int *buffer = calloc((size_t)bytes + 8, 1), next[MAXIMUM_RANKS] = {0};
  if (world.ranks[c] > 0) {
    for (int i = 0; i < each; ++i) {
      buffer[0] = world.ranks[c];
      buffer[1] = i;
      if (synchronous)
        MPI_Ssend(buffer, bytes, MPI_BYTE, 0, own, comm);
      else
        MPI_Send(buffer, bytes, MPI_BYTE, 0, own, comm);
    }
  } else if (world.ranks[c] == 0) {
    for (int i = 0; i < each * (size - 1); ++i) {
      MPI_Status status;
      MPI_Request request;
      MPI_Message message;
      const int tag = any_tag ? MPI_ANY_TAG : own;
      if (way == 0) {
        MPI_Irecv(buffer, bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, comm, &request);
        MPI_Wait(&request, &status);
      } else if (way == 1) {
        MPI_Mprobe(MPI_ANY_SOURCE, tag, comm, &message, &status);
        MPI_Mrecv(buffer, bytes, MPI_BYTE, &message, &status);
      } else {
        MPI_Recv(buffer, bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, comm, &status);
      }
      require(status.MPI_SOURCE == buffer[0] && status.MPI_TAG == own, "status of anywhere", NULL);
      require(buffer[1] == next[buffer[0]]++, "overtaken", NULL);
    }
    note(each * bytes);
  }
  free(buffer);
}
