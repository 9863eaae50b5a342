/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the node; node.h gives the order of the calls. The functions are called only in MPI_Init
 * and MPI_Finalize. Therefore they may call PMPI functions. */
#define _GNU_SOURCE
#include "job/node.h"

#include "job/accelerator.h"
#include "job/agreement.h"
#include "job/announcement.h"
#include "job/identity.h"
#include "job/launcher.h"
#include "job/memory.h"
#include "progress/library_polls.h"

#include <stdlib.h>
#include <string.h>

struct mpispec_node mpispec_node;

const char mpispec_node_alone[] = "the launcher started several ranks, and each is alone in "
                                  "MPI_COMM_WORLD; start the program with "
                                  "the mpiexec of its own MPI library";

const char mpispec_node_unlaunched[] = "PMI_RANK and PMI_SIZE are set, but no launcher has started "
                                       "this process, which is alone in MPI_COMM_WORLD";

/* Returns null if all ranks have announced themselves, or if MPISPEC_EVERYWHERE replaces
 * announcements that cannot be read. Otherwise returns the reason. */
static const char *find_unannounced(int everywhere) {
  const int alone = mpispec_node.world_size == 1 && mpispec_launcher_ranks() > 1;
  if (!alone && mpispec_all_announced(mpispec_node.world_rank, mpispec_node.world_size))
    return NULL;
  mpispec_announcement_withdraw(); /* the result is final */
  if (alone)
    return mpispec_launcher_is_absent() ? mpispec_node_unlaunched : mpispec_node_alone;
  if (mpispec_announcement_is_nameless())
    return "the launcher is in another process namespace, and nothing distinguishes its jobs";
  if (!mpispec_announcement_is_local())
    return "not every rank has this build of the runtime (" MPISPEC_IDENTITY_TEXT
           "), or has it switched on";
  return everywhere ? NULL
                    : "not every rank is known to have the runtime, and under this launcher those "
                      "on other machines cannot be asked; MPISPEC_EVERYWHERE=1 says that all have";
}

/* The ranks of this node: all ranks, unless a rank has announced that there may be other nodes.
 * Then the MPI library's MPI_Comm_split_type finds them. It has no nonblocking form, and is slow on
 * oversubscribed nodes. */
static MPI_Comm find_members(void) {
  MPI_Comm members = MPI_COMM_WORLD;
  if (mpispec_ranks_spread()) {
    mpispec_library_enter();
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &members);
    mpispec_library_leave();
  }
  PMPI_Comm_rank(members, &mpispec_node.rank);
  PMPI_Comm_size(members, &mpispec_node.size);
  return members;
}

static void find_world_ranks(MPI_Comm members) {
  const size_t size = (size_t)mpispec_node.size;
  int *world_ranks = mpispec_check_allocation(malloc(size * sizeof *world_ranks));
  for (int rank = 0; rank < mpispec_node.size; ++rank)
    world_ranks[rank] = rank;
  if (members != MPI_COMM_WORLD)
    mpispec_agreement_allgather(&mpispec_node.world_rank, sizeof(int), world_ranks, members);
  mpispec_node.world_ranks = world_ranks;
}

const char *mpispec_node_find(const struct mpispec_environment *environment, MPI_Comm *members) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &mpispec_node.world_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &mpispec_node.world_size);
  const char *reason = find_unannounced(environment->everywhere);
  if (reason)
    return reason;
  *members = find_members();
  find_world_ranks(*members);
  return NULL;
}

/* The identity is compared here for ranks on other machines, whose announcements cannot be read.
 * One of the five numbers contains the identity, the order of reductions, and whether the rank
 * queries accelerators. Older builds compare five numbers, too, and have 0 or 1 in its place.
 * Therefore both an older and a newer build decide against lanes. */
static const char *compare(const char *reason, const struct mpispec_environment *environment,
                           int library_is_threaded) {
  const int mode = (int)environment->mode;
  const int identity = (int)(MPISPEC_IDENTITY >> 35);
  const int order =
      identity << 2 | environment->in_rank_order << 1 | mpispec_accelerator_is_queried;
  int mine[] = {reason ? 0 : 1 + library_is_threaded, mode, -mode, order, -order}, least[5] = {0};
  mpispec_agreement_allreduce(mine, least, 5, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (reason)
    return reason;
  if (!least[0])
    return "another rank cannot take part";
  if (least[1] != -least[2])
    return "MPISPEC_MODE is not the same on all ranks";
  if (least[3] >> 2 != -least[4] >> 2)
    return "another rank has another build of the runtime";
  if (least[3] >> 1 != -least[4] >> 1)
    return "MPISPEC_REDUCTIONS is not the same on all ranks";
  mpispec_node.queries_memory = -least[4] & 1;
  return mpispec_node.queries_memory && least[0] == 1
             ? "an accelerator's library is loaded, and the MPI library lets one thread in only"
             : NULL;
}

const char *mpispec_node_agree(const char *reason, const struct mpispec_environment *environment,
                               int library_is_threaded, MPI_Comm *members) {
  reason = compare(reason, environment, library_is_threaded);
  mpispec_announcement_withdraw(); /* all ranks have read it */
  if (*members != MPI_COMM_WORLD)
    PMPI_Comm_free(members);
  return reason;
}

void mpispec_node_leave(void) {
  free(mpispec_node.world_ranks);
  memset(&mpispec_node, 0, sizeof mpispec_node);
}
