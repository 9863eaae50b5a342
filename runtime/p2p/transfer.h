/* Transfers: how the bytes of a message get from a send to the receive it was matched with.
 *
 *   up to 1 KiB    inline    in the cells of the lane
 *   up to 64 KiB   block     in a block of an arena; the receiver copies out, frees or keeps it
 *   (where the sender waits 256 KiB, or 1 MiB if it has received since it sent the last such; 4 MiB
 *   where it does not wait and they must be packed)
 *   beyond         long      the sender offers its buffer, the receiver pulls (rendezvous.c)
 *
 * A standard send is over when its bytes are in the lane or the arena; the receive needs nothing of
 * the sender then. Synchronous sends end when the receiver has signed their handshake: small ones
 * travel inline with the handshake's place in the first cell, others are long. A buffered send that
 * is long offers a private copy. When the arena is full, blocks give way to long.
 *
 *   send.c       the sending side          block.c       blocks, and how they circulate
 *   receive.c    receives, delivery        rendezvous.c  handshakes, pipes
 *   cma.c        reading another's memory  copy.c        copies to memory that is in no cache
 *   progress.c   everything once round     network.c     receives that other nodes may satisfy
 *
 * All functions here are called with the lock held. */
#ifndef MPISPEC_RUNTIME_TRANSFER_H
#define MPISPEC_RUNTIME_TRANSFER_H

#include "job/node.h"
#include "p2p/request.h"

enum {
  MPISPEC_INLINE_BYTES = 1024,
  MPISPEC_BLOCK_BYTES = 64 * 1024,
  MPISPEC_BIG_BLOCK_BYTES = 256 * 1024,        /* for a sender that waits, */
  MPISPEC_TURN_BLOCK_BYTES = 1024 * 1024,      /* also having received since it sent the last */
  MPISPEC_PACKED_BLOCK_BYTES = 4 * 1024 * 1024 /* of a typemap, for one that does not */
};

/* Where received bytes go: side by side, or where a typemap says. */
struct mpispec_target {
  unsigned char *bytes;
  struct mpispec_cursor *cursor; /* or null */
};

/* The next `length` bytes. */
void mpispec_target_put(struct mpispec_target *target, const void *bytes, int64_t length);

/* --- send.c ------------------------------------------------------------------------------------*/

/* Room for one cell in the lane to a rank of this node, which need not have been used before.
 * Returns 0 if there is none. */
int mpispec_send_makes_room(int peer);

/* Starts a send to a rank of this node. Returns the request that is to complete, or null if the
 * send is over already. */
struct mpispec_request *mpispec_send_start(const struct mpispec_call *call, int peer);

/* The same for a request that exists: a persistent one. It may be complete on return. */
void mpispec_send_restart(struct mpispec_request *request, int peer);

/* One cell that says where the bytes of a BLOCK or a LONG are. */
void mpispec_send_words(const struct mpispec_call *call, int peer, enum mpispec_kind kind,
                        const uint64_t words[2]);

/* Writes call->bytes bytes, packed. */
void mpispec_send_pack(const struct mpispec_call *call, void *bytes);

/* --- block.c -----------------------------------------------------------------------------------*/

/* Returns 0 if the message is not for a block, or there is none to spare. */
int mpispec_block_send(const struct mpispec_call *call, int peer);

/* Copies `length` bytes of the `sent` ones of a BLOCK from `peer`, `words` of its first cell. */
void mpispec_block_receive(struct mpispec_target *target, int64_t length, int64_t sent, int peer,
                           const uint64_t words[2]);

/* --- receive.c ---------------------------------------------------------------------------------*/

/* Starts request->call, a receive from a rank of this node or from any source. */
void mpispec_receive_start(struct mpispec_request *request);

/* Receives without a request, if the message is next in its lane after so many looks, at least 1,
 * and needs nothing but to be copied. Returns 0 if not, having changed nothing. */
int mpispec_receive_now(const struct mpispec_call *call, unsigned looks,
                        struct mpispec_result *result);

/* Gives a message that was taken off the unexpected queue to a receive; the message is freed. */
void mpispec_receive_message(struct mpispec_request *request, struct mpispec_message *message);

/* Moves what has come from `peer` to receives that fit. With `all`, the rest goes to the unexpected
 * queue; else it stays in the lane as soon as nobody listens. */
void mpispec_receive_drain(int peer, int all);

/* The sender's rank in the communicator of a message that came from `peer`. */
int mpispec_receive_source(uint64_t key, uint64_t header, int peer);

/* The pattern of a receive or probe on an adopted communicator. */
struct mpispec_posted mpispec_receive_pattern(const struct mpispec_communicator *communicator,
                                              int peer, int tag);

/* --- copy.c ------------------------------------------------------------------------------------*/

/* Is so much memory, which may be written, in a cache of this core? A guess. */
int mpispec_copy_is_cached(unsigned char *memory, int64_t length);

/* memcpy for memory that is not: by vector instructions, for which the processor fetches what they
 * will write. Where it copies a string (memcpy) it does not: one-way messages of 1 and 4 MiB then
 * take twice as long (EPYC 9005). Where the memory is in a cache, memcpy is 5 to 20 % faster. */
void mpispec_copy_to_memory(void *to, const void *from, int64_t length);

/* --- rendezvous.c ------------------------------------------------------------------------------*/

/* Sender: makes a handshake for `request`, and lists it until the receiver signs. Returns the
 * handshake's offset, or 0 when the arena is full. */
uint64_t mpispec_long_offer(struct mpispec_request *request);

/* From now on the program waits for this operation until it is over. */
void mpispec_long_attend(struct mpispec_request *request);

/* Receiver: pulls `wanted` bytes from the offer at `handshake`, buffer at `address` of `peer`, to
 * the request's cursor if it has a typemap, else to its staging or buffer. The request completes
 * now, or through a pipe later. */
void mpispec_long_pull(struct mpispec_request *request, int64_t wanted, int peer,
                       uint64_t handshake, uint64_t address);

/* Receiver: tells the sender that the message was matched and all of it read. */
void mpispec_long_sign(int peer, uint64_t handshake);

/* Looks at all offers and pipes once. */
void mpispec_long_progress(void);

/* Offers not yet signed. While there are any, this process must not leave. */
int mpispec_long_offers(void);
int mpispec_long_is_idle(void);

/* Bytes that went through pipes, in either direction, since MPI_Init. */
uint64_t mpispec_long_moved(void);

/* --- cma.c -------------------------------------------------------------------------------------*/

/* Reads `wanted` bytes at `address` of another rank. Return 0 if the system does not let us, with
 * the cursor where it was: then all bytes must come in another way. */
int mpispec_direct_read(void *target, int64_t wanted, int peer, uint64_t address);
int mpispec_direct_unpack(struct mpispec_cursor *cursor, int64_t wanted, int peer,
                          uint64_t address);

/* --- network.c ---------------------------------------------------------------------------------*/

/* Lists a receive that a message from another node may satisfy: one from any source, or one that
 * would overtake such a one. */
void mpispec_network_list(struct mpispec_request *request);
void mpispec_network_remove(struct mpispec_request *request);
int mpispec_network_is_listed(const struct mpispec_communicator *communicator, int source, int tag);
void mpispec_network_progress(void);

/* Takes a message from another node out of the library, past all listed receives. */
void mpispec_network_probe(const struct mpispec_communicator *communicator, int source, int tag,
                           int *found, MPI_Message *message, MPI_Status *status);
int mpispec_network_is_idle(void);

/* --- progress.c --------------------------------------------------------------------------------*/

/* Once, at Init and Finalize. */
void mpispec_progress_open(void);
void mpispec_progress_close(void);

void mpispec_progress(void);

/* What the helper thread may do: all but call the MPI library. */
void mpispec_progress_lanes(void);

/* Nonzero if others may need our progress while we are away in the MPI library. Where there are
 * several threads, another may start something meanwhile. */
int mpispec_progress_is_needed(void);

/* Do ranks outnumber cores on this machine? Then who waits soon gives its core away. */
int mpispec_progress_is_crowded(void);

/* How often a call looks at an empty lane before it waits in earnest. */
unsigned mpispec_progress_looks(void);

/* Between two looks of a waiting call: lets the core, the lock and the MPI library have their turn.
 * `round` counts from 0. */
void mpispec_progress_relax(unsigned round);

/* After a look that found nothing, in a call that does not wait: now and then, yields. */
void mpispec_progress_idle(void);

/* In a receive that found its message at once. Templates make no progress, but every 64th message
 * of a lane comes to the runtime for a credit: so a program whose receives never wait makes some.
 */
void mpispec_progress_in_passing(void);

/* Ends the program, with a word: for memory that the runtime cannot do without. */
void *mpispec_must_have(void *memory);

#endif
