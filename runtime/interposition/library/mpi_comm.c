/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that make or free communicators, and other functions that free handles which the
 * runtime has stored. Most constructors are in Constructors.def. */
#include "collective/child_slot.h"
#include "collective/collective.h"
#include "collective/mismatch.h"
#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "interposition/library/deferred_free.h"
#include "interposition/library/next.h"
#include "job/memory.h"
#include "p2p/completion.h"
#include "p2p/network.h"
#include "p2p/pending.h"
#include "p2p/request.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/progress.h"

#include <stdlib.h>

/* Called by all members of `parent`, after a constructor that has returned no error. */
static int agree(MPI_Comm parent, MPI_Comm made, const void *caller) {
  const int error = mpispec_child_slot_agree(parent, made, caller);
  return error ? mpispec_raise(parent, error) : MPI_SUCCESS;
}

#define CONSTRUCTOR(NAME, PARAMETERS, ARGUMENTS, PARENT, MADE)                                     \
  int MPI_##NAME PARAMETERS {                                                                      \
    const uint64_t begun = mpispec_profile_setup_begin();                                          \
    mpispec_library_call_begin();                                                                  \
    int error = mpispec_next.NAME ARGUMENTS;                                                       \
    if (!error)                                                                                    \
      mpispec_communicator_adopt(PARENT, *MADE);                                                   \
    mpispec_library_call_end();                                                                    \
    if (!error)                                                                                    \
      error = agree(PARENT, *MADE, __builtin_return_address(0));                                   \
    mpispec_profile_setup_end(MPISPEC_PROFILE_COMMUNICATORS, begun);                               \
    return error;                                                                                  \
  }
#include "interposition/library/Constructors.def"

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm) {
  const uint64_t begun = mpispec_profile_setup_begin();
  mpispec_library_call_begin();
  const int error = mpispec_next.Comm_create_group(comm, group, tag, newcomm);
  if (!error)
    mpispec_communicator_adopt_alone(comm, *newcomm);
  mpispec_library_call_end();
  mpispec_profile_setup_end(MPISPEC_PROFILE_COMMUNICATORS, begun);
  return error;
}

/* Called when the library has begun MPI_Comm_idup. If the result will be adopted, the program gets
 * a request of the runtime instead of the library's. The completion of this request adopts the
 * communicator. */
static int duplicate(int error, MPI_Comm parent, const MPI_Comm *made, MPI_Request *handle) {
  if (error)
    return error;
  mpispec_lock();
  const struct mpispec_call call = {.communicator = mpispec_communicator_find(parent),
                                    .contiguous = 1};
  struct mpispec_adoption *adoption =
      call.communicator ? mpispec_communicator_adopt_later(call.communicator, made) : NULL;
  if (adoption) {
    struct mpispec_request *request = mpispec_request_begin(MPISPEC_FOREIGN, &call, 0);
    request->foreign[0] = *handle;
    request->in_library = 1;
    request->adoption = adoption;
    *handle = mpispec_request_handle(request);
  }
  mpispec_unlock();
  return MPI_SUCCESS;
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  return duplicate(mpispec_next.Comm_idup(comm, newcomm, request), comm, newcomm, request);
}

int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request) {
  return duplicate(mpispec_next.Comm_idup_with_info(comm, info, newcomm, request), comm, newcomm,
                   request);
}

/* Communicators over several nodes that the program has freed while they have pending requests. A
 * receive that waits for a message of another node is perhaps only in the list of network.h, and
 * not posted in the library. Therefore a communicator must exist until its requests are
 * complete. */
static MPI_Comm *deferred;
static size_t deferred_count, deferred_room;

static int is_needed(MPI_Comm handle) {
  const struct mpispec_communicator *communicator = mpispec_communicator_find(handle);
  return communicator && communicator->spans_nodes && communicator->uses > 1;
}

/* Returns a communicator that is not needed any more, and removes it from the list. If there is
 * none, returns MPI_COMM_NULL. */
static MPI_Comm take_deferred(void) {
  MPI_Comm found = MPI_COMM_NULL;
  mpispec_lock();
  for (size_t i = 0; i < deferred_count && found == MPI_COMM_NULL; ++i)
    if (!is_needed(deferred[i])) {
      found = deferred[i];
      deferred[i] = deferred[--deferred_count];
    }
  mpispec_unlock();
  return found;
}

void mpispec_deferred_free(void) {
  MPI_Comm handle;
  while ((handle = take_deferred()) != MPI_COMM_NULL)
    PMPI_Comm_free(&handle);
}

static void defer(MPI_Comm handle) {
  if (deferred_count == deferred_room) {
    deferred_room = 2 * deferred_room + 8;
    deferred = mpispec_check_allocation(realloc(deferred, deferred_room * sizeof *deferred));
  }
  deferred[deferred_count++] = handle;
}

/* A communicator that the program frees. The runtime or the MPI library may keep it after that,
 * perhaps on some ranks only. Then this rank leaves its collective operations all the same. */
struct freed {
  MPI_Comm handle;
  struct mpispec_communicator *communicator; /* or null */
  int is_deferred;                           /* pending requests need it; otherwise free it now */
};

static struct freed begin_free(MPI_Comm handle, int may_defer) {
  mpispec_lock();
  const struct freed freed = {handle, mpispec_communicator_find(handle),
                              may_defer && is_needed(handle)};
  if (freed.is_deferred)
    defer(handle);
  if (freed.communicator)
    mpispec_communicator_use(freed.communicator);
  mpispec_unlock();
  return freed;
}

/* `now`: the program's handle, which is null if the communicator was freed. */
static void end_free(const struct freed *freed, MPI_Comm now) {
  struct mpispec_communicator *communicator = freed->communicator;
  if (!communicator)
    return;
  mpispec_lock();
  const int is_kept = mpispec_communicator_find(freed->handle) == communicator;
  if (is_kept && now == MPI_COMM_NULL && communicator->collective)
    mpispec_mismatch_leave(communicator->collective, mpispec_is_Comm_free);
  mpispec_communicator_drop(communicator);
  mpispec_unlock();
}

int MPI_Comm_free(MPI_Comm *handle) {
  const uint64_t begun = mpispec_profile_setup_begin();
  if (handle)
    mpispec_profile_forget(*handle);
  mpispec_library_call_begin();
  mpispec_deferred_free();
  const struct freed freed = begin_free(handle ? *handle : MPI_COMM_NULL, 1);
  const int error = freed.is_deferred ? MPI_SUCCESS : mpispec_next.Comm_free(handle);
  if (freed.is_deferred)
    *handle = MPI_COMM_NULL;
  if (handle)
    end_free(&freed, *handle);
  mpispec_library_call_end();
  mpispec_profile_setup_end(MPISPEC_PROFILE_COMMUNICATORS, begun);
  return error;
}

/* Unlike MPI_Comm_free, waits for receives from other nodes, which need the communicator, and for
 * operations whose requests the program has freed. */
int MPI_Comm_disconnect(MPI_Comm *handle) {
  const uint64_t begun = mpispec_profile_setup_begin();
  if (handle)
    mpispec_profile_forget(*handle);
  mpispec_lock();
  struct mpispec_communicator *communicator = handle ? mpispec_communicator_find(*handle) : NULL;
  if (communicator)
    mpispec_freed_operations_await(communicator);
  for (unsigned round = 0;
       communicator && mpispec_network_overlaps_listed(communicator, MPI_ANY_SOURCE, MPI_ANY_TAG);
       ++round) {
    mpispec_progress();
    mpispec_wait_backoff(round);
  }
  mpispec_unlock();
  const struct freed freed = begin_free(handle ? *handle : MPI_COMM_NULL, 0);
  const int error = MPISPEC_IN_LIBRARY(mpispec_next.Comm_disconnect(handle));
  if (handle)
    end_free(&freed, *handle);
  mpispec_profile_setup_end(MPISPEC_PROFILE_COMMUNICATORS, begun);
  return error;
}

int MPI_Type_free(MPI_Datatype *handle) {
  return mpispec_datatype_free(mpispec_next.Type_free, handle, mpispec_requests_hold);
}
