/* MPI_Barrier and MPI_Bcast. */
#include "interposition/collective.h"
#include "collective/nodes.h"
#include "completion.h"
#include "transfer.h"

#include <stdlib.h>

struct mpispec_collective *mpispec_collective_settle(struct mpispec_communicator *communicator) {
  mpispec_unlock();
  struct mpispec_collective *collective = mpispec_collective_open(communicator);
  if (collective)
    mpispec_lock();
  return collective;
}

int MPI_Barrier(MPI_Comm communicator) {
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    MPISPEC_IN_LIBRARY(mpispec_next.Barrier(communicator));
  (collective->nodes ? mpispec_nodes_barrier : mpispec_collective_barrier)(collective);
  mpispec_unlock();
  return MPI_SUCCESS;
}

/* --- Bcast -------------------------------------------------------------------------------------*/

static int64_t bcast_bytes(struct mpispec_collective *collective, void *buffer, int64_t length,
                           int root) {
  return (collective->nodes ? mpispec_nodes_bcast : mpispec_collective_bcast)(collective, buffer,
                                                                              length, root);
}

/* Elements that do not lie in memory as they travel. */
static int64_t bcast_packed(struct mpispec_collective *collective, const struct mpispec_call *call,
                            int root) {
  unsigned char *packed = mpispec_must_have(malloc((size_t)call->bytes));
  if (root == collective->rank)
    mpispec_datatype_pack(call->buffer, call->count, call->datatype, packed, call->bytes);
  const int64_t sent = bcast_bytes(collective, packed, call->bytes, root);
  if (root != collective->rank)
    mpispec_datatype_unpack(packed, sent < call->bytes ? sent : call->bytes, call->buffer,
                            call->datatype);
  free(packed);
  return sent;
}

/* Returns 0 if the call is the library's, having changed nothing. */
static int bcast(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                 MPI_Comm communicator, int *error) {
  struct mpispec_call call;
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    return 0;
  if (!mpispec_is_rank(collective, root) ||
      !mpispec_arguments_data(&call, buffer, count, datatype) ||
      call.bytes > collective->most_bytes) {
    mpispec_unlock();
    return 0;
  }
  int64_t sent = 0;
  if (call.bytes)
    sent = call.contiguous ? bcast_bytes(collective, call.buffer, call.bytes, root)
                           : bcast_packed(collective, &call, root);
  mpispec_unlock();
  *error = sent == call.bytes ? MPI_SUCCESS : mpispec_raise(communicator, MPI_ERR_TRUNCATE);
  return 1;
}

#define BCAST(NAME, COUNT)                                                                         \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int root,                       \
                 MPI_Comm communicator) {                                                          \
    int error;                                                                                     \
    if (bcast(buffer, count, datatype, root, communicator, &error))                                \
      return error;                                                                                \
    MPISPEC_IN_LIBRARY(mpispec_next.NAME(buffer, count, datatype, root, communicator));            \
  }

BCAST(Bcast, int)
BCAST(Bcast_c, MPI_Count)
