/* The segment: the shared memory of one rank, mapped by every rank of its node.
 *
 *   0        header    what makes it ours: the build's identity, the size, a number drawn at random
 *            active    one bit per node rank that has ever sent to us (active_peers)
 *            handshake of the Ssend that a template has under way (mpispec/ssend.h)
 *            for node  what the node's first rank has read for all of them, at Init
 *            processors that its owner may run on (progress/processors.h)
 *            doorbell  on which its owner sleeps (progress/doorbell.h)
 *   4096     credits   one line per peer: read by us, for that peer to see (lane.h)
 *            homes     one ring of cells per peer: the messages from that peer to us
 *   4096 *   reserved  for another room of the runtime: what we show in collective operations
 *   2 MiB *  arena     blocks that we lend to our receivers (arena.h)
 *
 * It is a file without a name (memfd), so nothing can be left behind whatever ends the job. While
 * MPI_Init lasts, peers open it through /proc/<pid>/fd, which the system allows to the same user
 * alone; then its descriptors are closed, and nobody can find it any more. A process number or a
 * descriptor may be somebody else's by then, or on another machine: what is opened must be a memfd
 * of ours by name, owner, size and seals (a sealed one cannot shrink under our feet), and hold the
 * number that its owner drew at random.
 *
 * Untouched pages take no memory. Header and credits are asked of the system at once, homes too
 * unless there are many peers, and what is reserved where the system might refuse them later. */
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
  uint64_t bytes; /* of the whole segment: pins the layout for this number of peers */
  uint64_t random;
  _Alignas(64) _Atomic uint64_t active_peers[MPISPEC_PEER_WORDS];
  _Alignas(64) unsigned handshake;  /* of the Ssend that a template has under way */
  int numa_node;                    /* of its owner, as numa.h has it */
  uint64_t written;                 /* `random`, by peers that try whether they may write (cma.h) */
  struct mpispec_location location; /* of its owner */
  /* In the segment of the node's first rank: what that rank has read for all ranks of the node,
   * written before mpispec_node_agree and read after it (p2p/way.h). */
  _Alignas(64) unsigned char for_node[MPISPEC_NODE_BYTES];
  _Alignas(64) struct mpispec_processors processors; /* that its owner may run on */
  /* In the segment of the node's first rank, like `for_node`: what that rank has found. */
  _Alignas(64) int is_oversubscribed;
  int uses_doorbells;
  struct mpispec_doorbell doorbell;
};
static_assert(MPISPEC_MAXIMUM_PEERS <= MPISPEC_MOST_DOORBELLS, "a bit for each");
static_assert(sizeof(struct mpispec_segment_header) <= 4096, "the header is the first page");

/* What a rank tells the others so that they can map its segment. */
struct mpispec_segment_address {
  int64_t process;
  int64_t file;
  uint64_t random;
  uint64_t base; /* where it is mapped in that process */
};

uint64_t mpispec_segment_bytes(int peers);
uint64_t mpispec_segment_arena(int peers); /* offset of the arena */

static inline struct mpispec_credit *mpispec_segment_credit(unsigned char *segment, int peer) {
  return (struct mpispec_credit *)(segment + 4096) + peer;
}
/* Offset of the home ring of a peer, or with peer == peers of what follows the last one. */
static inline uint64_t mpispec_segment_home_offset(int peers, int peer) {
  const uint64_t credits = ((uint64_t)peers * sizeof(struct mpispec_credit) + 4095) / 4096 * 4096;
  return 4096 + credits + (uint64_t)peer * MPISPEC_HOME_CELLS * MPISPEC_CELL_BYTES;
}
static inline struct mpispec_cell *mpispec_segment_home(unsigned char *segment, int peers,
                                                        int peer) {
  return (struct mpispec_cell *)(segment + mpispec_segment_home_offset(peers, peer));
}

/* Once, before anything else: bytes that every segment has for another room of the runtime. */
void mpispec_segment_reserve(uint64_t bytes);

/* Where these begin. */
static inline uint64_t mpispec_segment_reserved(int peers) {
  return mpispec_segment_home_offset(peers, peers);
}

/* Makes our own segment and maps it; null with errno set if that fails. `file` must stay open until
 * all peers have attached. */
unsigned char *mpispec_segment_create(int peers, int *file,
                                      struct mpispec_segment_address *address);

/* Maps a peer's segment; null with errno set if it cannot be opened or is not what it should be. */
unsigned char *mpispec_segment_attach(int peers, const struct mpispec_segment_address *address);

/* Does the system let us read, or write, the memory of the process that owns this segment? And is
 * that process still the one that has told this address? */
int mpispec_segment_owner_is_readable(const struct mpispec_segment_address *address);
int mpispec_segment_owner_is_writable(const struct mpispec_segment_address *address);

void mpispec_segment_detach(unsigned char *segment, int peers);

#endif
