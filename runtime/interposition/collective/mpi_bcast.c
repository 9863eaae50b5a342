/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Barrier and MPI_Bcast. */
#include "collective/leaders/leaders.h"
#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "interposition/collective/collective_call.h"
#include "interposition/fortran/mpif_entry.h"
#include "job/memory.h"
#include "p2p/request.h"
#include "profile/profile.h"
#include "progress/lock.h"

#include <stdlib.h>

static int is_refused(const struct mpispec_communicator *communicator,
                      struct mpispec_refusable arguments) {
  return arguments.root < 0 || arguments.root >= communicator->size || arguments.count < 0 ||
         (arguments.count && arguments.datatype == MPI_DATATYPE_NULL) ||
         arguments.op == MPI_OP_NULL;
}

struct mpispec_collective *mpispec_collective_open_first(struct mpispec_communicator *communicator,
                                                         struct mpispec_refusable arguments) {
  mpispec_unlock();
  if (is_refused(communicator, arguments))
    return NULL;
  struct mpispec_collective *collective = mpispec_collective_open(communicator);
  if (collective)
    mpispec_lock();
  return collective;
}

/* The members agree in an additional operation, the maximum of `has_device_memory`. Over several
 * nodes, this operation would take as long as the one that has begun. Therefore the library
 * executes all operations over several nodes if ranks query buffers. */
int mpispec_collective_vote(struct mpispec_collective *collective, int has_device_memory) {
  struct mpispec_reduction reduction;
  int any = 1;
  if (collective->nodes || !mpispec_reduction_find(MPI_MAX, MPI_INT, &reduction))
    return MPISPEC_NOT_OURS;
  mpispec_collective_allreduce(collective, &reduction, &has_device_memory, &any, 1);
  mpispec_accelerator_counts.operations += any != 0;
  return collective->error ? collective->error : any ? MPISPEC_NOT_OURS : MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm communicator) {
  MPISPEC_PROFILED(Barrier, communicator);
  struct mpispec_collective *collective = mpispec_collective_enter(
      communicator, MPISPEC_CALLER, (struct mpispec_refusable){0, 0, MPI_DATATYPE_NULL, MPI_SUM});
  if (!collective)
    return MPISPEC_IN_LIBRARY(mpispec_next.Barrier(communicator));
  mpispec_collective_begin(collective, mpispec_signature(mpispec_is_Barrier, 0), 0, -1);
  (collective->nodes ? mpispec_leaders_barrier : mpispec_collective_barrier)(collective);
  const int error = collective->error;
  mpispec_unlock();
  return mpispec_collective_return(communicator, error);
}

/* --- Bcast -------------------------------------------------------------------------------------*/

static int64_t bcast_bytes(struct mpispec_collective *collective, void *buffer, int64_t length,
                           int root) {
  return (collective->nodes ? mpispec_leaders_bcast : mpispec_collective_bcast)(collective, buffer,
                                                                                length, root);
}

/* Broadcasts elements that are not contiguous. */
static int64_t bcast_packed(struct mpispec_collective *collective, const struct mpispec_call *call,
                            int root) {
  unsigned char *packed = mpispec_check_allocation(malloc((size_t)call->bytes));
  if (root == collective->rank)
    mpispec_datatype_pack(call->buffer, call->count, call->datatype, packed, call->bytes);
  const int64_t sent = bcast_bytes(collective, packed, call->bytes, root);
  if (root != collective->rank)
    mpispec_datatype_unpack(packed, sent < call->bytes ? sent : call->bytes, call->buffer,
                            call->datatype);
  mpispec_leaders_free(collective, packed);
  return sent;
}

static int carry_out(struct mpispec_collective *collective, const struct mpispec_call *call,
                     int root) {
  const uint64_t signature = mpispec_signature(mpispec_is_Bcast, mpispec_signature_root(root));
  mpispec_collective_begin(collective, signature, call->bytes, root);
  const int decision = mpispec_collective_is_ours(collective, call->device);
  if (decision)
    return decision;
  const int64_t sent = call->contiguous ? bcast_bytes(collective, call->buffer, call->bytes, root)
                                        : bcast_packed(collective, call, root);
  return collective->error     ? collective->error
         : sent == call->bytes ? MPI_SUCCESS
                               : MPI_ERR_TRUNCATE;
}

static int bcast(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                 MPI_Comm communicator, const void *caller) {
  struct mpispec_call call;
  struct mpispec_collective *collective = mpispec_collective_enter(
      communicator, caller, (struct mpispec_refusable){root, count, datatype, MPI_SUM});
  if (!collective)
    return MPISPEC_NOT_OURS;
  if (!mpispec_is_rank(collective, root) ||
      !mpispec_arguments_data(&call, buffer, count, datatype) ||
      call.bytes > collective->most_bytes) {
    mpispec_unlock();
    return MPISPEC_NOT_OURS;
  }
  const int error = call.bytes ? carry_out(collective, &call, root) : collective->error;
  mpispec_unlock();
  return mpispec_collective_return(communicator, error);
}

#define BCAST(NAME, COUNT)                                                                         \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int root,                       \
                 MPI_Comm communicator) {                                                          \
    MPISPEC_PROFILED(NAME, buffer, count, datatype, root, communicator);                           \
    MPISPEC_OR_LIBRARY(bcast(buffer, count, datatype, root, communicator, MPISPEC_CALLER),         \
                       mpispec_next.NAME(buffer, count, datatype, root, communicator));            \
  }

BCAST(Bcast, int)
BCAST(Bcast_c, MPI_Count)

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF(barrier, BARRIER, (comm, ierror), const MPI_Comm *comm, int *ierror) {
  MPISPEC_MPIF_GATE(barrier, comm, ierror);
  *ierror = MPI_Barrier(*comm);
}

MPISPEC_MPIF(bcast, BCAST, (buffer, count, datatype, root, comm, ierror), void *buffer,
             const int *count, const MPI_Datatype *datatype, const int *root, const MPI_Comm *comm,
             int *ierror) {
  MPISPEC_MPIF_GATE(bcast, buffer, count, datatype, root, comm, ierror);
  *ierror = MPI_Bcast(mpispec_mpif_buffer(buffer), *count, *datatype, *root, *comm);
}
#endif
