/* Joining the node: see node.h for the order of things. Everything here runs once, in MPI_Init and
 * MPI_Finalize, and may use PMPI freely. */
#define _GNU_SOURCE
#include "job/node.h"

#include "interposition/library/next.h"
#include "job/accelerator.h"
#include "job/announcement.h"
#include "job/launcher.h"
#include "job/patience.h"
#include "mpispec/state.h"
#include "p2p/transfer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mpispec_node mpispec_node;

void mpispec_node_announce(void) { mpispec_announce(); }

/* A template may take a message out of its lane if there is nothing that comes before. */
static void shut_to_templates(int peer, int is_queued) {
  if (peer == MPISPEC_ANY_PEER)
    mpispec_state.receive_size = is_queued ? 0 : mpispec_state.fast_size;
  else
    mpispec_lane_shut(&mpispec_node.incoming[peer], is_queued);
}

void mpispec_node_show_lanes(unsigned world_size) {
  const int is_open = mpispec_node.size && !mpispec_matching_awaits_any(&mpispec_node.matching);
  mpispec_state.fast_size = world_size;
  mpispec_state.receive_size = is_open ? world_size : 0;
}

static int allocate(int size) {
  mpispec_node.segments = calloc((size_t)size, sizeof *mpispec_node.segments);
  mpispec_node.outgoing = aligned_alloc(64, (size_t)size * sizeof *mpispec_node.outgoing);
  mpispec_node.incoming = aligned_alloc(64, (size_t)size * sizeof *mpispec_node.incoming);
  mpispec_node.addresses = calloc((size_t)size, sizeof *mpispec_node.addresses);
  mpispec_node.world_ranks = calloc((size_t)size, sizeof *mpispec_node.world_ranks);
  if (!mpispec_node.segments || !mpispec_node.outgoing || !mpispec_node.incoming ||
      !mpispec_node.addresses || !mpispec_node.world_ranks)
    return 0;
  return mpispec_matching_open(&mpispec_node.matching, size, shut_to_templates);
}

/* What went wrong, with the system's word for it. */
static const char *tell(const char *what) {
  static char text[128];
  snprintf(text, sizeof text, "%s (%s)", what, strerror(errno));
  return text;
}

/* Everybody's place in everybody's memory; zeros for a rank that has no segment. */
static const char *map_peers(void) {
  for (int peer = 0; peer < mpispec_node.size; ++peer) {
    const struct mpispec_segment_address *address = &mpispec_node.addresses[peer];
    if (peer == mpispec_node.rank)
      continue;
    if (!address->process)
      return "another rank cannot take part";
    mpispec_node.segments[peer] = mpispec_segment_attach(mpispec_node.size, address);
    if (!mpispec_node.segments[peer])
      return tell("a peer's shared memory segment cannot be mapped");
  }
  return NULL;
}

/* Makes our own segment (its descriptor is `*file`, or -1) and maps all others. Returns why it
 * failed, or null; all ranks of the node take part, in trouble or not. */
static const char *map_segments(MPI_Comm node, const char *trouble, int *file) {
  const int size = mpispec_node.size, rank = mpispec_node.rank;
  struct mpispec_segment_address own = {0};
  if (!allocate(size))
    mpispec_must_have(NULL);
  if (!trouble && size > MPISPEC_MAXIMUM_PEERS)
    trouble = "there are too many ranks on a node";
  if (!trouble) {
    mpispec_node.segments[rank] = mpispec_segment_create(size, file, &own);
    if (!mpispec_node.segments[rank])
      trouble = tell("no shared memory segment could be made");
  }
  mpispec_patient_allgather(&own, sizeof own, mpispec_node.addresses, node);
  const char *peer_trouble = trouble ? NULL : map_peers();
  return trouble ? trouble : peer_trouble;
}

static void open_lanes(void) {
  const int size = mpispec_node.size, rank = mpispec_node.rank;
  unsigned char *own = mpispec_node.segments[rank];
  mpispec_arena_open(&mpispec_node.arena, own, mpispec_segment_arena(size),
                     mpispec_segment_bytes(size));
  if (size <= MPISPEC_FEW_PEERS)
    mpispec_arena_warm(&mpispec_node.arena);
  for (int peer = 0; peer < size; ++peer) {
    unsigned char *theirs = mpispec_node.segments[peer];
    mpispec_outgoing_open(&mpispec_node.outgoing[peer], mpispec_segment_home(theirs, size, rank),
                          mpispec_segment_credit(theirs, rank), &mpispec_node.incoming[peer].end,
                          &mpispec_node.arena);
    mpispec_incoming_open(&mpispec_node.incoming[peer], mpispec_segment_home(own, size, peer),
                          mpispec_segment_credit(own, peer), theirs);
  }
  /* One neighbour stands for all: it is a matter of policy. */
  mpispec_node.can_read =
      size == 1 || mpispec_segment_owner_is_readable(&mpispec_node.addresses[(rank + 1) % size]);
}

static void list_members(MPI_Comm node) {
  mpispec_patient_allgather(&mpispec_node.world_rank, sizeof(int), mpispec_node.world_ranks, node);
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
  memset(&mpispec_node, 0, sizeof mpispec_node);
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
  if (mpispec_accelerator())
    return mpispec_accelerator();
  if (mpispec_node.size < mpispec_node.world_size && !library_is_threaded)
    return "there are other nodes, and the MPI library lets one thread in only"; /* helper.h */
  return mpispec_tool_in_front();
}

/* Every rank hands in its trouble, or null. Returns null if none has any and all were told the same
 * settings. */
static const char *agree(const char *trouble, const struct mpispec_environment *environment) {
  const int mode = (int)environment->mode, order = environment->in_rank_order;
  int mine[] = {!trouble, mode, -mode, order, -order}, least[5];
  mpispec_patient_allreduce(mine, least, 5, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (trouble)
    return trouble;
  if (!least[0])
    return "another rank cannot take part";
  if (least[1] != -least[2])
    return "MPISPEC_MODE is not the same on all ranks";
  return least[3] == -least[4] ? NULL : "MPISPEC_REDUCTIONS is not the same on all ranks";
}

/* The ranks of this node: all, unless the launcher or a variable of MPICH says that there may be
 * others. (MPI_Comm_split_type has no nonblocking form and is slow where ranks outnumber cores.) */
static MPI_Comm find_node(void) {
  const int spreads = mpispec_launcher_spreads() || getenv("MPIR_CVAR_NOLOCAL");
  int anywhere = 1;
  MPI_Comm node = MPI_COMM_WORLD;
  mpispec_patient_allreduce(&spreads, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (anywhere)
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  PMPI_Comm_rank(node, &mpispec_node.rank);
  PMPI_Comm_size(node, &mpispec_node.size);
  return node;
}

const char *mpispec_node_join(const struct mpispec_environment *environment,
                              int library_is_threaded) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &mpispec_node.world_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &mpispec_node.world_size);
  const char *trouble = find_unwilling(environment->everywhere);
  if (trouble)
    return trouble;
  MPI_Comm node = find_node();
  int file = -1;
  trouble = map_segments(node, find_obstacle(library_is_threaded), &file);
  trouble = agree(trouble, environment);
  if (file >= 0)
    close(file);                   /* all have opened it, or never will */
  mpispec_announcement_withdraw(); /* all have seen it */
  if (!trouble) {
    open_lanes();
    list_members(node);
  } else {
    release();
  }
  if (node != MPI_COMM_WORLD)
    PMPI_Comm_free(&node);
  return trouble;
}

void mpispec_node_leave(void) { release(); }
