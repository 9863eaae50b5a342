/* Joining the node: see node.h for the order of things. Everything here runs once, in MPI_Init and
 * MPI_Finalize, and may use PMPI freely. */
#define _GNU_SOURCE
#include "node.h"

#include "announcement.h"
#include "environment.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mpispec_node mpispec_node = {.file = -1};

void mpispec_node_announce(void) { mpispec_announce(); }

/* Memory of an accelerator must not be copied by the processor, and we cannot tell it apart. */
static int has_accelerator(void) {
  static const char *const names[] = {"cuPointerGetAttribute", "hipPointerGetAttributes",
                                      "zeMemGetAllocProperties"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (dlsym(RTLD_DEFAULT, names[i]))
      return 1;
  return 0;
}

/* Does a library's call to MPI reach us, or a tool that was preloaded, or MPI itself? Then a
 * message could be sent on one road and awaited on another. */
static int is_reached(void) {
  void *found = dlsym(RTLD_DEFAULT, "MPI_Recv");
  return found == (void *)MPI_Recv;
}

static int allocate(int size) {
  mpispec_node.segments = calloc((size_t)size, sizeof *mpispec_node.segments);
  mpispec_node.outgoing = calloc((size_t)size, sizeof *mpispec_node.outgoing);
  mpispec_node.incoming = calloc((size_t)size, sizeof *mpispec_node.incoming);
  mpispec_node.addresses = calloc((size_t)size, sizeof *mpispec_node.addresses);
  mpispec_node.world_ranks = calloc((size_t)size, sizeof *mpispec_node.world_ranks);
  return mpispec_node.segments && mpispec_node.outgoing && mpispec_node.incoming &&
         mpispec_node.addresses && mpispec_node.world_ranks &&
         mpispec_matching_open(&mpispec_node.matching, size);
}

/* Maps our own segment and, through MPI, all others. Returns why it failed, or null. */
static const char *map_segments(MPI_Comm node) {
  const char *trouble = NULL;
  const int size = mpispec_node.size, rank = mpispec_node.rank;
  struct mpispec_segment_address own = {0};
  if (size > MPISPEC_MAXIMUM_PEERS || !allocate(size))
    trouble = "no memory for so many ranks on a node";
  if (!trouble) {
    mpispec_node.segments[rank] = mpispec_segment_create(size, &mpispec_node.file, &own);
    if (!mpispec_node.segments[rank])
      trouble = "no shared memory segment could be made";
  }
  /* Everyone takes part, in trouble or not; a segment that failed has address 0. */
  struct mpispec_segment_address *all = malloc((size_t)size * sizeof *all);
  if (!all)
    return "out of memory";
  PMPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, node);
  for (int peer = 0; peer < size && !trouble; ++peer) {
    if (peer == rank)
      continue;
    if (!all[peer].process)
      trouble = "a peer has no shared memory segment";
    else if (!(mpispec_node.segments[peer] = mpispec_segment_attach(size, &all[peer])))
      trouble = "a peer's shared memory segment cannot be mapped";
  }
  if (mpispec_node.addresses)
    memcpy(mpispec_node.addresses, all, (size_t)size * sizeof *all);
  free(all);
  return trouble;
}

static void open_lanes(void) {
  const int size = mpispec_node.size, rank = mpispec_node.rank;
  unsigned char *own = mpispec_node.segments[rank];
  mpispec_arena_open(&mpispec_node.arena, own, mpispec_segment_arena(size),
                     mpispec_segment_bytes(size), mpispec_node.file);
  for (int peer = 0; peer < size; ++peer) {
    unsigned char *theirs = mpispec_node.segments[peer];
    mpispec_outgoing_open(&mpispec_node.outgoing[peer], mpispec_segment_home(theirs, size, rank),
                          mpispec_segment_credit(theirs, rank), &mpispec_node.arena);
    mpispec_incoming_open(&mpispec_node.incoming[peer], mpispec_segment_home(own, size, peer),
                          mpispec_segment_credit(own, peer), theirs);
  }
  mpispec_node.can_read = 1;
}

static void list_members(MPI_Comm node) {
  PMPI_Allgather(&mpispec_node.world_rank, 1, MPI_INT, mpispec_node.world_ranks, 1, MPI_INT, node);
}

static void release(void) {
  for (int peer = 0; mpispec_node.segments && peer < mpispec_node.size; ++peer)
    if (mpispec_node.segments[peer])
      mpispec_segment_detach(mpispec_node.segments[peer], mpispec_node.size);
  free(mpispec_node.segments);
  free(mpispec_node.outgoing);
  free(mpispec_node.incoming);
  free(mpispec_node.addresses);
  free(mpispec_node.world_ranks);
  mpispec_arena_close(&mpispec_node.arena);
  mpispec_matching_close(&mpispec_node.matching);
  if (mpispec_node.file >= 0)
    close(mpispec_node.file);
  memset(&mpispec_node, 0, sizeof mpispec_node);
  mpispec_node.file = -1;
}

static int agree(int well) {
  int all_well;
  PMPI_Allreduce(&well, &all_well, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all_well;
}

const char *mpispec_node_join(void) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &mpispec_node.world_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &mpispec_node.world_size);
  if (!mpispec_all_announced(mpispec_node.world_size))
    return "not every rank has the runtime, or has it switched on";
  const char *trouble = NULL;
  if (has_accelerator())
    trouble = "an accelerator's library is loaded";
  else if (!is_reached())
    trouble = "another tool or a static link stands between libraries and the runtime";
  MPI_Comm node;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  PMPI_Comm_rank(node, &mpispec_node.rank);
  PMPI_Comm_size(node, &mpispec_node.size);
  const char *map_trouble = map_segments(node);
  trouble = trouble ? trouble : map_trouble;
  const int well = agree(!trouble);
  mpispec_announcement_withdraw();
  if (well) {
    open_lanes();
    list_members(node);
  } else {
    release();
  }
  PMPI_Comm_free(&node);
  return well ? NULL : trouble ? trouble : "another rank cannot take part";
}

void mpispec_node_leave(void) {
  mpispec_announcement_withdraw();
  release();
}
