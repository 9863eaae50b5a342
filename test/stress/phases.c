/* Phases made of messages in a list that every rank knows. See stress.h. */
#include "stress.h"

#include <stdlib.h>

/* The sends that a rank has under way. */
struct pending {
  MPI_Request requests[MAXIMUM_MESSAGES];
  void *rooms[MAXIMUM_MESSAGES];
  MPI_Datatype types[MAXIMUM_MESSAGES];
  int count;
};

static void send_message(const struct message *m, struct pending *pending) {
  MPI_Comm comm = world.communicators[m->communicator];
  void *room = message_fill(m);
  int count, is_pending = 1;
  MPI_Datatype type = message_type(m, m->derived_send, &count);
  MPI_Request request = MPI_REQUEST_NULL;
  switch (m->way) {
  case STANDARD:
    MPI_Send(room, count, type, m->target, m->tag, comm);
    is_pending = 0;
    break;
  case BUFFERED:
    MPI_Bsend(room, count, type, m->target, m->tag, comm);
    is_pending = 0;
    break;
  case SYNCHRONOUS:
    MPI_Ssend(room, count, type, m->target, m->tag, comm);
    is_pending = 0;
    break;
  case IMMEDIATE_SYNCHRONOUS:
    MPI_Issend(room, count, type, m->target, m->tag, comm, &request);
    break;
  case IMMEDIATE_BUFFERED:
    MPI_Ibsend(room, count, type, m->target, m->tag, comm, &request);
    break;
  case PERSISTENT:
    MPI_Send_init(room, count, type, m->target, m->tag, comm, &request);
    MPI_Start(&request);
    break;
  default:
    MPI_Isend(room, count, type, m->target, m->tag, comm, &request);
  }
  if (is_pending) {
    pending->requests[pending->count] = request;
    pending->types[pending->count] = type;
    pending->rooms[pending->count++] = room;
    return;
  }
  message_type_free(&type);
  free(room);
}

static void finish_sends(struct pending *pending) {
  MPI_Waitall(pending->count, pending->requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < pending->count; ++i) {
    if (pending->requests[i] != MPI_REQUEST_NULL)
      MPI_Request_free(&pending->requests[i]);
    message_type_free(&pending->types[i]);
    free(pending->rooms[i]);
  }
  pending->count = 0;
}

static int source_of(const struct message *m) { return m->any_source ? MPI_ANY_SOURCE : m->source; }
static int tag_of(const struct message *m) { return m->any_tag ? MPI_ANY_TAG : m->tag; }

static void check_probe(const struct message *m, const MPI_Status *status) {
  int count;
  MPI_Get_count(status, MPI_BYTE, &count);
  require(count == m->bytes && status->MPI_SOURCE == m->source && status->MPI_TAG == m->tag,
          "probe sees another message", m);
}

/* Receives a message in one of many ways, and does not return before. */
static void receive_message(const struct message *m) {
  MPI_Comm comm = world.communicators[m->communicator];
  const int source = source_of(m), tag = tag_of(m);
  void *room = message_room(m);
  int count, flag = 0;
  MPI_Datatype type = message_type(m, m->derived_receive, &count);
  MPI_Status status;
  MPI_Message matched;
  MPI_Request request;
  switch (m->receive_way % 8) {
  case 0:
    MPI_Probe(source, tag, comm, &status);
    check_probe(m, &status);
    MPI_Recv(room, count, type, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
    break;
  case 1:
    MPI_Mprobe(source, tag, comm, &matched, &status);
    check_probe(m, &status);
    MPI_Mrecv(room, count, type, &matched, &status);
    break;
  case 2:
    while (!flag)
      MPI_Improbe(source, tag, comm, &flag, &matched, &status);
    MPI_Imrecv(room, count, type, &matched, &request);
    MPI_Wait(&request, &status);
    break;
  case 3:
    while (!flag)
      MPI_Iprobe(source, tag, comm, &flag, &status);
    check_probe(m, &status);
    MPI_Recv(room, count, type, source, tag, comm, &status);
    break;
  case 4:
    MPI_Irecv(room, count, type, source, tag, comm, &request);
    while (!flag)
      MPI_Test(&request, &flag, &status);
    break;
  case 5:
    MPI_Irecv(room, count, type, source, tag, comm, &request);
    MPI_Wait(&request, &status);
    break;
  default:
    MPI_Recv(room, count, type, source, tag, comm, &status);
  }
  message_type_free(&type);
  message_check(m, room, &status);
}

/* One message after the other, in an order that all ranks follow: blocking calls everywhere. */
void phase_sequence(void) {
  struct message list[MAXIMUM_MESSAGES];
  struct pending pending = {.count = 0};
  const int count = 1 + draw(MAXIMUM_MESSAGES);
  for (int i = 0; i < count; ++i) {
    list[i] = draw_message(draw(3) ? i + 10 : 0);
    if (list[i].source == list[i].target) /* a blocking send to oneself needs a posted receive */
      list[i].way = IMMEDIATE;
    list[i].any_source = list[i].tag != 0 && draw(3) == 0;
    list[i].any_tag = !list[i].any_source && draw(3) == 0;
  }
  for (int i = 0; i < count; ++i) {
    const int rank = world.ranks[list[i].communicator];
    if (rank == list[i].source)
      send_message(&list[i], &pending);
    if (rank == list[i].target)
      receive_message(&list[i]);
  }
  finish_sends(&pending);
}

/* A receive pattern fits a message. */
static int fits(const struct message *receive, const struct message *m) {
  return receive->communicator == m->communicator && receive->target == m->target &&
         (receive->any_source || receive->source == m->source) &&
         (receive->any_tag || receive->tag == m->tag);
}

/* What receive in `order` gets: the unique assignment in which nobody is overtaken. The receives
 * are those of the list in another order; `result[i]` is the message of the i-th receive. Returns 0
 * if a wildcard steals so that somebody is left without. */
static int assign(const struct message list[], const int order[], int count, int result[]) {
  int taken[MAXIMUM_MESSAGES] = {0};
  for (int i = 0; i < count; ++i) {
    int k = 0;
    while (k < count && (taken[k] || !fits(&list[order[i]], &list[k])))
      ++k;
    if (k == count)
      return 0;
    taken[k] = 1;
    result[i] = k;
  }
  return 1;
}

static void shuffle(int order[], int count) {
  for (int i = 0; i < count; ++i)
    order[i] = i;
  for (int i = count - 1; i > 0; --i) {
    const int k = draw(i + 1), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
}

/* Tags may repeat; a wildcard of the source only where the tag is one message's alone. */
static void draw_posted(struct message list[], int count, int order[], int result[]) {
  for (int i = 0; i < count; ++i) {
    list[i] = draw_message(draw(4) ? i + 10 : draw(3));
    list[i].any_source = list[i].tag >= 10 && draw(3) == 0;
    list[i].any_tag = !list[i].any_source && draw(4) == 0;
  }
  shuffle(order, count);
  if (assign(list, order, count, result))
    return;
  for (int i = 0; i < count; ++i) {
    list[i].any_tag = 0;
    list[i].tag = i + 10;
  }
  assign(list, order, count, result);
}

enum completion { WAITALL, WAITANY, WAITSOME, TESTALL, TESTANY, TESTSOME, ONE_BY_ONE, COMPLETIONS };

/* Completes requests in one of MPI's ways, and stores each one's status. */
static void complete(int count, MPI_Request requests[], MPI_Status statuses[],
                     enum completion way) {
  int index, flag = 0, found, indices[MAXIMUM_MESSAGES];
  MPI_Status some[MAXIMUM_MESSAGES], one;
  if (way == WAITALL)
    MPI_Waitall(count, requests, statuses);
  else if (way == TESTALL)
    while (!flag)
      MPI_Testall(count, requests, &flag, statuses);
  else if (way == ONE_BY_ONE)
    for (int i = count - 1; i >= 0; --i)
      MPI_Wait(&requests[i], &statuses[i]);
  else
    for (int left = count; left > 0;) {
      if (way == WAITANY || way == TESTANY) {
        flag = 1;
        if (way == WAITANY)
          MPI_Waitany(count, requests, &index, &one);
        else
          MPI_Testany(count, requests, &index, &flag, &one);
        if (!flag)
          continue;
        require(index != MPI_UNDEFINED, "any of none", NULL);
        statuses[index] = one;
        --left;
        continue;
      }
      if (way == WAITSOME)
        MPI_Waitsome(count, requests, &found, indices, some);
      else
        MPI_Testsome(count, requests, &found, indices, some);
      require(found != MPI_UNDEFINED, "some of none", NULL);
      for (int k = 0; k < found; ++k)
        statuses[indices[k]] = some[k];
      left -= found;
    }
}

/* All receives are posted, then all is sent, in whatever modes; completed in whatever way. */
void phase_posted_first(void) {
  struct message list[MAXIMUM_MESSAGES];
  int order[MAXIMUM_MESSAGES], result[MAXIMUM_MESSAGES], mine[MAXIMUM_MESSAGES], mine_count = 0;
  MPI_Request requests[MAXIMUM_MESSAGES];
  MPI_Status statuses[MAXIMUM_MESSAGES];
  MPI_Datatype types[MAXIMUM_MESSAGES];
  void *rooms[MAXIMUM_MESSAGES];
  struct pending pending = {.count = 0};
  const int count = 1 + draw(MAXIMUM_MESSAGES), with_barrier = draw(2);
  const enum completion way = (enum completion)draw(COMPLETIONS);
  draw_posted(list, count, order, result);
  for (int i = 0; i < count; ++i) {
    const struct message *m = &list[order[i]];
    if (world.ranks[m->communicator] != m->target)
      continue;
    int elements;
    struct message got = list[result[i]];
    got.derived_receive = m->derived_receive;
    rooms[mine_count] = message_room(&got);
    types[mine_count] = message_type(&got, m->derived_receive, &elements);
    MPI_Irecv(rooms[mine_count], elements, types[mine_count], source_of(m), tag_of(m),
              world.communicators[m->communicator], &requests[mine_count]);
    message_type_free(&types[mine_count]); /* MPI keeps it until the receive is over */
    mine[mine_count++] = i;
  }
  if (with_barrier)
    MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    if (world.ranks[list[i].communicator] == list[i].source)
      send_message(&list[i], &pending);
  complete(mine_count, requests, statuses, way);
  for (int i = 0; i < mine_count; ++i) {
    struct message got = list[result[mine[i]]];
    got.derived_receive = list[order[mine[i]]].derived_receive;
    require(requests[i] == MPI_REQUEST_NULL, "request is not null after", &got);
    message_check(&got, rooms[i], &statuses[i]);
  }
  finish_sends(&pending);
}

/* Every rank floods rank 0 of a communicator, which takes what comes: all must come, each source's
 * in order. */
void phase_from_anywhere(void) {
  const int c = draw(MAXIMUM_COMMUNICATORS), each = 1 + draw(200), bytes = 8 + draw(2000);
  const int any_tag = draw(2), size = world.sizes[c], posted = draw(2), synchronous = draw(4) == 0;
  MPI_Comm comm = world.communicators[c];
  int *buffer = calloc((size_t)bytes + 8, 1), next[64] = {0};
  if (world.ranks[c] > 0) {
    for (int i = 0; i < each; ++i) {
      buffer[0] = world.ranks[c];
      buffer[1] = i;
      (synchronous ? MPI_Ssend : MPI_Send)(buffer, bytes, MPI_BYTE, 0, 5, comm);
    }
  } else if (world.ranks[c] == 0) {
    for (int i = 0; i < each * (size - 1); ++i) {
      MPI_Status status;
      MPI_Request request;
      const int tag = any_tag ? MPI_ANY_TAG : 5;
      if (posted) {
        MPI_Irecv(buffer, bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, comm, &request);
        MPI_Wait(&request, &status);
      } else {
        MPI_Recv(buffer, bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, comm, &status);
      }
      require(status.MPI_SOURCE == buffer[0] && status.MPI_TAG == 5, "status of anywhere", NULL);
      require(buffer[1] == next[buffer[0]]++, "overtaken", NULL);
    }
    note(each * bytes);
  }
  free(buffer);
}
