/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The segment: the shared memory of one rank, its owner, mapped by every rank of its node. Offsets
 * are in bytes from the header; "4096 *" and "2 MiB *" are the next multiples.
 *
 *   < 0      homes     one home ring of cells per peer: messages from this peer to the owner
 *            reserved  for collective operations: data that the owner shows to other ranks
 *   2 MiB *
 *   0        header    identifies the segment: the build's identity, the size, a random number
 *            active    one bit for each rank of the node that has ever sent to the owner
 *            FIN of the synchronous send that a template of the owner executes (mpispec/ssend.h,
 *                      mpispec/issend.h)
 *            for node  data that the node's first rank has read for all of them, in MPI_Init
 *            processors on which the owner may run (progress/processors.h)
 *            doorbell  on which threads of the owner sleep (progress/doorbell.h)
 *   4096     credits   one line per peer: the cells that the owner has read from this peer (lane.h)
 *   4096 *   first     the first reserved part, for collective operations of MPI_COMM_WORLD
 *   4096 *   arena     blocks that the owner lends to the receivers of its messages (arena.h)
 *
 * One page of a page table maps 2 MiB. All ranks read the header, and most use the first reserved
 * part and the first blocks of the arena. Therefore these lie together. The segment is mapped at a
 * multiple of 2 MiB if the address space has enough room. A rank needs only one home ring of each
 * peer's segment. It maps these rings once more, side by side. Therefore ranks need hardly more
 * than one page of a page table for a peer.
 *
 * Each rank maps the segments of all ranks of its node. Therefore arenas are smaller where there
 * are many ranks, or where the system limits the address space of a process. All arenas have one
 * size: the largest that every rank can have.
 *
 * A segment is a file without a name (memfd). Therefore no file stays behind, however the job ends.
 * During MPI_Init, peers open the file through /proc/<pid>/fd, which the system allows to the same
 * user only. Between process namespaces the owner sends its descriptor (passing.h). Afterwards all
 * descriptors of the file are closed, so that no other process can open it.
 *
 * When a peer opens the file, the process number or the descriptor may have been given to another
 * process or file. The owner may also run on another machine. Therefore a peer tests the file's
 * name, user, size and seals, and the random number in its header. The seals keep the file from
 * shrinking while it is mapped.
 *
 * Untouched pages take no memory. MPI_Init makes the system map header and credits at once, and the
 * homes unless there are many peers. If the system may refuse memory later (overcommit mode 2),
 * MPI_Init makes it map everything before the arena. */
#ifndef MPISPEC_RUNTIME_SEGMENT_H
#define MPISPEC_RUNTIME_SEGMENT_H

#include "progress/doorbell.h"
#include "progress/processors.h"
#include "progress/tuning.h"
#include "shm/distance.h"
#include "shm/lane.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MPISPEC_MAXIMUM_PEERS = 4096, MPISPEC_PEER_WORDS = MPISPEC_MAXIMUM_PEERS / 64 };

enum { MPISPEC_NODE_BYTES = 2048 };

struct mpispec_segment_header {
  uint64_t magic; /* MPISPEC_IDENTITY of the build */
  uint64_t bytes; /* size of the file */
  uint64_t random;
  _Alignas(64) _Atomic uint64_t active_peers[MPISPEC_PEER_WORDS];
  _Alignas(64) unsigned fin;      /* for the synchronous send of a template of the owner */
  int numa_node;                  /* the owner's (numa.h) */
  _Atomic int is_finalizing;      /* the owner sends no more messages (p2p/pending.h) */
  _Atomic uint32_t asks_for_room; /* not 0 while the owner lacks memory for messages (p2p/room.h) */
  uint64_t written;               /* peers write `random` here to test whether they may (cma.h) */
  struct mpispec_location location; /* the owner's */
  /* In the segment of the node's first rank: data that this rank has read for all ranks of the
   * node. It writes them before mpispec_node_agree; the others read them afterwards (p2p/way.h). */
  _Alignas(64) unsigned char for_node[MPISPEC_NODE_BYTES];
  _Alignas(64) struct mpispec_processors processors; /* on which the owner may run */
  /* In the segment of the node's first rank, like `for_node`: the decisions of that rank. */
  _Alignas(64) int is_oversubscribed;
  int uses_doorbells;
  struct mpispec_doorbell doorbell;
};
static_assert((int)MPISPEC_MAXIMUM_PEERS <= MPISPEC_MOST_DOORBELLS, "a bit for each");
static_assert(sizeof(struct mpispec_segment_header) <= 4096, "the header is the first page");

/* The data with which other ranks map the segment of a rank. */
struct mpispec_segment_address {
  int64_t process;
  int64_t file;
  uint64_t
      bytes; /* size of that file: the segment with the largest arena that the owner can have */
  uint64_t random;
  uint64_t base;  /* the segment's address in that process */
  uint64_t start; /* when that process began (liveness.h) */
  uint64_t process_namespace, socket_namespace, directory; /* passing.h */
};

/* The offset of the arena, and of its end in a segment of `bytes` bytes. */
uint64_t mpispec_segment_arena(int peers);
uint64_t mpispec_segment_end(int peers, uint64_t bytes);

/* The size of a segment whose arena has at least `arena` bytes. */
uint64_t mpispec_segment_bytes(int peers, uint64_t arena);

static inline struct mpispec_credit *mpispec_segment_credit(unsigned char *segment, int peer) {
  return (struct mpispec_credit *)(segment + 4096) + peer;
}
/* The address of byte `offset` of the reserved part. The first reserved part is contiguous, and the
 * rest is contiguous, too. */
unsigned char *mpispec_segment_reserved(unsigned char *segment, int peers, uint64_t offset);

/* The home ring for messages from `peer`. */
struct mpispec_cell *mpispec_segment_home(unsigned char *segment, int peers, int peer);

/* Sets the size of the reserved part in every segment, and of its first part, in bytes. Called
 * once, before the other functions. */
void mpispec_segment_reserve(uint64_t first, uint64_t bytes);

/* Makes and maps this rank's own segment. Returns null with errno set if that fails. The descriptor
 * `file` must stay open until all peers have attached. */
unsigned char *mpispec_segment_create(int peers, int *file,
                                      struct mpispec_segment_address *address);

/* A place at which a peer's home ring for messages from `rank` is mapped once more. */
struct mpispec_home_place {
  int rank;
  unsigned char *place;
};

/* Reserves address space for one home ring of each peer. Returns null if there is none. */
unsigned char *mpispec_homes_reserve(int peers);
unsigned char *mpispec_homes_at(unsigned char *room, int peer);
void mpispec_homes_release(unsigned char *room, int peers);

/* Maps a peer's segment without the bytes of its file beyond `bytes`, and its home ring to `home`
 * unless that is null. Returns the address of the header. Returns null with errno set if the
 * segment cannot be opened or mapped, or if a test of its file or header fails. */
unsigned char *mpispec_segment_attach(int peers, uint64_t bytes,
                                      const struct mpispec_segment_address *address,
                                      const struct mpispec_home_place *home);

/* Like mpispec_segment_attach, for a peer that has sent the descriptor of its file. The function
 * closes the descriptor. */
unsigned char *mpispec_segment_map(int peers, uint64_t bytes,
                                   const struct mpispec_segment_address *address, int file,
                                   const struct mpispec_home_place *home);

/* Whether the system lets this rank read the memory of the segment's owner. The function compares
 * the random number, because another process may have the owner's number by now. */
int mpispec_segment_owner_is_readable(const struct mpispec_segment_address *address);

/* Whether the system lets this rank write the memory of the segment's owner. Called after the
 * function above has returned nonzero, while the owner still has its segment mapped. */
int mpispec_segment_owner_is_writable(const struct mpispec_segment_address *address);

/* Shortens the mapping of a segment from `from` bytes to `to` bytes. */
void mpispec_segment_shorten(unsigned char *segment, int peers, uint64_t from, uint64_t to);

/* Unmaps a segment of which `bytes` are mapped. */
void mpispec_segment_detach(unsigned char *segment, int peers, uint64_t bytes);

#endif
