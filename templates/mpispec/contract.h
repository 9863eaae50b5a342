/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* contract.h - the constants and layouts on which templates and runtime both rely
 *
 * The runtime asserts that they agree with the MPI library and with its own code
 * (runtime/abi/layout.c, runtime/p2p/request.c, runtime/shm/cell.h, runtime/collective/slot.h).
 * signature.h has further constants of collective operations.
 *
 * A lane carries the messages from one rank of a node to another in cells of one cache line:
 *
 *   envelope  lap:8  context:23  1  tag:32  written last, compared first; the context is the
 *                                          context id minus that of MPI_COMM_WORLD
 *   header    source:32  kind:4 length:28  for kind 0 (inline), the lower half is the length in
 *                                          bytes. On MPI_COMM_WORLD the source may be 0, because
 *                                          the lane determines it
 *   payload   48 bytes
 *
 * Templates fill and take cells only while their end of the lane is open. An end is closed when its
 * next cell is not before its limit. While a message from the sender or a receive of its messages
 * is queued, the limit of the reading end is null. docs/Runtime.md has the whole protocol. */
#ifndef MPISPEC_CONTRACT_H
#define MPISPEC_CONTRACT_H

#include "handle.h"

/* --- sizes, in bytes ---------------------------------------------------------------------------*/

/* A message of at most this many bytes is short: it travels inside the lane's cells. */
enum { mpispec_short_bytes = 256 };

/* A standard send of at most this many bytes goes in cells or in a block (p2p/block.h). The send
 * waits for its receive only if no block is free. */
enum { mpispec_eager_bytes = 64 * 1024 };

/* The data in a message's first cell, in each further cell (from its second word on), and in a cell
 * of a slot. */
enum { mpispec_cell_payload = 48, mpispec_more_payload = 56, mpispec_slot_payload = 48 };

/* --- lanes -------------------------------------------------------------------------------------*/

enum {
  mpispec_lap_shift = 56,     /* in envelopes */
  mpispec_context_shift = 33, /* in envelopes */
  mpispec_source_shift = 32,  /* in headers */
  mpispec_kind_shift = 28     /* in headers */
};

/* The kinds of messages that templates send. Inline: the cells of the message contain its bytes.
 * Synchronous: the first cell contains the offset of the word to which the receiver writes FIN, and
 * the second cell contains the bytes. */
enum { mpispec_kind_inline = 0, mpispec_kind_synchronous = 1 };

enum { mpispec_fin = 2 /* state of an RTS descriptor: the message was matched and read */ };

struct mpispec_cell {
  unsigned long long envelope;
  unsigned long long header;
  unsigned char payload[mpispec_cell_payload];
};

/* The sending end. */
struct mpispec_writer {
  struct mpispec_cell *next;  /* where the next message goes */
  struct mpispec_cell *limit; /* from here on, the runtime must find room */
  unsigned long long lap;     /* shifted to its bits, and the constant 1 of an envelope */
};

/* The receiving end, and the receives that are posted for it: a list in the order of posting. */
struct mpispec_reader {
  struct mpispec_cell *next;     /* where the next message will be */
  struct mpispec_cell *limit;    /* from here on, the runtime must give credit first; null
                                    while receives from the lane's sender or messages of the
                                    sender are queued */
  unsigned long long lap;        /* like mpispec_writer.lap */
  struct mpispec_cell *end;      /* the limit, also while `limit` is null */
  struct mpispec_receive *first; /* the first receive posted for the lane, or null */
  struct mpispec_receive **last; /* where the next one is to be linked */
  unsigned long long unexpected; /* messages in the unexpected queue; while there are any, only
                                    the runtime posts a receive */
};

/* --- requests ----------------------------------------------------------------------------------*/

/* Values of mpispec_receive.use. */
enum {
  mpispec_receive_free,
  mpispec_receive_under_way, /* a request that only the runtime can complete */
  mpispec_receive_complete
};

/* A receive, from its posting to its completion: one cache line. Every request of the runtime, also
 * that of a send, begins with this struct. A *simple* receive has a contiguous buffer, a given
 * source and a given tag. The function that finds its message in the lane also copies the message.
 * A free receive is prepared to be a simple one. */
struct mpispec_receive {
  struct mpispec_receive *next; /* the next free one, or the next one posted for the lane */
  unsigned long long key;       /* context and tag of the awaited message, as in its envelope */
  void *buffer;
  struct mpispec_reader *reader; /* the lane for which it is posted, if it is simple; else null */
  unsigned long long order;      /* order of posting; 0 for a receive from a given source that was
                                    posted while no receive from any source waited that may match
                                    the same message */
  int use;                       /* valid only while `reader` is null */
  int mark;                      /* low 32 bits of the handle (mpispec_request_marked) */
  int bytes;                     /* length of the buffer; after completion, of the message;
                                    negative while a receive that is not simple waits */
  int source;                    /* rank in the communicator */
  int tag;                       /* that of the message, after completion */
  unsigned int wild;             /* bits of the key that may differ: 0, or all of the tag */
};

/* --- long messages -----------------------------------------------------------------------------*/

/* The modes of sends (MPI-4.0, section 3.4). A ready send is a standard send here. */
enum mpispec_send_mode {
  mpispec_standard,
  mpispec_buffered,
  mpispec_synchronous,
  mpispec_send_modes /* the number of modes */
};

/* The two messages of a Sendrecv on one communicator. Sendrecv_replace has one buffer for both. */
struct mpispec_exchange {
  const struct mpispec_route *route;
  const void *send_buffer;
  long long bytes;
  int destination, send_tag;
  void *recv_buffer;
  long long room; /* bytes of recv_buffer */
  int source, recv_tag;
  struct mpispec_status *status; /* or null */
};

/* --- slots of collective operations ------------------------------------------------------------*/

enum {
  mpispec_slot_cells = 64,
  mpispec_slot_note = 240,        /* bytes of a text that describes the call of a rank */
  mpispec_slot_publish_every = 4, /* a rank publishes `completed` once in this many steps */
  mpispec_step_visits = 64 /* once in this many steps templates decline, because the ordinary call
                              makes progress with all other operations */
};

struct mpispec_slot_cell {
  unsigned long long word;
  unsigned long long length; /* bytes that its writer shows in the whole operation */
  unsigned char payload[mpispec_slot_payload];
};

struct mpispec_slot {
  struct mpispec_slot_cell cells[mpispec_slot_cells];
  unsigned long long completed; /* number of a step; this rank has completed all earlier ones */
  /* For the case that members are in different operations (collective/mismatch.c). */
  unsigned long long waiting;  /* the word of a step in which this rank has waited a long time */
  unsigned long long mismatch; /* the word of the step in which this rank found a mismatch */
  unsigned long long noted;    /* the word of the operation that the note describes */
  unsigned char note[mpispec_slot_note];
  unsigned char unused[2016 - mpispec_slot_note];
};

/* This rank's view of the steps of a communicator's members. */
struct mpispec_steps {
  unsigned long long step;      /* the number of the current step, or of the next one */
  unsigned long long completed; /* all members have completed at least all steps before it */
  unsigned long long history;   /* sum of the signatures of all operations so far */
  struct mpispec_slot *own;     /* our slot */
  struct mpispec_slot **slots;  /* [members], in the order of their ranks */
  int members, self;            /* members on this node, and this rank's index among them */
};

/* --- the state ---------------------------------------------------------------------------------*/

enum {
  mpispec_state_routes = 8,
  mpispec_state_receives = 256,
  mpispec_state_types = 64,
  mpispec_world_context = 1 /* context id of MPI_COMM_WORLD, in every job */
};

/* The argument of a template for a communicator that is proven to be MPI_COMM_WORLD. No handle has
 * these bits. A handle that is an int is sign-extended. Addresses are even, and predefined handles
 * of MPI-5 are below 4096. */
static const unsigned long mpispec_comm_world __attribute__((__unused__)) = ~0ul / 3;

/* The lanes to the members of a communicator. A member without a lane has closed lane ends. */
struct mpispec_route {
  unsigned long comm;              /* the handle's bits */
  unsigned long size;              /* members; 0 for no communicator */
  unsigned long long key;          /* the context, as in an envelope, to which the tag is or-ed */
  unsigned long long header;       /* the calling rank, as the source in a header */
  struct mpispec_writer **writers; /* [size] */
  struct mpispec_reader **readers; /* [size] */
  struct mpispec_steps *steps;     /* steps of collective operations; null: ordinary calls only */
  unsigned long is_local;          /* nonzero if all members are on this node */
};

/* A datatype without gaps. */
struct mpispec_type {
  mpispec_type_handle handle; /* in an empty entry, a handle that belongs to another entry */
  mpispec_type_handle size;   /* bytes of an element, more than 0 */
};

/* The heads of all lanes to this rank. The index is the peer: a rank of this node. */
struct mpispec_heads {
  const unsigned long long *active_peers; /* a bit for each peer that has ever sent a message */
  struct mpispec_reader **lanes;          /* [peers] */
  const int *world_ranks;                 /* [peers] */
  /* Nonzero while no message is queued outside the lanes, no receive from any source waits, and
   * there are at most 64 peers. */
  unsigned int open;
  /* The same as `open`, but 0 unless all of MPI_COMM_WORLD is on this node and templates may
   * receive. */
  unsigned int world;
  unsigned int next; /* peer to begin with, for fairness */
  unsigned int unused;
};

struct mpispec_state {
  /* On MPI_COMM_WORLD, templates send only to ranks below fast_size, and receive only from ranks
   * below receive_size. On other communicators, they test only that the number is not 0. While a
   * receive from any source waits, receive_size is 0. */
  unsigned int fast_size;
  unsigned int receive_size;
  unsigned int rank;  /* the calling rank in MPI_COMM_WORLD */
  unsigned int polls; /* upper bound of a template's repeated polls of one cell, or of FIN */
  unsigned int largest_tag;
  /* Set if a template declines after the send has begun. The ordinary call of MPI_Sendrecv or
   * MPI_Sendrecv_replace then only receives, and completes the send. The ordinary call of MPI_Ssend
   * only waits for the match. */
  unsigned int send_issued;
  /* Set by the template of Waitall when it declines: the number of requests at the front of the
   * array that it has completed. It has also filled in their statuses. If the statuses are
   * ignored, the number is 0. */
  unsigned int completed;
  /* The number of tests and probes that may return without progress if they find nothing. 0 while
   * pending operations need progress in each call. Also 0 while the program only polls, because
   * the runtime then spaces the polls (progress/progress.c). */
  unsigned int empty_poll_budget;
  struct mpispec_route world;
  struct mpispec_route *routes;     /* [mpispec_state_routes], communicators used last */
  struct mpispec_type *types;       /* [mpispec_state_types], those used last */
  struct mpispec_receive *receives; /* the free receives, linked by `next` */
  /* The first function completes one request, the second one all complete requests at the front of
   * an array. Both set handles to null, free receives, and fill in the statuses unless the pointer
   * to them is null. Both return the number of completed requests. */
  int (*complete)(mpispec_handle *handle, struct mpispec_status *status);
  unsigned int (*complete_prefix)(unsigned int count, mpispec_handle *handles,
                                  struct mpispec_status *statuses);
  /* Completes a request, or finds that its message has not arrived, and sets the flag. Returns 0 if
   * it can do neither. */
  int (*test)(mpispec_handle *handle, int *flag, struct mpispec_status *status);
  struct mpispec_receive **receive_at; /* [mpispec_state_receives], by index in the handle */
  unsigned long posted;                /* receives that wait for their messages */
  unsigned long made;                  /* requests made or started, except a template's Issend */
  unsigned int *fin;                   /* FIN word of templates' synchronous send: one at a time */
  unsigned long long fin_at;           /* offset of the FIN word in this rank's segment */
  struct mpispec_receive *awaited;     /* request of that send, if it is an Issend */
  long long attached;                  /* bytes of the buffer for buffered sends */
  /* Waits until a member's cell contains the word, as ordinary calls wait. Returns 0 if the cell
   * will never contain the word. */
  int (*await)(const struct mpispec_steps *steps, const struct mpispec_slot_cell *cell,
               unsigned long long word, const char *place);
  /* Functions for long messages with decoded arguments. The arguments are valid, peers and tags are
   * no wildcards, and buffers are contiguous. Each function returns 0 if it has executed the call.
   * Otherwise it returns another number and has changed nothing, with two exceptions. If
   * `exchange` has begun the send before it returns 1, it sets send_issued. If the process of the
   * receiver has ended, a part of the message may have been sent. The ordinary call then also
   * detects that the process has ended, and calls the error handler.
   * docs/contributing/add-a-template.md has a diagram.
   *
   *   send     `request` is null for a blocking send
   *   receive  a message that has arrived; `status` may be null
   *   post     a receive of any length */
  int (*send[mpispec_send_modes])(const void *buffer, long long bytes,
                                  const struct mpispec_route *route, int peer, int tag,
                                  mpispec_handle *request);
  int (*receive)(void *buffer, long long room, const struct mpispec_route *route, int peer, int tag,
                 struct mpispec_status *status);
  int (*post)(void *buffer, long long room, const struct mpispec_route *route, int peer, int tag,
              mpispec_handle *request);
  int (*exchange)(const struct mpispec_exchange *exchange);
  struct mpispec_heads heads;
  /* MPI_REQUEST_NULL. Templates read it if it is an address (Open MPI). */
  unsigned long null_request;
  /* The index in mpispec_status.inside of the word with the number of bytes. */
  unsigned long status_count;
  const char *place; /* "file:line" of a collective call that a template declined, or null */
};

#endif
