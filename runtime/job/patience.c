/* Nonblocking forms of the MPI library, and sched_yield. See patience.h. */
#include "job/patience.h"

#include <linux/types.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- yielding ----------------------------------------------------------------------------------*/

/* As linux/sched/types.h has it, which cannot be read beside every <sched.h>. */
struct scheduling {
  __u32 size, policy;
  __u64 flags;
  __s32 nice;
  __u32 priority;
  __u64 slice, deadline, period; /* ns */
  __u32 least, most;
};

static void ask_for_short_slices(void) {
  enum { SHORTEST = 100 * 1000 };
  struct scheduling mine = {.size = sizeof mine};
  if (syscall(SYS_sched_getattr, 0, &mine, sizeof mine, 0) || mine.policy != SCHED_OTHER)
    return;
  mine.flags = 0;
  mine.slice = SHORTEST;
  syscall(SYS_sched_setattr, 0, &mine, 0);
}

void mpispec_patient_yield(void) {
  static _Thread_local int has_asked;
  if (!has_asked)
    ask_for_short_slices();
  has_asked = 1;
  sched_yield();
}

/* --- agreements --------------------------------------------------------------------------------*/

static int wait(int error, MPI_Request *request) {
  int done = error != MPI_SUCCESS;
  while (!done) {
    error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (error)
      return error;
    if (!done)
      mpispec_patient_yield();
  }
  return error;
}

int mpispec_patient_allreduce(const void *mine, void *result, int count, MPI_Datatype datatype,
                              MPI_Op operation, MPI_Comm members) {
  MPI_Request request;
  const int error = PMPI_Iallreduce(mine, result, count, datatype, operation, members, &request);
  return wait(error, &request);
}

int mpispec_patient_allgather(const void *mine, int bytes, void *all, MPI_Comm members) {
  MPI_Request request;
  const int error = PMPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, members, &request);
  return wait(error, &request);
}

int mpispec_patient_receive(int *number, int source, int tag, MPI_Comm communicator) {
  MPI_Request request;
  const int error = PMPI_Irecv(number, 1, MPI_INT, source, tag, communicator, &request);
  return wait(error, &request);
}
