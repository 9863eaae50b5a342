/* Invalid arguments of every function that sends, receives or probes, in both its forms. The class of the error and
 * the handler that is called are the MPI library's. */
#include "../Inputs/mpi3.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>

/* A call, of which each case below spoils something. Both sides of an exchange take the same. */
struct call {
  void *buffer;
  int count;
  MPI_Datatype type;
  int peer, tag;
  MPI_Comm comm;
  MPI_Status *status;
  MPI_Request *request;
};

static int room[4], other_room[4], flag;
static MPI_Message message;

/* --- the functions -----------------------------------------------------------------------------*/

#define ENVELOPE c->buffer, c->count, c->type, c->peer, c->tag, c->comm
#define OTHER_SIDE other_room, 1, MPI_INT, 1, 0, c->comm
#define THIS_SIDE c->buffer, c->count, c->type, c->peer, c->tag
#define GOOD_SIDE room, 1, MPI_INT, 1, 0

#define BLOCKING_SENDS(X)                                                                          \
  X(Send) X(Bsend) X(Ssend) X(Rsend) X(Send_c) X(Bsend_c) X(Ssend_c) X(Rsend_c)
#define WITH_REQUEST(X)                                                                            \
  X(Isend)                                                                                         \
  X(Ibsend) X(Issend) X(Irsend) X(Irecv) X(Send_init) X(Bsend_init) X(Ssend_init) X(Rsend_init)    \
      X(Recv_init) X(Isend_c) X(Ibsend_c) X(Issend_c) X(Irsend_c) X(Irecv_c) X(Send_init_c)        \
          X(Bsend_init_c) X(Ssend_init_c) X(Rsend_init_c) X(Recv_init_c)
#define RECEIVES(X) X(Recv) X(Recv_c)
#define EXCHANGES(X) X(Sendrecv) X(Sendrecv_c)
#ifdef OPEN_MPI /* which crashes over a null buffer */
#define REPLACEMENTS(X)
#else
#define REPLACEMENTS(X) X(Sendrecv_replace) X(Sendrecv_replace_c)
#endif
#if MPI_VERSION >= 4
#define LATER_EXCHANGES(X) X(Isendrecv) X(Isendrecv_c)
#define LATER_REPLACEMENTS(X) X(Isendrecv_replace) X(Isendrecv_replace_c)
#else
#define LATER_EXCHANGES(X)
#define LATER_REPLACEMENTS(X)
#endif

#define BODY(NAME, ...)                                                                            \
  static int NAME(struct call *c) { return __VA_ARGS__; }
#define SEND(NAME) BODY(NAME, MPI_##NAME(ENVELOPE))
#define REQUEST(NAME) BODY(NAME, MPI_##NAME(ENVELOPE, c->request))
#define RECEIVE(NAME) BODY(NAME, MPI_##NAME(ENVELOPE, c->status))
#define EXCHANGE(NAME)                                                                             \
  BODY(NAME##_out, MPI_##NAME(THIS_SIDE, OTHER_SIDE, c->status))                                   \
  BODY(NAME##_in, MPI_##NAME(GOOD_SIDE, ENVELOPE, c->status))
#define REPLACEMENT(NAME)                                                                          \
  BODY(NAME##_out, MPI_##NAME(THIS_SIDE, 1, 0, c->comm, c->status))                                \
  BODY(NAME##_in,                                                                                  \
       MPI_##NAME(c->buffer, c->count, c->type, 1, 0, c->peer, c->tag, c->comm, c->status))
#define LATER_EXCHANGE(NAME)                                                                       \
  BODY(NAME##_out, MPI_##NAME(THIS_SIDE, OTHER_SIDE, c->request))                                  \
  BODY(NAME##_in, MPI_##NAME(GOOD_SIDE, ENVELOPE, c->request))
#define LATER_REPLACEMENT(NAME)                                                                    \
  BODY(NAME##_out, MPI_##NAME(THIS_SIDE, 1, 0, c->comm, c->request))                               \
  BODY(NAME##_in,                                                                                  \
       MPI_##NAME(c->buffer, c->count, c->type, 1, 0, c->peer, c->tag, c->comm, c->request))

BLOCKING_SENDS(SEND)
WITH_REQUEST(REQUEST)
RECEIVES(RECEIVE)
EXCHANGES(EXCHANGE)
REPLACEMENTS(REPLACEMENT)
LATER_EXCHANGES(LATER_EXCHANGE)
LATER_REPLACEMENTS(LATER_REPLACEMENT)
BODY(Probe, MPI_Probe(c->peer, c->tag, c->comm, c->status))
BODY(Iprobe, MPI_Iprobe(c->peer, c->tag, c->comm, &flag, c->status))
BODY(Mprobe, MPI_Mprobe(c->peer, c->tag, c->comm, &message, c->status))
BODY(Improbe, MPI_Improbe(c->peer, c->tag, c->comm, &flag, &message, c->status))

enum { SENDS_ = 1, HAS_DATA = 2, HAS_STATUS = 4, HAS_REQUEST = 8, IS_PAIR = 16 };
#define ROW(NAME, TRAITS) {#NAME, NAME, TRAITS},
#define SEND_ROW(NAME) ROW(NAME, SENDS_ | HAS_DATA)
#define REQUEST_ROW(NAME) ROW(NAME, HAS_DATA | HAS_REQUEST)
#define RECEIVE_ROW(NAME) ROW(NAME, HAS_DATA | HAS_STATUS)
#define EXCHANGE_ROW(NAME)                                                                         \
  ROW(NAME##_out, HAS_DATA | HAS_STATUS | IS_PAIR) ROW(NAME##_in, HAS_DATA | HAS_STATUS | IS_PAIR)
#define LATER_ROW(NAME)                                                                            \
  ROW(NAME##_out, HAS_DATA | HAS_REQUEST | IS_PAIR) ROW(NAME##_in, HAS_DATA | HAS_REQUEST | IS_PAIR)
#define PROBE_ROW(NAME) ROW(NAME, HAS_STATUS)

static const struct {
  const char *name;
  int (*function)(struct call *);
  int traits;
} functions[] = {BLOCKING_SENDS(SEND_ROW) WITH_REQUEST(REQUEST_ROW) RECEIVES(RECEIVE_ROW)
                     EXCHANGES(EXCHANGE_ROW) REPLACEMENTS(EXCHANGE_ROW) LATER_EXCHANGES(LATER_ROW)
                         LATER_REPLACEMENTS(LATER_ROW) PROBE_ROW(Probe) PROBE_ROW(Iprobe)
                             PROBE_ROW(Mprobe) PROBE_ROW(Improbe)};

/* --- the mistakes ------------------------------------------------------------------------------*/

static MPI_Datatype not_committed;

/* Where handles are addresses, any other number makes the library crash; and where
 * MPI_STATUS_IGNORE is null, null is no mistake. */
enum { HANDLES_ARE_NUMBERS = sizeof(MPI_Comm) == sizeof(int) };

/* For a probe, Open MPI calls the error handler of MPI_COMM_NULL, which ends the job. */
#ifdef OPEN_MPI
#define MAY_LACK_COMMUNICATOR(TRAITS) ((TRAITS) & HAS_DATA)
#else
#define MAY_LACK_COMMUNICATOR(TRAITS) 1
#endif

/* Spoils `c`. Returns 0 when `traits` have nothing to spoil, or the call would be right. */
#define MISTAKES(X)                                                                                \
  X(peer_too_large, 1, c->peer = 2)                                                                \
  X(peer_negative, 1, c->peer = -77)                                                               \
  X(tag_negative, 1, c->tag = -77)                                                                 \
  X(target_wild, traits &SENDS_, c->peer = MPI_ANY_SOURCE)                                         \
  X(tag_wild, traits &SENDS_, c->tag = MPI_ANY_TAG)                                                \
  X(no_communicator, MAY_LACK_COMMUNICATOR(traits), c->comm = MPI_COMM_NULL)                                                   \
  X(not_a_communicator, HANDLES_ARE_NUMBERS, c->comm = (MPI_Comm)0x1234567)                                          \
  X(count_negative, traits &HAS_DATA, c->count = -1)                                               \
  X(no_type, traits &HAS_DATA, c->type = MPI_DATATYPE_NULL)                                        \
  X(type_not_committed, traits &HAS_DATA, c->type = not_committed)                                 \
  X(nothing_to_nobody, traits & HAS_DATA && !(traits & IS_PAIR),                                   \
    (c->type = MPI_DATATYPE_NULL, c->count = 0, c->peer = MPI_PROC_NULL))                          \
  X(no_buffer, traits &HAS_DATA, c->buffer = NULL)                                                 \
  X(null_process_and_count, traits &HAS_DATA, (c->peer = MPI_PROC_NULL, c->count = -1))            \
  X(null_process_and_tag, traits &HAS_DATA, (c->peer = MPI_PROC_NULL, c->tag = -77))               \
  X(count_and_tag, traits &HAS_DATA, (c->tag = -77, c->count = -1))                                \
  X(peer_and_count, traits &HAS_DATA, (c->peer = 99, c->count = -1))                               \
  X(no_status, traits & HAS_STATUS && MPI_STATUS_IGNORE, c->status = NULL)                                               \
  X(no_request, traits &HAS_REQUEST, c->request = NULL)

#define MISTAKE(NAME, APPLIES, SPOIL)                                                              \
  static int NAME(struct call *c, int traits) {                                                    \
    (void)traits;                                                                                  \
    return (APPLIES) ? (SPOIL, 1) : 0;                                                             \
  }
MISTAKES(MISTAKE)

#define MISTAKE_ROW(NAME, APPLIES, SPOIL) {#NAME, NAME},
static const struct {
  const char *name;
  int (*spoil)(struct call *, int);
} mistakes[] = {MISTAKES(MISTAKE_ROW)};

/* --- what is seen of them ----------------------------------------------------------------------*/

static int heard_by_world, heard_by_copy;
static MPI_Comm copy;

static void handler(MPI_Comm *comm, int *error, ...) {
  (void)error;
  heard_by_world += *comm == MPI_COMM_WORLD;
  heard_by_copy += *comm == copy;
}

static void try(unsigned function, unsigned mistake, const char *where, MPI_Comm comm) {
  MPI_Status status;
  MPI_Request request = MPI_REQUEST_NULL;
  struct call call = {room, 1, MPI_INT, 1, 0, comm, &status, &request};
  if (!mistakes[mistake].spoil(&call, functions[function].traits))
    return;
  int class = MPI_SUCCESS;
  heard_by_world = heard_by_copy = 0;
  const int error = functions[function].function(&call);
  if (error)
    MPI_Error_class(error, &class);
  printf("%s, %s, %s: class %d, heard by world %d, by copy %d\n", functions[function].name, where,
         mistakes[mistake].name, class, heard_by_world, heard_by_copy);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Errhandler own;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(handler, &own);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(copy, own);
  MPI_Type_contiguous(3, MPI_INT, &not_committed);
  /* The second time, what could be learned about types and communicators is known. */
  for (int time = 0; time < 2 && rank == 0; ++time) {
    for (unsigned f = 0; f < sizeof functions / sizeof functions[0]; ++f)
      for (unsigned m = 0; m < sizeof mistakes / sizeof mistakes[0]; ++m) {
        try(f, m, "world", MPI_COMM_WORLD);
        try(f, m, "copy", copy);
      }
    MPI_Send(room, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(room, 0, MPI_INT, 1, 0, copy);
  }
  for (int time = 0; time < 2 && rank == 1; ++time) {
    MPI_Recv(room, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(room, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&not_committed);
  MPI_Comm_free(&copy);
  MPI_Errhandler_free(&own);
  MPI_Finalize();
  if (rank == 0)
    puts("all tried");
  return 0;
}

// MPICH 5 returns MPI_SUCCESS after an error handler of the program's, so that a probe that finds nothing is made again.
// UNSUPPORTED: mpich5
//
// RUN: %mpicc -w %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// CHECK-DAG: Recv_c, copy, count_negative: class 2, heard by world 0, by copy 1
// CHECK-DAG: all tried
