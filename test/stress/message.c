/* A message: its bytes, where they lie, how it is sent and received. See stress.h. */
#include "stress.h"

#include <stdlib.h>
#include <string.h>

/* Mostly near the bounds between the ways in which messages travel; seldom as long as can be. */
static int draw_bytes(void) {
  static const int bounds[] = {2, 49, 49, 200, 1100, 5000, 70000, 300000, 4 << 20};
  int bound = bounds[draw(20) < 19 ? draw(7) : draw(9)];
  if (bound > largest_message)
    bound = largest_message + 1;
  return draw(bound);
}

static int own_tag(const struct message *message) {
  return tag_on(message->communicator, message->tag);
}

struct message message_draw(int tag) {
  struct message message = {.id = world.next_id++, .tag = tag};
  message.communicator = draw_communicator();
  message.source = draw(world.sizes[message.communicator]);
  message.target = draw(world.sizes[message.communicator]);
  message.bytes = draw_bytes();
  message.mode = (enum send_mode)draw(READY);
  if (message.mode == BUFFERED && message.bytes > 100000)
    message.mode = STANDARD; /* the attached buffer has its bounds */
  message.form = (enum send_form)draw(SEND_FORMS);
  message.large = draw(8) == 0;
  message.send_layout = draw(5) ? TOGETHER : (enum layout)draw(LAYOUTS);
  message.receive_layout = draw(5) ? TOGETHER : (enum layout)draw(LAYOUTS);
  message.receive_way = draw(1 << 20);
  return message;
}

/* --- bytes and their places --------------------------------------------------------------------*/

static const unsigned char untouched = 0xee;

/* Never what an untouched byte is, so that it can be seen whether it has come. */
static unsigned char byte_of(const struct message *message, int k) {
  const unsigned char byte = (unsigned char)(message->id * 37 + k * 11 + (k >> 8));
  return byte == untouched ? 0 : byte;
}

/* Single bytes with gaps only where there are not too many. */
static int spread_block(int bytes) { return bytes > 5000 ? 500 : 1; }

/* Where byte k lies: blocks with gaps of the same length; or the second half before the first. */
static size_t place(enum layout layout, int bytes, int k) {
  const int block = spread_block(bytes), half = bytes / 2;
  switch (layout) {
  case SPREAD:
  case ABSOLUTE:
    return (size_t)(k / block * 2 * block + k % block);
  case TURNED:
    return (size_t)(k < half ? bytes - half + 3 + k : k - half);
  default:
    return (size_t)k;
  }
}

static size_t room_for(int bytes) { return 2 * (size_t)(bytes + spread_block(bytes)) + 16; }

/* Blocks with gaps, the last one shorter, from `origin` on. */
static MPI_Datatype spread_type(int bytes, MPI_Aint origin) {
  const int block = spread_block(bytes), blocks = (bytes + block - 1) / block;
  int *lengths = malloc(((size_t)blocks + 1) * sizeof *lengths);
  MPI_Aint *places = malloc(((size_t)blocks + 1) * sizeof *places);
  MPI_Datatype type;
  for (int i = 0; i < blocks; ++i) {
    lengths[i] = bytes - i * block < block ? bytes - i * block : block;
    places[i] = origin + (MPI_Aint)i * 2 * block;
  }
  MPI_Type_create_hindexed(blocks, lengths, places, MPI_BYTE, &type);
  free(lengths);
  free(places);
  return type;
}

static MPI_Datatype turned_type(int bytes) {
  const int half = bytes / 2;
  int lengths[2] = {half, bytes - half};
  MPI_Aint places[2] = {bytes - half + 3, 0};
  MPI_Datatype types[2] = {MPI_BYTE, MPI_BYTE}, type;
  MPI_Type_create_struct(2, lengths, places, types, &type);
  return type;
}

/* A type of types that comes to plain bytes in a row. */
static MPI_Datatype nested_type(int bytes) {
  MPI_Datatype inner, middle, type;
  MPI_Type_contiguous(bytes, MPI_BYTE, &inner);
  MPI_Type_vector(1, 1, 3, inner, &middle);
  MPI_Type_dup(middle, &type);
  MPI_Type_free(&inner);
  MPI_Type_free(&middle);
  return type;
}

static struct typed typed_in(void *room, enum layout layout, int bytes) {
  struct typed typed = {room, room, 1, MPI_BYTE};
  MPI_Aint address;
  switch (layout) {
  case SPREAD:
    typed.type = spread_type(bytes, 0);
    break;
  case TURNED:
    typed.type = turned_type(bytes);
    break;
  case ABSOLUTE:
    MPI_Get_address(room, &address);
    typed.type = spread_type(bytes, address);
    typed.buffer = MPI_BOTTOM;
    break;
  case NESTED:
    typed.type = nested_type(bytes);
    break;
  default:
    typed.count = bytes;
    return typed;
  }
  MPI_Type_commit(&typed.type);
  return typed;
}

struct typed message_fill(const struct message *message) {
  unsigned char *room = malloc(room_for(message->bytes));
  for (int k = 0; k < message->bytes; ++k)
    room[place(message->send_layout, message->bytes, k)] = byte_of(message, k);
  return typed_in(room, message->send_layout, message->bytes);
}

struct typed message_room(const struct message *message) {
  unsigned char *room = malloc(room_for(message->bytes));
  memset(room, untouched, room_for(message->bytes));
  return typed_in(room, message->receive_layout, message->bytes);
}

void message_type_free(struct typed *typed) {
  if (typed->type != MPI_BYTE)
    MPI_Type_free(&typed->type);
}

static void check_status(const struct message *message, const MPI_Status *status) {
  int count, elements, cancelled;
  MPI_Get_count(status, MPI_BYTE, &count);
  MPI_Get_elements(status, MPI_BYTE, &elements);
  MPI_Test_cancelled(status, &cancelled);
  require(count == message->bytes && elements == message->bytes, "wrong count", message);
  require(status->MPI_SOURCE == message->source, "wrong source", message);
  require(status->MPI_TAG == own_tag(message), "wrong tag", message);
  require(!cancelled, "cancelled", message);
  note(count);
}

/* Looks at memory that another thread of this rank may be writing for MPI. */
__attribute__((no_sanitize("thread"))) int message_is_there(const struct message *message,
                                                            const struct typed *typed) {
  const volatile unsigned char *bytes = typed->room;
  for (int k = 0; k < message->bytes; ++k)
    if (bytes[place(message->receive_layout, message->bytes, k)] != byte_of(message, k))
      return 0;
  return 1;
}

void message_check_bytes(const struct message *message, struct typed *typed) {
  unsigned char *bytes = typed->room;
  const int length = message->bytes;
  for (int k = 0; k < length; ++k) {
    unsigned char *byte = &bytes[place(message->receive_layout, length, k)];
    require(*byte == byte_of(message, k), "wrong byte", message);
    *byte = untouched;
  }
  for (size_t k = 0; k < room_for(length); ++k)
    require(bytes[k] == untouched, "written beside the message", message);
  note(message->id);
  free(typed->room);
}

void message_check(const struct message *message, struct typed *typed, const MPI_Status *status) {
  check_status(message, status);
  message_check_bytes(message, typed);
}

void message_check_short(const struct message *message, struct typed *typed, int room,
                         const MPI_Status *status) {
  const unsigned char *bytes = typed->room;
  int class = MPI_SUCCESS;
  MPI_Error_class(status->MPI_ERROR, &class);
  require(class == MPI_ERR_TRUNCATE, "a short receive is no error", message);
  require(status->MPI_SOURCE == message->source && status->MPI_TAG == own_tag(message),
          "status of a short receive", message);
  for (size_t k = (size_t)room; k < room_for(message->bytes); ++k)
    require(bytes[k] == untouched, "written behind a short receive", message);
  note(message->id);
  free(typed->room);
}

/* --- sending -----------------------------------------------------------------------------------*/

/* Calls by name, not through pointers, so that a specialised program has them as sites. */
#define ARGUMENTS typed.buffer, typed.count, typed.type, m->target, own_tag(m), comm
#define SEND(BLOCKING_CALL, IMMEDIATE_CALL, PREPARE)                                               \
  do {                                                                                             \
    if (m->form == BLOCKING)                                                                       \
      BLOCKING_CALL(ARGUMENTS);                                                                    \
    else if (m->form == IMMEDIATE)                                                                 \
      IMMEDIATE_CALL(ARGUMENTS, request);                                                          \
    else                                                                                           \
      PREPARE(ARGUMENTS, request);                                                                 \
  } while (0)

static void send_large(const struct message *m, struct typed typed, MPI_Request *request) {
  MPI_Comm comm = world.communicators[m->communicator];
  if (m->mode == STANDARD)
    SEND(MPI_Send_c, MPI_Isend_c, MPI_Send_init_c);
  else if (m->mode == BUFFERED)
    SEND(MPI_Bsend_c, MPI_Ibsend_c, MPI_Bsend_init_c);
  else if (m->mode == SYNCHRONOUS)
    SEND(MPI_Ssend_c, MPI_Issend_c, MPI_Ssend_init_c);
  else
    SEND(MPI_Rsend_c, MPI_Irsend_c, MPI_Rsend_init_c);
}

static void send_small(const struct message *m, struct typed typed, MPI_Request *request) {
  MPI_Comm comm = world.communicators[m->communicator];
  if (m->mode == STANDARD)
    SEND(MPI_Send, MPI_Isend, MPI_Send_init);
  else if (m->mode == BUFFERED)
    SEND(MPI_Bsend, MPI_Ibsend, MPI_Bsend_init);
  else if (m->mode == SYNCHRONOUS)
    SEND(MPI_Ssend, MPI_Issend, MPI_Ssend_init);
  else
    SEND(MPI_Rsend, MPI_Irsend, MPI_Rsend_init);
}

struct typed message_send(const struct message *message, MPI_Request *request) {
  struct typed typed = message_fill(message);
  *request = MPI_REQUEST_NULL;
  (message->large ? send_large : send_small)(message, typed, request);
  if (message->form == PERSISTENT && message->id % 2)
    MPI_Start(request);
  else if (message->form == PERSISTENT)
    MPI_Startall(1, request);
  message_type_free(&typed);
  return typed;
}

/* --- receiving ---------------------------------------------------------------------------------*/

int message_source(const struct message *m) { return m->any_source ? MPI_ANY_SOURCE : m->source; }
int takes_any_tag(const struct message *m) { return m->any_tag && m->communicator != SHARED; }
int message_tag(const struct message *m) { return takes_any_tag(m) ? MPI_ANY_TAG : own_tag(m); }

void message_check_probe(const struct message *m, const MPI_Status *status) {
  int count;
  MPI_Get_count(status, MPI_BYTE, &count);
  require(count == m->bytes && status->MPI_SOURCE == m->source && status->MPI_TAG == own_tag(m),
          "probe sees another message", m);
}

/* By way of a probe. */
static void receive_probed(const struct message *m, struct typed t, MPI_Status *status) {
  MPI_Comm comm = world.communicators[m->communicator];
  const int source = message_source(m), tag = message_tag(m);
  MPI_Message matched;
  MPI_Request request;
  int flag = 0;
  switch (m->receive_way % 5) {
  case 0:
    MPI_Probe(source, tag, comm, status);
    message_check_probe(m, status);
    MPI_Recv(t.buffer, t.count, t.type, status->MPI_SOURCE, status->MPI_TAG, comm, status);
    break;
  case 1:
    MPI_Mprobe(source, tag, comm, &matched, status);
    message_check_probe(m, status);
    MPI_Mrecv(t.buffer, t.count, t.type, &matched, status);
    require(matched == MPI_MESSAGE_NULL, "message is not null after", m);
    break;
  case 2:
    while (!flag)
      MPI_Improbe(source, tag, comm, &flag, &matched, status);
    message_check_probe(m, status);
    MPI_Imrecv(t.buffer, t.count, t.type, &matched, &request);
    MPI_Wait(&request, status);
    break;
  case 3:
    MPI_Mprobe(source, tag, comm, &matched, status);
    MPI_Imrecv_c(t.buffer, t.count, t.type, &matched, &request);
    while (!flag)
      MPI_Test(&request, &flag, status);
    break;
  default:
    while (!flag)
      MPI_Iprobe(source, tag, comm, &flag, status);
    message_check_probe(m, status);
    MPI_Recv_c(t.buffer, t.count, t.type, source, tag, comm, status);
  }
}

/* By way of a request. */
static void receive_requested(const struct message *m, struct typed t, MPI_Status *status) {
  MPI_Comm comm = world.communicators[m->communicator];
  const int source = message_source(m), tag = message_tag(m);
  MPI_Request request;
  const int persistent = m->receive_way % 5 < 2, looks = m->receive_way % 3 == 1;
  int flag = 0;
  if (persistent)
    MPI_Recv_init(t.buffer, t.count, t.type, source, tag, comm, &request);
  else
    MPI_Irecv(t.buffer, t.count, t.type, source, tag, comm, &request);
  if (persistent)
    MPI_Start(&request);
  if (m->receive_way % 3 == 0)
    while (!flag)
      MPI_Test(&request, &flag, status);
  if (looks && (KEEPS_STATUSES || !persistent)) {
    while (!flag)
      MPI_Request_get_status(request, &flag, status);
    message_check_probe(m, status);
  }
  if (m->receive_way % 3)
    MPI_Wait(&request, status);
  if (persistent)
    MPI_Request_free(&request);
  require(request == MPI_REQUEST_NULL, "request is not null after", m);
}

void message_receive(const struct message *m) {
  MPI_Comm comm = world.communicators[m->communicator];
  struct typed t = message_room(m);
  MPI_Status status;
  if (m->receive_way / 16 % 3 == 0)
    receive_probed(m, t, &status);
  else if (m->receive_way / 16 % 3 == 1)
    receive_requested(m, t, &status);
  else if (m->receive_way % 4)
    MPI_Recv(t.buffer, t.count, t.type, message_source(m), message_tag(m), comm, &status);
  else
    MPI_Sendrecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 3, t.buffer, t.count, t.type, message_source(m),
                 message_tag(m), comm, &status);
  message_type_free(&t);
  message_check(m, &t, &status);
}
