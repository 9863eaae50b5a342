/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Allreduce, MPI_Reduce, MPI_Scan, MPI_Exscan. */
#include "abi/layout.h"
#include "collective/leaders/leaders.h"
#include "interposition/collective/operands.h"
#include "interposition/fortran/mpif_entry.h"
#include "job/memory.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/lock.h"

#include <stdlib.h>
#include <string.h>

/* A function that executes a reduction on operands. */
typedef void operation(struct mpispec_collective *collective,
                       const struct mpispec_reduction *reduction, const void *in, void *out,
                       int64_t count);

/* Executes a reduction. Returns MPI_SUCCESS, an error, or MPISPEC_NOT_OURS. `has_result` is nonzero
 * if this rank gets a result. */
static int carry_out(struct mpispec_collective *collective, struct mpispec_operands *operands,
                     MPI_Comm communicator, enum mpispec_collective_kind kind, operation *on_node,
                     operation *on_nodes, int has_result) {
  if (!operands->count)
    return collective->error;
  const int error = mpispec_operands_begin(operands, collective, communicator, kind, 0, NULL);
  if (error)
    return error;
  (collective->nodes ? on_nodes : on_node)(collective, &operands->reduction, operands->in,
                                           operands->out, operands->count);
  if (has_result)
    mpispec_operands_finish(operands, collective);
  else
    mpispec_operands_drop(operands);
  return collective->error;
}

/* If a long Reduce in place has a root other than rank 0, MPICH 4.0.2 reads from the address
 * MPI_IN_PLACE. The runtime may leave a Reduce in place to the library after mpispec_operands_read
 * has accepted the arguments. Then the library gets a copy of the operands, `*send_copy`. If
 * mpispec_reduction_ignores_position is nonzero, the result without MPI_IN_PLACE has the same bits.
 * Otherwise, and for an accelerator's memory, no copy is made. The caller frees the copy. */
static void copy_for_library(const struct mpispec_operands *operands, const void *send,
                             void **send_copy) {
  const size_t bytes = (size_t)(operands->count * operands->reduction.extent);
  if (send != MPI_IN_PLACE || !bytes || !mpispec_reduction_ignores_position ||
      operands->has_device_memory)
    return;
  *send_copy = mpispec_check_allocation(malloc(bytes));
  memcpy(*send_copy, operands->program_out, bytes);
}

static int reduce_to(struct mpispec_collective *collective, struct mpispec_operands *operands,
                     MPI_Comm communicator, int root) {
  if (!operands->count)
    return collective->error;
  const int error =
      mpispec_operands_begin(operands, collective, communicator, mpispec_is_Reduce, root, NULL);
  if (error)
    return error;
  (collective->nodes ? mpispec_leaders_reduce : mpispec_collective_reduce)(
      collective, &operands->reduction, operands->in, operands->out, operands->count, root);
  mpispec_operands_finish(operands, collective);
  return collective->error;
}

static int reduce(const void *send, void *receive, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, int root, MPI_Comm communicator, void **send_copy,
                  const void *caller) {
  struct mpispec_operands operands;
  struct mpispec_collective *collective = mpispec_collective_enter(
      communicator, caller, (struct mpispec_refusable){root, count, datatype, op});
  if (!collective)
    return MPISPEC_NOT_OURS;
  int error = MPISPEC_NOT_OURS;
  if (mpispec_is_rank(collective, root) &&
      mpispec_operands_read(&operands, collective, send, receive, count, datatype, op,
                            root == collective->rank)) {
    error = reduce_to(collective, &operands, communicator, root);
    if (error == MPISPEC_NOT_OURS)
      copy_for_library(&operands, send, send_copy);
  }
  mpispec_unlock();
  return mpispec_collective_return(communicator, error);
}

/* Nonzero if the runtime may execute a scan. Over several nodes, it cannot execute every reduction
 * as a scan. If the result is 0, frees the operands. */
static int takes_scan(const struct mpispec_collective *collective,
                      struct mpispec_operands *operands) {
  if (!collective->nodes ||
      mpispec_leaders_take_scan(collective, &operands->reduction, operands->count))
    return 1;
  mpispec_operands_drop(operands);
  return 0;
}

/* Reductions without a root. In MPI_Exscan the first rank receives nothing. Its receive buffer is
 * checked only with MPI_IN_PLACE, or if it is the send buffer and the library refuses equal
 * buffers. `kind` is a constant. */
static inline __attribute__((always_inline)) int
reduce_symmetrically(const void *send, void *receive, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm communicator, const void *caller,
                     enum mpispec_collective_kind kind, operation *on_node, operation *on_nodes) {
  struct mpispec_operands operands;
  struct mpispec_collective *collective = mpispec_collective_enter(
      communicator, caller, (struct mpispec_refusable){0, count, datatype, op});
  if (!collective)
    return MPISPEC_NOT_OURS;
  const int receives = kind != mpispec_is_Exscan || collective->rank != 0;
  int error = MPISPEC_NOT_OURS;
  if (mpispec_operands_read(&operands, collective, send, receive, count, datatype, op,
                            receives || send == MPI_IN_PLACE ||
                                (MPISPEC_BUFFERS_ARE_COMPARED && send == receive)) &&
      (kind == mpispec_is_Allreduce || takes_scan(collective, &operands)))
    error = carry_out(collective, &operands, communicator, kind, on_node, on_nodes, receives);
  mpispec_unlock();
  return mpispec_collective_return(communicator, error);
}

#define SYMMETRIC(NAME, COUNT, KIND, DO)                                                           \
  int MPI_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype datatype, MPI_Op op,   \
                 MPI_Comm communicator) {                                                          \
    MPISPEC_PROFILED(NAME, send, receive, count, datatype, op, communicator);                      \
    MPISPEC_OR_LIBRARY(reduce_symmetrically(send, receive, count, datatype, op, communicator,      \
                                            MPISPEC_CALLER, mpispec_is_##KIND,                     \
                                            mpispec_collective_##DO, mpispec_leaders_##DO),        \
                       mpispec_next.NAME(send, receive, count, datatype, op, communicator));       \
  }

#define REDUCE(NAME, COUNT)                                                                        \
  int MPI_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype datatype, MPI_Op op,   \
                 int root, MPI_Comm communicator) {                                                \
    MPISPEC_PROFILED(NAME, send, receive, count, datatype, op, root, communicator);                \
    void *send_copy = NULL;                                                                        \
    const int own_error = reduce(send, receive, count, datatype, op, root, communicator,           \
                                 &send_copy, MPISPEC_CALLER);                                      \
    if (own_error != MPISPEC_NOT_OURS)                                                             \
      return own_error;                                                                            \
    const int error = MPISPEC_IN_LIBRARY(mpispec_next.NAME(                                        \
        send_copy ? send_copy : send, receive, count, datatype, op, root, communicator));          \
    free(send_copy);                                                                               \
    return error;                                                                                  \
  }

SYMMETRIC(Allreduce, int, Allreduce, allreduce)
SYMMETRIC(Allreduce_c, MPI_Count, Allreduce, allreduce)
SYMMETRIC(Scan, int, Scan, scan)
SYMMETRIC(Scan_c, MPI_Count, Scan, scan)
SYMMETRIC(Exscan, int, Exscan, exscan)
SYMMETRIC(Exscan_c, MPI_Count, Exscan, exscan)
REDUCE(Reduce, int)
REDUCE(Reduce_c, MPI_Count)

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF(allreduce, ALLREDUCE, (send, receive, count, datatype, op, comm, ierror), void *send,
             void *receive, const int *count, const MPI_Datatype *datatype, const MPI_Op *op,
             const MPI_Comm *comm, int *ierror) {
  MPISPEC_MPIF_GATE(allreduce, send, receive, count, datatype, op, comm, ierror);
  *ierror = MPI_Allreduce(mpispec_mpif_send_buffer(send), mpispec_mpif_buffer(receive), *count,
                          *datatype, *op, *comm);
}

MPISPEC_MPIF(reduce, REDUCE, (send, receive, count, datatype, op, root, comm, ierror), void *send,
             void *receive, const int *count, const MPI_Datatype *datatype, const MPI_Op *op,
             const int *root, const MPI_Comm *comm, int *ierror) {
  MPISPEC_MPIF_GATE(reduce, send, receive, count, datatype, op, root, comm, ierror);
  *ierror = MPI_Reduce(mpispec_mpif_send_buffer(send), mpispec_mpif_buffer(receive), *count,
                       *datatype, *op, *root, *comm);
}
#endif
