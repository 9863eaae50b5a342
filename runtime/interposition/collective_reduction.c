/* MPI_Allreduce, MPI_Reduce, MPI_Scan, MPI_Exscan. */
#include "collective/nodes.h"
#include "interposition/operands.h"

#include <stdlib.h>
#include <string.h>

/* These return 0 if the call is the library's, having changed nothing. */

static int allreduce(const void *send, void *receive, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm communicator) {
  struct mpispec_operands operands;
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    return 0;
  const struct mpispec_question question = {
      .communicator = communicator, .operation = MPISPEC_ALLREDUCE, .count = count};
  const int is_ours =
      mpispec_operands_read(&operands, collective, send, receive, count, datatype, op, 1) &&
      mpispec_operands_order(&operands, collective, &question);
  if (is_ours && count) {
    (collective->nodes ? mpispec_nodes_allreduce : mpispec_collective_allreduce)(
        collective, &operands.reduction, operands.in, operands.out, count);
    mpispec_operands_finish(&operands);
  }
  mpispec_unlock();
  return is_ours;
}

/* MPICH 4.0.2 reads from the address MPI_IN_PLACE where a long Reduce in place has a root other
 * than rank 0. What is left to the library for its order (discovery.h) is therefore given to it
 * apart:
 * `*apart` is then where, for the caller to free. */
static void take_apart(const struct mpispec_operands *operands, const void *send, void **apart) {
  const size_t bytes = (size_t)(operands->count * operands->reduction.extent);
  if (send != MPI_IN_PLACE || !bytes)
    return;
  *apart = mpispec_must_have(malloc(bytes));
  memcpy(*apart, operands->program_out, bytes);
}

static int reduce(const void *send, void *receive, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, int root, MPI_Comm communicator, void **apart) {
  struct mpispec_operands operands;
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    return 0;
  const struct mpispec_question question = {
      .communicator = communicator, .operation = MPISPEC_REDUCE, .count = count, .root = root};
  int is_ours = mpispec_is_rank(collective, root) &&
                mpispec_operands_read(&operands, collective, send, receive, count, datatype, op,
                                      root == collective->rank);
  if (is_ours && !(is_ours = mpispec_operands_order(&operands, collective, &question)))
    take_apart(&operands, send, apart);
  if (is_ours && count) {
    (collective->nodes ? mpispec_nodes_reduce : mpispec_collective_reduce)(
        collective, &operands.reduction, operands.in, operands.out, count, root);
    mpispec_operands_finish(&operands);
  }
  mpispec_unlock();
  return is_ours;
}

/* Over several nodes not every reduction can be scanned. */
static int takes_scan(struct mpispec_collective *collective, struct mpispec_operands *operands,
                      MPI_Comm communicator, enum mpispec_reducing operation) {
  const struct mpispec_question question = {
      .communicator = communicator, .operation = operation, .count = operands->count};
  if (!collective->nodes ||
      mpispec_nodes_take_scan(collective, &operands->reduction, operands->count))
    return mpispec_operands_order(operands, collective, &question);
  free(operands->staging);
  return 0;
}

static int scan(const void *send, void *receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm communicator) {
  struct mpispec_operands operands;
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    return 0;
  const int is_ours =
      mpispec_operands_read(&operands, collective, send, receive, count, datatype, op, 1) &&
      takes_scan(collective, &operands, communicator, MPISPEC_SCAN);
  if (is_ours && count) {
    (collective->nodes ? mpispec_nodes_scan : mpispec_collective_scan)(
        collective, &operands.reduction, operands.in, operands.out, count);
    mpispec_operands_finish(&operands);
  }
  mpispec_unlock();
  return is_ours;
}

/* Nothing is received on the first rank: the receive buffer matters there only in place. */
static int exscan(const void *send, void *receive, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, MPI_Comm communicator) {
  struct mpispec_operands operands;
  struct mpispec_collective *collective = mpispec_collective_enter(communicator);
  if (!collective)
    return 0;
  const int is_ours = mpispec_operands_read(&operands, collective, send, receive, count, datatype,
                                            op, collective->rank || send == MPI_IN_PLACE) &&
                      takes_scan(collective, &operands, communicator, MPISPEC_EXSCAN);
  if (is_ours && count) {
    (collective->nodes ? mpispec_nodes_exscan : mpispec_collective_exscan)(
        collective, &operands.reduction, operands.in, operands.out, count);
    if (collective->rank)
      mpispec_operands_finish(&operands);
    else
      free(operands.staging);
  }
  mpispec_unlock();
  return is_ours;
}

#define SYMMETRIC(NAME, COUNT, DO)                                                                 \
  int MPI_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype datatype, MPI_Op op,   \
                 MPI_Comm communicator) {                                                          \
    if (DO(send, receive, count, datatype, op, communicator))                                      \
      return MPI_SUCCESS;                                                                          \
    MPISPEC_IN_LIBRARY(mpispec_next.NAME(send, receive, count, datatype, op, communicator));       \
  }

#define REDUCE(NAME, COUNT)                                                                        \
  int MPI_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype datatype, MPI_Op op,   \
                 int root, MPI_Comm communicator) {                                                \
    void *apart = NULL;                                                                            \
    if (reduce(send, receive, count, datatype, op, root, communicator, &apart))                    \
      return MPI_SUCCESS;                                                                          \
    mpispec_away();                                                                                \
    const int error =                                                                              \
        mpispec_next.NAME(apart ? apart : send, receive, count, datatype, op, root, communicator); \
    mpispec_back();                                                                                \
    free(apart);                                                                                   \
    return error;                                                                                  \
  }

SYMMETRIC(Allreduce, int, allreduce)
SYMMETRIC(Allreduce_c, MPI_Count, allreduce)
SYMMETRIC(Scan, int, scan)
SYMMETRIC(Scan_c, MPI_Count, scan)
SYMMETRIC(Exscan, int, exscan)
SYMMETRIC(Exscan_c, MPI_Count, exscan)
REDUCE(Reduce, int)
REDUCE(Reduce_c, MPI_Count)
