/* PMPI_Wait and its kin as others see them. profiling.h says what for. */
#include "interposition/library/profiling.h"

#include "comm/communicator.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "job/pmpi.h"
#include "p2p/request.h"
#include "progress/lock.h"

/* --- requests ----------------------------------------------------------------------------------*/

static int has_ours(int count, const MPI_Request requests[]) {
  for (int i = 0; requests && i < count; ++i)
    if (mpispec_request_is_ours(requests[i]))
      return 1;
  return 0;
}

/* One of our functions, or the library's. */
#define BY_OWNER(NAME, COUNT, REQUESTS, ...)                                                       \
  (has_ours(COUNT, REQUESTS) ? MPI_##NAME(__VA_ARGS__) : mpispec_pmpi.NAME(__VA_ARGS__))

int mpispec_profiling_Cancel(MPI_Request *r) { return BY_OWNER(Cancel, 1, r, r); }
int mpispec_profiling_Request_free(MPI_Request *r) { return BY_OWNER(Request_free, 1, r, r); }
int mpispec_profiling_Request_get_status(MPI_Request r, int *flag, MPI_Status *s) {
  return BY_OWNER(Request_get_status, 1, &r, r, flag, s);
}
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
int mpispec_profiling_Wait(MPI_Request *r, MPI_Status *s) { return BY_OWNER(Wait, 1, r, r, s); }
int mpispec_profiling_Waitall(int n, MPI_Request r[], MPI_Status s[]) {
  return BY_OWNER(Waitall, n, r, n, r, s);
}
int mpispec_profiling_Waitany(int n, MPI_Request r[], int *i, MPI_Status *s) {
  return BY_OWNER(Waitany, n, r, n, r, i, s);
}
int mpispec_profiling_Waitsome(int n, MPI_Request r[], int *out, int i[], MPI_Status s[]) {
  return BY_OWNER(Waitsome, n, r, n, r, out, i, s);
}

/* --- probes ------------------------------------------------------------------------------------*/

/* Can messages come by both routes? */
static int has_lanes(MPI_Comm comm) {
  if (!mpispec_node.size)
    return 0;
  mpispec_lock();
  const int adopted = mpispec_communicator_find(comm) != NULL;
  mpispec_unlock();
  return adopted;
}

int mpispec_profiling_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *s) {
  if (!has_lanes(comm) || !flag)
    return mpispec_pmpi.Iprobe(source, tag, comm, flag, s);
  const int error = MPI_Iprobe(source, tag, comm, flag, s);
  return error || *flag ? error : mpispec_pmpi.Iprobe(source, tag, comm, flag, s);
}

int mpispec_profiling_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *m,
                              MPI_Status *s) {
  if (!has_lanes(comm) || !flag)
    return mpispec_pmpi.Improbe(source, tag, comm, flag, m, s);
  const int error = MPI_Improbe(source, tag, comm, flag, m, s);
  return error || *flag ? error : mpispec_pmpi.Improbe(source, tag, comm, flag, m, s);
}

/* Ours give way and make progress as they look. */
int mpispec_profiling_Probe(int source, int tag, MPI_Comm comm, MPI_Status *s) {
  int found = 0, error = MPI_SUCCESS;
  if (!has_lanes(comm))
    return mpispec_pmpi.Probe(source, tag, comm, s);
  while (!found && !error)
    error = mpispec_profiling_Iprobe(source, tag, comm, &found, s);
  return error;
}

int mpispec_profiling_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *m, MPI_Status *s) {
  int found = 0, error = MPI_SUCCESS;
  if (!has_lanes(comm))
    return mpispec_pmpi.Mprobe(source, tag, comm, m, s);
  while (!found && !error)
    error = mpispec_profiling_Improbe(source, tag, comm, &found, m, s);
  return error;
}
