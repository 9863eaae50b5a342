/* Joining the node: see node.h for the order of things. Everything here runs once, in MPI_Init and
 * MPI_Finalize, and may use PMPI freely. */
#define _GNU_SOURCE
#include "node.h"

#include "announcement.h"
#include "interposition/next.h"
#include "mpispec/state.h"

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

static int allocate(int size) {
  mpispec_node.segments = calloc((size_t)size, sizeof *mpispec_node.segments);
  mpispec_node.outgoing = aligned_alloc(64, (size_t)size * sizeof *mpispec_node.outgoing);
  mpispec_node.incoming = aligned_alloc(64, (size_t)size * sizeof *mpispec_node.incoming);
  mpispec_node.queued = calloc((size_t)size, sizeof *mpispec_node.queued);
  mpispec_node.addresses = calloc((size_t)size, sizeof *mpispec_node.addresses);
  mpispec_node.world_ranks = calloc((size_t)size, sizeof *mpispec_node.world_ranks);
  if (!mpispec_node.segments || !mpispec_node.outgoing || !mpispec_node.incoming ||
      !mpispec_node.queued || !mpispec_node.addresses || !mpispec_node.world_ranks)
    return 0;
  for (int peer = 0; peer < size; ++peer)
    mpispec_node.queued[peer] = &mpispec_node.incoming[peer].end.queued;
  return mpispec_matching_open(&mpispec_node.matching, size, &mpispec_state.any_posted,
                               mpispec_node.queued);
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
  free(mpispec_node.queued);
  free(mpispec_node.addresses);
  free(mpispec_node.world_ranks);
  mpispec_arena_close(&mpispec_node.arena);
  mpispec_matching_close(&mpispec_node.matching);
  mpispec_state.any_posted = 0;
  if (mpispec_node.file >= 0)
    close(mpispec_node.file);
  memset(&mpispec_node, 0, sizeof mpispec_node);
  mpispec_node.file = -1;
}

/* Is everybody willing, or are we told so where nobody can look? Returns why not, or null. */
static const char *find_unwilling(int everywhere) {
  const int all = mpispec_all_announced(mpispec_node.world_rank, mpispec_node.world_size);
  if (all)
    return NULL;
  mpispec_announcement_withdraw(); /* nobody's answer becomes another */
  if (!mpispec_announcement_is_local())
    return "not every rank has the runtime, or has it switched on";
  return everywhere ? NULL
                    : "not every rank is known to have the runtime, and under this launcher those "
                      "on other machines cannot be asked; MPISPEC_EVERYWHERE=1 says that all have";
}

/* What can be wrong with this rank before it has tried anything. */
static const char *find_obstacle(int library_is_threaded) {
  if (has_accelerator())
    return "an accelerator's library is loaded";
  if (mpispec_node.size < mpispec_node.world_size && !library_is_threaded)
    return "there are other nodes, and the MPI library lets one thread in only"; /* helper.h */
  return mpispec_tool_in_front();
}

/* Every rank hands in its trouble, or null. Returns null if none has any and all were told the same
 * mode. */
static const char *agree(const char *trouble, enum mpispec_mode mode) {
  int mine[] = {!trouble, (int)mode, -(int)mode}, least[3];
  PMPI_Allreduce(mine, least, 3, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (trouble)
    return trouble;
  if (!least[0])
    return "another rank cannot take part";
  return least[1] == -least[2] ? NULL : "MPISPEC_MODE is not the same on all ranks";
}

const char *mpispec_node_join(const struct mpispec_environment *environment,
                              int library_is_threaded) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &mpispec_node.world_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &mpispec_node.world_size);
  const char *trouble = find_unwilling(environment->everywhere);
  if (trouble)
    return trouble;
  MPI_Comm node;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  PMPI_Comm_rank(node, &mpispec_node.rank);
  PMPI_Comm_size(node, &mpispec_node.size);
  trouble = find_obstacle(library_is_threaded);
  const char *map_trouble = map_segments(node);
  trouble = agree(trouble ? trouble : map_trouble, environment->mode);
  mpispec_announcement_withdraw(); /* all have seen it */
  if (!trouble) {
    open_lanes();
    list_members(node);
  } else {
    release();
  }
  PMPI_Comm_free(&node);
  return trouble;
}

void mpispec_node_leave(void) { release(); }
