/* The state: all that a template function tests before it takes its inline path. Runtime and
 * templates meet here and nowhere else.
 *
 * The runtime defines it (runtime/init.c), and every rewritten object defines it again, weakly,
 * with the same first two members and the rest zero: so a specialised object links and runs
 * correctly without the runtime. fast_size is 0 until all is ready and whenever something is not,
 * so that one unsigned comparison `peer < fast_size` covers not initialised, switched off, out of
 * range, MPI_PROC_NULL and wildcards.
 *
 * No member is padded, so that no packing option of a compiler moves one. */
#ifndef MPISPEC_STATE_H
#define MPISPEC_STATE_H

#include "handle.h"
#include "lane.h"

enum {
  mpispec_state_version = 7, /* also in the symbol's name below */
  mpispec_state_routes = 8,
  mpispec_state_receipts = 256,
  mpispec_world_context = 1 /* context id of MPI_COMM_WORLD, in every job */
};

/* What a template is told for a communicator that is proven to be MPI_COMM_WORLD. No handle has
 * these bits: one that is an int repeats its sign in the upper half, one that is an address is
 * even.
 */
static const unsigned long mpispec_comm_world __attribute__((__unused__)) = ~0ul / 3;

struct mpispec_steps; /* slot.h */
struct mpispec_slot_cell;

/* How to reach the members of a communicator. A member without a lane has ends that are shut. */
struct mpispec_route {
  unsigned long comm;              /* the handle's bits */
  unsigned long size;              /* members; 0 for no communicator */
  unsigned long long key;          /* context id of envelopes, in place; the tag is to be or-ed */
  unsigned long long header;       /* our rank as a header's source, in place */
  struct mpispec_writer **writers; /* [size] */
  struct mpispec_reader **readers; /* [size] */
  struct mpispec_steps *steps;     /* of collective operations, or null: the ordinary calls know */
  unsigned long unused;            /* so that a place in an array is found by a shift */
};

struct mpispec_state {
  unsigned int size;         /* bytes of this struct where it was compiled */
  unsigned int version;      /* mpispec_state_version where it was compiled */
  unsigned int fast_size;    /* ranks of MPI_COMM_WORLD that a template may send to, */
  unsigned int receive_size; /* and receive from: 0 while a receive from any source waits */
  unsigned int rank;         /* our own in MPI_COMM_WORLD */
  unsigned int looks;        /* at an empty lane before the runtime waits instead */
  unsigned int largest_tag;
  unsigned int
      half_done; /* set by a template that declines after its first half: the message of a
                    Sendrecv is on its way, or that of an Ssend, which now awaits a match */
  struct mpispec_route world;
  struct mpispec_route *routes;     /* [mpispec_state_routes], communicators used last */
  struct mpispec_receipt *receipts; /* free ones */
  struct mpispec_receipt **known;   /* [mpispec_state_receipts] those of the first handles */
  unsigned int *handshake;          /* of the one synchronous send that templates can have */
  unsigned long long handshake_at;  /* under way; and where in our segment it is */
  struct mpispec_receipt *awaited;  /* its request, if it is an Issend */
  long long attached;               /* bytes of the buffer for buffered sends */
  /* Waits, as the runtime does, until a member's cell shows the word. Returns 0 if it never will.
   */
  int (*await)(const struct mpispec_steps *steps, const struct mpispec_slot_cell *cell,
               unsigned long long word, const char *place);
  const char *place; /* "file:line" of a collective call that a template declined, or null */
};

/* The symbol has the version in its name: an object that was made for another one, and its
 * templates lay the state out otherwise, refers to a state of its own, in which fast_size stays 0.
 */
extern struct mpispec_state mpispec_state __asm__("mpispec_state_7");

/* Takes a receipt that was filled in; returns the handle of its request. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_receipt_take(struct mpispec_receipt *receipt) {
  mpispec_state.receipts = receipt->next;
  receipt->use = mpispec_receipt_over;
  return receipt->handle;
}

/* The place of a communicator among the routes. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long
    mpispec_route_place(unsigned long comm) {
  return (comm ^ comm >> 6) % mpispec_state_routes;
}

/* The bits that envelopes and headers of a route have in common: constants on MPI_COMM_WORLD. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_route_key(const struct mpispec_route *route, unsigned long comm) {
  return comm == mpispec_comm_world ? (unsigned long long)mpispec_world_context << 32 : route->key;
}

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_route_header(const struct mpispec_route *route, unsigned long comm) {
  return comm == mpispec_comm_world ? 0 : route->header;
}

#endif
