/* A phase in which requests of all kinds begin and end in one array. See stress.h.
 *
 * Every rank goes through the same list of messages, and begins its sends and receives of them in that order, in
 * slots of an array. Between them are slots of other kinds: null, inactive, from and to MPI_PROC_NULL. When no slot
 * is free, and now and then, a rank completes a part of the array by some function, MPI's or PMPI's. It reads the
 * statuses, ignores them, or passes none. Completed requests are checked, and their slots are used again. Thus no
 * fact that a completion function remembers of an array stays true for long.
 *
 * No rank waits for ever. Both ranks have begun the first message of the list that is not over, because any message
 * that they wait for comes behind it. */
#include "stress.h"

#include <stdlib.h>

enum { SLOTS = 24, IN_TURN = 200 };

/* UNSURE: a persistent receive from MPI_PROC_NULL that was started. To MPICH 4.0.2
 * it is inactive. */
enum kind { NOTHING, INACTIVE, UNSURE, NOBODY, SENT, RECEIVED };

struct slot {
  enum kind kind;
  int persistent;
  struct message message;
  struct typed typed;
};

struct array {
  struct slot slots[SLOTS];
  MPI_Request requests[SLOTS];
  MPI_Status statuses[SLOTS];
  int size;
  uint64_t random; /* own numbers of the rank */
};

static int draw_own(struct array *array, int below) {
  array->random = array->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((array->random >> 33) % (uint64_t)below);
}

/* --- what begins -------------------------------------------------------------------------------*/

static int is_active(const struct slot *slot) {
  return slot->kind == NOBODY || slot->kind == SENT || slot->kind == RECEIVED;
}

/* A slot for a new request; -1 if all are active. An inactive request in it is freed. */
static int find_slot(struct array *array) {
  const int first = draw_own(array, array->size);
  for (int k = 0; k < array->size; ++k) {
    const int i = (first + k) % array->size;
    if (is_active(&array->slots[i]))
      continue;
    if (array->requests[i] != MPI_REQUEST_NULL)
      MPI_Request_free(&array->requests[i]);
    array->slots[i] = (struct slot){.kind = NOTHING};
    return i;
  }
  return -1;
}

static void begin_other(struct array *array, int i) {
  static char nothing;
  struct slot *slot = &array->slots[i];
  MPI_Request *request = &array->requests[i];
  const int drawn = draw_own(array, 6);
  switch (drawn == 4 && !NULL_RESTS ? 3 : drawn) {
  case 0:
    slot->kind = NOTHING;
    break;
  case 1:
    slot->kind = INACTIVE;
    MPI_Recv_init(&nothing, 1, MPI_BYTE, world.rank, 9999, BASE, request);
    break;
  case 2:
    slot->kind = INACTIVE;
    MPI_Send_init(&nothing, 1, MPI_BYTE, world.rank, 9999, BASE, request);
    break;
  case 3:
    slot->kind = NOBODY;
    MPI_Irecv(&nothing, 1, MPI_BYTE, MPI_PROC_NULL, 1, BASE, request);
    break;
  case 4:
    slot->kind = UNSURE;
    slot->persistent = 1;
    MPI_Recv_init(&nothing, 1, MPI_BYTE, MPI_PROC_NULL, 1, BASE, request);
    MPI_Start(request);
    break;
  default:
    slot->kind = SENT;
    slot->message = (struct message){.form = IMMEDIATE};
    MPI_Isend(&nothing, 1, MPI_BYTE, MPI_PROC_NULL, 1, BASE, request);
  }
}

static void begin_receive(struct array *array, int i, const struct message *m) {
  struct slot *slot = &array->slots[i];
  MPI_Comm comm = world.communicators[m->communicator];
  slot->kind = RECEIVED;
  slot->message = *m;
  slot->typed = message_room(m);
  slot->persistent = draw_own(array, 4) == 0;
  const struct typed t = slot->typed;
  if (slot->persistent) {
    MPI_Recv_init(t.buffer, t.count, t.type, message_source(m), message_tag(m), comm,
                  &array->requests[i]);
    message_type_free(&slot->typed);
    MPI_Start(&array->requests[i]);
    return;
  }
  MPI_Irecv(t.buffer, t.count, t.type, message_source(m), message_tag(m), comm,
            &array->requests[i]);
  message_type_free(&slot->typed);
}

static void begin_send(struct array *array, int i, const struct message *m) {
  struct slot *slot = &array->slots[i];
  slot->kind = SENT;
  slot->message = *m;
  slot->typed = message_send(m, &array->requests[i]);
  slot->persistent = m->form == PERSISTENT;
}

/* --- what ends ---------------------------------------------------------------------------------*/

static void check_empty(const MPI_Status *status) {
  int count, cancelled;
  MPI_Get_count(status, MPI_BYTE, &count);
  MPI_Test_cancelled(status, &cancelled);
  require(count == 0 && !cancelled && status->MPI_SOURCE == MPI_ANY_SOURCE &&
              status->MPI_TAG == MPI_ANY_TAG,
          "the status of nothing is not empty", NULL);
}

/* Slot `i` is over; `status` is null if nobody has looked. In which order slots end is up to the
 * run. */
static void end_slot(struct array *array, int i, const MPI_Status *status) {
  struct slot *slot = &array->slots[i];
  const uint64_t digest = world.digest;
  int cancelled = 0;
  require(is_active(slot) || slot->kind == UNSURE, "what is not active has ended", NULL);
  require((array->requests[i] == MPI_REQUEST_NULL) == !slot->persistent,
          "a request that is over", &slot->message);
  if (slot->kind == RECEIVED && status)
    message_check(&slot->message, &slot->typed, status);
  else if (slot->kind == RECEIVED)
    message_check_bytes(&slot->message, &slot->typed);
  else if (slot->kind == SENT && status)
    MPI_Test_cancelled(status, &cancelled);
  require(!cancelled, "a send was cancelled", &slot->message);
  if (slot->kind == SENT)
    free(slot->typed.room);
  world.digest = digest;
  slot->kind = slot->persistent ? INACTIVE : NOTHING;
}

/* All of a part are over, active or not. */
static void end_all(struct array *array, int from, int count, const MPI_Status statuses[]) {
  for (int i = 0; i < count; ++i)
    if (is_active(&array->slots[from + i]))
      end_slot(array, from + i, statuses ? &statuses[i] : NULL);
    else if (statuses && array->slots[from + i].kind != UNSURE)
      check_empty(&statuses[i]);
}

/* --- looks -------------------------------------------------------------------------------------*/

/* The argument that a call gets for a status. */
enum wish { READ, UNREAD, IGNORED, WISHES };

/* Each wish has a call of its own: what is known of the status differs. One that is handed to PMPI
 * would not be known to be unread. */
#define CALL(NAME, ...) (plain ? PMPI_##NAME(__VA_ARGS__) : MPI_##NAME(__VA_ARGS__))
#define CALL_WISHED(NAME, READ_ONE, UNREAD_ONE, IGNORED_ONE, ...)                                  \
  (wish == READ     ? CALL(NAME, __VA_ARGS__, READ_ONE)                                            \
   : wish == UNREAD ? MPI_##NAME(__VA_ARGS__, UNREAD_ONE)                                          \
                    : CALL(NAME, __VA_ARGS__, IGNORED_ONE))

static void look_at_one(struct array *array, int i, enum wish wish, int plain, int tests) {
  MPI_Status status, unread;
  MPI_Request *request = &array->requests[i];
  int flag = 1;
  if (tests)
    CALL_WISHED(Test, &status, &unread, MPI_STATUS_IGNORE, request, &flag);
  else
    CALL_WISHED(Wait, &status, &unread, MPI_STATUS_IGNORE, request);
  if (flag)
    end_all(array, i, 1, wish == READ ? &status : NULL);
}

static void look_at_all(struct array *array, int from, int count, enum wish wish, int plain,
                        int tests) {
  MPI_Status statuses[SLOTS], unread[SLOTS];
  MPI_Request *requests = &array->requests[from];
  int flag = 1;
  if (tests)
    CALL_WISHED(Testall, statuses, unread, MPI_STATUSES_IGNORE, count, requests, &flag);
  else
    CALL_WISHED(Waitall, statuses, unread, MPI_STATUSES_IGNORE, count, requests);
  if (flag)
    end_all(array, from, count, wish == READ ? statuses : NULL);
}

static int count_active(const struct array *array, int from, int count) {
  int active = 0;
  for (int i = from; i < from + count; ++i)
    active += is_active(&array->slots[i]);
  return active;
}

static int has_unsure(const struct array *array, int from, int count) {
  int has = 0;
  for (int i = from; i < from + count; ++i)
    has |= array->slots[i].kind == UNSURE;
  return has;
}

static void look_for_any(struct array *array, int from, int count, enum wish wish, int plain,
                         int tests) {
  MPI_Status status, unread;
  MPI_Request *requests = &array->requests[from];
  const int active = count_active(array, from, count), unsure = has_unsure(array, from, count);
  int flag = 1, index = -7;
  if (tests)
    CALL_WISHED(Testany, &status, &unread, MPI_STATUS_IGNORE, count, requests, &index, &flag);
  else
    CALL_WISHED(Waitany, &status, &unread, MPI_STATUS_IGNORE, count, requests, &index);
  if (index == MPI_UNDEFINED) {
    require(flag == !active || unsure, "any is none, or the other way round", NULL);
    if (!tests && wish == READ) /* MPICH's Testany leaves it as it is */
      check_empty(&status);
    return;
  }
  require(flag && index >= 0 && index < count, "any is none of them", NULL);
  end_slot(array, from + index, wish == READ ? &status : NULL);
}

static void look_for_some(struct array *array, int from, int count, enum wish wish, int plain,
                          int tests) {
  MPI_Status statuses[SLOTS], unread[SLOTS];
  MPI_Request *requests = &array->requests[from];
  const int active = count_active(array, from, count), unsure = has_unsure(array, from, count);
  int found = -7, indices[SLOTS];
  if (tests)
    CALL_WISHED(Testsome, statuses, unread, MPI_STATUSES_IGNORE, count, requests, &found, indices);
  else
    CALL_WISHED(Waitsome, statuses, unread, MPI_STATUSES_IGNORE, count, requests, &found, indices);
  require((found == MPI_UNDEFINED) == !active || unsure, "some are none, or the other way round", NULL);
  if (found == MPI_UNDEFINED)
    return;
  require(found <= count && (tests || found > 0), "some are too many, or too few", NULL);
  for (int k = 0; k < found; ++k) {
    require(indices[k] >= 0 && indices[k] < count, "some are none of them", NULL);
    end_slot(array, from + indices[k], wish == READ ? &statuses[k] : NULL);
  }
}

/* Some function, at some part of the array. */
static void look(struct array *array, int may_wait) {
  const int way = draw_own(array, 8), plain = draw_own(array, 6) == 0;
  const int tests = way % 2 || !may_wait;
  const int from = draw_own(array, 2) ? 0 : draw_own(array, array->size);
  const int left = array->size - from, count = draw_own(array, 2) ? left : draw_own(array, left + 1);
  const enum wish wish = (enum wish)draw_own(array, WISHES);
  if (way / 2 == 0 && left)
    look_at_one(array, from, wish, plain, tests);
  else if (way / 2 == 1 && (tests || draw_own(array, 4) == 0))
    look_at_all(array, from, count, wish, plain, tests);
  else if (way / 2 == 2)
    look_for_any(array, from, count, wish, plain, tests);
  else
    look_for_some(array, from, count, wish, plain, tests);
}

/* --- the phase ---------------------------------------------------------------------------------*/

/* Each tag is of one message, or all have one and are told apart by their order. */
static struct message draw_message(int i, int same_tag, int most) {
  struct message m = message_draw(same_tag ? 3 : 10 + i);
  m.bytes = draw(4) ? 8 : m.bytes % most;
  if (m.form == BLOCKING)
    m.form = IMMEDIATE;
  if (m.mode == READY)
    m.mode = STANDARD;
  m.any_source = !same_tag && draw(5) == 0;
  m.any_tag = !m.any_source && draw(5) == 0;
  return m;
}

static int slot_for_next(struct array *array, int may_wait) {
  int i;
  while ((i = find_slot(array)) < 0)
    look(array, may_wait);
  return i;
}

/* Between the two halves of a message to oneself nobody may wait for the first. */
static void begin(struct array *array, const struct message *m) {
  const int rank = world.ranks[m->communicator], receives = rank == m->target;
  if (receives)
    begin_receive(array, slot_for_next(array, 1), m);
  if (rank == m->source)
    begin_send(array, slot_for_next(array, !receives), m);
}

void phase_arrays(void) {
  struct array *array = calloc(1, sizeof *array);
  const int messages = 1 + draw(IN_TURN), same_tag = draw(3) == 0, size = 2 + draw(SLOTS - 1);
  const int most = draw(3) ? 400 : draw(2) ? 20000 : 200000, c = draw_communicator();
  const int looks_often = draw(2), is_pair = draw(2);
  array->size = size;
  array->random = (uint64_t)draw(1 << 30) * MAXIMUM_RANKS + (uint64_t)world.rank;
  for (int i = 0; i < size; ++i)
    array->requests[i] = MPI_REQUEST_NULL;
  for (int i = 0; i < messages; ++i) {
    struct message m = draw_message(i, same_tag, most);
    if (is_pair) {
      m.communicator = c;
      m.source %= world.sizes[c];
      m.target %= world.sizes[c];
    }
    begin(array, &m);
    if (draw_own(array, 4) == 0)
      begin_other(array, slot_for_next(array, 1));
    if (looks_often && draw_own(array, 3) == 0)
      look(array, 1);
  }
  while (count_active(array, 0, size))
    look(array, 1);
  for (int i = 0; i < size; ++i)
    if (array->requests[i] != MPI_REQUEST_NULL)
      MPI_Request_free(&array->requests[i]);
  note(messages);
  free(array);
}
