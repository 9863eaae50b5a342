/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Requests: the runtime's operations that are under way, and the handles that programs have of
 * them.
 *
 * A handle of the runtime is a value that the MPI library never returns (mpispec/handle.h): a mark
 * and the index of the request.
 *
 * A send that is complete when its call returns needs no request. All these sends share one handle,
 * `mpispec_request_done`. A simple receive (mpispec/contract.h) needs only the first cache line of
 * a request. Therefore the rest of a free request always has the values of a simple receive.
 * mpispec_request_expand fills in the rest for a posted simple receive. */
#ifndef MPISPEC_RUNTIME_REQUEST_H
#define MPISPEC_RUNTIME_REQUEST_H

#include "abi/mpi.h"
#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "mpispec/state.h"
#include "p2p/matching.h"

#include <assert.h>
#include <stddef.h>

enum mpispec_request_kind {
  MPISPEC_SIMPLE, /* a receive that needs only the first cache line of its request */
  MPISPEC_RECEIVE,
  MPISPEC_SEND,
  MPISPEC_PAIR,    /* an MPI_Isendrecv, with two other handles */
  MPISPEC_AWAITED, /* the one Issend that templates can have under way (mpispec/issend.h) */
  MPISPEC_FOREIGN, /* MPI_Comm_idup, or a persistent or listed receive from another node */
  MPISPEC_MESSAGE  /* a message held by MPI_Mprobe; its handle is an MPI_Message */
};

/* The arguments of the program's call. */
struct mpispec_call {
  void *buffer;
  int64_t count;
  MPI_Datatype datatype;
  int peer; /* rank in the communicator, or MPI_ANY_SOURCE */
  int tag;  /* or MPI_ANY_TAG */
  struct mpispec_communicator *communicator;
  enum mpispec_send_mode mode;
  int64_t bytes; /* count times size */
  int contiguous;
  struct mpispec_typemap *map; /* if not contiguous; null: the library packs */
  int device;   /* the memory may be an accelerator's; `contiguous` is 0 then, `map` null */
  int blocking; /* the program waits for the operation */
};

/* The node rank of the peer, or a negative number if it is on another node. */
static inline int mpispec_peer_of(const struct mpispec_call *call) {
  return call->communicator->peer_of[call->peer];
}

/* Nonzero if the message may come by a lane: from a rank of this node, or from any source. */
static inline int mpispec_call_is_local(const struct mpispec_call *call) {
  return call->peer == MPI_ANY_SOURCE || mpispec_peer_of(call) >= 0;
}

/* Fills in the call of a template: contiguous bytes, to or from a rank of a communicator. Returns 0
 * if no lane leads to this rank. Called with the lock held. */
int mpispec_call_on_route(struct mpispec_call *call, const void *buffer, int64_t bytes,
                          const struct mpispec_route *route, int peer, int tag,
                          enum mpispec_send_mode mode);

/* Pieces of a long message, from `front` to `back` - 1. */
struct mpispec_pieces {
  uint32_t front, back;
};

/* The state of a long message in one of its two ranks (p2p/rendezvous.c). */
struct mpispec_transfer {
  uint64_t rts;      /* offset of the RTS descriptor in the sender's segment */
  uint64_t address;  /* address in the sender's memory, or 0 if the bytes are not contiguous */
  int64_t cursor_at; /* position of the request's cursor in the message */
  uint64_t moved_at; /* clock ticks at the last progress by the pipe; 0: not observed yet */
  uint32_t slots;    /* slots of the pipe that the sender has filled, or the receiver emptied */
  uint8_t gave_up;   /* the system has refused a push (sender) or a pull (receiver) */
  uint8_t both_ways; /* an exchange: see way.h and mpispec_traffic.exchanges */
  /* The sender's. */
  uint32_t seen_emptied; /* slots that the receiver had emptied at the last poll */
  uint64_t leaves_at;    /* clock ticks from which on the sender does not wait for the receiver, as
                            far as slots have room for the message; 0: it waits (long_parts.c) */
  uint8_t has_left;      /* since then, it has filled slots before the receiver came */
  /* The receiver's. */
  int64_t wanted;                 /* bytes that the receive takes */
  uint32_t piece;                 /* bytes */
  uint32_t slot_done;             /* bytes that were copied from the next slot */
  uint32_t done;                  /* pieces that the receiver has counted as done */
  uint32_t due;                   /* pieces that both ranks together are to count */
  uint64_t began_at;              /* clock ticks when it chose a way */
  struct mpispec_pieces again[2]; /* pieces that the receiver, and the sender, could not copy */
  uint8_t saw_failed;             /* again[1] has been taken from the RTS descriptor */
  uint8_t way;                    /* enum mpispec_way */
  uint8_t in_company;             /* this rank received other long messages meanwhile */
  uint8_t mixed;                  /* no sample: several ways, or an absent rank */
  uint8_t passes_caches;          /* stores to the receive buffer pass the caches */
};

struct mpispec_result {
  int source, tag;
  int64_t length; /* bytes */
  int error;      /* error class, error code of the MPI library, or MPI_SUCCESS */
  int cancelled;
};

/* The lane of a persistent operation that starts in few steps. A standard send of contiguous bytes
 * in one cell has a writer. A receive that only joins the list of its lane has a reader. All other
 * operations have neither. */
struct mpispec_start {
  struct mpispec_writer *writer;
  struct mpispec_reader *reader;
  uint64_t key, header;
};

/* Values of `complete` of a request. */
enum {
  MPISPEC_INCOMPLETE,
  MPISPEC_COMPLETE,
  MPISPEC_COMPLETE_AT_START /* a persistent send that needs nothing at its end */
};

struct mpispec_request {
  _Alignas(
      64) struct mpispec_receive receive;  /* first, so that templates can take a free request */
  struct mpispec_reader *lane;             /* where it is posted if it is not simple, or null */
  struct mpispec_request *next, *previous; /* in its list (traffic.h, network.h, library_part.h) */
  enum mpispec_request_kind kind;
  int persistent; /* made by MPI_..._init */
  int complete;   /* the operation is over, except for unpacking. Always 0 in an inactive request,
                     and always 1 in a simple one, pending or not */
  int active;     /* 0 only for a persistent request that is not started */
  int released;   /* freed by the program while active */
  int holds;      /* keeps datatypes from being freed (datatype.h) */
  int listed;     /* in the list of receives of network.h */
  struct mpispec_start start;
  struct mpispec_call call;
  struct mpispec_result result; /* all zero in an inactive persistent request */
  unsigned char *staging; /* packed bytes: of a type with gaps, of a message that is too long, or a
                             private copy */
  struct mpispec_cursor cursor;     /* in call.map */
  struct mpispec_transfer transfer; /* only for a message with an RTS descriptor */
  int peer;                         /* node rank at the other end; not set in short receives */
  int raised;                       /* the library has called the error handler for it */
  int in_library;                   /* foreign[0] is under way in the MPI library */
  int has_library_part;             /* foreign[0] carries the bytes (library_part.h) */
  int library_number;               /* the tag of the library's message */
  MPI_Request foreign[2];           /* requests of the MPI library, or the two handles of a pair */
  MPI_Status status;                /* status of the library's operation, or of a pair's receive */
  struct mpispec_message *message;
  struct mpispec_adoption *adoption; /* adopts the communicator of MPI_Comm_idup */
};
static_assert(offsetof(struct mpispec_request, receive) == 0, "a receive is its request");
static_assert(sizeof(struct mpispec_receive) == 64, "one cache line");

static inline struct mpispec_request *mpispec_request_of(struct mpispec_receive *receive) {
  return (struct mpispec_request *)receive;
}

/* Returns a request that is all zero except for its first cache line and kind. Returns null if
 * there is no memory or no free index. */
struct mpispec_request *mpispec_request_new(enum mpispec_request_kind kind);
void mpispec_request_delete(struct mpispec_request *request);

/* Returns a receive from MPI_PROC_NULL, which is over (MPI 4.0, section 3.10), or null, like
 * mpispec_request_new. */
struct mpispec_request *mpispec_request_from_nobody(void);

/* The handle of all sends that were complete when their calls returned. */
#define mpispec_request_done ((MPI_Request)mpispec_request_complete)

/* Makes the free requests that templates may take, and the request of their Issend. */
void mpispec_requests_open(void);

static inline MPI_Request mpispec_request_handle(const struct mpispec_request *request) {
  return (MPI_Request)mpispec_request_marked(request->receive.mark);
}

/* A program's handles, as templates see them. */
static inline mpispec_handle *mpispec_request_words(MPI_Request *handles) {
  return (mpispec_handle *)handles;
}

/* Requests are in chunks, and never move. */
enum { MPISPEC_REQUEST_CHUNK = 256 };
extern struct mpispec_request *mpispec_request_chunks[] __attribute__((visibility("hidden")));
extern int mpispec_request_count __attribute__((visibility("hidden")));

/* The requests of kind MPISPEC_MESSAGE. */
extern int mpispec_messages_held __attribute__((visibility("hidden")));

/* The request with this number, from 0 to mpispec_request_count - 1. It may be unused. */
static inline struct mpispec_request *mpispec_request_number(unsigned long number) {
  return &mpispec_request_chunks[number / MPISPEC_REQUEST_CHUNK][number % MPISPEC_REQUEST_CHUNK];
}

/* Makes a posted simple receive an ordinary request, which keeps its place in the queue. Does
 * nothing to other requests. */
void mpispec_request_expand(struct mpispec_request *request);

/* The request of a handle of the runtime. Null for a handle of the MPI library and for
 * mpispec_request_done. */
static inline struct mpispec_request *mpispec_request_find(MPI_Request handle) {
  const unsigned long index = mpispec_request_place((mpispec_handle)handle);
  if (index >= (unsigned)mpispec_request_count)
    return NULL;
  struct mpispec_request *request = index < mpispec_state_receives
                                        ? mpispec_request_of(mpispec_state.receive_at[index])
                                        : mpispec_request_number(index);
  return request->receive.use || request->receive.reader ? request : NULL;
}

static inline int mpispec_request_is_ours(MPI_Request handle) {
  return handle == mpispec_request_done || mpispec_request_find(handle) != NULL;
}

/* The same by the handle alone, which no request of the MPI library has. Needs no lock: another
 * thread may be completing the request. */
static inline int mpispec_request_has_our_handle(MPI_Request handle) {
  return handle == mpispec_request_done ||
         mpispec_request_place((mpispec_handle)handle) < (unsigned)mpispec_request_count;
}

/* The number of requests that hold the type (datatype/datatype.h). `holders`: the number of
 * requests that hold any. */
int mpispec_requests_hold(MPI_Datatype handle, int holders);

/* Handles of messages and of requests have the same numbering. */
static inline MPI_Message mpispec_message_handle(const struct mpispec_request *request) {
  return (MPI_Message)mpispec_request_marked(request->receive.mark);
}
static inline struct mpispec_request *mpispec_message_find(MPI_Message handle) {
  return mpispec_request_find((MPI_Request)handle);
}

/* Make a request for `call`, and end it. Until its end, the communicator and the typemap of the
 * call are not freed. The datatype is not freed either if the request needs it (`holds`). */
struct mpispec_request *mpispec_request_begin(enum mpispec_request_kind kind,
                                              const struct mpispec_call *call, int persistent);
void mpispec_request_end(struct mpispec_request *request);

/* Fills in a status, unless it is MPI_STATUS_IGNORE. `length` is in bytes. */
void mpispec_status_set(MPI_Status *status, int source, int tag, int64_t length, int cancelled);

#endif
