/* fake_mpi.c - an MPI library of one process, for fuzzed programs
 *
 * Each function does to the *caller* all that a legal MPI library could do. It fills receive buffers,
 * sets handles and statuses, calls back, and prints its arguments. No message is sent. Therefore no
 * program can deadlock, and any rank of a job of any size runs alone:
 *
 *   FUZZ_RANK, FUZZ_SIZE   the process in MPI_COMM_WORLD
 *   FUZZ_SEED              seeds everything that a real job would decide otherwise
 *   FUZZ_ABORT_RETURNS     MPI_Abort returns (MPI-4.0, section 9.5 allows it)
 *
 * Compiled once for each style of handles (test/Inputs/mpi-*-style). Handles that the program makes
 * are numbers from a pool and, as in MPICH, used again once freed. Sending ends after so many calls
 * (Fuel), so each program ends.
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outside.h"

enum { Fuel = 1500, Slots = 64, Largest = 40, Undefined = -32766 };

/* Open MPI's style declares its predefined objects; here they are. */
#ifdef STANDIN_HANDLE
struct standin_predefined_communicator { int unused; } standin_comm_null, standin_comm_world,
    standin_comm_self;
struct standin_predefined_datatype { int unused; } standin_datatype_null, standin_char, standin_byte,
    standin_short, standin_int, standin_long, standin_float, standin_double,
    standin_c_double_complex, standin_double_int;
struct standin_predefined_op { int unused; } standin_op_null, standin_band, standin_max, standin_maxloc,
    standin_min, standin_sum;
struct standin_predefined_request { int unused; } standin_request_null;
#endif

static struct communicator { int used, rank, size; } communicators[Slots];
static struct datatype { int used; long long size; int *address; } datatypes[Slots];
static struct request {
  int used, active, persistent, receives, bytes, is_int;
  void *buffer;
} requests[Slots];
static struct kept { int *address, low, high; } kept[Slots];
static void (*callbacks[Slots])(void);
static int callback_count, in_callback, calls;
static uint64_t random_state;

//--- Chance ---------------------------------------------------------------------------------------

static unsigned chance(unsigned below) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(random_state >> 33) % below;
}

int outside_number(int low, int high) { return low + (int)chance((unsigned)(high - low + 1)); }

static int setting(const char *name) {
  const char *value = getenv(name);
  return value ? atoi(value) : 0;
}

__attribute__((constructor)) static void start(void) {
  random_state = (uint64_t)setting("FUZZ_SEED") * 77 + (uint64_t)setting("FUZZ_RANK") + 1;
}

//--- Behind the program's back --------------------------------------------------------------------

void outside_keep(int *address, int low, int high) {
  for (int i = 0; i < Slots; i++)
    if (!kept[i].address || kept[i].address == address) {
      kept[i] = (struct kept){address, low, high};
      return;
    }
}

void outside_forget(int *address) {
  for (int i = 0; i < Slots; i++)
    if (kept[i].address == address)
      kept[i].address = NULL;
}

void outside_poke(void) {
  for (int i = 0; i < Slots; i++)
    if (kept[i].address && chance(2))
      *kept[i].address = outside_number(kept[i].low, kept[i].high);
}

void outside_callback(void (*function)(void)) {
  if (callback_count < Slots)
    callbacks[callback_count++] = function;
}

static void fill(void *buffer, int bytes, int is_int) {
  if (is_int)
    for (int i = 0; i < bytes / 4; i++)
      ((int *)buffer)[i] = (int)chance(Largest + 1);
  else
    memset(buffer, (int)chance(100), (size_t)bytes);
}

static void progress(struct request *r) {
  if (r->active && r->receives)
    fill(r->buffer, r->bytes, r->is_int);
}

/* Events that may happen in any call: a pending receive makes progress, a callback runs. */
static void enter(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  if (++calls > Fuel) {
    printf("out of fuel\n");
    exit(0);
  }
  for (int i = 0; i < Slots; i++)
    if (chance(3) == 0)
      progress(&requests[i]);
  if (chance(3) == 0)
    outside_poke();
  if (callback_count && !in_callback && chance(4) == 0) {
    in_callback = 1;
    callbacks[chance((unsigned)callback_count)]();
    in_callback = 0;
  }
}

//--- Handles --------------------------------------------------------------------------------------

/* A pool that is used up ends the program as spent fuel does. */
static int next_slot(int slot) {
  if (slot + 1 < Slots)
    return slot + 1;
  printf("out of handles\n");
  exit(0);
}

#define HANDLE(TYPE, BASE, SLOT) ((TYPE)(intptr_t)((BASE) + 16 * (SLOT)))
#define SLOT(BASE, HANDLE) ((int)(((intptr_t)(HANDLE) - (BASE)) / 16))
enum { CommBase = 0x20000000, TypeBase = 0x21000000, RequestBase = 0x22000000 };
#define CHECK_SLOT(S) ((S) >= 0 && (S) < Slots ? (S) : (fprintf(stderr, "bad handle\n"), abort(), 0))

static struct communicator communicator(MPI_Comm c) {
  if (c == MPI_COMM_WORLD)
    return (struct communicator){1, setting("FUZZ_RANK"), setting("FUZZ_SIZE")};
  if (c == MPI_COMM_SELF)
    return (struct communicator){1, 0, 1};
  struct communicator Found = communicators[CHECK_SLOT(SLOT(CommBase, c))];
  if (!Found.used) {
    fprintf(stderr, "communicator used after it was freed\n");
    abort();
  }
  return Found;
}

static MPI_Comm new_communicator(int rank, int size) {
  int slot = 0;
  while (communicators[slot].used)
    slot = next_slot(slot);
  communicators[slot] = (struct communicator){1, rank, size};
  return HANDLE(MPI_Comm, CommBase, slot);
}

static long long size_of(MPI_Datatype t) {
  if (t == MPI_CHAR || t == MPI_BYTE)
    return 1;
  if (t == MPI_SHORT)
    return 2;
  if (t == MPI_INT || t == MPI_FLOAT)
    return 4;
  if (t == MPI_LONG || t == MPI_DOUBLE)
    return 8;
  if (t == MPI_DOUBLE_INT)
    return 12;
  if (t == MPI_C_DOUBLE_COMPLEX)
    return 16;
  return datatypes[CHECK_SLOT(SLOT(TypeBase, t))].size;
}

static MPI_Datatype new_datatype(long long size) {
  int slot = 0;
  while (datatypes[slot].used)
    slot = next_slot(slot);
  datatypes[slot] = (struct datatype){1, size, NULL};
  return HANDLE(MPI_Datatype, TypeBase, slot);
}

MPI_Datatype outside_type_at(MPI_Aint address) {
  MPI_Datatype t = new_datatype(4);
  datatypes[SLOT(TypeBase, t)].address = (int *)address;
  return t;
}

static MPI_Request new_request(const void *buffer, int count, MPI_Datatype type, int receives,
                               int persistent) {
  int slot = 0;
  while (requests[slot].used)
    slot = next_slot(slot);
  requests[slot] = (struct request){1,        !persistent,
                                    persistent, receives,
                                    (int)(count * size_of(type)), type == MPI_INT,
                                    (void *)buffer};
  return HANDLE(MPI_Request, RequestBase, slot);
}

//--- Messages -------------------------------------------------------------------------------------

static void set_status(MPI_Status *status) {
  if (status == MPI_STATUS_IGNORE)
    return;
  status->MPI_SOURCE = (int)chance((unsigned)setting("FUZZ_SIZE"));
  status->MPI_TAG = (int)chance(Largest + 1);
}

static void receive(void *buffer, long long count, MPI_Datatype type, int source, MPI_Status *status) {
  if (buffer == MPI_BOTTOM && source != MPI_PROC_NULL)
    fill(datatypes[SLOT(TypeBase, type)].address, 4, 1);
  else if (source != MPI_PROC_NULL)
    fill(buffer, (int)(count * size_of(type)), type == MPI_INT);
  set_status(status);
}

static void complete(MPI_Request *request) {
  if (*request == MPI_REQUEST_NULL)
    return;
  struct request *r = &requests[CHECK_SLOT(SLOT(RequestBase, *request))];
  progress(r);
  r->active = 0;
  if (!r->persistent) {
    r->used = 0;
    *request = MPI_REQUEST_NULL;
  }
}

#define SENDS(NAME)                                                                                \
  int MPI_##NAME(const void *buffer, int count, MPI_Datatype type, int peer, int tag,              \
                 MPI_Comm comm) {                                                                  \
    (void)buffer;                                                                                  \
    enter(#NAME " %d x %lld to %d of %d tag %d\n", count, size_of(type), peer,                     \
          communicator(comm).size, tag);                                                           \
    return MPI_SUCCESS;                                                                            \
  }
SENDS(Send)
SENDS(Ssend)
SENDS(Rsend)
SENDS(Bsend)

#define STARTS(NAME, BUFFER, RECEIVES, PERSISTENT)                                                 \
  int MPI_##NAME(BUFFER buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,    \
                 MPI_Request *request) {                                                           \
    enter(#NAME " %d x %lld with %d of %d tag %d\n", count, size_of(type), peer,                   \
          communicator(comm).size, tag);                                                           \
    *request = new_request(buffer, count, type, RECEIVES && peer != MPI_PROC_NULL, PERSISTENT);    \
    return MPI_SUCCESS;                                                                            \
  }
STARTS(Isend, const void *, 0, 0)
STARTS(Issend, const void *, 0, 0)
STARTS(Irecv, void *, 1, 0)
STARTS(Send_init, const void *, 0, 1)
STARTS(Recv_init, void *, 1, 1)

int MPI_Send_c(const void *buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
               MPI_Comm comm) {
  (void)buffer;
  enter("Send_c %lld x %lld to %d of %d tag %d\n", (long long)count, size_of(type), peer,
        communicator(comm).size, tag);
  return MPI_SUCCESS;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
  enter("Recv %d x %lld from %d of %d tag %d\n", count, size_of(type), source,
        communicator(comm).size, tag);
  receive(buffer, count, type, source, status);
  return MPI_SUCCESS;
}

int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                 MPI_Comm comm, MPI_Status *status) {
  (void)sendbuf;
  enter("Sendrecv %d x %lld to %d tag %d, %d x %lld from %d tag %d of %d\n", sendcount,
        size_of(sendtype), dest, sendtag, recvcount, size_of(recvtype), source, recvtag,
        communicator(comm).size);
  receive(recvbuf, recvcount, recvtype, source, status);
  return MPI_SUCCESS;
}

int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int sendtag, int source,
                         int recvtag, MPI_Comm comm, MPI_Status *status) {
  enter("Sendrecv_replace %d x %lld to %d tag %d, from %d tag %d of %d\n", count, size_of(type), dest,
        sendtag, source, recvtag, communicator(comm).size);
  receive(buf, count, type, source, status);
  return MPI_SUCCESS;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  enter("Probe %d of %d tag %d\n", source, communicator(comm).size, tag);
  set_status(status);
  return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  (void)status, (void)type;
  *count = (int)chance(Largest + 1);
  return MPI_SUCCESS;
}

//--- Requests -------------------------------------------------------------------------------------

int MPI_Start(MPI_Request *request) {
  requests[CHECK_SLOT(SLOT(RequestBase, *request))].active = 1;
  return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  enter("Wait\n");
  complete(request);
  set_status(status);
  return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request list[], MPI_Status *statuses) {
  enter("Waitall %d\n", count);
  for (int i = 0; i < count; i++) {
    complete(&list[i]);
    if (statuses != MPI_STATUSES_IGNORE)
      set_status(&statuses[i]);
  }
  return MPI_SUCCESS;
}

int MPI_Waitany(int count, MPI_Request list[], int *index, MPI_Status *status) {
  enter("Waitany %d\n", count);
  *index = (int)chance((unsigned)count);
  complete(&list[*index]);
  set_status(status);
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  enter("Test\n");
  *flag = (int)chance(2);
  if (*flag) {
    complete(request);
    set_status(status);
  }
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request *request) {
  requests[CHECK_SLOT(SLOT(RequestBase, *request))].used = 0;
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

//--- Collectives ----------------------------------------------------------------------------------

int MPI_Barrier(MPI_Comm comm) {
  enter("Barrier of %d\n", communicator(comm).size);
  return MPI_SUCCESS;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  enter("Bcast %d x %lld from %d of %d\n", count, size_of(type), root, communicator(comm).size);
  if (root != communicator(comm).rank)
    receive(buffer, count, type, root, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  (void)sendbuf, (void)op;
  enter("Reduce %d x %lld to %d of %d\n", count, size_of(type), root, communicator(comm).size);
  if (root == communicator(comm).rank)
    receive(recvbuf, count, type, root, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  (void)sendbuf, (void)op;
  enter("Allreduce %d x %lld of %d\n", count, size_of(type), communicator(comm).size);
  receive(recvbuf, count, type, 0, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request) {
  (void)sendbuf, (void)op;
  enter("Iallreduce %d x %lld of %d\n", count, size_of(type), communicator(comm).size);
  *request = new_request(recvbuf, count, type, 1, 0);
  return MPI_SUCCESS;
}

#define EXCHANGES(NAME)                                                                            \
  int MPI_##NAME(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,         \
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {                            \
    (void)sendbuf;                                                                                 \
    enter(#NAME " %d x %lld, %d x %lld of %d\n", sendcount, size_of(sendtype), recvcount,          \
          size_of(recvtype), communicator(comm).size);                                             \
    receive(recvbuf, recvcount, recvtype, 0, MPI_STATUS_IGNORE);                                   \
    return MPI_SUCCESS;                                                                            \
  }
EXCHANGES(Alltoall)
EXCHANGES(Allgather)

//--- Communicators and datatypes ------------------------------------------------------------------

int PMPI_Comm_rank(MPI_Comm comm, int *rank) {
  *rank = communicator(comm).rank;
  return MPI_SUCCESS;
}
int PMPI_Comm_size(MPI_Comm comm, int *size) {
  *size = communicator(comm).size;
  return MPI_SUCCESS;
}
int MPI_Comm_rank(MPI_Comm comm, int *rank) { return PMPI_Comm_rank(comm, rank); }
int MPI_Comm_size(MPI_Comm comm, int *size) { return PMPI_Comm_size(comm, size); }

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) {
  enter("Comm_dup\n");
  struct communicator c = communicator(comm);
  *newcomm = new_communicator(c.rank, c.size);
  return MPI_SUCCESS;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm) {
  enter("Comm_split %d %d\n", color, key);
  int size = 1 + (int)chance((unsigned)communicator(comm).size);
  *newcomm = new_communicator((int)chance((unsigned)size), size);
  return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *comm) {
  enter("Comm_free\n");
  (void)communicator(*comm);
  communicators[SLOT(CommBase, *comm)].used = 0;
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int PMPI_Type_size(MPI_Datatype type, int *size) {
  long long bytes = size_of(type);
  *size = bytes > INT32_MAX ? Undefined : (int)bytes;
  return MPI_SUCCESS;
}
int MPI_Type_size(MPI_Datatype type, int *size) { return PMPI_Type_size(type, size); }

/* Describes a derived datatype, which is always made of one other here, and a predefined one. */
int PMPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types,
                           int *combiner) {
  const int slot = SLOT(TypeBase, type);
  *integers = *addresses = *combiner = 0;
  *types = slot >= 0 && slot < Slots && type == HANDLE(MPI_Datatype, TypeBase, slot);
  return MPI_SUCCESS;
}

int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *type) {
  *type = new_datatype(count * size_of(old));
  return MPI_SUCCESS;
}
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *type) {
  (void)stride;
  *type = new_datatype((long long)count * length * size_of(old));
  return MPI_SUCCESS;
}
int MPI_Type_commit(MPI_Datatype *type) {
  (void)type;
  return MPI_SUCCESS;
}
int MPI_Type_free(MPI_Datatype *type) {
  datatypes[CHECK_SLOT(SLOT(TypeBase, *type))].used = 0;
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}
int MPI_Get_address(const void *location, MPI_Aint *address) {
  *address = (MPI_Aint)location;
  return MPI_SUCCESS;
}

//--- The job --------------------------------------------------------------------------------------

int MPI_Init(int *argc, char ***argv) {
  (void)argc, (void)argv;
  return MPI_SUCCESS;
}
int MPI_Finalize(void) { return MPI_SUCCESS; }
int MPI_Abort(MPI_Comm comm, int errorcode) {
  (void)comm;
  enter("Abort %d\n", errorcode);
  if (!setting("FUZZ_ABORT_RETURNS"))
    exit(errorcode);
  return MPI_SUCCESS;
}
