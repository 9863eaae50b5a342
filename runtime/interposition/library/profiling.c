/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The PMPI functions that the runtime defines for all callers. profiling.h gives the reason. */
#include "interposition/library/profiling.h"

#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "interposition/library/caller_definition.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "job/pmpi.h"
#include "p2p/network.h"
#include "p2p/request.h"
#include "progress/lock.h"
#include "progress/progress.h"

/* --- requests ----------------------------------------------------------------------------------*/

static int has_ours(int count, const MPI_Request requests[]) {
  for (int i = 0; requests && i < count; ++i)
    if (mpispec_request_has_our_handle(requests[i]))
      return 1;
  return 0;
}

/* Calls the runtime's function if one of the requests is the runtime's, else the library's
 * function. */
#define BY_OWNER(NAME, COUNT, REQUESTS, ...)                                                       \
  (has_ours(COUNT, REQUESTS) ? MPI_##NAME(__VA_ARGS__) : mpispec_pmpi.NAME(__VA_ARGS__))

int mpispec_profiling_Cancel(MPI_Request *r) { return BY_OWNER(Cancel, 1, r, r); }
int mpispec_profiling_Request_free(MPI_Request *r) { return BY_OWNER(Request_free, 1, r, r); }
int mpispec_profiling_Request_get_status(MPI_Request r, int *flag, MPI_Status *s) {
  return BY_OWNER(Request_get_status, 1, &r, r, flag, s);
}
#ifdef MPISPEC_HAS_MPI_4_1
int mpispec_profiling_Request_get_status_all(int n, MPISPEC_CONST_REQUESTS MPI_Request r[],
                                             int *flag, MPI_Status s[]) {
  return BY_OWNER(Request_get_status_all, n, r, n, r, flag, s);
}
int mpispec_profiling_Request_get_status_any(int n, MPISPEC_CONST_REQUESTS MPI_Request r[], int *i,
                                             int *flag, MPI_Status *s) {
  return BY_OWNER(Request_get_status_any, n, r, n, r, i, flag, s);
}
int mpispec_profiling_Request_get_status_some(int n, MPISPEC_CONST_REQUESTS MPI_Request r[],
                                              int *out, int i[], MPI_Status s[]) {
  return BY_OWNER(Request_get_status_some, n, r, n, r, out, i, s);
}
#endif
int mpispec_profiling_Start(MPI_Request *r) { return BY_OWNER(Start, 1, r, r); }
int mpispec_profiling_Startall(int n, MPI_Request r[]) { return BY_OWNER(Startall, n, r, n, r); }
int mpispec_profiling_Test(MPI_Request *r, int *flag, MPI_Status *s) {
  return BY_OWNER(Test, 1, r, r, flag, s);
}
int mpispec_profiling_Testall(int n, MPI_Request r[], int *flag, MPI_Status s[]) {
  return BY_OWNER(Testall, n, r, n, r, flag, s);
}
int mpispec_profiling_Testany(int n, MPI_Request r[], int *i, int *flag, MPI_Status *s) {
  return BY_OWNER(Testany, n, r, n, r, i, flag, s);
}
int mpispec_profiling_Testsome(int n, MPI_Request r[], int *out, int i[], MPI_Status s[]) {
  return BY_OWNER(Testsome, n, r, n, r, out, i, s);
}

/* Nonzero if a blocking function must poll the operations of the runtime, too. A send of the
 * library may wait for a rank that waits for this rank in the runtime. With several threads, the
 * library may hold a lock when it calls a PMPI function. Then the helper polls instead. */
static int needs_progress(void) {
  return mpispec_node.size && !mpispec_lock_is_shared() && mpispec_progress_is_needed();
}

#define BLOCKING(NAME, COUNT, REQUESTS, ...)                                                       \
  if (needs_progress() || has_ours(COUNT, REQUESTS))                                               \
    return MPI_##NAME(__VA_ARGS__);                                                                \
  return MPISPEC_IN_LIBRARY(mpispec_pmpi.NAME(__VA_ARGS__))

int mpispec_profiling_Wait(MPI_Request *r, MPI_Status *s) { BLOCKING(Wait, 1, r, r, s); }
int mpispec_profiling_Waitall(int n, MPI_Request r[], MPI_Status s[]) {
  BLOCKING(Waitall, n, r, n, r, s);
}
int mpispec_profiling_Waitany(int n, MPI_Request r[], int *i, MPI_Status *s) {
  BLOCKING(Waitany, n, r, n, r, i, s);
}
int mpispec_profiling_Waitsome(int n, MPI_Request r[], int *out, int i[], MPI_Status s[]) {
  BLOCKING(Waitsome, n, r, n, r, out, i, s);
}

/* --- datatypes ---------------------------------------------------------------------------------*/

/* MPICH's binding of mpi_f08 makes a datatype for a section with gaps, calls the runtime's function
 * with it, and frees it. Requests of the runtime may still need the type. The MPI library itself
 * frees only its own types, and may hold a lock when it calls this function. */
int mpispec_profiling_Type_free(MPI_Datatype *type) {
  const void *caller = __builtin_return_address(0);
  if (!mpispec_node.size || (mpispec_lock_is_shared() &&
                             mpispec_are_in_one_object(caller, (void *)mpispec_pmpi.Type_free)))
    return mpispec_pmpi.Type_free(type);
  return mpispec_datatype_free(mpispec_pmpi.Type_free, type, mpispec_requests_hold);
}

/* --- probes ------------------------------------------------------------------------------------*/

/* The communicator if messages may arrive by lanes and by the library, else null. */
static const struct mpispec_communicator *find_lanes(MPI_Comm comm) {
  if (!mpispec_node.size)
    return NULL;
  mpispec_lock();
  const struct mpispec_communicator *known = mpispec_communicator_find(comm);
  mpispec_unlock();
  return known;
}

/* Probes the library. If a posted receive waits for the message that is found there, no probe may
 * return this message, and `*flag` is 0. If `m` is not null, the message is taken. */
static int look_in_library(const struct mpispec_communicator *known, int source, int tag, int *flag,
                           MPI_Message *m, MPI_Status *s) {
  MPI_Status own, *status = s == MPI_STATUS_IGNORE ? &own : s;
  int error = MPI_SUCCESS;
  mpispec_lock();
  if (m)
    mpispec_network_probe(known, source, tag, flag, m, status);
  else
    error = mpispec_pmpi.Iprobe(source, tag, known->handle, flag, status);
  if (*flag && !m)
    *flag = !mpispec_network_overlaps_listed(known, status->MPI_SOURCE, status->MPI_TAG);
  mpispec_unlock();
  return error;
}

int mpispec_profiling_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *s) {
  const struct mpispec_communicator *known = find_lanes(comm);
  if (!known || !flag)
    return mpispec_pmpi.Iprobe(source, tag, comm, flag, s);
  const int error = MPI_Iprobe(source, tag, comm, flag, s);
  return error || *flag ? error : look_in_library(known, source, tag, flag, NULL, s);
}

int mpispec_profiling_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *m,
                              MPI_Status *s) {
  const struct mpispec_communicator *known = find_lanes(comm);
  if (!known || !flag || !m)
    return mpispec_pmpi.Improbe(source, tag, comm, flag, m, s);
  const int error = MPI_Improbe(source, tag, comm, flag, m, s);
  return error || *flag ? error : look_in_library(known, source, tag, flag, m, s);
}

/* The loops of both blocking probes need no backoff, because the runtime's probes yield and make
 * progress. */
int mpispec_profiling_Probe(int source, int tag, MPI_Comm comm, MPI_Status *s) {
  int found = 0, error = MPI_SUCCESS;
  if (!find_lanes(comm))
    return mpispec_pmpi.Probe(source, tag, comm, s);
  while (!found && !error)
    error = mpispec_profiling_Iprobe(source, tag, comm, &found, s);
  return error;
}

int mpispec_profiling_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *m, MPI_Status *s) {
  int found = 0, error = MPI_SUCCESS;
  if (!find_lanes(comm))
    return mpispec_pmpi.Mprobe(source, tag, comm, m, s);
  while (!found && !error)
    error = mpispec_profiling_Improbe(source, tag, comm, &found, m, s);
  return error;
}
